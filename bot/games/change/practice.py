"""Games that the strong player plays alone, and what they teach about the starts of turns."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from random import Random
from typing import Final, TypeAlias

import numpy as np

from bot.games.change.evaluation import evaluate_turn, evaluate_wins
from bot.games.change.pieces import ChangeOptions, Stage, State, View
from bot.games.change.plan import Plan, viewer_of
from bot.games.change.prospects import Floats, Prospects, describe, foresee
from bot.games.change.rules import Change
from bot.games.change.win_network import WinNetwork
from bot.rules.chance import FastChance
from bot.rules.evaluation import BestMove, CarelessMove
from bot.rules.game import Seat

_SEATS: Final = (2, 2, 2, 2, 3, 4, 5, 6)
_CREDITS: Final = (120, 120, 120, 120, 120, 50, 50, 80, 160, 200, 300)
_SETS: Final = (True, True, True, True, False)
"""The games differ in what the tables of people may differ in; an equal choice from each."""

_OPENERS: Final = (
    BestMove(evaluate_turn),
    BestMove(evaluate_turn),
    CarelessMove(evaluate_turn, usual_loss=8, largest_loss=25),
)
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
