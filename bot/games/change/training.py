"""Trains the network that estimates chances of winning, from games between computer players."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from random import Random
from typing import Final, TypeAlias

import numpy as np
from numpy.random import Generator

from bot.games.change.board import Board
from bot.games.change.evaluation import evaluate_turn
from bot.games.change.pieces import ChangeOptions, Stage
from bot.games.change.plan import Plan, viewer_of
from bot.games.change.prospects import FEATURES, Floats, Integers, Prospects, describe, foresee
from bot.games.change.rules import Change
from bot.games.change.win_network import UNITS, WinNetwork
from bot.rules.chance import FastChance
from bot.rules.evaluation import BestMove, CarelessMove

_GAMES: Final = 9000
_SEATS: Final = (2, 2, 2, 2, 3, 4, 5, 6)
_CREDITS: Final = (120, 120, 120, 120, 120, 50, 50, 80, 160, 200, 300)
_SETS: Final = (True, True, True, True, False)
"""The games differ in what the tables of people may differ in; an equal choice from each."""

_EPOCHS: Final = 4
_BATCH: Final = 1024
_FIRST_STEP: Final = 0.008
"""Steps shrink to nothing in the course of the training."""
_KEPT, _KEPT_SQUARES, _TINY = 0.9, 0.999, 1e-8
"""How much the averages of slopes and of their squares keep in a step, and what divides by no zero."""

Examples: TypeAlias = tuple[Floats, Floats]
"""Features of prospects, and the share of the win that each seat got in the end."""

_PLAYERS: Final = (
    BestMove(evaluate_turn),
    BestMove(evaluate_turn),
    CarelessMove(evaluate_turn, usual_loss=8, largest_loss=25),
)


def train_network(board: Board, report: Callable[[float], None], games: int = _GAMES) -> dict[str, Floats]:
    """Return the arrays to store; report the share (0 to 1) that is done."""
    return fit(play_examples(board, games, 1, report), np.random.default_rng(1)).pack()


def play_examples(
    board: Board, games: int, seed: int, report: Callable[[float], None] = lambda _: None
) -> list[Examples]:
    """Return examples from games between computer players, a part for each number of seats."""
    random, rules = Random(seed), Change(board)  # noqa: S311 - training must be repeatable, not secret
    parts: dict[int, list[Examples]] = defaultdict(list)
    for game in range(games):
        seats = random.choice(_SEATS)
        parts[seats].append(_play_game(rules, seats, random))
        report(game / games)
    return [_join(parts[seats]) for seats in sorted(parts)]


def _join(parts: Sequence[Examples]) -> Examples:
    features, shares = zip(*parts, strict=True)
    return np.concatenate(features), np.concatenate(shares)


def _play_game(rules: Change, seats: int, random: Random) -> Examples:
    """Return the start of each turn of a game, as one of the seats sees it."""
    options = ChangeOptions(credits=random.choice(_CREDITS), sets=random.choice(_SETS))
    chance, players = FastChance(random), random.choices(_PLAYERS, k=seats)
    state, views = rules.start(options, seats, chance), []
    while (seat := rules.seat_to_move(state)) is not None:
        if state.public.stage is Stage.ROLL:
            views.append(rules.view(state, random.randrange(seats)))
        move = players[seat](rules.view(state, seat), rules.legal_moves(state), chance)
        state, _ = rules.play(state, seat, move, chance)
    left = state.public.credits
    shares = np.array([(each == 0) / left.count(0) for each in left])
    prospects = Prospects.join([foresee(view, [Plan.of(view)]) for view in views])
    return describe(state.public.board, prospects), np.array([np.roll(shares, -viewer_of(view)) for view in views])


def fit(examples: Sequence[Examples], random: Generator, epochs: int = _EPOCHS) -> WinNetwork:
    """Return a network that gives the seats of examples their shares of the win, as well as it can (Adam)."""
    weights = begin(random).pack()
    means, squares = ({name: np.zeros_like(array) for name, array in weights.items()} for _ in range(2))
    batches = [batch for _ in range(epochs) for batch in _shuffle(examples, random)]
    for step, (which, rows) in enumerate(batches, 1):
        features, shares = examples[which]
        size = _FIRST_STEP * (1 - step / (len(batches) + 1))
        for name, slope in _slopes(WinNetwork(**weights), features[rows], shares[rows]).items():
            means[name] += (1 - _KEPT) * (slope - means[name])
            squares[name] += (1 - _KEPT_SQUARES) * (slope**2 - squares[name])
            mean, square = means[name] / (1 - _KEPT**step), squares[name] / (1 - _KEPT_SQUARES**step)
            weights[name] = weights[name] - size * mean / (np.sqrt(square) + _TINY)
    return WinNetwork(**weights)


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


def _slopes(network: WinNetwork, features: Floats, shares: Floats) -> dict[str, Floats]:
    """Return the gradient of the mean cross entropy."""
    activity = network.activate(features)
    wrong = (network.chances(activity) - shares)[..., None] / len(shares)
    back = wrong * network.output * (activity > 0)
    return {
        "hidden": np.einsum("nsf,nsu->fu", features, back, optimize=True),
        "bias": back.sum(axis=(0, 1)),
        "output": (wrong * activity).sum(axis=(0, 1)),
    }


def loss_of(network: WinNetwork, examples: Sequence[Examples]) -> float:
    """Return the mean cross entropy of the chances that a network gives, in nats."""
    losses = [
        -(shares * np.log(network.chances(network.activate(features)))).sum(axis=-1) for features, shares in examples
    ]
    return float(np.concatenate(losses).mean())
