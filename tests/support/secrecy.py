"""The part of the contract about hidden pieces: what a seat may not see changes nothing for it."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, TypeAlias

from bot.rules.chance import Chance
from bot.rules.game import Event, Seat
from bot.rules.package import GamePackage
from bot.rules.refusals import Refusal
from bot.rules.screen import Draft, Screen, ScreenMaker, news_of
from tests.support.contract import Check, demand

Elsewise: TypeAlias = Callable[[Any, Seat | None, Chance], Any]
"""Deals what a seat, or a spectator (None), may not see anew: the position as it could be for all they know.

A game with hidden pieces has one in its tests, as `elsewise` in `tests/games/<key>/hidden.py`.
"""

VARIANTS = 2
"""So many other positions are looked at for every seat."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A move that is about to be made, and others that somebody may ask for."""

    seat: Seat
    move: Any
    asked: Sequence[Any]
    chance: Callable[[], Chance]
    """Gives the chance of the move, the same each time."""


@dataclass(frozen=True, slots=True)
class Looker:
    """Somebody who looks at a position, with all they may ask of it."""

    viewer: Seat | None
    news: tuple[Event, ...]
    drafts: tuple[Draft, ...]
    turn: Turn | None


@dataclass(frozen=True, slots=True)
class Impression:
    """What somebody learns from a position."""

    view: Any
    screens: tuple[Screen, ...]
    """One for each draft."""
    shown: tuple[object, ...]
    """Their picture, and for spectators the table as it is told, where there are such."""
    moves: tuple[Any, ...]
    """What is offered to them."""
    answers: tuple[tuple[Any, Refusal | None], ...]
    """The moves that are asked for, with why they may not make them."""
    later: Any
    """Their view after the move; None where there is none to be made."""
    told: tuple[Event, ...]
    """What they are told of that move."""


@dataclass(slots=True)
class Secrecy:
    """Holds the positions of a game against others that differ only in what a seat may not see."""

    package: GamePackage
    elsewise: Elsewise | None
    names: Sequence[str]
    dealing: Chance
    has_varied: bool = False
    """Whether dealing anew has led to another position so far."""

    def check(self, state: Any, news: Sequence[Event], drafts: Iterable[Draft], turn: Turn | None) -> None:
        """Check a position and the move that is about to be made in it; there is none after the end."""
        viewers: list[Seat | None] = [*range(len(self.names)), None]
        if self.elsewise is None:
            for viewer in viewers:
                demand(Check.OPEN, self.package.game.view(state, viewer) is state, viewer)
            return
        drafts = tuple(dict.fromkeys(drafts))
        for viewer in viewers:
            looker = Looker(viewer, seen_by(viewer, news), drafts, turn)
            impression = self._impression(state, looker)
            for _ in range(VARIANTS):
                other = self.elsewise(state, viewer, self.dealing)
                self._check_other(state, other)
                _check_alike(looker, impression, self._impression(other, looker))

    def check_events(self, events: Iterable[Event]) -> None:
        """Check what happened in a game without hidden pieces: there is nothing to whisper."""
        for event in events:
            demand(Check.OPEN, self.elsewise is not None or event.audience is None, event)

    def check_varied(self) -> None:
        """Check at the end of a game that there was something to hide."""
        demand(Check.HIDDEN, self.elsewise is None or self.has_varied, "nothing was ever dealt anew")

    def _check_other(self, state: Any, other: Any) -> None:
        game = self.package.game
        faults = game.audit(other)
        demand(Check.HIDDEN, faults == (), faults, other)
        same = game.to_move(other) == game.to_move(state) and game.outcome(other) == game.outcome(state)
        demand(Check.HIDDEN, same, "another turn or outcome", state, other)
        differs = game.position(other) != game.position(state)
        demand(Check.HIDDEN, differs is (other != state), "not seen in the position", state, other)
        self.has_varied |= differs

    def _impression(self, state: Any, looker: Looker) -> Impression:
        game, viewer, turn = self.package.game, looker.viewer, looker.turn
        # A view is drawn before another is made, in case the rules leave something behind for the screen.
        view, show = game.view(state, viewer), maker(self.package, viewer)
        screens = tuple(show(view, news_of(looker.news, self.names), self.names, draft) for draft in looker.drafts)
        shown = tuple(self._shown(view, looker))
        moves: tuple[Any, ...] = ()
        answers: tuple[tuple[Any, Refusal | None], ...] = ()
        if turn is not None and viewer is not None:
            moves = tuple(game.moves(state)) if viewer == turn.seat else ()
            answers = tuple((move, game.check(state, viewer, move)) for move in turn.asked)
        return Impression(view, screens, shown, moves, answers, *self._consequence(state, looker))

    def _shown(self, view: Any, looker: Looker) -> Iterator[object]:
        """Yield what is the same whatever somebody has picked."""
        picture = self.package.picture if looker.viewer is None else self.package.hand_picture
        if picture is not None:
            yield picture(view, looker.news)
        if looker.viewer is None and self.package.reading is not None:
            yield self.package.reading(view, self.names)

    def _consequence(self, state: Any, looker: Looker) -> tuple[Any, tuple[Event, ...]]:
        """Return somebody's view after the move and what they are told of it."""
        game, turn = self.package.game, looker.turn
        if turn is None or game.check(state, turn.seat, turn.move) is not None:
            return None, ()
        after, events = game.play(state, turn.seat, turn.move, turn.chance())
        return game.view(after, looker.viewer), seen_by(looker.viewer, events)


def _check_alike(looker: Looker, one: Impression, other: Impression) -> None:
    """Check that somebody learns the same from two positions that differ only in what they may not see."""
    viewer, turn = looker.viewer, looker.turn
    demand(Check.VIEW, alike(one.view, other.view), viewer, one.view, other.view)
    for screen, drawn in zip(one.screens, other.screens, strict=True):
        demand(Check.SCREEN, screen == drawn, viewer, screen, drawn)
    demand(Check.DRAWN, one.shown == other.shown, viewer, one.shown, other.shown)
    demand(Check.CHOICE, one.moves == other.moves, viewer, one.moves, other.moves)
    for (move, answer), (_, another) in zip(one.answers, other.answers, strict=True):
        demand(Check.CHOICE, answer == another, viewer, move, repr(answer), repr(another))
    # The move itself may bring to light what is different.
    if turn is not None and other.later is not None and alike(one.later, other.later):
        demand(Check.EVENTS, alike(one.told, other.told), viewer, turn.move, one.told, other.told)


def maker(package: GamePackage, viewer: Seat | None) -> ScreenMaker[Any]:
    """Return what draws somebody's view: the public screen, or for a seat its hand where there are hands."""
    return package.screen if viewer is None or package.hand is None else package.hand


def seen_by(viewer: Seat | None, events: Iterable[Event]) -> tuple[Event, ...]:
    """Return the events that a seat or a spectator may see."""
    return tuple(event for event in events if event.audience is None or event.audience == viewer)


def alike(one: Any, other: Any) -> bool:
    """Say whether two values hold the same, also where their comparison and their text leave it out."""
    if one is other:
        return True
    if type(one) is not type(other):
        return False
    if isinstance(one, tuple):
        return len(one) == len(other) and all(alike(*each) for each in zip(one, other, strict=True))
    if is_dataclass(one):
        return all(alike(getattr(one, field.name), getattr(other, field.name)) for field in fields(one))
    return bool(one == other)
