"""What has happened at a table, turn by turn, and how a game tells it."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from operator import attrgetter, itemgetter
from typing import Any, Final, Generic, NamedTuple, TypeVar

from bot.rules.game import Event, EventT, Seat, SeatEvent, ViewT
from bot.rules.picture import Mark, Rect
from bot.rules.rewards import SeatBadge
from bot.rules.screen import News

MAX_LINE_LENGTH = 1000
"""The most characters of a line about an event or a turn, with names of ordinary length."""

MAX_BRIEF_LENGTH = 30
"""The letters of what a turn brought: with a name they fit into a line on a phone."""

MAX_HIGHLIGHT_LENGTH = 24
"""The most characters of a highlight's word and number."""

HIGHLIGHT_WEIGHTS = (1, 2, 3)
"""Notable, big, decisive."""

PIECE_AREA: Final = Rect(0, 0, 64, 64)
"""The area of a piece in a highlight."""


class TurnNews(NamedTuple):
    """The news of a turn, or of its part so far: what one viewer may know of it."""

    seat: Seat
    """The seat whose turn it is: the one that made its first move."""
    news: tuple[News[Event], ...]
    is_over: bool
    by_itself: bool = False
    """Whether it ended by itself, as nothing could be done."""
    left: frozenset[Seat] = frozenset()
    """The seats that resigned or were removed during it, or before the next one."""
    badges: frozenset[SeatBadge] = frozenset()
    """The badges that its moves earned, by the rules of the game alone."""


class HighlightPiece(NamedTuple):
    """A die or a card that made a highlight."""

    name: str
    """What the alternative text calls it, such as `skull`; empty for an ornament."""
    marks: tuple[Mark, ...]
    """How it is drawn in `PIECE_AREA`."""


class Highlight(NamedTuple):
    """Something worth noticing: a bust, a big score, the last round."""

    word: str
    """What it is, in one or two words without names, such as `Full house`."""
    number: str
    """What it brings or costs, such as `+12`, or the score to beat."""
    weight: int
    """One of `HIGHLIGHT_WEIGHTS`."""
    is_good: bool = True
    pieces: tuple[HighlightPiece, ...] = ()
    """The dice or cards that made it."""


def _no_highlight(_view: object, _events: Sequence[Event]) -> None:
    """Find nothing."""


def _no_look(_events: Sequence[Event]) -> bool:
    """Need none."""
    return False


def _no_change(_view: object, _seat: Seat, _events: Sequence[Event]) -> str:
    """Return nothing."""
    return ""


def _no_brief_change(_view: object, _news: object) -> str:
    """Return nothing."""
    return ""


def _no_opening(_view: object) -> str:
    """Return nothing."""
    return ""


@dataclass(frozen=True, slots=True)
class Narration(Generic[ViewT, EventT]):
    """How a game tells its events."""

    tell: Callable[[ViewT, EventT, Sequence[str]], str]
    """Tells an event in one line, from a later view and the names of that time; an empty text leaves it out."""
    summarize: Callable[[ViewT, Sequence[News[EventT]]], str]
    """Tells the steps of a whole turn in one or two lines on a phone: who, what, and what came of it for each seat."""
    brief: Callable[[ViewT, Sequence[News[EventT]]], str]
    """Tells what a turn, or its part so far, brought, in at most `MAX_BRIEF_LENGTH` letters that follow the name and a
    colon, such as `full house, +8`; empty if there is nothing to tell."""
    highlight: Callable[[ViewT, Sequence[EventT]], Highlight | None] = _no_highlight
    """Returns what makes a move worth noticing, from the view after it and its events, or None."""
    change_of: Callable[[ViewT, Seat, Sequence[EventT]], str] = _no_change
    """Sums up from a later view how events changed a seat's score, and by what; empty if they did not."""
    opening: Callable[[ViewT], str] = _no_opening
    """Tells in one line who started and why, for those who see the table only after that turn; may be empty."""
    needs_a_look: Callable[[Sequence[EventT]], bool] = _no_look
    """Returns whether people need some time to see what a move's events did, such as those of a card from a hand."""
    brief_change: Callable[[ViewT, Sequence[News[EventT]]], str] = _no_brief_change
    """Tells in about a dozen letters how a turn changed the scores, where `brief` finds no room; empty if the change of
    the seat's own score says it, or `brief` where that is 0."""


def narrate(narration: Narration[ViewT, EventT], view: ViewT, news: Sequence[News[EventT]]) -> Iterator[str]:
    """Yield the summary of news, what they brought in brief and in numbers, and the line of each event."""
    yield narration.opening(view)
    yield narration.summarize(view, news)
    yield narration.brief(view, news)
    yield narration.brief_change(view, news)
    for event, names in news:
        yield narration.tell(view, event, names)


def heaviest(highlights: Iterable[Highlight | None]) -> Highlight | None:
    """Return the first of the highlights with the most weight, or None."""
    return max(filter(None, highlights), key=attrgetter("weight"), default=None)


ToldT = TypeVar("ToldT", bound=Event | News[Any])


def split_turns(told: Sequence[ToldT], kind: type[SeatEvent] = SeatEvent) -> Sequence[Sequence[ToldT]]:
    """Return the turns of some events or news, without what comes before the first of them has begun.

    Args:
        told: Events or news, in order.
        kind: The events that begin every turn, and that only happen to the seat whose turn it is.
    """
    events = [each.event if isinstance(each, News) else each for each in told]
    marks = [(event.seat, at) for at, event in enumerate(events) if isinstance(event, kind)]
    begins = [next(at for _, at in marks_of_turn) for _, marks_of_turn in groupby(marks, itemgetter(0))]
    return [told[begin:end] for begin, end in pairwise([*begins, len(told)])]


def newest_turn(told: Sequence[ToldT], kind: type[SeatEvent] = SeatEvent) -> Sequence[ToldT]:
    """Return the newest turn of some events or news, perhaps unfinished; all of them if it begins earlier.

    Args:
        told: Events or news of the newest moves.
        kind: The events that begin every turn, and that only happen to the seat whose turn it is.
    """
    turns = split_turns(told, kind)
    return turns[-1] if turns else told
