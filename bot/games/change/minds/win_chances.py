"""What starts of turns look like, in numbers, and a small network that estimates chances of winning from them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import lru_cache
from itertools import product
from typing import Any, Final, Self, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bot.games.change.board import SPACE_COUNT, START, Board, CardKind, Space, SpaceKind
from bot.games.change.minds.credit_values import evaluate_turn
from bot.games.change.minds.turn_values import MoveValues, Plan, viewer_of
from bot.games.change.moves import Move
from bot.games.change.pieces import MARKERS_PER_SEAT, MAX_HAND_SIZE, Stage, View
from bot.rules.content import BrokenTables, Tables
from bot.rules.evaluation import Evaluation, Unit

_DIGITS: Final = 6
"""Decimals of chances: how NumPy rounds the others depends on machine and version."""

Floats: TypeAlias = NDArray[np.float64]
Integers: TypeAlias = NDArray[np.int_]

FEATURES: Final = 18
"""The numbers that describe a seat."""

_FACES: Final = range(1, 7)
_SETTLED: Final = 200
"""Rolls after which it hardly matters where a Ragz began."""

UNITS: Final = 32
"""The hidden units."""


@dataclass(frozen=True, slots=True, eq=False)
class Prospects:
    """Starts of turns as one seat sees them. Seats are columns, and the viewer is the first."""

    credits: Floats
    markers: Integers
    ragz_spaces: Integers
    unseen: Integers
    """The message cards of each seat that the viewer has not seen."""
    known: Integers
    """The viewer's cards that it has seen, with a column for each kind."""
    next_seat: Integers
    """The seat whose turn begins, for each row."""
    sets: NDArray[np.bool_]
    """Whether sets count, for each row. Rule CH-11."""

    @classmethod
    def join(cls, parts: Sequence[Self]) -> Self:
        """Return all prospects of tables with equally many seats."""
        return cls(*[np.concatenate([getattr(part, field.name) for part in parts]) for field in fields(cls)])


def foresee(view: View, plans: Sequence[Plan]) -> Prospects:
    """Return the starts of the turn to come if plans come true; before a roll, it is the turn of the roll."""
    public, viewer = view.public, viewer_of(view)
    seats, kinds, count = len(public.credits), len(public.board.cards), len(plans)
    next_seat = public.turn + (public.stage is not Stage.ROLL)
    unseen = np.tile(public.hand_sizes, (count, 1))
    unseen[:, viewer] = [plan.unseen for plan in plans]

    def turn(rows: ArrayLike) -> NDArray[Any]:
        return np.roll(rows, -viewer, axis=1)

    return Prospects(
        credits=turn([plan.credits for plan in plans]).astype(float),
        markers=turn([plan.markers for plan in plans]),
        ragz_spaces=turn([plan.ragz_spaces for plan in plans]),
        unseen=turn(unseen),
        known=np.array([np.bincount(plan.hand, minlength=kinds) for plan in plans]),
        next_seat=np.full(count, (next_seat - viewer) % seats),
        sets=np.full(count, public.options.sets),
    )


class _Arrays:
    """Facts about a board, by challenge space or kind of card."""

    def __init__(self, board: Board) -> None:
        spaces, faces = np.array(board.challenge_spaces), board.cards
        whole = np.array(board.set_of)[spaces]
        landings = np.array([landing_chances(board, space) for space in range(SPACE_COUNT)])
        self.spaces = spaces
        self.credits = np.array(board.credits, dtype=float)[spaces]
        self.same_set = (whole[:, None] == whole).astype(float)
        self.landings = landings[:, spaces]
        self.usual_landings = np.linalg.matrix_power(landings, _SETTLED)[START, spaces]
        self.points = np.array([face.amount if face.kind is CardKind.ADD else 0 for face in faces])
        self.leads_to = np.array(
            [[face.kind is CardKind.ANY or face.space == space for space in board.challenge_spaces] for face in faces]
        )


def landing_chances(board: Board, start: Space) -> Floats:
    """Return the chance of each space to be where the track roll from a space ends. Rules CH-4, CH-S2 and CH-S3."""
    chances = np.zeros(SPACE_COUNT)
    for first, second in product(_FACES, repeat=2):
        space = START if first == second else (start + first + second) % SPACE_COUNT
        match board.spaces[space].kind:
            case SpaceKind.EMOTIONAL:
                chances += landing_chances(board, space)
            case SpaceKind.TAKE_A_REST:
                chances[START] += 1
            case _:
                chances[space] += 1
    return chances / len(_FACES) ** 2


_arrays_of = lru_cache(maxsize=8)(_Arrays)


