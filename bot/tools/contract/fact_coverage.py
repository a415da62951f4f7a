"""Checks that screens in words, and readings, contain the facts of a position."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from random import Random
from typing import Any, TypeAlias

from bot.rules.chance import FastChance
from bot.rules.game import Event
from bot.rules.package import shown_moves_of
from bot.rules.playout import random_move
from bot.rules.screen import EMPTY_DRAFT, Screen, to_news
from bot.rules.showcase import SHOWCASE_NAMES, Moment, visible_events
from bot.tools.contract.contract import AnyPackage
from bot.tools.showcase_search import play_through

_MAX_MOVES = 120
"""The number of moves to check in a random game."""

_SPACES = str.maketrans({"\u00a0": " ", "\u2002": " ", "\u2009": " ", "\u200a": " "})


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact that a text must contain: the promise it belongs to, and words that must appear together."""

    promise: str
    words: tuple[str, ...]


Facts: TypeAlias = Callable[[Any, Sequence[Any], Sequence[str]], Iterator[Fact]]
"""Yields the facts of a spectator's view and its news, given the names of the seats."""


ViewFacts: TypeAlias = Callable[[Any, Sequence[str]], Iterator[Fact]]
"""Yields the facts of a spectator's view, given the names of the seats."""


def make_fact(promise: str, *words: object) -> Fact:
    """Return a fact, with its words converted to text."""
    return Fact(promise, tuple(str(word).translate(_SPACES) for word in words))


def play_moments(package: AnyPackage, seats: int, games: int) -> Iterator[Moment[Any, Any]]:
    """Yield the moments of games between the strongest computer players, and of a random game."""
    for number in range(games):
        yield from play_through(package, package.game.info.options(), seats, number)
    yield from islice(_play_at_random(package, seats), _MAX_MOVES)


def _play_at_random(package: AnyPackage, seats: int) -> Iterator[Moment[Any, Any]]:
    game, chance = package.game, FastChance(Random(seats))
    state = game.start(game.info.options(), seats, chance)
    latest = deque[tuple[Event, ...]](maxlen=shown_moves_of(package, seats))
    while (seat := game.seat_to_move(state)) is not None:
        state, events = game.play(state, seat, random_move(game.legal_moves(state), chance), chance)
        latest.append(events)
        yield Moment(state, tuple(event for each in latest for event in each), game.seat_to_move(state))


def build_screen_at(package: AnyPackage, moment: Moment[Any, Any], seats: int) -> Screen:
    """Return the screen of a moment."""
    view, events = package.game.view(moment.state, None), visible_events(None, moment.events)
    return package.words.build_screen(view, to_news(events, SHOWCASE_NAMES), SHOWCASE_NAMES[:seats], EMPTY_DRAFT)


def check_screen_coverage(package: AnyPackage, facts: Facts, promises: frozenset[str], games: int = 1) -> None:
    """Check that screens contain every fact, and that every promise occurs.

    Games are played with the fewest and the most seats.
    """
    info, kept = package.game.info, set[str]()
    for seats in sorted({info.least_seats, info.most_seats}):
        for moment in play_moments(package, seats, games):
            view, screen = package.game.view(moment.state, None), build_screen_at(package, moment, seats)
            known = tuple(facts(view, visible_events(None, moment.events), SHOWCASE_NAMES[:seats]))
            missing = find_untold(screen, known)
            _require(not missing, missing[:1], _places(screen))
            kept |= {each.promise for each in known}
    _require(kept == promises, kept ^ promises)


def check_reading_coverage(package: AnyPackage, facts: ViewFacts, promises: frozenset[str], games: int = 1) -> None:
    """Check that readings contain each fact in one line, in games with the fewest and the most seats."""
    info, kept, build_reading = package.game.info, set[str](), package.words.build_reading
    if build_reading is None:
        raise ValueError(f"{info.title} has no reading")
    for seats in sorted({info.least_seats, info.most_seats}):
        for moment in play_moments(package, seats, games):
            view, names = package.game.view(moment.state, None), SHOWCASE_NAMES[:seats]
            known, lines = tuple(facts(view, names)), _lines(build_reading(view, names))
            missing = _find_missing(lines, known)
            _require(not missing, missing[:1], lines)
            kept |= {each.promise for each in known}
    _require(kept == promises, kept ^ promises)


def _require(holds: object, *details: object) -> None:
    if not holds:
        raise AssertionError(*details)


def find_untold(screen: Screen, facts: Iterable[Fact]) -> list[Fact]:
    """Return the facts that are in no line and no field of a screen."""
    return _find_missing(_places(screen), facts)


def _find_missing(places: Sequence[str], facts: Iterable[Fact]) -> list[Fact]:
    return [each for each in facts if not _is_in_any(places, each.words)]


def _is_in_any(places: Sequence[str], words: Sequence[str]) -> bool:
    """Return whether a place contains all words; most lack the first, which is found out fast."""
    for place in places:
        for word in words:
            if word not in place or not _has_word(place, word):
                break
        else:
            return True
    return False


def _lines(text: str) -> list[str]:
    return text.translate(_SPACES).splitlines()


def _places(screen: Screen) -> list[str]:
    """Return all lines, and all fields with their titles."""
    texts = [screen.title, *screen.text.splitlines(), screen.note]
    for field in screen.fields:
        texts += [f"{field.title}\n{field.text}", *field.text.splitlines()]
    return [text.translate(_SPACES) for text in texts]


def _has_word(place: str, word: str) -> bool:
    """Return whether a text contains a word; numbers must match as a whole."""
    at = place.find(word)
    while at >= 0:
        if not (place[at - 1 : at].isdigit() or place[at + len(word) : at + len(word) + 1].isdigit()):
            return True
        at = place.find(word, at + 1)
    return False
