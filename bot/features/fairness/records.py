"""A table as a portable file: everything needed to verify it, and no Discord ids.

A record contains the seed, so only tables that are over have one. `docs/fair-dice.md` specifies the format.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from enum import StrEnum
from typing import Annotated, Any, Final, Literal, NoReturn, Self, TypeAlias, TypeVar

from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError

from bot.platform.places import Location, Person
from bot.rules.content import first_error
from bot.rules.game import Outcome
from bot.rules.refusals import CommonReason, Refusal, RefusalFacts, RefusalReason, unreadable
from bot.tables import control_entries
from bot.tables.closing import propose_close
from bot.tables.control_entries import CONTROL_ENTRY_PREFIX
from bot.tables.kinds import find_edition
from bot.tables.model import Occupant, Status, build_lobby_header
from bot.tables.registry import AnyPackage
from bot.tables.seats import (
    SeatAction,
    SeatControlEntry,
    come_back,
    remove_seat,
    resign_seat,
    substitute_absent,
    take_back,
)
from bot.tables.table import Table, apply_control_entry, apply_move, position_digest, start_game
from bot.words import N_, gettext as _

RECORD_VERSION = 1
MAX_RECORD_BYTES = 1024 * 1024
"""Larger files are refused unread. A long game of computer players takes 80 KiB, 4,000 random moves take 400 KiB."""

_MAX_KEYS = 64
"""More keys than any object of a record has. Without a limit, each key would cost a Pydantic error."""

T = TypeVar("T")
JsonArray: TypeAlias = Annotated[tuple[T, ...], Field(strict=False, fail_fast=True)]
"""A JSON array. Validation stops at the first error, because each error takes a kilobyte."""

HexDigest = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
Count = Annotated[int, Field(ge=0, le=1_000_000)]
DrawnNumber = Annotated[
    tuple[Annotated[int, Field(ge=1, le=1 << 64)], Annotated[int, Field(ge=0)]], Field(strict=False)
]
"""A bound, and the number drawn below it."""


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
    """The occupant of a seat."""

    name: Annotated[str, Field(max_length=100)]
    level: Annotated[str, Field(max_length=32)] | None
    """The level of a computer player; null for a person."""
    contribution: Annotated[str, Field(pattern=r"^[!-~]{1,64}$")]
    hints: bool
    """Whether the person used hints."""


class MoveRecord(_RecordModel):
    """One entry of the list of moves."""

    step: Count
    seat: Annotated[int, Field(ge=0, le=99)]
    text: Annotated[str, Field(max_length=1000)]
    digest: Annotated[str, Field(max_length=64)]
    numbers: JsonArray[DrawnNumber] | None
    """The numbers drawn during the move; null if the entries can't be replayed that far."""

    @property
    def is_control_entry(self) -> bool:
        """Whether the entry is a control entry, which is no move of the game and draws no numbers."""
        return self.text.startswith(CONTROL_ENTRY_PREFIX)


class OutcomeRecord(_RecordModel):
    """The ranking of a finished table."""

    places: JsonArray[int]
    scores: JsonArray[int]
    reason: Annotated[str, Field(max_length=64)]

    @classmethod
    def from_outcome(cls, outcome: Outcome) -> Self:
        """Return the record of an outcome."""
        return cls(places=outcome.places, scores=outcome.scores, reason=outcome.reason.value)


class PortableRecord(_RecordModel):
    """A table that is over, with its seed."""

    format: Literal["parlour-record"] = "parlour-record"
    version: Literal[1] = 1
    game: Annotated[str, Field(max_length=64)]
    rules: Count
    """The version of the game's rules when the table opened."""
    options: dict[str, JsonValue]
    seats: Annotated[JsonArray[SeatRecord], Field(max_length=100)]
    commitment: HexDigest
    seed: HexDigest
    salt: HexDigest | None
    """Null if the game never started."""
    ending: Annotated[Ending, Field(strict=False)]
    setup: JsonArray[DrawnNumber] | None
    """The numbers drawn during the set-up; null if it can't be replayed, or the game never started."""
    moves: JsonArray[MoveRecord]
    outcome: OutcomeRecord | None

    def __str__(self) -> str:
        """Return the record as JSON, with one line per seat and move."""
        parts = self.model_dump(mode="json")
        lines = (f"{json.dumps(key)}: {_format_value(value)}" for key, value in parts.items())
        return "{\n" + ",\n".join(lines) + "\n}\n"


class _FormatHeader(BaseModel):
    """The fields that identify a file's format."""

    model_config = ConfigDict(strict=True)

    format: Literal["parlour-record"]
    version: int


