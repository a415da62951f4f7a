"""A table as a portable file: everything that is needed to check it, and nobody's id.

A record is made only when the seed may be published. What its parts mean is written down in `docs/fair-dice.md`.
"""

import json
from enum import StrEnum
from typing import Annotated, Any, Literal, NoReturn, Self, TypeAlias, TypeVar

from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError

from bot.rules.outcome import Outcome
from bot.rules.refusals import Refusal
from bot.tables import model
from bot.tables.controls import CONTROL_PREFIX
from bot.tables.records.refusals import DamageFacts, RecordReason, SizeFacts, VersionFacts

RECORD_VERSION = 1
MAX_RECORD_BYTES = 1024 * 1024
"""What is larger is not even read. A long game of computer players makes 80 KiB, 4,000 moves at random make 400 KiB."""

_MAX_KEYS = 64
"""No object of a record has more; each further key would cost an error of its own."""

T = TypeVar("T")
JsonArray: TypeAlias = Annotated[tuple[T, ...], Field(strict=False, fail_fast=True)]
"""A JSON array; it is refused at its first wrong item, for each error costs a kilobyte."""

HexDigest = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
Count = Annotated[int, Field(ge=0, le=1_000_000)]
DrawnNumber = Annotated[
    tuple[Annotated[int, Field(ge=1, le=1 << 64)], Annotated[int, Field(ge=0)]], Field(strict=False)
]
"""A bound, and the number below it that chance gave."""


class Ending(StrEnum):
    """How a table ended."""

    FINISHED = "finished"
    CANCELLED = "cancelled"
    EXPIRED = "expired"
    HELD = "held"
    ABANDONED = "abandoned"


class _RecordModel(BaseModel):
    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")


class SeatRecord(_RecordModel):
    """Who sat in a seat, and what it contributed to the salt."""

    name: Annotated[str, Field(max_length=100)]
    level: Annotated[str, Field(max_length=32)] | None
    """The level of a computer player; null for a person."""
    contribution: Annotated[str, Field(pattern=r"^[!-~]{1,64}$")]


class MoveRecord(_RecordModel):
    """One entry of the list of moves."""

    step: Count
    seat: Annotated[int, Field(ge=0, le=99)]
    text: Annotated[str, Field(max_length=1000)]
    digest: Annotated[str, Field(max_length=64)]
    numbers: JsonArray[DrawnNumber] | None
    """What chance gave during the move; null where the rules could not be followed that far."""

    @property
    def is_control(self) -> bool:
        """Whether the host made the entry, about the table: it is no move of the game and asks chance for nothing."""
        return self.text.startswith(CONTROL_PREFIX)


class OutcomeRecord(_RecordModel):
    """The ranking of a finished table."""

    places: JsonArray[int]
    scores: JsonArray[int]
    reason: Annotated[str, Field(max_length=64)]

    @classmethod
    def from_outcome(cls, outcome: Outcome) -> Self:
        """Write an outcome down."""
        return cls(places=outcome.places, scores=outcome.scores, reason=outcome.reason.value)


class PortableRecord(_RecordModel):
    """A table that is over, with its seed."""

    format: Literal["parlour-record"] = "parlour-record"
    version: Literal[1] = 1
    game: Annotated[str, Field(max_length=64)]
    rules: Count
    """The version of the rules the table was opened with."""
    options: dict[str, JsonValue]
    seats: Annotated[JsonArray[SeatRecord], Field(max_length=100)]
    commitment: HexDigest
    seed: HexDigest
    salt: HexDigest | None
    """Null when the table ended before it had started."""
    ending: Annotated[Ending, Field(strict=False)]
    setup: JsonArray[DrawnNumber] | None
    """What chance gave while the game was set up; null as in a move, and when there was no start."""
    moves: JsonArray[MoveRecord]
    outcome: OutcomeRecord | None

    def __str__(self) -> str:
        """Write the record as JSON, with a line for each seat and each move."""
        parts = self.model_dump(mode="json")
        lines = (f"{json.dumps(key)}: {_format_value(value)}" for key, value in parts.items())
        return "{\n" + ",\n".join(lines) + "\n}\n"


class _FormatHeader(BaseModel):
    """The part of a file that says what the rest of it is."""

    model_config = ConfigDict(strict=True)

    format: Literal["parlour-record"]
    version: int


def read_record(text: bytes) -> PortableRecord:
    """Read a record from a file.

    Hostile files cost little: reading one takes less than 100 MiB, whatever stands in it.

    Raises:
        Refusal: The file is no record of this version.
    """
    if len(text) > MAX_RECORD_BYTES:
        raise Refusal(RecordReason.TOO_LARGE, SizeFacts(MAX_RECORD_BYTES // 1024 // 1024))
    data = _parse_json(text)
    _require_format(data)
    try:
        return PortableRecord.model_validate(data)
    except ValidationError as faults:
        where, what = _first_error(faults)
        if where == "seed":
            raise Refusal(RecordReason.NO_SEED) from faults
        raise Refusal(RecordReason.MALFORMED, DamageFacts(where, what)) from faults


def _parse_json(text: bytes) -> object:
    """Parse JSON; Pydantic's own parser takes a hundred times the memory for an array of empty arrays."""
    try:
        return json.loads(text.decode(), object_pairs_hook=_make_dict, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as fault:
        raise Refusal(RecordReason.NO_JSON) from fault


def _make_dict(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Make a dictionary of a JSON object; a key that stands there twice would leave open which value is meant."""
    made = dict(pairs)
    if len(pairs) > _MAX_KEYS or len(made) < len(pairs):
        raise Refusal(RecordReason.NO_RECORD)
    return made


def _refuse_constant(word: str) -> NoReturn:
    raise ValueError(f"{word} is not JSON")


def _require_format(data: object) -> None:
    try:
        label = _FormatHeader.model_validate(data)
    except ValidationError as faults:
        raise Refusal(RecordReason.NO_RECORD) from faults
    if label.version != RECORD_VERSION:
        raise Refusal(RecordReason.OTHER_VERSION, VersionFacts(label.version, RECORD_VERSION))


def _first_error(faults: ValidationError) -> tuple[str, str]:
    first = faults.errors(include_url=False, include_context=False, include_input=False)[0]
    return ".".join(map(str, first["loc"])), first["msg"]


def make_seat_record(who: model.Occupant) -> SeatRecord:
    """Write down who sits in a seat, without their id."""
    return SeatRecord(name=who.name, level=who.level, contribution=who.contribution)


def make_move_record(entry: model.Entry) -> MoveRecord:
    """Write an entry down, without the id of its click; what chance gave is found by following the rules."""
    return MoveRecord(step=entry.step, seat=entry.seat, text=entry.text, digest=entry.digest, numbers=None)


def _format_value(value: Any) -> str:
    """Write a value in one line, or a list of objects with a line for each."""
    compact = json.dumps(value, ensure_ascii=False)
    if not isinstance(value, list) or not value or not isinstance(value[0], dict):
        return compact
    return "[\n" + ",\n".join("  " + json.dumps(each, ensure_ascii=False) for each in value) + "\n]"