def describe(board: Board, prospects: Prospects) -> Floats:
    """Return what matters for winning, by prospect, seat and feature."""
    facts, left, sets = _arrays_of(board), prospects.credits, prospects.sets[:, None]
    seats = left.shape[1]
    marked = (prospects.markers[:, :, None] >> facts.spaces & 1).astype(float)
    in_set = np.rint(marked @ facts.same_set)
    released = marked * facts.credits * (1 + sets[:, None] * (in_set == 3))
    rolls = facts.landings[prospects.ragz_spaces]
    soon = rolls.sum(axis=1)[:, None]
    markers, income = marked.sum(axis=2), released.sum(axis=2)
    almost = (facts.credits * (in_set == 2)).sum(axis=2) * sets
    wins = (released >= left[:, :, None]).astype(float)
    risk = 1 - np.prod(1 - wins @ rolls.transpose(0, 2, 1), axis=2)
    least, second = np.partition(left, 1, axis=1)[:, :2, None].transpose(1, 0, 2)
    others: Floats = np.where(left == least, second, least)
    every = [
        left / 100,
        np.sqrt(left) / 10,
        income / 100,
        released @ facts.usual_landings / 10,
        (released * soon).sum(axis=2) / 10,
        risk,
        markers / MARKERS_PER_SEAT,
        almost / 100,
        others / 100,
        np.arange(seats) == prospects.next_seat[:, None],
        prospects.unseen / MAX_HAND_SIZE,
        np.full(left.shape, 1 / seats),
        np.broadcast_to(sets, left.shape),
    ]
    return np.concatenate([np.stack(every, axis=2), _describe_hand(facts, prospects, marked, released)], axis=2)


def _describe_hand(facts: _Arrays, prospects: Prospects, marked: Floats, released: Floats) -> Floats:
    """Return features of the cards that the viewer has seen, which are 0 for the others."""
    left, known = prospects.credits, prospects.known
    reached = (known @ facts.leads_to > 0).astype(float)
    release = (reached * released[:, 0]).max(axis=1)
    placed = (reached * (1 - marked[:, 0]) * facts.credits).max(axis=1) * (marked[:, 0].sum(axis=1) < MARKERS_PER_SEAT)
    own = [
        known.sum(axis=1) / MAX_HAND_SIZE,
        known @ facts.points / 10,
        (known @ facts.leads_to).max(axis=1) / 5,
        release / 25,
        placed / 25,
    ]
    features = np.zeros((*left.shape, len(own)))
    features[:, 0] = np.stack(own, axis=1)
    return features


@dataclass(frozen=True, slots=True, eq=False)
class WinNetwork:
    """Weights that turn the features of each seat into a score; chances of winning are the softmax of the scores."""

    hidden: Floats
    """By feature and unit."""
    bias: Floats
    output: Floats

    def pack(self) -> dict[str, Floats]:
        """Return the arrays to store."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def activate(self, features: Floats) -> Floats:
        """Return how active the hidden units are, with a last axis for them."""
        return np.maximum(features @ self.hidden + self.bias, 0)

    def chances(self, activity: Floats) -> Floats:
        """Return the chance of winning of every seat, which is the last axis."""
        scores = activity @ self.output
        powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
        chances: Floats = powers / powers.sum(axis=-1, keepdims=True)
        return chances


# A millisecond of a computer player's move.
@lru_cache(maxsize=8)
def load_network(tables: Tables) -> WinNetwork:
    """Return the stored network.

    Raises:
        BrokenTables: It can't be used.
    """
    shapes = {"hidden": (FEATURES, UNITS), "bias": (UNITS,), "output": (UNITS,)}
    return WinNetwork(**tables.load("float64", shapes))


def evaluate_wins(network: WinNetwork, view: View, moves: Sequence[Move]) -> Evaluation:
    """Return the chance of winning after each move: the turn is played out, and what follows estimated by a network."""

    def estimate(plans: Sequence[Plan]) -> Sequence[float]:
        if not plans:
            return ()
        features = describe(view.public.board, foresee(view, plans))
        found: list[float] = network.chances(network.activate(features))[:, 0].tolist()
        return found

    values = MoveValues(view).evaluate(moves, estimate)
    return Evaluation([round(value, _DIGITS) for value in values], Unit.WINS)


@dataclass(frozen=True, slots=True)
class WinEvaluator:
    """Finds the chance of winning after each move, with the stored network."""

    tables: Tables

    def __call__(self, view: View, moves: Sequence[Move]) -> Evaluation:
        """Return the value of each move.

        Raises:
            BrokenTables: The stored network can't be used.
        """
        return evaluate_wins(load_network(self.tables), view, moves)


_CACHE_SIZE = 64

MoveRanking: TypeAlias = Callable[[View, tuple[Move, ...]], Mapping[Move, float]]
"""Returns moves with their values, the best first."""


@lru_cache(_CACHE_SIZE)
def rank_moves(network: Tables, view: View, moves: tuple[Move, ...]) -> Mapping[Move, float]:
    """Return moves with their chances of winning, the best first; without the stored network, with credits instead."""
    try:
        values = WinEvaluator(network)(view, moves).values
    except BrokenTables:
        values = evaluate_turn(view, moves).values
    return dict(sorted(zip(moves, values, strict=True), key=lambda pair: -pair[1]))
