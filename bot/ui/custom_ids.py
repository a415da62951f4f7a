"""Component ids: what a button is for, in at most 100 characters that survive restarts.

An id only names something; whether and what it does is looked up on the host, so a forged one gains nothing.
"""

from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import TypeAlias

from bot.rules.screen import Draft
from bot.tables.model import Company, TableId


class LobbyButton(StrEnum):
    """What the buttons of a lobby do."""

    JOIN = "join"
    LEAVE = "leave"
    START = "start"
    ADD_COMPUTER = "add"
    REMOVE_COMPUTER = "remove"


@lru_cache(maxsize=256)
def _encode_draft(draft: Draft) -> str:
    """Write a draft as the bits of a hexadecimal number."""
    return f"{sum(1 << token for token in draft):x}"


@dataclass(frozen=True, slots=True)
class ControlId:
    """A control of a game's screen at a step, with the draft it was shown with."""

    table_id: TableId
    step: int
    key: str
    draft: Draft

    def __str__(self) -> str:
        return f"t:{self.table_id}:{self.step}:{self.key}:{_encode_draft(self.draft)}"


@dataclass(frozen=True, slots=True)
class MenuId:
    """A menu of a game's screen at a step, with the draft it was shown with; its values are keys of controls."""

    table_id: TableId
    step: int
    key: str
    draft: Draft

    def __str__(self) -> str:
        return f"m:{self.table_id}:{self.step}:{self.key}:{_encode_draft(self.draft)}"

    def control_id(self, key: str) -> ControlId:
        """Return the control that somebody presses who chooses it in the menu."""
        return ControlId(self.table_id, self.step, key, self.draft)


@dataclass(frozen=True, slots=True)
class HandId:
    """The button that shows somebody their hand."""

    table_id: TableId

    def __str__(self) -> str:
        return f"y:{self.table_id}"


@dataclass(frozen=True, slots=True)
class HandControlId:
    """What is pressed in the message that shows a hand to one person alone."""

    pressed: ControlId | MenuId | HandId

    def __str__(self) -> str:
        return f"w:{self.pressed}"


@dataclass(frozen=True, slots=True)
class LobbyId:
    """A button of a table's lobby."""

    table_id: TableId
    revision: int
    button: LobbyButton

    def __str__(self) -> str:
        return f"l:{self.table_id}:{self.revision}:{self.button}"


@dataclass(frozen=True, slots=True)
class OptionPanelId:
    """The button of a lobby that opens the panel in which the options are chosen."""

    table_id: TableId

    def __str__(self) -> str:
        return f"o:{self.table_id}"


@dataclass(frozen=True, slots=True)
class OptionPageId:
    """A page of that panel."""

    table_id: TableId
    page: int

    def __str__(self) -> str:
        return f"n:{self.table_id}:{self.page}"


@dataclass(frozen=True, slots=True)
class OptionMenuId:
    """A menu with the values of an option, and the digest of the options it was shown with."""

    table_id: TableId
    options_digest: str
    option: str

    def __str__(self) -> str:
        return f"d:{self.table_id}:{self.options_digest}:{self.option}"


class InvitationButton(StrEnum):
    """What the buttons of an invitation do."""

    JOIN = "join"
    REFUSE = "refuse"


@dataclass(frozen=True, slots=True)
class InvitationId:
    """A button of the message that invites somebody to a table."""

    table_id: TableId
    guest_id: int
    button: InvitationButton

    def __str__(self) -> str:
        return f"i:{self.table_id}:{self.guest_id}:{self.button}"


class SeatButton(StrEnum):
    """What buttons do about a seat while a game is played."""

    RESIGN = "resign"
    COME_BACK = "back"
    TAKE_BACK = "undo"
    SUBSTITUTE = "substitute"
    CLOSE = "close"


@dataclass(frozen=True, slots=True)
class SeatId:
    """A button about a seat, shown at a step."""

    table_id: TableId
    step: int
    button: SeatButton

    def __str__(self) -> str:
        return f"p:{self.table_id}:{self.step}:{self.button}"


@dataclass(frozen=True, slots=True)
class GuideId:
    """The button that explains a game."""

    game: str

    def __str__(self) -> str:
        return f"g:{self.game}"


