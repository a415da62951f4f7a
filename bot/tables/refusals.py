"""What the host refuses, whatever the game."""

from bot.rules.refusals import Reason
from bot.tables.model import TableId


class HostReason(Reason):
    """Why the host can't do what was asked."""

    UNKNOWN_TABLE = "unknown_table"
    GAME_GONE = "game_gone"
    NO_TABLE_HERE = "no_table_here"
    NO_TABLE_YET = "no_table_yet"
    NO_SOLO_GAME = "no_solo_game"
    OTHER_GAME_HERE = "other_game_here"
    CHANNEL_TAKEN = "channel_taken"
    SOLO_TAKEN = "solo_taken"
    NOT_SEATED = "not_seated"
    NOT_YOUR_TURN = "not_your_turn"
    ALREADY_SEATED = "already_seated"
    TABLE_FULL = "table_full"
    NO_COMPUTER = "no_computer"
    UNKNOWN_LEVEL = "unknown_level"
    NO_SUCH_CHOICE = "no_such_choice"
    NO_SUCH_PICTURES = "no_such_pictures"
    THEY_HAVE_NO_SEAT = "they_have_no_seat"
    ONLY_LEAVE = "only_leave"
    NO_SEAT_TO_INVITE_FROM = "no_seat_to_invite_from"
    INVITED_YOURSELF = "invited_yourself"
    INVITED_COMPUTER = "invited_computer"
    THEY_HAVE_A_SEAT = "they_have_a_seat"
    ALREADY_INVITED = "already_invited"
    INVITED_TODAY = "invited_today"
    TOO_MANY_INVITATIONS = "too_many_invitations"
    INVITATIONS_REFUSED = "invitations_refused"
    INVITATIONS_OFF = "invitations_off"
    NOT_YOUR_INVITATION = "not_your_invitation"
    NO_GUESTS_HERE = "no_guests_here"
    NOT_A_MEMBER = "not_a_member"
    CANNOT_SEE = "cannot_see"
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
    NOTHING_TO_TAKE_BACK = "nothing_to_take_back"
    TABLE_HELD = "table_held"
    UNKNOWN_BUTTON = "unknown_button"
    MISSING_PERMISSIONS = "missing_permissions"
    NO_PLACE = "no_place"
    UNKNOWN_GAME = "unknown_game"
    NOTHING_TO_REPLAY = "nothing_to_replay"
    UNKNOWN_REPLAY = "unknown_replay"
    NOT_OVER = "not_over"
    NO_REPLAY = "no_replay"
    NOT_MANAGER = "not_manager"
    ONLY_YOURSELF = "only_yourself"


class Stale(Exception):
    """What was clicked belongs to an earlier step; nothing is wrong, the screen just needs a refresh."""

    def __init__(self, table_id: TableId) -> None:
        super().__init__(table_id)
        self.table_id = table_id


class Repeated(Stale):
    """The very click or command has been granted already, in another process, which answers it."""
