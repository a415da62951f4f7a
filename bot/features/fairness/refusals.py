"""Why a file is not a record, or a record fails verification, with the facts."""

from dataclasses import dataclass

from bot.rules.refusals import RefusalFacts, RefusalReason


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
