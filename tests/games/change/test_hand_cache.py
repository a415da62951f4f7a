"""The cache of hands is small: few hands occur twice, and a bot that runs for long sees many."""

import random
import tracemalloc

from bot.games.change.rules import card_moves, travel_moves
from bot.rules.chance import FastChance
from tests.support.change_tables import CHANGE

HANDS = 1_500
CARDS = 6
MOST_BYTES = 4 * 1024 * 1024


def test_many_hands_take_little_memory() -> None:
    chance = random.Random(1)
    board = CHANGE.game.start(CHANGE.game.info.options(), 2, FastChance(chance)).public.board
    tracemalloc.start()
    try:
        for _ in range(HANDS):
            hand = tuple(sorted(chance.sample(range(len(board.cards)), CARDS)))
            card_moves(board, hand, can_add=True)
            travel_moves(board, hand, chance.getrandbits(20))
        taken, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert taken < MOST_BYTES
