"""A neutral screen: what a table shows and offers, before any adapter draws it.

Texts are Markdown. A control is found again on the host by its key, so nothing a client sends decides what it does.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple, Protocol, TypeAlias, TypeVar

from bot.rules.game import Event, Seat

ViewT_contra = TypeVar("ViewT_contra", contravariant=True)

Draft: TypeAlias = frozenset[int]
"""What a person has picked so far for the move they compose: small numbers that the game's screen gives meaning."""

EMPTY_DRAFT: Draft = frozenset()

MAX_ROWS, MAX_ROW_WIDTH = 5, 5
"""The most rows of a screen, each menu one of them, and the most buttons of a row."""

MAX_MENU_LINES = 25
"""The most lines of a menu; `bot.rules.paging` shows longer lists a page at a time."""

KEY_PATTERN = re.compile("[a-z0-9_]{1,24}")
"""What the key of a control or menu looks like: it stands in a button's id."""

MAX_TOKENS = 64
"""A draft's tokens are below this, because a button's id has room for that many."""


class Tone(Enum):
    """How a control stands out."""

    QUIET = "quiet"
    CHOSEN = "chosen"
    """Picked, or plays what was picked."""
    MAIN = "main"
    """Recommended: as good as what the strongest computer player would do, and clearly so (`bot.rules.advice`)."""


@dataclass(frozen=True, slots=True)
class Toggle:
    """Puts a token into the draft or takes it out."""

    token: int
    instead_of: Draft = EMPTY_DRAFT
    """Other tokens, which give way to it."""

    def apply(self, draft: Draft) -> Draft:
        """Return the draft that it leads to."""
        return draft - self.instead_of ^ {self.token}


@dataclass(frozen=True, slots=True)
class Play:
    """Makes a move, written in the game's notation."""

    move: str


@dataclass(frozen=True, slots=True)
class Control:
    """One thing the seat to move can press."""

    key: str
    label: str
    effect: Toggle | Play
    tone: Tone = Tone.QUIET
    description: str = ""
    """A second line, which only a menu has room for."""


ControlRow: TypeAlias = tuple[Control, ...]


@dataclass(frozen=True, slots=True)
class Menu:
    """A list of controls of which one is chosen; whoever chooses one presses it."""

    key: str
    label: str
    """What stands there as long as nothing is chosen."""
    controls: tuple[Control, ...]


@dataclass(frozen=True, slots=True)
class Field:
    """A titled block of text."""

    title: str
    text: str
    brief: str | None = None
    """What takes the text's place beside a picture: its facts in fewer signs; an empty one leaves the field out."""

    def to_brief(self) -> "Field | None":
        """Return what is left of it beside a picture, if anything is."""
        if self.brief is None:
            return self
        return Field(self.title, self.brief) if self.brief else None


@dataclass(frozen=True, slots=True)
class Screen:
    """What everybody at the table sees."""

    title: str
    text: str
    fields: tuple[Field, ...] = ()
    controls: tuple[ControlRow, ...] = ()
    """Rows of controls, top to bottom."""
    note: str = ""
    accent: Seat | None = None
    """The seat whose colour the screen carries."""
    menus: tuple[Menu, ...] = ()
    """Lists above the rows; each takes the place of one."""
    waits_for_hand: bool = False
    """Whether the next move is best made from the mover's hand, as far as everybody can tell."""

    def find_control(self, key: str) -> Control | None:
        """Find a control by its key."""
        return next((control for control in self.iter_controls() if control.key == key), None)

    def iter_controls(self) -> Iterator[Control]:
        """Yield what can be chosen in the menus, and what the rows hold."""
        for menu in self.menus:
            yield from menu.controls
        for row in self.controls:
            yield from row


class News(NamedTuple):
    """Something that happened, and who held the seats when it did."""

    event: Event
    names: Sequence[str]
    """What each seat's holder was called at that moment, safe to show."""


def to_recent_events(events: Iterable[Event], names: Sequence[str]) -> tuple[News, ...]:
    """Return events as news, all from a time in which the seats were held by these names."""
    return tuple([News(event, names) for event in events])


def events_of(news: Iterable[News]) -> tuple[Event, ...]:
    """Return what happened, without names."""
    return tuple([each.event for each in news])


class ScreenBuilder(Protocol[ViewT_contra]):
    """Draws a view in words."""

    def __call__(self, view: ViewT_contra, news: Sequence[News], names: Sequence[str], draft: Draft) -> Screen:
        """Make the screen of a view.

        Args:
            view: What the viewer may know of the position.
            news: The events of the last round; a line about one uses the names that come with it.
            names: Who holds the seats now, safe to show; for whose turn it is, and for how things stand.
            draft: What has been picked so far.
        """
        ...
