"""A table as a portable file: everything that is needed to check it, and nobody's id.

A record is made only when the seed may be published. What its parts mean is written down in `docs/fair-dice.md`.
"""

import json
from enum import StrEnum
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError

from bot.rules.outcome import Outcome
from bot.rules.refusals import Reason, Refusal
from bot.tables import model
from bot.tables.controls import MARK

VERSION = 1
MOST_BYTES = 16 * 1024 * 1024
"""No record of a game is larger; what is larger is not even read."""

Hash = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
Count = Annotated[int, Field(ge=0, le=1_000_000)]
Drawn = tuple[Annotated[int, Field(ge=1, le=1 << 64)], Annotated[int, Field(ge=0)]]
"""A bound, and the number below it that chance gave."""


class RecordReason(Reason):
    """Why a file is no record, or why a record does not hold."""

    TOO_LARGE = "too_large"
    NO_JSON = "no_json"
    NO_RECORD = "no_record"
    OTHER_VERSION = "other_version"
    NO_SEED = "no_seed"
    MALFORMED = "malformed"
    COMMITMENT = "commitment"
    SALT = "salt"
    NOT_STARTED = "not_started"
    STEPS = "steps"
    NUMBER = "number"
    GAME = "game"
    RULES = "rules"
    OPTIONS = "options"
    SEATS = "seats"
    REFUSED = "refused"
    OTHER_NUMBERS = "other_numbers"
    DIGEST = "digest"
    ENDING = "ending"
    OUTCOME = "outcome"


class Ending(StrEnum):
    """How a table ended."""

    FINISHED = "finished"
    CANCELLED = "cancelled"
    EXPIRED = "expired"
    HELD = "held"


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")


class SeatRecord(_Part):
    """Who sat in a seat, and what it contributed to the salt."""

    name: Annotated[str, Field(max_length=100)]
    level: Annotated[str, Field(max_length=32)] | None
    """The level of a computer player; null for a person."""
    contribution: Annotated[str, Field(pattern=r"^[!-~]{1,64}$")]


class MoveRecord(_Part):
    """One entry of the list of moves."""

    step: Count
    seat: Annotated[int, Field(ge=0, le=99)]
    text: Annotated[str, Field(max_length=1000)]
    digest: Annotated[str, Field(max_length=64)]
    numbers: tuple[Drawn, ...] | None
    """What chance gave during the move; null where the rules could not be followed that far."""

    @property
    def is_control(self) -> bool:
        """Whether the host made the entry, about the table: it is no move of the game and asks chance for nothing."""
        return self.text.startswith(MARK)


class OutcomeRecord(_Part):
    """The ranking of a finished table."""

    places: tuple[int, ...]
    scores: tuple[int, ...]
    reason: Annotated[str, Field(max_length=64)]

    @classmethod
    def of(cls, outcome: Outcome) -> Self:
        """Write an outcome down."""
        return cls(places=outcome.places, scores=outcome.scores, reason=outcome.reason.value)


class PortableRecord(_Part):
    """A table that is over, with its seed."""

    format: Literal["parlour-record"] = "parlour-record"
    version: Literal[1] = 1
    game: Annotated[str, Field(max_length=64)]
    rules: Count
    """The version of the rules the table was opened with."""
    options: dict[str, JsonValue]
    seats: Annotated[tuple[SeatRecord, ...], Field(max_length=100)]
    commitment: Hash
    seed: Hash
    salt: Hash | None
    """Null when the table ended before it had started."""
    ending: Ending
    setup: tuple[Drawn, ...] | None
    """What chance gave while the game was set up; null as in a move, and when there was no start."""
    moves: tuple[MoveRecord, ...]
    outcome: OutcomeRecord | None

    def __str__(self) -> str:
        """Write the record as JSON, with a line for each seat and each move."""
        parts = self.model_dump(mode="json")
        lines = (f"{json.dumps(key)}: {_lines(value)}" for key, value in parts.items())
        return "{\n" + ",\n".join(lines) + "\n}\n"


class _Label(BaseModel):
    """The part of a file that says what the rest of it is."""

    model_config = ConfigDict(strict=True)

    format: Literal["parlour-record"]
    version: int


def read_record(text: bytes) -> PortableRecord:
    """Read a record from a file; refuses whatever is none, however large or deep or odd it is."""
    if len(text) > MOST_BYTES:
        raise Refusal(RecordReason.TOO_LARGE, most=MOST_BYTES // 1024 // 1024)
    _require_label(text)
    try:
        return PortableRecord.model_validate_json(text)
    except ValidationError as faults:
        where, what = _first(faults)
        if where == "seed":
            raise Refusal(RecordReason.NO_SEED) from faults
        raise Refusal(RecordReason.MALFORMED, where=where, what=what) from faults


def _require_label(text: bytes) -> None:
    try:
        label = _Label.model_validate_json(text)
    except ValidationError as faults:
        unreadable = faults.errors(include_url=False)[0]["type"] == "json_invalid"
        raise Refusal(RecordReason.NO_JSON if unreadable else RecordReason.NO_RECORD) from faults
    if label.version != VERSION:
        raise Refusal(RecordReason.OTHER_VERSION, version=label.version, known=VERSION)


def _first(faults: ValidationError) -> tuple[str, str]:
    first = faults.errors(include_url=False, include_context=False, include_input=False)[0]
    return ".".join(map(str, first["loc"])), first["msg"]


def seat_record(who: model.Occupant) -> SeatRecord:
    """Write down who sits in a seat, without their id."""
    return SeatRecord(name=who.name, level=who.level, contribution=who.contribution)


def move_record(entry: model.Entry) -> MoveRecord:
    """Write an entry down, without the id of its click; what chance gave is found by following the rules."""
    return MoveRecord(step=entry.step, seat=entry.seat, text=entry.text, digest=entry.digest, numbers=None)


def _lines(value: Any) -> str:
    """Write a value in one line, or a list of objects with a line for each."""
    compact = json.dumps(value, ensure_ascii=False)
    if not isinstance(value, list) or not value or not isinstance(value[0], dict):
        return compact
    return "[\n" + ",\n".join("  " + json.dumps(each, ensure_ascii=False) for each in value) + "\n]"
