"""A table's texts and controls, independent of Discord.

Texts are Markdown. The host finds a control by its key, so a client can't decide what a control does.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from itertools import starmap
from typing import Generic, NamedTuple, Protocol, TypeAlias

from bot.rules.game import EventT, EventT_co, EventT_contra, MoveT, Seat, ViewT_contra

Draft: TypeAlias = frozenset[int]
"""The pieces that a player has picked for a move: numbers whose meaning the game's screen defines."""

EMPTY_DRAFT: Draft = frozenset()

LONGEST_DESCRIPTION = 1024
"""Discord's limit for a file's description."""

MAX_ROWS, MAX_ROW_WIDTH = 4, 5
"""The maximum rows of a screen, menus included, and buttons in a row. The host's own buttons take the fifth row."""

MAX_BUTTONS = 11
"""The most buttons of a table's screen, so that there are twelve with *More …*."""

MAX_SHORTCUTS = 3
"""The most shortcuts of a screen."""

MAX_MENU_LINES = 25
"""The maximum lines of a menu; `bot.rules.screen` splits longer lists into pages."""

KEY_PATTERN = re.compile("[a-z0-9_]{1,24}")
"""Keys of controls and menus; they are part of custom ids."""

MAX_TITLE_LENGTH = 30
"""The letters of a title that fit into a line on a phone, a name included."""

MAX_RULE_LENGTH = 40
"""The letters of a rule, without Markdown, that fit into a line on a phone."""

MAX_TOKENS = 64
"""Tokens are smaller than this, so that a draft fits into a custom id."""


class Tone(Enum):
    """The emphasis of a control: at most one of a screen is CHOSEN, and one MAIN (`find_coloured_control`)."""

    QUIET = "quiet"
    CHOSEN = "chosen"
    """The next step: it plays the picked pieces, or else is the safest choice."""
    MAIN = "main"
    """Recommended: clearly the best move, as far as can be told at once (`find_clear_best`). Only beginners see it."""


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
    is_disabled: bool = False
    """Whether it is a button that only keeps its place and can't be pressed."""


ControlRow: TypeAlias = tuple[Control, ...]


@dataclass(frozen=True, slots=True)
class Menu:
    """A list of controls; choosing one presses it."""

    key: str
    label: str
    """The placeholder."""
    controls: tuple[Control, ...]
    """Its lines; without any it only keeps its place and can't be opened."""


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
    """Who is to move, and what to do, such as `Robin, roll the dice`; at the end, who has won."""
    text: str
    """What has happened and what matters now, for those who see no picture."""
    fields: tuple[Field, ...] = ()
    controls: tuple[ControlRow, ...] = ()
    """Rows of controls, top to bottom."""
    note: str = ""
    accent: Seat | None = None
    """The seat whose colour marks the screen."""
    menus: tuple[Menu, ...] = ()
    """Menus above the rows; each counts as a row."""
    shortcuts: ControlRow = ()
    """Up to three moves that most people choose from, the safest first; each is one of the evaluator's best three."""
    waits_for_hand: bool = False
    """Whether the next move is usually made from the hand."""
    busy: str = ""
    """The title while a computer player moves, such as `Robin is rolling …`."""
    rule: str = ""
    """A line of at most `MAX_RULE_LENGTH` letters on what matters now, next to a picture that does not tell it."""
    verdict: str = ""
    """What decided the game, or ended it, if the scores do not say it; shown next to the picture of the result."""

    @property
    def rows(self) -> tuple[ControlRow, ...]:
        """The shortcuts, and the rows of controls below them."""
        return (self.shortcuts, *self.controls) if self.shortcuts else self.controls

    def find_control(self, key: str) -> Control | None:
        """Return the control with a key, or None."""
        return next((control for control in self.iter_controls() if control.key == key), None)

    def iter_controls(self) -> Iterator[Control]:
        """Yield the controls of menus and rows."""
        for menu in self.menus:
            yield from menu.controls
        yield from self.shortcuts
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


def make_fillers(labels: Sequence[str], lines: int) -> ControlRow:
    """Return so many disabled controls, each too wide to stand beside another on a phone, so that nothing moves."""
    shown = labels[: max(0, lines)]
    return tuple([Control(f"none{at}", label, Toggle(0), is_disabled=True) for at, label in enumerate(shown)])


def wrap_rows(controls: Sequence[Control], width: int = MAX_ROW_WIDTH) -> tuple[ControlRow, ...]:
    """Wrap controls into rows of a maximum width."""
    return tuple(tuple(controls[first : first + width]) for first in range(0, len(controls), width))


def page_of(
    controls: Sequence[Control], draft: Draft, tokens: Sequence[int], *, key: str, next_label: str, first_label: str
) -> tuple[Control, ...]:
    """Return the controls on the current page of a menu; with several pages, the last one turns the page.

    The page is a token of the draft, so it survives restarts.

    Args:
        controls: All choices.
        draft: The draft, which contains the token of the page.
        tokens: The tokens of the second page, the third and so on, which the game uses for nothing else. Choices
            beyond the last page are left out.
        key: The key of the control that turns the page.
        next_label: Its label, except on the last page.
        first_label: Its label on the last page, from which it leads to the first.
    """
    if len(controls) <= MAX_MENU_LINES:
        return tuple(controls)
    size = MAX_MENU_LINES - 1
    count = min(-(-len(controls) // size), len(tokens) + 1)
    page = next((at for at, token in enumerate(tokens, 1) if token in draft and at < count), 0)
    following = (page + 1) % count
    # The first page has no token: the control that leads there removes the token of the last page.
    token = tokens[following - 1] if following else tokens[page - 1]
    turn = Toggle(token, instead_of=frozenset(tokens) - {token})
    lines = tuple(controls[page * size : (page + 1) * size])
    return (*lines, Control(key, next_label if following else first_label, turn))


def find_clear_best(worths: Iterable[tuple[float, MoveT]], least_lead: float) -> MoveT | None:
    """Return the move worth most, or None if the choice is close.

    Args:
        worths: What each move is worth to the Normal computer player.
        least_lead: A choice is close if the best move leads by less. Half of the smallest step of the game's score is
            the least that makes sense; more where the values are rough, so that hints rarely contradict.

    """
    ranked = sorted(worths, key=lambda pair: pair[0], reverse=True)[:2]
    if not ranked or (len(ranked) > 1 and ranked[0][0] - ranked[1][0] < least_lead):
        return None
    return ranked[0][1]


def find_coloured_control(screen: Screen, *, is_beginner: bool) -> Control | None:
    """Return the only button that stands out: for beginners the best move, otherwise the next step.

    If a game names neither, it is the first button that makes a move.
    """
    buttons = [control for row in screen.rows for control in row if not control.is_disabled]
    found = {control.tone: control for control in reversed(buttons)}
    order = (Tone.MAIN, Tone.CHOSEN) if is_beginner else (Tone.CHOSEN, Tone.MAIN)
    first = next((each for each in buttons if isinstance(each.effect, Play)), None)
    return next((found[tone] for tone in order if tone in found), first)


def highlight_best(row: Iterable[Control], best: object | None) -> tuple[Control, ...]:
    """Return a row of controls with the one that plays the best move highlighted."""
    effect = Play(str(best))
    return tuple([replace(each, tone=Tone.MAIN) if each.effect == effect else each for each in row])
