"""The start of The Magic Bag: rules MB-1 and MB-2."""

from collections import Counter
from random import Random

from bot.games.magic_bag.pieces import PIECES, MagicBagOptions, State
from bot.rules.chance import FairChance, FastChance, ScriptedChance
from tests.games.magic_bag.positions import GAME, legal, names

IN_ORDER = [*range(23, 0, -1)]
"""A shuffle in which every tile stays where it is."""


def start_game(seed: int) -> State:
    return GAME.start(MagicBagOptions(), 1, FairChance(seed.to_bytes(32, "big"), "", 0))


def test_mb_1_the_tiles_are_dealt_into_nine_rows() -> None:
    """MB-1."""
    for seed in range(30):
        rows = start_game(seed).layout.rows
        assert [len(row) for row in rows] == [1, 1, 2, 2, 3, 3, 4, 4, 4]
        assert Counter(tile for row in rows for tile in row) == Counter(PIECES)


def test_mb_1_the_tiles_are_shuffled() -> None:
    """MB-1."""
    first = Counter(start_game(seed).layout.rows[0][0] for seed in range(2400))
    assert set(first) == set(PIECES)
    assert max(first.values()) < 150, "100 expected, with a deviation of about 10"


def test_mb_1_the_rows_are_dealt_from_the_first_on() -> None:
    """MB-1."""
    with ScriptedChance([*IN_ORDER, 0, 1, 2, 3]) as chance:
        state = GAME.start(MagicBagOptions(), 1, chance)
    assert [names(row) for row in state.layout.rows] == [
        "sun-null",
        "sun-ace",
        "sun-2 sun-3",
        "sun-4 sun-5",
        "moon-null moon-ace moon-2",
        "moon-3 moon-4 moon-5",
        "crown-null crown-ace crown-2 crown-3",
        "crown-4 crown-5 arms-null arms-ace",
        "arms-2 arms-3 arms-4 arms-5",
    ]
    assert state.faces == (0, 1, 2, 3)


def test_mb_2_three_crowns_are_the_players_and_the_other_coins_in_the_bag() -> None:
    """MB-2."""
    layout = start_game(1).layout
    assert names(layout.collected) == "crown-null crown-ace crown-2"
    assert len(layout.bag) == 21
    assert Counter(layout.bag + layout.collected) == Counter(PIECES)
    assert layout.discarded == ()


def test_mb_1_there_is_one_seat() -> None:
    """MB-1."""
    state = start_game(1)
    assert (GAME.info.least_seats, GAME.info.most_seats) == (1, 1)
    assert GAME.seat_to_move(state) == 0


def test_mb_3_the_first_turn_begins_with_a_roll_of_all_four() -> None:
    """MB-3."""
    state = start_game(1)
    assert len(state.faces) == 4
    assert state.rolls_left == 2
    assert len([move for move in legal(state) if move.startswith("roll")]) == 15


def test_games_without_finish_end_within_the_step_limit() -> None:
    """MB-7 and MB-8: a game without `finish` ends too, and all its positions are sound."""
    reasons = Counter[str]()
    for seed in range(60):
        random, chance = Random(seed), FastChance(Random(seed))
        state, steps = GAME.start(MagicBagOptions(), 1, chance), 0
        while state.end is None:
            move = random.choice(
                [move for move in GAME.legal_moves(state) if str(move) not in ("finish", "stop")]
                or GAME.legal_moves(state)
            )
            state, _ = GAME.play(state, 0, move, chance)
            steps += 1
            assert GAME.audit(state) == ()
        assert steps <= GAME.info.step_limit == 3 * (9 + 24 + 1)
        reasons[str(state.end)] += 1
    assert len(reasons) >= 2, reasons
