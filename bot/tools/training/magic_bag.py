"""Teaches the network of the strong computer player, by games that it plays alone."""

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Final

import numpy as np

from bot.games.magic_bag.minds.evaluation import PARTS, POINTS_PER_UNIT, SIZE, Outlook, Sequel
from bot.games.magic_bag.minds.network import Network, Numbers, fit, make_network
from bot.games.magic_bag.pieces import Claim, Discard, ReferenceSheet, State
from bot.games.magic_bag.rules import MagicBag
from bot.rules.chance import Chance, FastChance

_SEED: Final = 1
_GAMES: Final = 150
"""Games in a round."""

_ROUNDS: Final = 42
_EPOCHS: Final = 10
_LAMBDA: Final = 0.8
"""How much the surprises of later turns count for what comes before them (TD lambda).

With less, values lag behind the better play of later rounds; with more, luck blurs them.
"""

_LAST_LAMBDA: Final = 0.95
_LAST_EPOCHS: Final = 3
"""With more of either, the correction at the end learns luck, and the best of such values are too high."""


def train(game: MagicBag, report: Callable[[float], None]) -> dict[str, Numbers]:
    """Return the arrays to store; report the share (0 to 1) that is done."""
    return train_outlook(game.sheet, report)


def train_outlook(
    sheet: ReferenceSheet, report: Callable[[float], None], *, rounds: int = _ROUNDS, games: int = _GAMES
) -> dict[str, Numbers]:
    """Return the weights to store; report the share (0 to 1) that is done.

    The values lag behind the play that they lead to: they are too low. So half as many rounds again are played without
    learning in between, and correct them.
    """
    chance = FastChance(Random(_SEED))  # noqa: S311 - training must be repeatable, not secret
    random = np.random.default_rng(_SEED)
    network = make_network(random, *SIZE)
    memory: list[tuple[Numbers, Numbers]] = []
    more = rounds // 2
    for done in range(rounds):
        memory.append(_play_round(sheet, network, games, chance, _LAMBDA))
        network = fit(network, *_join(memory[2 * len(memory) // 3 :]), random, _EPOCHS)
        report((done + 1) / (rounds + more))
    for done in range(rounds, rounds + more):
        memory.append(_play_round(sheet, network, games, chance, _LAST_LAMBDA))
        report((done + 1) / (rounds + more))
    return pack(fit(network, *_join(memory[rounds:]), random, _LAST_EPOCHS))


def _join(lessons: Sequence[tuple[Numbers, Numbers]]) -> tuple[Numbers, Numbers]:
    """Return the features and what is wanted of several rounds."""
    features, wanted = zip(*lessons, strict=True)
    return np.concatenate(features), np.concatenate(wanted)


def _play_round(
    sheet: ReferenceSheet, network: Network, games: int, chance: Chance, decay: float
) -> tuple[Numbers, Numbers]:
    """Play games; return the features of the positions after turns, and what the network should estimate for each."""
    lessons = [lesson for _ in range(games) for lesson in _play_game(sheet, network, chance, decay)]
    features, wanted = zip(*lessons, strict=True)
    return np.array(features), np.array(wanted, np.float32)


def _play_game(
    sheet: ReferenceSheet, network: Network, chance: Chance, decay: float
) -> Iterator[tuple[Numbers, float]]:
    """Play a game; yield the features of each position after a turn, last first, and what is wanted for it."""
    game = MagicBag(sheet)
    state = game.start(game.info.options(), game.info.least_seats, chance)
    turns = []
    while state.end is None:
        outlook = Outlook(state.layout, network)
        state, sequel = _play_turn(game, state, outlook, chance)
        turns.append((outlook.value, sequel))
    goal, _ = turns.pop()
    for value, sequel in reversed(turns):
        if sequel is not None:
            yield sequel.features, (goal - sequel.points) / POINTS_PER_UNIT
            goal = value + decay * (goal - sequel.value)


def _play_turn(game: MagicBag, state: State, outlook: Outlook, chance: Chance) -> tuple[State, Sequel | None]:
    """Play the best moves of a turn; return what follows, and what was expected of the move that ended it."""
    layout, sequel = state.layout, None
    while state.end is None and state.layout is layout:
        move = max(game.legal_moves(state), key=lambda move: outlook.value_of(move, state.faces, state.rolls_left))
        sequel = outlook.expect(move, state.faces) if isinstance(move, Claim | Discard) else None
        state, _ = game.play(state, 0, move, chance)
    return state, sequel


def pack(network: Network) -> dict[str, Numbers]:
    """Return the arrays to store."""
    return dict(zip(PARTS, network.weights, strict=True))
