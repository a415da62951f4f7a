"""Why the host refuses actions, whatever the game."""

from dataclasses import dataclass

from bot.rules.refusals import Refusal, RefusalFacts, RefusalReason
from bot.tables.model import TableId
from bot.tables.table import Table


class HostReason(RefusalReason):
    """Why the host refuses an action."""

    UNKNOWN_TABLE = "unknown_table"
    GAME_GONE = "game_gone"
    NO_TABLE_HERE = "no_table_here"
    NO_TABLE_YET = "no_table_yet"
    NO_SOLO_GAME = "no_solo_game"
    OTHER_GAME_HERE = "other_game_here"
    TOO_MANY_TABLES = "too_many_tables"
    CHANNEL_TAKEN = "channel_taken"
    CHANNEL_IDLE = "channel_silent"
    GAME_GONE_IDLE = "gone_silent"
    PUT_ASIDE = "set_aside"
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
    NO_SEAT_FOR_YOU = "no_seat_for_you"
    """Somebody at the table blocks the person, which this reason must not reveal."""
    YOU_BLOCK_SOMEONE = "you_block_someone"
    YOU_BLOCK_THEM = "you_block_them"
    BLOCKED_YOURSELF = "blocked_yourself"
    BLOCKED_COMPUTER = "blocked_computer"
    TOO_MANY_BLOCKS = "too_many_blocks"
    NOT_BLOCKED = "not_blocked"
    NO_COMPUTER = "no_computer"
    NO_SUCH_CHOICE = "no_such_choice"
    NO_SUCH_SETTING = "no_such_setting"
    TOO_MANY_CHOSEN = "too_many_chosen"
    EVERYONE_OPENS = "everyone_opens"
    EVERYONE_MODERATES = "everyone_moderates"
    THEY_HAVE_NO_SEAT = "they_have_no_seat"
    ONLY_LEAVE = "only_leave"
    NO_SEAT_TO_INVITE_FROM = "no_seat_to_invite_from"
    INVITED_YOURSELF = "invited_yourself"
    THEY_HAVE_A_SEAT = "they_have_a_seat"
    ALREADY_INVITED = "already_invited"
    INVITED_TODAY = "invited_today"
    TOO_MANY_INVITATIONS = "too_many_invitations"
    INVITATIONS_REFUSED = "invitations_refused"
    INVITATIONS_OFF = "invitations_off"
    NOT_YOUR_INVITATION = "not_your_invitation"
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
    NEEDS_AGREEMENT = "needs_agreement"
    ALREADY_AGREED = "already_agreed"
    ONLY_RESIGN = "only_resign"
    NOT_MODERATOR = "not_moderator"
    TABLE_OVER = "table_over"
    RESIGNED = "resigned"
    ALONE = "alone"
    SUBSTITUTED = "substituted"
    NOT_SUBSTITUTED = "not_substituted"
    OWN_TURN = "own_turn"
    NOBODY_AWAITED = "nobody_awaited"
    NOT_ABSENT = "not_absent"
    ALREADY_ASKED = "already_asked"
    CLOCK_RUNS = "clock_runs"
    NOTHING_TO_TAKE_BACK = "nothing_to_take_back"
    OFF_SCRIPT = "off_script"
    NO_HINTS = "no_hints"
    NO_HINTS_IN_LESSONS = "no_hints_in_lessons"
    NO_HINTS_IN_DAILY_BAGS = "no_hints_in_daily_bags"
    NO_HINTS_IN_TOURNAMENTS = "no_hints_in_tournaments"
    HINTS_OFF_HERE = "hints_off_here"
    HINTS_OFF_IN_SERVER = "hints_off_in_server"
    HINT_FAILED = "hint_failed"
    NO_LESSON = "no_lesson"
    TABLE_HELD = "table_held"
    NO_PINGS_HERE = "no_pings_here"
    UNKNOWN_ZONE = "unknown_zone"
    NO_QUIET_HOURS = "no_quiet_hours"
    NO_THREAD = "no_thread"
    PLAYED_ELSEWHERE = "played_elsewhere"
    NOT_PLAYED_HERE = "not_played_here"
    MAY_NOT_OPEN = "may_not_open"
    GAME_OFF = "game_off"
    UNKNOWN_GAME = "unknown_game"
    NOTHING_TO_REPLAY = "nothing_to_replay"
    UNKNOWN_REPLAY = "unknown_replay"
    NOT_OVER = "not_over"
    NO_REPLAY = "no_replay"
    NOT_YOURS_TO_SHARE = "not_yours_to_share"
    ALREADY_SHARED = "already_shared"
    NO_BOARD_YET = "no_board_yet"
    BOARD_POSTED = "board_posted"
    NO_ANIMATION = "no_animation"
    NO_ANIMATION_OF_DAILY_BAGS = "no_animation_of_daily_bags"
    NO_REVIEW = "no_review"
    REVIEW_FAILED = "review_failed"
    NOT_MANAGER = "not_manager"
    NOT_MANAGER_OF_DATA = "not_manager_of_data"
    ONLY_YOURSELF = "only_yourself"
    NO_DAILY_BAG = "no_daily_bag"
    DAILY_BAG_OPEN = "daily_bag_open"
    DAILY_BAG_SEALED = "daily_bag_sealed"
    ONLY_IN_SERVERS = "only_in_servers"
    VERSUS_YOURSELF = "versus_yourself"
    NO_PUZZLES = "no_puzzles"
    UNKNOWN_PUZZLE = "unknown_puzzle"
    PUZZLE_NOT_ANSWERED = "puzzle_not_answered"


class Stale(Exception):
    """The click belongs to an earlier step. It is no mistake of the player; the screen just needs a refresh."""

    def __init__(self, table_id: TableId) -> None:
        super().__init__(table_id)
        self.table_id = table_id


class DuplicateInteraction(Stale):
    """Another process has handled the same interaction, and answers it."""


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
class GameFacts(RefusalFacts):
    """The title of a game."""

    game: str


@dataclass(frozen=True)
class GamesFacts(RefusalFacts):
    """The titles of all games, as a list in words."""

    games: str


@dataclass(frozen=True)
class PlacesFacts(RefusalFacts):
    """Channels where something can be done, as a list in words."""

    channels: str


@dataclass(frozen=True)
class RolesFacts(RefusalFacts):
    """Roles that may do something, as a list in words."""

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
