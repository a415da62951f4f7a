"""The host's reasons for refusing actions, the same in every game."""

from dataclasses import dataclass
from typing import Final

from bot.rules.refusals import Refusal, RefusalFacts, RefusalReason
from bot.tables.model import Header, TableId
from bot.tables.table import Table


class HostReason(RefusalReason):
    """A reason of the host for refusing an action."""

    UNKNOWN_TABLE = "unknown_table"
    GAME_GONE = "game_gone"
    NO_TABLE_HERE = "no_table_here"
    NO_TABLE_YET = "no_table_yet"
    NO_SOLO_GAME = "no_solo_game"
    OTHER_GAME_HERE = "other_game_here"
    TOO_MANY_TABLES = "too_many_tables"
    SERVER_FULL = "server_full"
    CHANNEL_TAKEN = "channel_taken"
    CHANNEL_IDLE = "channel_idle"
    GAME_GONE_IDLE = "gone_idle"
    PUT_ASIDE = "put_aside"
    ONLY_ASIDE_HERE = "only_aside_here"
    NOTHING_ASIDE = "nothing_aside"
    RESUME_TAKEN = "resume_taken"
    NOT_YOURS_TO_RESUME = "not_yours_to_resume"
    SOLO_TAKEN = "solo_taken"
    NOT_SEATED = "not_seated"
    NOT_A_PLAYER = "not_a_player"
    NOT_YOUR_TURN = "not_your_turn"
    ALREADY_SEATED = "already_seated"
    KICKED = "kicked"
    THEY_WERE_KICKED = "they_were_kicked"
    TABLE_FULL = "table_full"
    FOR_ONE_PERSON = "for_one_person"
    NO_SEAT_FOR_YOU = "no_seat_for_you"
    """A feature keeps the person away from somebody at the table; the reason must not reveal that."""
    NO_SUCH_CHOICE = "no_such_choice"
    FIXED_BY_SERVER = "fixed_by_server"
    THEY_HAVE_NO_SEAT = "they_have_no_seat"
    ONLY_LEAVE = "only_leave"
    THEY_HAVE_A_SEAT = "they_have_a_seat"
    NOT_FINISHED = "not_finished"
    NOTHING_FOLLOWS = "nothing_follows"
    GOES_ON_THERE = "goes_on_there"
    NOT_TIED = "not_tied"
    SEATS_FIXED = "seats_fixed"
    ALREADY_STARTED = "already_started"
    NOT_STARTED = "not_started"
    NOT_OPENER = "not_opener"
    NOT_STARTER = "not_starter"
    NOT_YOUR_GAME = "not_your_game"
    NOT_OPENER_NOR_MODERATOR = "not_opener_nor_moderator"
    OF_TOURNAMENT = "of_tournament"
    NEEDS_AGREEMENT = "needs_agreement"
    ALREADY_AGREED = "already_agreed"
    ONLY_RESIGN = "only_resign"
    NOT_MODERATOR = "not_moderator"
    TABLE_OVER = "table_over"
    RESIGNED = "resigned"
    REMOVED = "removed"
    ALONE = "alone"
    SUBSTITUTED = "substituted"
    NOT_SUBSTITUTED = "not_substituted"
    OWN_TURN = "own_turn"
    NOBODY_AWAITED = "nobody_awaited"
    NOT_ABSENT = "not_absent"
    ALREADY_ASKED = "already_asked"
    CLOCK_RUNS = "clock_runs"
    NOTHING_TO_TAKE_BACK = "nothing_to_take_back"
    TABLE_HELD = "table_held"
    NO_THREAD = "no_thread"
    UNKNOWN_GAME = "unknown_game"
    NOT_YOURS_TO_SHARE = "not_yours_to_share"
    ALREADY_SHARED = "already_shared"
    NOT_MANAGER_OF_DATA = "not_manager_of_data"
    ONLY_YOURSELF = "only_yourself"
    ONLY_IN_SERVERS = "only_in_servers"
    VERSUS_YOURSELF = "versus_yourself"


MAY_BE_PUT_ASIDE: Final = (HostReason.CHANNEL_IDLE, HostReason.GAME_GONE_IDLE)
"""The refusals because of an idle table that can be put aside."""


class Stale(Exception):
    """The request belongs to an earlier state of the table.

    The player has made no mistake: a screen just needs a refresh, and background work has nothing left to do.
    """

    def __init__(self, table_id: TableId) -> None:
        super().__init__(table_id)
        self.table_id = table_id


class DuplicateInteraction(Stale):
    """Another process has handled the same interaction and answers it, so this process has nothing left to do."""


@dataclass(frozen=True)
class TableFacts(RefusalFacts):
    """The table in question."""

    table: Table


@dataclass(frozen=True)
class PlaceTakenFacts(TableFacts):
    """The table that occupies a place; the message depends on who asks."""

    asker_id: int


@dataclass(frozen=True)
class OrphanFacts(RefusalFacts):
    """A table whose game is no longer installed."""

    table_id: TableId


@dataclass(frozen=True)
class LimitFacts(RefusalFacts):
    """The limit."""

    most: int


@dataclass(frozen=True)
class WaitFacts(RefusalFacts):
    """When an action will be possible, in words."""

    when: str


@dataclass(frozen=True)
class GameFacts(RefusalFacts):
    """The title of a game."""

    game: str


@dataclass(frozen=True)
class GamesFacts(RefusalFacts):
    """The titles of all games, as a list in words."""

    games: str


@dataclass(frozen=True)
class PlacesFacts(RefusalFacts):
    """The channels that allow an action, as a list in words."""

    channels: str


@dataclass(frozen=True)
class RolesFacts(RefusalFacts):
    """The roles that allow an action, as a list in words."""

    roles: str


@dataclass(frozen=True)
class NameFacts(RefusalFacts):
    """The name of a person, escaped for Markdown."""

    name: str


@dataclass(frozen=True)
class LinkFacts(RefusalFacts):
    """The URL of a message."""

    link: str


def refused_table(refusal: Refusal) -> Table | None:
    """Return the table in a refusal's facts, or None."""
    return refusal.facts.table if isinstance(refusal.facts, TableFacts) else None


def game_gone_refusal(header: Header) -> Refusal:
    """Return the refusal of any action at a table whose game is not installed."""
    if not header.status.is_open:
        return Refusal(HostReason.UNKNOWN_TABLE)
    return Refusal(HostReason.GAME_GONE, OrphanFacts(header.id))
