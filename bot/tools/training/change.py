"""Teaches the network of the strong computer player, by games that it plays alone."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from random import Random
from typing import Final, TypeAlias

import numpy as np
from numpy.random import Generator

from bot.games.change.board import Board
from bot.games.change.minds.credit_values import evaluate_turn
from bot.games.change.minds.turn_values import Plan, viewer_of
from bot.games.change.minds.win_chances import (
    FEATURES,
    UNITS,
    Floats,
    Integers,
    Prospects,
    WinNetwork,
    describe,
    evaluate_wins,
    foresee,
)
from bot.games.change.pieces import ChangeOptions, Stage, State, View
from bot.games.change.rules import Change
from bot.rules.chance import FastChance
from bot.rules.evaluation import BestMove, CarelessMove
from bot.rules.game import Seat

_SEED: Final = 1
_ROUNDS: Final = 30
_GAMES: Final = 100
"""Games in a round."""

_EPOCHS: Final = 3
_BATCH: Final = 1024
_FIRST_STEP: Final = 0.008
"""Steps shrink to nothing in the course of the training."""
_KEPT, _KEPT_SQUARES, _TINY = 0.9, 0.999, 1e-8
"""How much the averages of slopes and of their squares keep in a step, and what divides by no zero."""

_SEATS: Final = (2, 2, 2, 2, 3, 4, 5, 6)
_CREDITS: Final = (120, 120, 120, 120, 120, 50, 50, 80, 160, 200, 300)
_SETS: Final = (True, True, True, True, False)
"""The games differ in what the tables of people may differ in; an equal choice from each."""

_MOST_ROUNDS: Final = 8
"""Weaker players play the first rounds of half the games: people get into positions that the strong one avoids."""

LAMBDA: Final = 0.9
"""How much the surprises of later decisions count for what comes before them (TD lambda).

With 1, all that counts is who won.
"""

Examples: TypeAlias = tuple[Floats, Floats]
"""Features of starts of turns, and the chance of winning that is wanted for the viewer."""

_Expectation: TypeAlias = tuple[Seat, float]
"""A seat that decided, and its chance of winning."""


def train(game: Change, report: Callable[[float], None]) -> dict[str, Floats]:
    """Return the arrays to store; report the share (0 to 1) that is done."""
    return train_network(game.board, report)


def train_network(
    board: Board, report: Callable[[float], None], *, rounds: int = _ROUNDS, games: int = _GAMES
) -> dict[str, Floats]:
    """Return the arrays to store; report the share (0 to 1) that is done."""
    rules, random = Change(board), Random(_SEED)  # noqa: S311 - training must be repeatable, not secret
    learner, memory = _Learner(np.random.default_rng(_SEED)), list[list[Examples]]()
    for done in range(rounds):
        memory.append(play_examples(rules, learner.network, games, random))
        # The newer half: older values are those of worse play.
        learner.learn(_join(memory[len(memory) // 2 :]), 1 - done / rounds)
        report((done + 1) / rounds)
    return learner.network.pack()


def _join(rounds: Sequence[Sequence[Examples]]) -> list[Examples]:
    """Return the examples of several rounds, a part for each number of seats."""
    by_seats: dict[int, list[Examples]] = defaultdict(list)
    for features, wanted in chain.from_iterable(rounds):
        by_seats[features.shape[1]].append((features, wanted))
    parts = [zip(*by_seats[seats], strict=True) for seats in sorted(by_seats)]
    return [(np.concatenate(features), np.concatenate(wanted)) for features, wanted in parts]


class _Learner:
    """A network, and what Adam remembers of its slopes."""

    def __init__(self, random: Generator) -> None:
        self._random, self._steps = random, 0
        self.network = begin(random)
        self._means, self._squares = (
            {name: np.zeros_like(array) for name, array in self.network.pack().items()} for _ in range(2)
        )

    def learn(self, examples: Sequence[Examples], pace: float) -> None:
        """Bring the chances of the network closer to those that are wanted."""
        for _ in range(_EPOCHS):
            for which, rows in _shuffle(examples, self._random):
                features, wanted = examples[which]
                self._step(_slopes(self.network, features[rows], wanted[rows]), pace * _FIRST_STEP)

    def _step(self, slopes: dict[str, Floats], size: float) -> None:
        self._steps += 1
        weights = self.network.pack()
        for name, slope in slopes.items():
            self._means[name] += (1 - _KEPT) * (slope - self._means[name])
            self._squares[name] += (1 - _KEPT_SQUARES) * (slope**2 - self._squares[name])
            mean = self._means[name] / (1 - _KEPT**self._steps)
            square = self._squares[name] / (1 - _KEPT_SQUARES**self._steps)
            weights[name] = weights[name] - size * mean / (np.sqrt(square) + _TINY)
        self.network = WinNetwork(**weights)


def begin(random: Generator) -> WinNetwork:
    """Return a network that knows nothing yet: to it, all seats have nearly the same chance."""
    hidden = random.standard_normal((FEATURES, UNITS)) * np.sqrt(2 / FEATURES)
    return WinNetwork(hidden, np.zeros(UNITS), random.standard_normal(UNITS) * 0.01)


def _shuffle(examples: Sequence[Examples], random: Generator) -> list[tuple[int, Integers]]:
    """Return rows of all examples in batches, in a random order."""
    batches = [
        (which, rows)
        for which, (features, _) in enumerate(examples)
        for rows in np.array_split(random.permutation(len(features)), -(-len(features) // _BATCH))
    ]
    return [batches[at] for at in random.permutation(len(batches))]


def _slopes(network: WinNetwork, features: Floats, wanted: Floats) -> dict[str, Floats]:
    """Return the gradient of the mean cross entropy of winning or not."""
    activity = network.activate(features)
    chances = network.chances(activity)
    others = chances[:, 1:]
    # How the others share what is left is not asked, so their shares stay in proportion.
    shared = others * ((1 - wanted) / others.sum(axis=1))[:, None]
    goals = np.column_stack([wanted, shared])
    wrong = (chances - goals)[..., None] / len(wanted)
    back = wrong * network.output * (activity > 0)
    return {
        "hidden": np.einsum("nsf,nsu->fu", features, back, optimize=True),
        "bias": back.sum(axis=(0, 1)),
        "output": (wrong * activity).sum(axis=(0, 1)),
    }


def loss_of(network: WinNetwork, examples: Sequence[Examples]) -> float:
    """Return the mean cross entropy of the viewers' chances that a network gives, in nats."""
    losses = []
    for features, wanted in examples:
        chances = network.chances(network.activate(features))[:, 0]
        losses.append(-wanted * np.log(chances) - (1 - wanted) * np.log(1 - chances))
    return float(np.concatenate(losses).mean())


