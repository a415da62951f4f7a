"""Teaches the network of the strong computer player, by games that it plays alone."""

from collections.abc import Callable, Iterator
from random import Random
from typing import Final

import numpy as np

from bot.games.magic_bag.moves import Claim, Discard
from bot.games.magic_bag.network import Network, Numbers, fit, make_network
from bot.games.magic_bag.outlook import PARTS, POINTS_PER_UNIT, SIZE, Outlook
from bot.games.magic_bag.pieces import State
from bot.games.magic_bag.rules import MagicBag
from bot.games.magic_bag.scoring import points_of
from bot.games.magic_bag.sheet import ReferenceSheet
from bot.rules.chance import Chance, FastChance

_SEED: Final = 1
_GAMES: Final = 150
"""Games in a round."""

_ROUNDS: Final = 42
_EPOCHS: Final = 10
_MOST_TRUST: Final = 0.5
"""How much the value of the next turn counts as the goal of an estimate, beside what came of that turn.

With more, values lag behind the better play of later rounds; with less, luck blurs them. At first it is nothing.
"""


def train_outlook(
    sheet: ReferenceSheet, report: Callable[[float], None], *, rounds: int = _ROUNDS, games: int = _GAMES
) -> dict[str, Numbers]:
    """Return the weights to store; report the share (0 to 1) that is done."""
    chance = FastChance(Random(_SEED))  # noqa: S311 - training must be repeatable, not secret
    random = np.random.default_rng(_SEED)
    network = make_network(random, *SIZE)
    memory: list[tuple[Numbers, Numbers]] = []
    for done in range(rounds):
        trust = min(_MOST_TRUST, 2 * done / rounds)
        memory.append(_play_round(sheet, network, games, trust, chance))
        features, wanted = map(np.concatenate, zip(*memory[2 * len(memory) // 3 :], strict=True))
        network = fit(network, features, wanted, random, _EPOCHS)
        report((done + 1) / rounds)
    return pack(network)


def _play_round(
    sheet: ReferenceSheet, network: Network, games: int, trust: float, chance: Chance
) -> tuple[Numbers, Numbers]:
    """Play games; return the features of the positions after turns, and what the network should estimate for each."""
    lessons = [lesson for _ in range(games) for lesson in _play_game(sheet, network, trust, chance)]
    features, wanted = zip(*lessons, strict=True)
    return np.array(features), np.array(wanted, np.float32)


def _play_game(
    sheet: ReferenceSheet, network: Network, trust: float, chance: Chance
) -> Iterator[tuple[Numbers, float]]:
    """Play a game; yield the features of each position after a turn, last first, and what is wanted for it."""
    game = MagicBag(sheet)
    state = game.start(game.info.options(), game.info.least_seats, chance)
    turns = []
    while state.end is None:
        outlook = Outlook(state.layout, network)
        state, described = _play_turn(game, state, outlook, chance)
        turns.append((outlook.value, described))
    later = float(points_of(state))
    for value, described in reversed(turns):
        if described is not None:
            features, points = described
            yield features, (later - points) / POINTS_PER_UNIT
        later = trust * value + (1 - trust) * later


def _play_turn(
    game: MagicBag, state: State, outlook: Outlook, chance: Chance
) -> tuple[State, tuple[Numbers, float] | None]:
    """Play the best moves of a turn; return what follows, and its description unless the game is over."""
    layout, described = state.layout, None
    while state.end is None and state.layout is layout:
        move = max(game.legal_moves(state), key=lambda move: outlook.value_of(move, state.faces, state.rolls_left))
        described = outlook.describe(move, state.faces) if isinstance(move, Claim | Discard) else None
        state, _ = game.play(state, 0, move, chance)
    return state, described


def pack(network: Network) -> dict[str, Numbers]:
    """Return the arrays to store."""
    return dict(zip(PARTS, network.weights, strict=True))
