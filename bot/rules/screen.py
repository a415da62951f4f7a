"""A table's texts and controls, independent of Discord.

Texts are Markdown. The host finds a control by its key, so a client can't decide what a control does.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import starmap
from typing import Generic, NamedTuple, Protocol, TypeAlias

from bot.rules.game import EventT, EventT_co, EventT_contra, Seat, ViewT_contra

Draft: TypeAlias = frozenset[int]
"""The pieces that a player has picked for a move: numbers whose meaning the game's screen defines."""

EMPTY_DRAFT: Draft = frozenset()

LONGEST_DESCRIPTION = 1024
"""Discord's limit for a file's description."""

MAX_ROWS, MAX_ROW_WIDTH = 5, 5
"""The maximum rows of a screen, menus included, and buttons in a row."""

MAX_MENU_LINES = 25
"""The maximum lines of a menu; `bot.rules.paging` splits longer lists into pages."""

KEY_PATTERN = re.compile("[a-z0-9_]{1,24}")
"""Keys of controls and menus; they are part of custom ids."""

MAX_TOKENS = 64
"""Tokens are smaller than this, so that a draft fits into a custom id."""


class Tone(Enum):
    """The emphasis of a control."""

    QUIET = "quiet"
    CHOSEN = "chosen"
    """Picked, or plays the picked pieces."""
    MAIN = "main"
    """Recommended: clearly the best move, as far as can be told at once (`bot.rules.advice`)."""


@dataclass(frozen=True, slots=True)
class Toggle:
    """Adds a token to the draft, or removes it."""

    token: int
    instead_of: Draft = EMPTY_DRAFT
    """Other tokens that are removed."""

    def apply(self, draft: Draft) -> Draft:
        """Return the changed draft."""
        return draft - self.instead_of ^ {self.token}


@dataclass(frozen=True, slots=True)
class Play:
    """Makes a move in the game's notation."""

    move: str


@dataclass(frozen=True, slots=True)
class Control:
    """A button, or a line of a menu, for the seat to move."""

    key: str
    label: str
    effect: Toggle | Play
    tone: Tone = Tone.QUIET
    description: str = ""
    """A second line, shown only in menus."""


ControlRow: TypeAlias = tuple[Control, ...]


@dataclass(frozen=True, slots=True)
class Menu:
    """A list of controls; choosing one presses it."""

    key: str
    label: str
    """The placeholder."""
    controls: tuple[Control, ...]


@dataclass(frozen=True, slots=True)
class Field:
    """A titled paragraph."""

    title: str
    text: str
    is_beside_picture: bool = False
    """Whether it stays next to a picture, which does not show it."""


def make_fields(texts: Mapping[str, str]) -> tuple[Field, ...]:
    """Return a field for each title and text."""
    return tuple(starmap(Field, texts.items()))


@dataclass(frozen=True, slots=True)
class Screen:
    """A table, or a hand, in words and controls."""

    title: str
    text: str
    fields: tuple[Field, ...] = ()
    controls: tuple[ControlRow, ...] = ()
    """Rows of controls, top to bottom."""
    note: str = ""
    accent: Seat | None = None
    """The seat whose colour marks the screen."""
    menus: tuple[Menu, ...] = ()
    """Menus above the rows; each counts as a row."""
    waits_for_hand: bool = False
    """Whether the next move is usually made from the hand."""
    summary: str | None = None
    """A few short lines, or none, that replace text and fields next to a picture, which shows the rest."""
    has_legend: bool = True
    """Whether the players' names are below the picture, which numbers them."""
    verdict: str = ""
    """What decided the game, or ended it, if the scores do not say it; shown next to the picture of the result."""

    def find_control(self, key: str) -> Control | None:
        """Return the control with a key, or None."""
        return next((control for control in self.iter_controls() if control.key == key), None)

    def iter_controls(self) -> Iterator[Control]:
        """Yield the controls of menus and rows."""
        for menu in self.menus:
            yield from menu.controls
        for row in self.controls:
            yield from row


class News(NamedTuple, Generic[EventT_co]):
    """An event, with the names of the players at that time."""

    event: EventT_co
    names: Sequence[str]
    """The name of each seat's player at that time, escaped for Markdown."""


def to_news(events: Iterable[EventT], names: Sequence[str]) -> tuple[News[EventT], ...]:
    """Return events as news with the same names."""
    return tuple([News(event, names) for event in events])


def events_of(news: Iterable[News[EventT]]) -> tuple[EventT, ...]:
    """Return the events of news."""
    return tuple([each.event for each in news])


class ScreenBuilder(Protocol[ViewT_contra, EventT_contra]):
    """Builds the screen of a view."""

    def __call__(
        self, view: ViewT_contra, news: Sequence[News[EventT_contra]], names: Sequence[str], draft: Draft
    ) -> Screen:
        """Build the screen.

        Args:
            view: The view of a seat or a spectator.
            news: The newest events; texts about them use the names that come with them.
            names: The names of the current players, escaped for Markdown.
            draft: The pieces picked so far.
        """
