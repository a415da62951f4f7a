"""Custom ids of finished tables, leaderboards and histories."""

from dataclasses import dataclass
from enum import StrEnum

from bot.features.boards.model import BoardOrder
from bot.platform.discord.ids import CustomId, TableButtonId
from bot.tables.model import Company, TableId


class ReplayButton(StrEnum):
    """The buttons of a replay, and its menus of turns and highlights."""

    OPEN = "open"
    FIRST = "first"
    BACK = "back"
    FORWARD = "forward"
    LAST = "last"
    PREVIOUS_TURN = "turn_back"
    NEXT_TURN = "turn"
    TURN = "turns"
    """A menu whose values are numbers of turns."""
    HIGHLIGHT = "highlights"
    """A menu whose values are numbers of steps."""


class HistoryScope(StrEnum):
    """Which finished tables a history shows."""

    HERE = "here"
    SERVER = "server"
    MINE = "mine"


class CheckDiceId(TableButtonId, prefix="v"):
    """The button that checks a table's dice."""


class ShareId(TableButtonId, prefix="A"):
    """The button of a finished table that posts its result."""


class ReviewId(TableButtonId, prefix="V"):
    """The button of a finished table that reviews the game."""


@dataclass(frozen=True)
class ReplayId(CustomId, prefix="b"):
    """A button or the menu of a replay at a step, or the button of a finished table that opens the replay."""

    table_id: TableId
    step: int
    button: ReplayButton


@dataclass(frozen=True)
class LeaderboardId(CustomId, prefix="s"):
    """A page of a game's leaderboard of all time, by wins or, of games alone, by best score."""

    game: str
    company: Company
    page: int


class BoardButton(StrEnum):
    """What a button about a page of a leaderboard does."""

    SHOW = "show"
    POST = "post"
    """Posts it for everyone."""


@dataclass(frozen=True)
class BoardId(CustomId, prefix="lb"):
    """A page of a game's leaderboard; the server is that of the click."""

    game: str
    company: Company
    by: BoardOrder
    span: str
    """A `Span`, or the period of a season that is over."""
    page: int
    button: BoardButton = BoardButton.SHOW


class BoardMenu(StrEnum):
    """The menus of leaderboards and seasons."""

    ORDER = "order"
    SPAN = "span"
    GAME = "game"


@dataclass(frozen=True)
class BoardMenuId(CustomId, prefix="lm"):
    """A menu whose values are the custom ids of leaderboards."""

    menu: BoardMenu


@dataclass(frozen=True)
class SeasonId(CustomId, prefix="ls"):
    """A season of the server of the click."""

    span: str
    """`Span.SEASON` for the present one, or the period of one that is over."""


@dataclass(frozen=True)
class HistoryId(CustomId, prefix="h"):
    """A page of a history; the place is that of the click."""

    scope: HistoryScope
    page: int
