"""Random playouts, and what moves are worth by them: enough for computer players of any game."""

import hashlib
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import log, sqrt
from typing import Any, Final, Generic, Protocol

from bot.rules.chance import Chance
from bot.rules.evaluation import Evaluation, Unit
from bot.rules.game import EventT, Game, MoveT, OptionsT, StateT, StateT_co, ViewT, ViewT_contra


class GameTooLong(Exception):
    """A game reached its step limit."""


def random_move(moves: Sequence[MoveT], chance: Chance) -> MoveT:
    """Choose a type of move at random, and then a move of that type.

    A uniform choice of moves may never end a game: if stopping is one of hundreds of moves, it is hardly ever chosen.
    """
    last = type(moves[-1])
    if type(moves[0]) is last:
        return moves[chance.randbelow(len(moves))]
    bounds = [0]
    while type(moves[bounds[-1]]) is not last:
        bounds.append(_end_of_kind(moves, bounds[-1]))
    bounds.append(len(moves))
    kind = chance.randbelow(len(bounds) - 1)
    first = bounds[kind]
    return moves[first + chance.randbelow(bounds[kind + 1] - first)]


def _end_of_kind(moves: Sequence[MoveT], first: int) -> int:
    """Return where moves of another type follow, by bisection because there may be hundreds."""
    kind = type(moves[first])
    if type(moves[first + 1]) is not kind:
        return first + 1
    if type(moves[-2]) is kind:
        return len(moves) - 1  # such as the one way to stop
    return bisect_left(moves, 1, lo=first, key=lambda move: int(type(move) is not kind))


def play_random_game(
    game: Game[OptionsT, StateT, MoveT, EventT, ViewT], options: OptionsT, seats: int, chance: Chance
) -> tuple[StateT, int]:
    """Play one game and return its last state and the number of moves.

    Raises:
        GameTooLong: The game reached its step limit.
    """
    state = game.start(options, seats, chance)
    to_move, moves_of, play = game.seat_to_move, game.legal_moves, game.play
    for step in range(game.info.step_limit + 1):
        seat = to_move(state)
        if seat is None:
            return state, step
        state, _ = play(state, seat, random_move(moves_of(state), chance), chance)
    raise GameTooLong(f"{game.info.title} is not over after {game.info.step_limit} moves")


class Redeal(Protocol[ViewT_contra, StateT_co]):
    """Deals the pieces that a view does not show."""

    def __call__(self, view: ViewT_contra, chance: Chance, /) -> StateT_co:
        """Return a state that the seat or spectator whose view it is can't tell from the real one."""


_LENGTH: Final = 300
"""A playout ends after so many moves; who leads then has won it."""

_MOST_STEPS: Final = 8000
"""After so many moves of playouts a decision is made, once each of its moves was tried."""

_CURIOSITY: Final = 0.5
"""How readily playouts try moves that have done worse; 0 would only repeat what did best."""


@dataclass(slots=True)
class _Tried(Generic[MoveT]):
    """How a move has done in playouts, for the seat that made it."""

    count: int = 0
    total: float = 0.0
    replies: "dict[MoveT, _Tried[MoveT]]" = field(default_factory=dict)
    """The moves that came next, by anyone, whatever chance did in between."""


@dataclass(frozen=True, slots=True)
class PlayoutEvaluator(Generic[StateT, MoveT, ViewT]):
    """Values moves by playing on from them, each time with other hidden pieces, to the seat to move.

    At first a playout makes the moves that have done best for whoever made them, then random ones. Its random numbers
    follow from the view, so that equal views always have equal values.
    """

    game: Game[Any, StateT, MoveT, Any, ViewT]
    redeal: Redeal[ViewT, StateT]
    leads: Callable[[StateT], Sequence[float]]
    """Returns who has won a playout that was too long: the share of each seat."""
    seed: Callable[[bytes], Chance]
    """Makes random numbers of a seed."""
    playouts: int
    """How many there are for each move, if all of them together are short enough."""

    def __call__(self, view: ViewT, moves: Sequence[MoveT]) -> Evaluation:
        """Return how often each move wins, or its average score if nobody else plays."""
        chance = self.seed(hashlib.sha256(repr(view).encode()).digest())
        tried = [_Tried[MoveT]() for _ in moves]
        steps = 0
        for _ in range(self.playouts):
            for move, each in zip(moves, tried, strict=True):
                steps += self._play_on(self.redeal(view, chance), move, each, chance)
            if steps > _MOST_STEPS:
                break
        unit = Unit.FINAL_POINTS if self.game.info.is_solo else Unit.WINS
        return Evaluation([each.total / each.count for each in tried], unit)

    def _play_on(self, state: StateT, move: MoveT, tried: _Tried[MoveT], chance: Chance) -> int:
        """Make a move and play on, and add the result to what is known of the moves near the start.

        Returns:
            How many moves were made.
        """
        game, seat, steps = self.game, self.game.seat_to_move(state), 0
        known = [] if seat is None else [(seat, tried)]
        while seat is not None and steps < _LENGTH:
            state, _events = game.play(state, seat, move, chance)
            steps += 1
            seat = game.seat_to_move(state)
            if seat is not None:
                moves = game.legal_moves(state)
                move = random_move(moves, chance)
                if known[-1][1].count:
                    move = _choose_reply(known[-1][1], moves, move)
                    known.append((seat, known[-1][1].replies.setdefault(move, _Tried())))
        results = self._results_of(state)
        for who, each in known:
            each.count += 1
            each.total += results[who]
        return steps

    def _results_of(self, state: StateT) -> Sequence[float]:
        outcome = self.game.outcome(state)
        if outcome is None:
            return self.leads(state)
        return outcome.scores if self.game.info.is_solo else share_win(outcome.places)


def share_win(places: Sequence[int]) -> Sequence[float]:
    """Return the share of each seat in the first place."""
    return [(place == 1) / places.count(1) for place in places]


def _choose_reply(tried: _Tried[MoveT], moves: Sequence[MoveT], drawn: MoveT) -> MoveT:
    """Return the drawn move if it is new here, otherwise the one that promises most among those that are not."""
    replies = tried.replies
    if drawn not in replies:
        return drawn
    # Scores of solo games need a larger scale than shares of a win.
    bonus = _CURIOSITY * max(1.0, abs(tried.total / tried.count)) * sqrt(log(tried.count))
    return max(
        (move for move in moves if move in replies),
        key=lambda move: replies[move].total / replies[move].count + bonus / sqrt(replies[move].count),
    )