def read_record(text: bytes) -> PortableRecord:
    """Read a record from a file. Reading takes less than 100 MiB of memory, even for a hostile file.

    Raises:
        Refusal: The file is not a record of this version.
    """
    if len(text) > MAX_RECORD_BYTES:
        raise Refusal(RecordReason.TOO_LARGE, SizeFacts(MAX_RECORD_BYTES // 1024 // 1024))
    data = _parse_json(text)
    try:
        header = _FormatHeader.model_validate(data)
    except ValidationError as faults:
        raise Refusal(RecordReason.NO_RECORD) from faults
    if header.version != RECORD_VERSION:
        raise Refusal(RecordReason.OTHER_VERSION, VersionFacts(header.version, RECORD_VERSION))
    try:
        return PortableRecord.model_validate(data)
    except ValidationError as faults:
        where, what = first_error(faults)
        if where == "seed":
            raise Refusal(RecordReason.NO_SEED) from faults
        raise Refusal(RecordReason.MALFORMED, DamageFacts(where, what)) from faults


def _parse_json(text: bytes) -> object:
    """Parse JSON. Pydantic's parser needs a hundred times the memory for an array of empty arrays."""
    try:
        return json.loads(text.decode(), object_pairs_hook=_make_dict, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as fault:
        raise Refusal(RecordReason.NO_JSON) from fault


def _make_dict(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Return a JSON object as a dictionary; refuse too many keys, and duplicate keys, which are ambiguous."""
    made = dict(pairs)
    if len(pairs) > _MAX_KEYS or len(made) < len(pairs):
        raise Refusal(RecordReason.NO_RECORD)
    return made


def _refuse_constant(word: str) -> NoReturn:
    raise ValueError(f"{word} is not JSON")


def _format_value(value: Any) -> str:
    """Return a value as one line of JSON, or a list of objects with one line for each."""
    compact = json.dumps(value, ensure_ascii=False)
    if not isinstance(value, list) or not value or not isinstance(value[0], dict):
        return compact
    return "[\n" + ",\n".join("  " + json.dumps(each, ensure_ascii=False) for each in value) + "\n]"


_NO_TIME: Final = datetime.min.replace(tzinfo=UTC)
"""Records contain no times."""

_NO_OPENER: Final = -1
"""Records do not say who opened the table."""


def _remove_seat(table: Table, person: Person) -> SeatControlEntry:
    """Return the entry of a seat from which a moderator removes its person; another person must play on."""
    seat, entry = remove_seat(table, person.id)
    if table.remaining_players <= {seat}:
        raise unreadable(str(entry))
    return seat, entry


_ACTIONS: Final[Mapping[type[control_entries.ControlEntry], SeatAction]] = {
    control_entries.Resign: resign_seat,
    control_entries.ComeBack: come_back,
    control_entries.TakeBack: take_back,
    control_entries.AgreeToClose: propose_close,
    control_entries.Remove: _remove_seat,
}


def replay_record(record: PortableRecord, package: AnyPackage) -> Iterator[Table]:
    """Yield the table after the set-up and after each entry.

    Raises:
        Refusal: An entry is not allowed, or leads to a position other than the recorded one.
    """
    if record.salt is None:
        return
    table = _start_table(record, record.salt, package)
    yield table
    for move in record.moves:
        try:
            table = _apply(table, move)
        except Exception as fault:
            # Rules may raise anything for moves that they do not allow, and a record may contain any moves.
            raise Refusal(RecordReason.REFUSED, EntryFacts(move.step, move.text)) from fault
        if position_digest(table) != move.digest:
            raise Refusal(RecordReason.DIGEST, EntryFacts(move.step, move.text))
        yield table


def _start_table(record: PortableRecord, salt: str, package: AnyPackage) -> Table:
    info = package.game.info
    # A challenge has one seat, whatever its game.
    is_challenge = len(record.seats) == 1 and find_edition(record.seats[0].contribution) is not None
    if not info.least_seats <= len(record.seats) <= info.most_seats and not is_challenge:
        raise Refusal(RecordReason.SEATS, SeatCountFacts(len(record.seats), _(info.title)))
    # The seat number serves as a person's user id.
    seats = tuple(
        Occupant(occupant.name, seat if occupant.level is None else None, occupant.level, occupant.contribution)
        for seat, occupant in enumerate(record.seats)
    )
    nowhere, seed = Location(guild_id=None, channel_id=0), bytes.fromhex(record.seed)
    header = build_lobby_header(
        record.game,
        record.rules,
        json.dumps(record.options),
        location=nowhere,
        opener_id=_NO_OPENER,
        seed=seed,
        at=_NO_TIME,
    )
    hinted = frozenset(seat for seat, occupant in enumerate(record.seats) if occupant.hints)
    try:
        return start_game(Table(replace(header, salt=salt, hinted=hinted), seats, package))
    except Exception as fault:
        raise Refusal(RecordReason.OPTIONS) from fault


def _apply(table: Table, move: MoveRecord) -> Table:
    if table.header.status is not Status.PLAYING:
        raise Refusal(CommonReason.GAME_OVER)
    if move.is_control_entry:
        entry = control_entries.parse_control_entry(move.text)
        if _make_control_entry(table, Person(move.seat, ""), entry) != (move.seat, entry):
            # The seat's player can't have made this entry.
            raise unreadable(move.text)
        return apply_control_entry(table, move.seat, entry)
    return apply_move(table, move.seat, table.package.game.parse_move(move.text))


def _make_control_entry(table: Table, person: Person, entry: control_entries.ControlEntry) -> SeatControlEntry:
    """Apply the action of the entry's kind, as if the other players were absent."""
    match entry:
        case control_entries.AskForSubstitute():
            return substitute_absent(table, person, _NO_TIME)
        case control_entries.Substitute():
            # The person may have opened the table; an opener needs no second vote.
            as_opener = replace(table, header=replace(table.header, opener_id=person.id))
            return substitute_absent(as_opener, person, _NO_TIME)
        case _:
            return _ACTIONS[type(entry)](table, person)


class RecordReason(RefusalReason):
    """Why a file is not a record, or why a record fails verification."""

    TOO_LARGE = "too_large"
    NO_JSON = "no_json"
    NO_RECORD = "no_record"
    OTHER_VERSION = "other_version"
    NO_SEED = "no_seed"
    MALFORMED = "malformed"
    COMMITMENT = "commitment"
    SALT = "salt"
    CHALLENGE = "challenge"
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


@dataclass(frozen=True)
class SizeFacts(RefusalFacts):
    """The largest size of a record, in MiB."""

    most: int


@dataclass(frozen=True)
class DamageFacts(RefusalFacts):
    """The invalid field, and its fault."""

    where: str
    what: str


@dataclass(frozen=True)
class VersionFacts(RefusalFacts):
    """The version of a record or of its rules, and the supported version."""

    version: int
    known: int


@dataclass(frozen=True)
class StepFacts(RefusalFacts):
    """A step of the table."""

    step: int


@dataclass(frozen=True)
class StepOrderFacts(StepFacts):
    """A step, and the different one found in its place."""

    expected: int


@dataclass(frozen=True)
class EntryFacts(StepFacts):
    """A step, with the text of its entry."""

    text: str


@dataclass(frozen=True)
class NumberFacts(StepFacts):
    """A recorded number below a bound, and the number that the seed gives."""

    number: int
    bound: int
    due: int


@dataclass(frozen=True)
class UnknownGameFacts(RefusalFacts):
    """The key of an unknown game, and the keys of the known ones."""

    game: str
    games: str


@dataclass(frozen=True)
class SeatCountFacts(RefusalFacts):
    """How many seats a record has, and the title of its game."""

    seats: int
    game: str


@dataclass(frozen=True)
class EndingFacts(RefusalFacts):
    """The recorded ending."""

    ending: str


RECORD_ERROR_MESSAGES: dict[RefusalReason, str] = {
    RecordReason.TOO_LARGE: N_("The file is larger than {most} MiB, so it isn't a table record."),
    RecordReason.NO_JSON: N_("The file isn't JSON. Save the record as it was attached, unchanged."),
    RecordReason.NO_RECORD: N_("The file isn't a record of a Parlour table."),
    RecordReason.OTHER_VERSION: N_(
        "The record has version {version}, but this Parlour reads version {known}: use the Parlour that wrote it."
    ),
    RecordReason.NO_SEED: N_(
        "The record has no seed, so nothing can be checked. Get it from `/table verify` once the table is over."
    ),
    RecordReason.MALFORMED: N_("The record is damaged at {where}: {what}."),
    RecordReason.COMMITMENT: N_(
                                "The seed isn't the one that was promised: its SHA-256 doesn't match the commitment."
),
    RecordReason.SALT: N_("The salt doesn't match what the seats contributed."),
    RecordReason.CHALLENGE: N_(
        "A challenge is played by one person with the default options and without hints, which this record isn't."
    ),
    RecordReason.NOT_STARTED: N_("The record has moves but no salt, so the table can't have started."),
    RecordReason.STEPS: N_("Step {expected} is missing; step {step} is in its place."),
    RecordReason.NUMBER: N_("Step {step}: below {bound} the seed gives {due}, not {number}."),
    RecordReason.GAME: N_(
                          "This Parlour doesn't have the game {game}, so it can't follow the moves. It has: {games}."
),
    RecordReason.RULES: N_(
        "The table was played by version {version} of the rules, but this Parlour plays version {known}: "
        "use the Parlour that wrote the record."
    ),
    RecordReason.OPTIONS: N_("The game can't be set up with the options of the record."),
    RecordReason.SEATS: N_("The record has a number of seats that {game} is never played with: {seats}."),
    # Translators: {text} is a move in the notation of the game.
    RecordReason.REFUSED: N_("Step {step}: {text} isn't possible there."),
    RecordReason.OTHER_NUMBERS: N_("Step {step}: the rules ask for other random numbers than those listed."),
    # Translators: {text} is a move in the notation of the game.
    RecordReason.DIGEST: N_("Step {step}: the move {text} doesn't lead to the recorded position."),
    RecordReason.ENDING: N_("A table with these moves can't have ended like that: {ending}."),
    RecordReason.OUTCOME: N_("The ranking doesn't match the moves."),
}  # fmt: skip


def record_error_message(flaw: Refusal) -> str:
    """Return the error message for a flaw of a record."""
    return _(RECORD_ERROR_MESSAGES[flaw.reason]).format_map(flaw.facts.by_name())
