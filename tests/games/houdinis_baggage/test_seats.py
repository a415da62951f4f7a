"""No seat is favoured: the first seat is random, and rotating the seats rotates the whole game."""

from collections import Counter
from random import Random

from bot.games.houdinis_baggage.minds.evaluation import evaluate_plans
from bot.games.houdinis_baggage.pieces import BaggageOptions, State
from bot.games.houdinis_baggage.rules import HoudinisBaggage
from bot.rules.chance import FastChance
from bot.rules.evaluation import BestMove
from tests.games.houdinis_baggage.positions import DECK
from tests.support.each_case import each_case

HOUDINI = HoudinisBaggage(DECK)
NORMAL = BestMove(evaluate_plans)


def rotate_seats(state: State) -> State:
    """Let everybody move on by one seat, with all that is theirs."""
    seats = len(state.players)
    mover = None if state.mover is None else (state.mover + 1) % seats
    players = (*state.players[-1:], *state.players[:-1])
    return state._replace(players=players, mover=mover, starter=(state.starter + 1) % seats)


@each_case("seats", [2, 3, 4])
def test_the_order_of_the_seats_does_not_change_a_game(seats: int) -> None:
    """HB-1 and HB-E1: from one seat further the same cards lead to the same moves and the same winner."""
    here, there = (FastChance(Random(seats)) for _ in range(2))
    options = BaggageOptions(target=10)
    state = HOUDINI.start(options, seats, here)
    moved = rotate_seats(HOUDINI.start(options, seats, there))
    while state.mover is not None and moved.mover is not None:
        move = NORMAL(state, HOUDINI.legal_moves(state), here)
        assert NORMAL(moved, HOUDINI.legal_moves(moved), there) == move
        state, _ = HOUDINI.play(state, state.mover, move, here)
        moved, _ = HOUDINI.play(moved, moved.mover, move, there)
    outcome, other = HOUDINI.outcome(state), HOUDINI.outcome(moved)
    assert outcome is not None
    assert other is not None
    assert rotate_seats(state) == moved
    assert (*outcome.places[-1:], *outcome.places[:-1]) == other.places


@each_case("seats", [2, 3, 4])
def test_every_seat_begins_equally_often(seats: int) -> None:
    """HB-1: of 1,200 games each seat begins about its share; five standard deviations are allowed."""
    chance = FastChance(Random(64))
    began = Counter(HOUDINI.start(BaggageOptions(), seats, chance).starter for _ in range(1200))
    share = 1200 / seats
    assert all(abs(began[seat] - share) < 5 * (share * (1 - 1 / seats)) ** 0.5 for seat in range(seats))
