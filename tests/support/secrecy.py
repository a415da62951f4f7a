"""The part of the contract about hidden pieces: what a seat may not see changes nothing for it."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields, is_dataclass
from itertools import product
from typing import Any, TypeAlias

from bot.rules.chance import Chance
from bot.rules.game import Event, Seat
from bot.rules.package import GamePackage
from bot.rules.screen import Draft
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
        drafts = tuple(drafts)
        for viewer in viewers:
            for _ in range(VARIANTS):
                other = self.elsewise(state, viewer, self.dealing)
                self._check_other(state, other)
                self._check_look(state, other, viewer, seen_by(viewer, news), drafts)
                if turn is not None:
                    self._check_choice(state, other, viewer, turn)
                    self._check_events(state, other, viewer, turn)

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

    def _check_look(
        self, state: Any, other: Any, viewer: Seat | None, news: Sequence[Event], drafts: Sequence[Draft]
    ) -> None:
        game, hand = self.package.game, self.package.hand
        for show, draft in product((self.package.screen, *([hand] if hand else [])), drafts):
            # Each view is drawn before the other is made, in case the rules leave something behind for the screen.
            view = game.view(state, viewer)
            screen = show(view, news, self.names, draft)
            another = game.view(other, viewer)
            demand(Check.VIEW, contents(view) == contents(another), viewer, view, another)
            drawn = show(another, news, self.names, draft)
            demand(Check.SCREEN, screen == drawn, viewer, screen, drawn)

    def _check_choice(self, state: Any, other: Any, viewer: Seat | None, turn: Turn) -> None:
        if viewer is None:
            return
        game = self.package.game
        if viewer == turn.seat:
            moves, others = tuple(game.moves(state)), tuple(game.moves(other))
            demand(Check.CHOICE, moves == others, viewer, moves, others)
        for move in turn.asked:
            answer, another = game.check(state, viewer, move), game.check(other, viewer, move)
            demand(Check.CHOICE, answer == another, viewer, move, repr(answer), repr(another))

    def _check_events(self, state: Any, other: Any, viewer: Seat | None, turn: Turn) -> None:
        """Compare what the same move tells, unless it brings what is different to light."""
        game = self.package.game
        if game.check(other, turn.seat, turn.move) is not None:
            return
        after, events = game.play(state, turn.seat, turn.move, turn.chance())
        another, others = game.play(other, turn.seat, turn.move, turn.chance())
        if contents(game.view(after, viewer)) == contents(game.view(another, viewer)):
            told, otherwise = seen_by(viewer, events), seen_by(viewer, others)
            demand(Check.EVENTS, contents(told) == contents(otherwise), viewer, turn.move, told, otherwise)


def seen_by(viewer: Seat | None, events: Iterable[Event]) -> tuple[Event, ...]:
    """Return the events that a seat or a spectator may see."""
    return tuple(event for event in events if event.audience is None or event.audience == viewer)


def contents(value: Any) -> Any:
    """Return everything a value holds, also what its comparison and its text leave out."""
    if is_dataclass(value):
        return (type(value), *(contents(getattr(value, field.name)) for field in fields(value)))
    if isinstance(value, tuple):
        return (type(value), *map(contents, value))
    return value
