"""Error messages for flawed records, used by Discord and the command line."""

from dataclasses import dataclass

from bot.rules.refusals import Refusal, RefusalFacts, RefusalReason
from bot.words import N_, gettext as _


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
    DAILY = "daily"
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
    """The largest size of a record in MiB."""

    most: int


@dataclass(frozen=True)
class DamageFacts(RefusalFacts):
    """The field that is invalid, and how."""

    where: str
    what: str


@dataclass(frozen=True)
class VersionFacts(RefusalFacts):
    """The version of a record or of its rules, and the supported one."""

    version: int
    known: int


@dataclass(frozen=True)
class StepFacts(RefusalFacts):
    """A step of the table."""

    step: int


@dataclass(frozen=True)
class StepOrderFacts(StepFacts):
    """A step in the place of another."""

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
    RecordReason.DAILY: N_(
        "A daily bag is played by one person with the default options and without hints, which this record isn't."
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
    RecordReason.SEATS: N_("{game} is not played with {seats} seats."),
    RecordReason.REFUSED: N_("Step {step}: {text} isn't possible there."),
    RecordReason.OTHER_NUMBERS: N_("Step {step}: the rules ask for other random numbers than those listed."),
    RecordReason.DIGEST: N_("Step {step}: the move {text} doesn't lead to the recorded position."),
    RecordReason.ENDING: N_("A table with these moves can't have ended like that: {ending}."),
    RecordReason.OUTCOME: N_("The ranking doesn't match the moves."),
}  # fmt: skip


def record_error_message(flaw: Refusal) -> str:
    """Return the error message for a flaw of a record."""
    return _(RECORD_ERROR_MESSAGES[flaw.reason]).format_map(flaw.facts.by_name())
