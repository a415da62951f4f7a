"""Checks that hidden pieces have no effect on what a seat can observe."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, TypeAlias

from bot.rules.chance import Chance
from bot.rules.components import Nameplate
from bot.rules.game import Event, Seat
from bot.rules.refusals import Refusal
from bot.rules.screen import Draft, Screen, ScreenBuilder, to_news
from bot.rules.story import narrate
from bot.tools.contract.audits import audit
from bot.tools.contract.contract import AnyPackage, Check, require
from bot.tools.contract.move_checks import value_moves

RedealHidden: TypeAlias = Callable[[Any, Seat | None, Chance], Any]
"""Deals the pieces that are hidden from a seat or a spectator (None) again.

A game with hidden pieces has one in its tests, as `redeal_hidden` in `tests/games/<key>/hidden.py`.
"""

HINT = "a game with hidden pieces needs `redeal_hidden`: check_game(PACKAGE, redeal_hidden)"
"""What to do if a game that is checked as an open one hides something."""

VARIANTS = 2
"""The number of redealt positions for every seat."""


@dataclass(frozen=True, slots=True)
class PlannedMove:
    """The next move, and others to try."""

    seat: Seat
    move: Any
    other_moves: Sequence[Any]
    chance: Callable[[], Chance]
    """Returns the chance of the move, the same each time."""
    is_valued: bool = True
    """Whether the values of moves are compared, too."""


@dataclass(frozen=True, slots=True)
class Viewpoint:
    """A seat or spectator, and what to observe."""

    viewer: Seat | None
    events: tuple[Event, ...]
    drafts: tuple[Draft, ...]
    turn: PlannedMove | None


@dataclass(frozen=True, slots=True)
class Observation:
    """What a viewer can observe of a position."""

    view: Any
    screens: tuple[Screen, ...]
    """One for each draft."""
    shown: tuple[object, ...]
    """The picture and, for spectators, the reading, if the game has them."""
    moves: tuple[Any, ...]
    """The legal moves of the viewer."""
    values: tuple[object, ...]
    """What the legal moves are worth, and the hint."""
    answers: tuple[tuple[Any, Refusal | None], ...]
    """The moves to try, and their refusals."""
    later: Any
    """The view after the move; None if there is no move."""
    events: tuple[Event, ...]
    """The visible events of the move."""


@dataclass(slots=True)
class SecrecyChecker:
    """Compares the positions of a game with others that differ only in hidden pieces."""

    package: AnyPackage
    redeal_hidden: RedealHidden | None
    names: Sequence[str]
    chance: Chance
    has_varied: bool = False
    """Whether a redealt position has differed so far."""

    def check(self, state: Any, events: Sequence[Event], drafts: Iterable[Draft], turn: PlannedMove | None) -> None:
        """Check a position and the next move, if any."""
        viewers: list[Seat | None] = [*range(len(self.names)), None]
        if self.redeal_hidden is None:
            for viewer in viewers:
                require(Check.OPEN, self.package.game.view(state, viewer) is state, HINT, viewer)
            return
        drafts = tuple(dict.fromkeys(drafts))
        for viewer in viewers:
            viewpoint = Viewpoint(viewer, visible_events(viewer, events), drafts, turn)
            observation = self._observe(state, viewpoint)
            for _ in range(VARIANTS):
                other = self.redeal_hidden(state, viewer, self.chance)
                self._check_other(state, other)
                _check_alike(viewpoint, observation, self._observe(other, viewpoint))

    def check_events(self, events: Iterable[Event]) -> None:
        """Check that a game without hidden pieces has no private events."""
        for event in events:
            require(Check.OPEN, self.redeal_hidden is not None or event.audience is None, HINT, event)

    def check_varied(self) -> None:
        """Check after a game that some pieces were hidden."""
        require(Check.HIDDEN, self.redeal_hidden is None or self.has_varied, "no position was ever redealt")

    def _check_other(self, state: Any, other: Any) -> None:
        game = self.package.game
        faults = audit(game, other)
        require(Check.HIDDEN, faults == (), faults, other)
        same = game.seat_to_move(other) == game.seat_to_move(state) and game.outcome(other) == game.outcome(state)
        require(Check.HIDDEN, same, "another turn or outcome", state, other)
        differs = game.encode_position(other) != game.encode_position(state)
        require(Check.HIDDEN, differs is (other != state), "not seen in the position", state, other)
        self.has_varied |= differs

    def _observe(self, state: Any, viewpoint: Viewpoint) -> Observation:
        game, viewer, turn = self.package.game, viewpoint.viewer, viewpoint.turn
        # Each view is shown before the next is made, in case the rules keep state for the screen.
        view, show = game.view(state, viewer), screen_function(self.package, viewer)
        screens = tuple(
            show(view, to_news(viewpoint.events, self.names), self.names, draft) for draft in viewpoint.drafts
        )
        shown = tuple(self._draw_pictures(view, viewpoint))
        moves: tuple[Any, ...] = ()
        values: tuple[object, ...] = ()
        answers: tuple[tuple[Any, Refusal | None], ...] = ()
        if turn is not None and viewer is not None:
            moves = tuple(game.legal_moves(state)) if viewer == turn.seat else ()
            values = value_moves(self.package, game.view(state, viewer), moves) if turn.is_valued else ()
            answers = tuple((move, game.check(state, viewer, move)) for move in turn.other_moves)
        return Observation(view, screens, shown, moves, values, answers, *self._play_turn(state, viewpoint))

    def _draw_pictures(self, view: Any, viewpoint: Viewpoint) -> Iterator[object]:
        """Yield the picture, the reading and the story, which do not depend on the draft."""
        picture = self.package.look.build_picture if viewpoint.viewer is None else self.package.look.build_hand_picture
        if picture is not None:
            yield picture(view, viewpoint.events, tuple(map(Nameplate, self.names)))
        if viewpoint.viewer is None and self.package.words.build_reading is not None:
            yield self.package.words.build_reading(view, self.names)
        if self.package.words.narration is not None:
            yield tuple(narrate(self.package.words.narration, view, to_news(viewpoint.events, self.names)))

    def _play_turn(self, state: Any, viewpoint: Viewpoint) -> tuple[Any, tuple[Event, ...]]:
        """Return the view after the move and its visible events."""
        game, turn = self.package.game, viewpoint.turn
        if turn is None or game.check(state, turn.seat, turn.move) is not None:
            return None, ()
        after, events = game.play(state, turn.seat, turn.move, turn.chance())
        return game.view(after, viewpoint.viewer), visible_events(viewpoint.viewer, events)


def _check_alike(viewpoint: Viewpoint, one: Observation, other: Observation) -> None:
    """Check that two positions that differ only in hidden pieces are observed the same."""
    viewer, turn = viewpoint.viewer, viewpoint.turn
    require(Check.VIEW, are_equal(one.view, other.view), viewer, one.view, other.view)
    for screen, drawn in zip(one.screens, other.screens, strict=True):
        require(Check.SCREEN, screen == drawn, viewer, screen, drawn)
    require(Check.DRAWN, one.shown == other.shown, viewer, one.shown, other.shown)
    require(Check.CHOICE, one.moves == other.moves, viewer, one.moves, other.moves)
    require(Check.VALUES_SEEN, one.values == other.values, viewer, one.values, other.values)
    for (move, answer), (_, another) in zip(one.answers, other.answers, strict=True):
        require(Check.CHOICE, answer == another, viewer, move, repr(answer), repr(another))
    # The move itself may reveal the difference.
    if turn is not None and other.later is not None and are_equal(one.later, other.later):
        require(Check.EVENTS, are_equal(one.events, other.events), viewer, turn.move, one.events, other.events)


def screen_function(package: AnyPackage, viewer: Seat | None) -> ScreenBuilder[Any, Any]:
    """Return the builder of the public screen or, for a seat in a game with hands, of the hand."""
    return (
        package.words.build_screen
        if viewer is None or package.words.build_hand_screen is None
        else package.words.build_hand_screen
    )


def visible_events(viewer: Seat | None, events: Iterable[Event]) -> tuple[Event, ...]:
    """Return the events that a seat or a spectator (None) may see."""
    return tuple(event for event in events if event.audience is None or event.audience == viewer)


def are_equal(one: Any, other: Any) -> bool:
    """Return whether two values are equal in all fields, including those that `==` ignores."""
    if one is other:
        return True
    if type(one) is not type(other):
        return False
    if isinstance(one, tuple):
        return len(one) == len(other) and all(are_equal(*each) for each in zip(one, other, strict=True))
    if is_dataclass(one):
        return all(are_equal(getattr(one, field.name), getattr(other, field.name)) for field in fields(one))
    return bool(one == other)
