"""The part of the contract about hidden pieces: what a seat may not see changes nothing for it."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, TypeAlias

from bot.rules.chance import Chance
from bot.rules.game import Event, Seat
from bot.rules.refusals import Refusal
from bot.rules.screen import Draft, Screen, ScreenBuilder, to_recent_events
from bot.rules.testing.contract import AnyPackage, Check, require

RedealHidden: TypeAlias = Callable[[Any, Seat | None, Chance], Any]
"""Deals what a seat, or a spectator (None), may not see anew: the position as it could be for all they know.

A game with hidden pieces has one in its tests, as `redeal_hidden` in `tests/games/<key>/hidden.py`.
"""

VARIANTS = 2
"""So many other positions are looked at for every seat."""


@dataclass(frozen=True, slots=True)
class PlannedMove:
    """A move that is about to be made, and others that somebody may ask for."""

    seat: Seat
    move: Any
    other_moves: Sequence[Any]
    chance: Callable[[], Chance]
    """Gives the chance of the move, the same each time."""


@dataclass(frozen=True, slots=True)
class Viewpoint:
    """Somebody who looks at a position, with all they may ask of it."""

    viewer: Seat | None
    news: tuple[Event, ...]
    drafts: tuple[Draft, ...]
    turn: PlannedMove | None


@dataclass(frozen=True, slots=True)
class Observation:
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
class SecrecyChecker:
    """Holds the positions of a game against others that differ only in what a seat may not see."""

    package: AnyPackage
    redeal_hidden: RedealHidden | None
    names: Sequence[str]
    chance: Chance
    has_varied: bool = False
    """Whether dealing anew has led to another position so far."""

    def check(self, state: Any, news: Sequence[Event], drafts: Iterable[Draft], turn: PlannedMove | None) -> None:
        """Check a position and the move that is about to be made in it; there is none after the end."""
        viewers: list[Seat | None] = [*range(len(self.names)), None]
        if self.redeal_hidden is None:
            for viewer in viewers:
                require(Check.OPEN, self.package.game.view(state, viewer) is state, viewer)
            return
        drafts = tuple(dict.fromkeys(drafts))
        for viewer in viewers:
            looker = Viewpoint(viewer, visible_events(viewer, news), drafts, turn)
            impression = self._observe(state, looker)
            for _ in range(VARIANTS):
                other = self.redeal_hidden(state, viewer, self.chance)
                self._check_other(state, other)
                _check_alike(looker, impression, self._observe(other, looker))

    def check_events(self, events: Iterable[Event]) -> None:
        """Check what happened in a game without hidden pieces: there is nothing to whisper."""
        for event in events:
            require(Check.OPEN, self.redeal_hidden is not None or event.audience is None, event)

    def check_varied(self) -> None:
        """Check at the end of a game that there was something to hide."""
        require(Check.HIDDEN, self.redeal_hidden is None or self.has_varied, "nothing was ever dealt anew")

    def _check_other(self, state: Any, other: Any) -> None:
        game = self.package.game
        faults = game.audit(other)
        require(Check.HIDDEN, faults == (), faults, other)
        same = game.seat_to_move(other) == game.seat_to_move(state) and game.outcome(other) == game.outcome(state)
        require(Check.HIDDEN, same, "another turn or outcome", state, other)
        differs = game.encode_position(other) != game.encode_position(state)
        require(Check.HIDDEN, differs is (other != state), "not seen in the position", state, other)
        self.has_varied |= differs

    def _observe(self, state: Any, looker: Viewpoint) -> Observation:
        game, viewer, turn = self.package.game, looker.viewer, looker.turn
        # A view is drawn before another is made, in case the rules leave something behind for the screen.
        view, show = game.view(state, viewer), screen_function(self.package, viewer)
        screens = tuple(
            show(view, to_recent_events(looker.news, self.names), self.names, draft) for draft in looker.drafts
        )
        shown = tuple(self._draw_pictures(view, looker))
        moves: tuple[Any, ...] = ()
        answers: tuple[tuple[Any, Refusal | None], ...] = ()
        if turn is not None and viewer is not None:
            moves = tuple(game.legal_moves(state)) if viewer == turn.seat else ()
            answers = tuple((move, game.check(state, viewer, move)) for move in turn.other_moves)
        return Observation(view, screens, shown, moves, answers, *self._play_turn(state, looker))

    def _draw_pictures(self, view: Any, looker: Viewpoint) -> Iterator[object]:
        """Yield what is the same whatever somebody has picked."""
        picture = self.package.build_picture if looker.viewer is None else self.package.build_hand_picture
        if picture is not None:
            yield picture(view, looker.news)
        if looker.viewer is None and self.package.build_reading is not None:
            yield self.package.build_reading(view, self.names)

    def _play_turn(self, state: Any, looker: Viewpoint) -> tuple[Any, tuple[Event, ...]]:
        """Return somebody's view after the move and what they are told of it."""
        game, turn = self.package.game, looker.turn
        if turn is None or game.check(state, turn.seat, turn.move) is not None:
            return None, ()
        after, events = game.play(state, turn.seat, turn.move, turn.chance())
        return game.view(after, looker.viewer), visible_events(looker.viewer, events)


def _check_alike(looker: Viewpoint, one: Observation, other: Observation) -> None:
    """Check that somebody learns the same from two positions that differ only in what they may not see."""
    viewer, turn = looker.viewer, looker.turn
    require(Check.VIEW, are_equal(one.view, other.view), viewer, one.view, other.view)
    for screen, drawn in zip(one.screens, other.screens, strict=True):
        require(Check.SCREEN, screen == drawn, viewer, screen, drawn)
    require(Check.DRAWN, one.shown == other.shown, viewer, one.shown, other.shown)
    require(Check.CHOICE, one.moves == other.moves, viewer, one.moves, other.moves)
    for (move, answer), (_, another) in zip(one.answers, other.answers, strict=True):
        require(Check.CHOICE, answer == another, viewer, move, repr(answer), repr(another))
    # The move itself may bring to light what is different.
    if turn is not None and other.later is not None and are_equal(one.later, other.later):
        require(Check.EVENTS, are_equal(one.told, other.told), viewer, turn.move, one.told, other.told)


def screen_function(package: AnyPackage, viewer: Seat | None) -> ScreenBuilder[Any]:
    """Return what draws somebody's view: the public screen, or for a seat its hand where there are hands."""
    return package.build_screen if viewer is None or package.build_hand_screen is None else package.build_hand_screen


def visible_events(viewer: Seat | None, events: Iterable[Event]) -> tuple[Event, ...]:
    """Return the events that a seat or a spectator may see."""
    return tuple(event for event in events if event.audience is None or event.audience == viewer)


def are_equal(one: Any, other: Any) -> bool:
    """Say whether two values hold the same, also where their comparison and their text leave it out."""
    if one is other:
        return True
    if type(one) is not type(other):
        return False
    if isinstance(one, tuple):
        return len(one) == len(other) and all(are_equal(*each) for each in zip(one, other, strict=True))
    if is_dataclass(one):
        return all(are_equal(getattr(one, field.name), getattr(other, field.name)) for field in fields(one))
    return bool(one == other)