@dataclass(frozen=True, slots=True)
class CancelTableId:
    """The button that confirms the end of a table."""

    table_id: TableId

    def __str__(self) -> str:
        return f"c:{self.table_id}"


@dataclass(frozen=True, slots=True)
class CheckDiceId:
    """The button that lets anybody check a table's dice."""

    table_id: TableId

    def __str__(self) -> str:
        return f"v:{self.table_id}"


@dataclass(frozen=True, slots=True)
class ReadTableId:
    """The button that tells the whole table in words."""

    table_id: TableId

    def __str__(self) -> str:
        return f"r:{self.table_id}"


@dataclass(frozen=True, slots=True)
class ReadOnlyId:
    """A button of a table that changes nothing there, with the revision that the table was shown with."""

    table_id: TableId
    revision: int
    pressed: HandId | ReadTableId | GuideId

    def __str__(self) -> str:
        return f"u:{self.table_id}:{self.revision}:{self.pressed}"


class ReplayButton(StrEnum):
    """Where the buttons of a replay lead."""

    OPEN = "open"
    FIRST = "first"
    LEAP_BACK = "leap_back"
    BACK = "back"
    FORWARD = "forward"
    LEAP = "leap"
    LAST = "last"


@dataclass(frozen=True, slots=True)
class ReplayId:
    """A button of a replay, with the step it was shown at; or the one at a finished table that opens it."""

    table_id: TableId
    step: int
    button: ReplayButton

    def __str__(self) -> str:
        return f"b:{self.table_id}:{self.step}:{self.button}"


@dataclass(frozen=True, slots=True)
class PlayAgainId:
    """The button that opens the next table of the same people."""

    table_id: TableId

    def __str__(self) -> str:
        return f"a:{self.table_id}"


@dataclass(frozen=True, slots=True)
class NextTableId:
    """The button that opens the table that follows a finished one: the next game of a tournament, or a tie-break."""

    table_id: TableId

    def __str__(self) -> str:
        return f"x:{self.table_id}"


@dataclass(frozen=True, slots=True)
class OpenTableId:
    """What a game's `new` command asks for, with the texts of all its options in their order."""

    game: str
    computers: int
    options: tuple[str, ...]

    def __str__(self) -> str:
        return f"q:{self.game}:{self.computers}:{','.join(self.options)}"


@dataclass(frozen=True, slots=True)
class ResumeId:
    """The button that brings back a table that was put aside."""

    table_id: TableId

    def __str__(self) -> str:
        return f"k:{self.table_id}"


@dataclass(frozen=True, slots=True)
class PutAsideId:
    """The button that puts a silent table aside and then does what it was in the way of."""

    table_id: TableId
    then: OpenTableId | PlayAgainId | NextTableId | ResumeId

    def __str__(self) -> str:
        return f"z:{self.table_id}:{self.then}"


@dataclass(frozen=True, slots=True)
class StillPlayingId:
    """The button that keeps a silent table from being closed."""

    table_id: TableId

    def __str__(self) -> str:
        return f"j:{self.table_id}"


class HistoryScope(StrEnum):
    """Which finished tables a history shows."""

    HERE = "here"
    SERVER = "server"
    MINE = "mine"


@dataclass(frozen=True, slots=True)
class LeaderboardId:
    """A page of a game's leaderboard, in the server of the click."""

    game: str
    company: Company
    page: int

    def __str__(self) -> str:
        return f"s:{self.game}:{self.company}:{self.page}"


@dataclass(frozen=True, slots=True)
class HistoryId:
    """A page of finished tables, as seen from the place of the click."""

    scope: HistoryScope
    page: int

    def __str__(self) -> str:
        return f"h:{self.scope}:{self.page}"


ComponentId: TypeAlias = (
    ControlId
    | MenuId
    | HandId
    | HandControlId
    | LobbyId
    | OptionPanelId
    | OptionPageId
    | OptionMenuId
    | SeatId
    | InvitationId
    | GuideId
    | CancelTableId
    | CheckDiceId
    | ReadTableId
    | ReadOnlyId
    | ReplayId
    | PlayAgainId
    | NextTableId
    | OpenTableId
    | ResumeId
    | PutAsideId
    | StillPlayingId
    | LeaderboardId
    | HistoryId
)
