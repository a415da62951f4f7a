"""What is wrong with a record, or with the file in which it should be."""

from dataclasses import dataclass

from bot.rules.refusals import RefusalFacts, RefusalReason


class RecordReason(RefusalReason):
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


@dataclass(frozen=True)
class SizeFacts(RefusalFacts):
    """The largest size of a record in MiB."""

    most: int


@dataclass(frozen=True)
class DamageFacts(RefusalFacts):
    """Where in a record something is wrong, and what."""

    where: str
    what: str


@dataclass(frozen=True)
class VersionFacts(RefusalFacts):
    """The version of a record or of its rules, and the one that is known here."""

    version: int
    known: int


@dataclass(frozen=True)
class StepFacts(RefusalFacts):
    """A step of the table."""

    step: int


@dataclass(frozen=True)
class StepOrderFacts(StepFacts):
    """A step that stands where another is expected."""

    expected: int


@dataclass(frozen=True)
class EntryFacts(StepFacts):
    """A step with what was done in it, as the record writes it."""

    text: str


@dataclass(frozen=True)
class NumberFacts(StepFacts):
    """A number of the record below a bound, and the one that is due by the seed."""

    number: int
    bound: int
    due: int


@dataclass(frozen=True)
class UnknownGameFacts(RefusalFacts):
    """The key of a game that is not hosted, and the keys of those that are."""

    game: str
    games: str


@dataclass(frozen=True)
class SeatCountFacts(RefusalFacts):
    """How many seats a record has, and the title of its game."""

    seats: int
    game: str


@dataclass(frozen=True)
class EndingFacts(RefusalFacts):
    """How a table is said to have ended."""

    ending: str
