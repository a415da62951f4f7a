"""What features add to the messages of tables, without the table knowing the features."""

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from enum import Enum, auto
from typing import Final, TypeAlias

from bot.platform.discord.content import Button
from bot.rules.screen import Draft, Screen
from bot.rules.study import Tip
from bot.tables.table import Table


class Place(Enum):
    """Where a part stands in the message of a table."""

    CHOICE_BUTTON = auto()
    """A button for the player to move while there is a choice, if it finds room."""
    RESULT_FACT = auto()
    """Lines of a result above what was remarkable in the game."""
    RESULT_NEWS = auto()
    """Lines of a result below what was remarkable in the game."""
    SEALED_NEWS = auto()
    """Lines of a result whose game only its player may see."""
    SHARED_TEXT = auto()
    """What is shared in place of the result's line and card."""
    RESULT_BUTTON = auto()
    """Buttons of a result that show more of its game."""
    BOARD_BUTTON = auto()
    """Buttons of a result that show how it stands among others."""
    PROOF_BUTTON = auto()
    """The last buttons of a table that is over, with a result or without."""


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
    """Returns the lines that a table has there; empty lines are left out."""
    load: Callable[[Table], Awaitable[None]] | None = None
    """Loads what the lines tell, before a table is shown."""


@dataclass(frozen=True, slots=True)
class TipPart:
    """The tip of the player to move; on a crowded screen it waits."""

    find: Callable[[Table], Tip | None]
    note_shown: Callable[[Table, Tip | None], None]
    """Is told whether the message of a table shows its tip."""
    build_button: Callable[[Table], Button]
    """Returns the button that turns tips off, which is shown where there is room."""


Teach: TypeAlias = Callable[[Screen, Table, Draft], Screen]
"""Adds what a lesson says to the screen of its table; returns the screen itself where it says nothing."""


class TableParts:
    """The parts of all features, in the order in which they are shown: that of their registration."""

    def __init__(self) -> None:
        self._lines: list[TextPart] = []
        self._buttons: list[ButtonPart] = []
        self.tip: TipPart | None = None
        self.teach: Teach | None = None

    def add(
        self,
        lines: Iterable[TextPart] = (),
        buttons: Iterable[ButtonPart] = (),
        tip: TipPart | None = None,
        teach: Teach | None = None,
    ) -> None:
        """Add the parts of a feature."""
        self._lines += lines
        self._buttons += buttons
        self.tip = tip or self.tip
        self.teach = teach or self.teach

    def lines(self, place: Place, table: Table) -> list[str]:
        """Return the lines that a table has at a place."""
        return [line for part in self._lines if part.place is place for line in part.build(table) if line]

    def buttons(self, place: Place, table: Table) -> tuple[Button, ...]:
        """Return the buttons that a table has at a place."""
        return tuple(button for part in self._buttons if part.place is place for button in part.build(table))

    async def load(self, table: Table) -> None:
        """Load what the parts of a table tell."""
        for part in self._lines:
            if part.load is not None:
                await part.load(table)


NO_PARTS: Final = TableParts()