_OPENERS: Final = (
    BestMove(evaluate_turn),
    BestMove(evaluate_turn),
    CarelessMove(evaluate_turn, usual_loss=8, largest_loss=25),
)


def play_examples(
    rules: Change, network: WinNetwork, games: int, random: Random, *, trace: float = LAMBDA
) -> list[Examples]:
    """Return examples from games, a part for each number of seats."""
    parts: dict[int, list[tuple[View, float]]] = defaultdict(list)
    for _ in range(games):
        seats = random.choice(_SEATS)
        parts[seats] += _play_game(rules, network, seats, random, trace)
    return [_describe(part) for _, part in sorted(parts.items()) if part]


def _describe(part: Sequence[tuple[View, float]]) -> Examples:
    prospects = Prospects.join([foresee(view, [Plan.of(view)]) for view, _ in part])
    return describe(part[0][0].public.board, prospects), np.array([goal for _, goal in part])


def _play_game(
    rules: Change, network: WinNetwork, seats: int, random: Random, trace: float
) -> Iterator[tuple[View, float]]:
    """Play a game; yield the starts of its turns, the last one first, and the viewer's chance that is wanted."""
    options = ChangeOptions(credits=random.choice(_CREDITS), sets=random.choice(_SETS))
    chance = FastChance(random)
    state = _open(rules, rules.start(options, seats, chance), random, chance)
    record: list[View | _Expectation] = []
    while (seat := rules.seat_to_move(state)) is not None:
        if state.public.stage is Stage.ROLL:
            viewers = dict.fromkeys(((seat - 1) % seats, random.randrange(seats)))
            record += [rules.view(state, viewer) for viewer in viewers]
        move, moves = None, rules.legal_moves(state)
        if len(moves) > 1:
            values = evaluate_wins(network, rules.view(state, seat), moves).values
            move = moves[values.index(max(values))]
            record.append((seat, max(values)))
        state, _ = rules.play(state, seat, move or moves[0], chance)
    left = state.public.credits
    yield from _look_back(record, [(each == 0) / left.count(0) for each in left], trace)


def _open(rules: Change, state: State, random: Random, chance: FastChance) -> State:
    """Return the start of the turn from which the strong player plays on; or the end of the game."""
    seats = len(state.public.credits)
    turns = random.choice((0, random.randrange(_MOST_ROUNDS * seats)))
    players = random.choices(_OPENERS, k=seats)
    while (seat := rules.seat_to_move(state)) is not None:
        if state.public.stage is Stage.ROLL:
            if not turns:
                break
            turns -= 1
        move = players[seat](rules.view(state, seat), rules.legal_moves(state), chance)
        state, _ = rules.play(state, seat, move, chance)
    return state


def _look_back(
    record: Sequence[View | _Expectation], shares: Sequence[float], trace: float
) -> Iterator[tuple[View, float]]:
    """Yield views with what their seats came to expect of the game at later decisions, and in the end."""
    goals = list(shares)
    for entry in reversed(record):
        if isinstance(entry, View):
            yield entry, goals[viewer_of(entry)]
            continue
        seat, value = entry
        goals[seat] = value + trace * (goals[seat] - value)
        if len(goals) == 2:  # what one of two expects tells what the other one should
            goals[1 - seat] = 1 - goals[seat]
