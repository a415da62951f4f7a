"""Random play chooses a kind of move first, and gives up on a game that does not end."""

import pytest

from bot.rules.chance import FairChance, ScriptedChance
from bot.rules.playout import GameTooLong, play_random_game, random_move
from tests.rules.faulty_games import NeverEnds
from tests.rules.heap_game import Heap, HeapOptions, Move, Take, Toss
from tests.support.each_case import each_case

ONE, TWO, THREE, TOSS = Take(1), Take(2), Take(3), Toss()


@each_case(
    "moves, script, chosen",
    [
        ([ONE], [0], ONE),
        ([ONE, TWO, THREE], [2], THREE),  # one kind: one of three
        ([ONE, TWO, THREE, TOSS], [0, 1], TWO),  # two kinds, then one of three
        ([ONE, TWO, THREE, TOSS], [1, 0], TOSS),  # ... or the only one
        ([TOSS, ONE, TWO], [0, 0], TOSS),
        ([TOSS, ONE, TWO], [1, 1], TWO),
        ([ONE, TWO, TOSS, TOSS], [1, 1], TOSS),  # several of the last kind
    ],
)
def test_a_kind_of_move_is_chosen_first(moves: list[Move], script: list[int], chosen: Move) -> None:
    with ScriptedChance(script) as chance:
        assert random_move(moves, chance) == chosen


def test_every_kind_is_equally_likely_whatever_its_number_of_moves() -> None:
    chance = FairChance(b"\3" * 32, "", 0)
    tosses = sum(random_move([ONE, TWO, THREE, TOSS], chance) == TOSS for _ in range(2000))
    assert 880 < tosses < 1120, "half of 2000, within five deviations"


def test_a_game_is_played_to_its_end() -> None:
    with ScriptedChance([1, 0, 2, 1, 0, 5, 1, 0, 0]) as chance:  # seat 1; take 3; toss a 6; toss a 1
        state, moves = play_random_game(Heap(), HeapOptions(stones=5), 2, chance)
    assert (moves, state.scores, state.mover) == (3, (6, 1), None)


def test_a_game_beyond_its_alarm_bound_is_abandoned() -> None:
    with pytest.raises(GameTooLong, match="12 moves"):
        play_random_game(NeverEnds(), HeapOptions(), 2, FairChance(b"\3" * 32, "", 0))


def test_the_last_of_hundreds_of_moves_can_be_chosen() -> None:
    many = [ONE] * 300 + [TOSS]
    with ScriptedChance([0, 299, 1, 0]) as chance:
        assert random_move(many, chance) == ONE
        assert random_move(many, chance) == TOSS
