"""The parts that features add to the messages of tables, which know no features."""

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from enum import Enum, auto
from typing import Final

from bot.platform.discord.content import Button
from bot.platform.places import Location
from bot.rules.study import Tip
from bot.tables.model import HostChoice
from bot.tables.shown.pride import ProudFact
from bot.tables.table import Table


class Place(Enum):
    """The position of a part in the message of a table."""

    LOBBY_BUTTON = auto()
    """Buttons of a lobby beside its start."""
    BESIDE_MORE = auto()
    """Buttons beside *More …* while a game is played."""
    MOVER_BUTTON = auto()
    """Buttons in *More …* for the player to move."""
    PLAYER_BUTTON = auto()
    """Buttons in *More …* for everyone who plays."""
    BADGE = auto()
    """The line about a badge that a person has just earned."""
    REMARK = auto()
    """The line that a computer player says."""
    RESULT_FACT = auto()
    """Lines of a result that come before what people can be proud of."""
    RESULT_TIP = auto()
    """The line of a result that says what could go better next time."""
    RESULT_BADGES = auto()
    """Lines about the badges that people have earned at a table."""
    RESULT_RATING = auto()
    """The line of a result with the ratings, or with the computer players that the only person has played against."""
    PRIVATE_RESULT = auto()
    """The lines of a result that only its player sees."""
    PRIVATE_RESULT_BUTTON = auto()
    """Buttons of such a result."""
    SHARE_BUTTON = auto()
    """Buttons of a result that share it."""
    RESULT_BUTTON = auto()
    """Buttons in *More …* of a result that show more of its game."""
    BOARD_BUTTON = auto()
    """Buttons in *More …* of a result that compare it with other results."""
    PROOF_BUTTON = auto()
    """Buttons that prove a table fair once it is over, with or without a result."""


@dataclass(frozen=True, slots=True)
class ButtonPart:
    """The buttons that a feature adds at a place."""

    place: Place
    build: Callable[[Table], Iterable[Button]]


@dataclass(frozen=True, slots=True)
class TextPart:
    """The lines that a feature adds at a place."""

    place: Place
    build: Callable[[Table], Iterable[str]]
    """Returns the lines of a table; empty lines are left out."""
    load: Callable[[Table], Awaitable[None]] | None = None
    """Loads the facts for the lines before a table is shown."""


@dataclass(frozen=True, slots=True)
class FactPart:
    """What a feature knows that people can be proud of at the end of a table."""

    build: Callable[[Table], Iterable[ProudFact]]
    load: Callable[[Table], Awaitable[None]] | None = None
    """Loads the facts before a table is shown."""


@dataclass(frozen=True, slots=True)
class TipPart:
    """The tip for the player to move."""

    find: Callable[[Table], Tip | None]
    note_shown: Callable[[Table, Tip | None], None]
    """Called with the tip that the message of a table shows, or None."""
    is_beginner: Callable[[Table], bool]
    """Returns whether the player to move is shown the best move."""


def _is_beginner(_table: Table) -> bool:
    """Return whether the player to move is shown the best move: everyone is, unless a feature knows better."""
    return True


class TableParts:
    """The parts of all features, shown in the order of registration."""

    def __init__(self) -> None:
        self._lines: list[TextPart] = []
        self._buttons: list[ButtonPart] = []
        self._facts: list[FactPart] = []
        self.tip: TipPart | None = None
        self.is_beginner: Callable[[Table], bool] = _is_beginner
        self.find_fixed: Callable[[Location], frozenset[HostChoice]] = lambda _: frozenset()
        """Returns what the openers of tables at a location can't choose."""

    def add(
        self,
        lines: Iterable[TextPart] = (),
        buttons: Iterable[ButtonPart] = (),
        tip: TipPart | None = None,
        facts: Iterable[FactPart] = (),
    ) -> None:
        """Add the parts of a feature."""
        self._lines += lines
        self._facts += facts
        self._buttons += buttons
        self.tip = tip or self.tip
        self.is_beginner = self.tip.is_beginner if self.tip else self.is_beginner

    def lines(self, place: Place, table: Table) -> list[str]:
        """Return the lines of a table at a place."""
        return [line for part in self._lines if part.place is place for line in part.build(table) if line]

    def facts(self, table: Table) -> list[ProudFact]:
        """Return what features know that people can be proud of at the end of a table."""
        return [fact for part in self._facts for fact in part.build(table)]

    def buttons(self, place: Place, table: Table) -> tuple[Button, ...]:
        """Return the buttons of a table at a place."""
        return tuple(button for part in self._buttons if part.place is place for button in part.build(table))

    async def load(self, table: Table) -> None:
        """Load the facts for the parts of a table."""
        loads = [part.load for part in self._lines] + [part.load for part in self._facts]
        for load in loads:
            if load is not None:
                await load(table)


NO_PARTS: Final = TableParts()
