"""The reading of The Magic Bag's table."""

from collections.abc import Mapping

from bot.games.magic_bag.pieces import MagicBagOptions, State
from bot.games.magic_bag.reading import build_reading
from bot.rules.chance import FairChance
from tests.games.magic_bag.positions import GAME, at, play_move
from tests.support.each_case import each_case
from tests.support.text_order import find_misplaced

FAR: Mapping[int, str] = {9: "sun-4 moon-4 crown-4 arms-4"}
ROWS: Mapping[int, str] = {2: "sun-5", 3: "crown-2 arms-null", **FAR}


def read_table(state: State) -> str:
    return build_reading(state, ("Ada",))


def test_the_reading_explains_step_by_step() -> None:
    """MB-3 to MB-11."""
    coins = "crown-2 sun-null sun-5 moon-4"
    words = read_table(at(ROWS, "5120", rolls=1, coins=coins, bag="arms-ace arms-2 crown-5"))
    parts = [
        "It's Ada's turn, roll 2 of 3",
        "re-roll any dice once more, or take a row",
        "The dice match row 2 for 2 coins and row 3 for 3 coins.",
        "The dice show sun 5, moon 1, crown 2, and arms 0.",
        "3 rows are left",
        "Row 2: sun 5. Matched in suit and value: sun 5.",
        "Row 3: crown 2, arms 0. Matched in suit and value: crown 2 and arms 0.",
        "Row 9: sun 4, moon 4, crown 4, arms 4.",
        "The treasure is worth 42 points",
        "Gold: 2 points, from the coins 2.",
        "Suns: 30 points. Groups collected: 0 and 5.",
        "top to bottom: 5 and 0; 3 and 4; 1 and 2.",
        "Moons: 10 points. Groups collected: 4.",
        "Arms: 0 points. Groups collected: nothing.",
        "3 coins in the bag: Gold 5; Arms 1 and 2.",
        "Out of the game:",
    ]
    assert find_misplaced(words, parts) == []


@each_case(
    "state, part",
    [
        (at(ROWS, "1111", rolls=2), "up to 2 more times, or keep all four. No row can be taken yet."),
        (at(ROWS, "5111"), "That was the last roll, so they take a row. The dice match row 2 for 2 coins."),
        (at(ROWS, "1111"), "They discard a coin to play on, or finish with 3 points."),
        (at(ROWS, "1140"), "Discarding a coin also lets them remove one of these tiles: crown 4 and arms 0."),
        (at(ROWS, "1140", coins=""), "they can only finish with 0 points."),
    ],
)
def test_mb_8_the_possible_moves_are_described(state: State, part: str) -> None:
    """MB-3, MB-5, MB-8 and MB-9."""
    assert part in read_table(state)


def test_mb_9_without_a_coin_no_tile_may_go() -> None:
    """MB-8 and MB-9."""
    assert "lets them remove" not in read_table(at(ROWS, "1140", coins=""))


def test_mb_4_covered_values_and_equal_tiles_are_distinguished() -> None:
    """MB-4 and MB-6: each die covers one tile."""
    words = read_table(at({9: "crown-2 arms-2 sun-2"}, "2213"))
    assert "Row 9: crown 2, arms 2, sun 2. Matched in suit and value: sun 2. Matched in value: crown 2." in words


def test_mb_12_the_end_has_a_reason() -> None:
    """MB-7 and MB-12."""
    state = at({1: "arms-5", 6: "sun-null crown-5 moon-2"}, "0005", coins="crown-3", bag="crown-4 sun-5")
    words = read_table(play_move(state, "claim 1", 0, 0)[0])
    parts = ["The game is over: Ada has 87 points. That was the last coin", "The tiles left score 70 points", "empty"]
    assert [part for part in parts if part not in words] == []
    assert "turn" not in words
    assert "Matched in" not in words


def test_without_rows_none_are_listed() -> None:
    """MB-7."""
    words = read_table(play_move(at({9: "sun-5"}, "1115"), "claim 9", 0)[0])
    assert "left" not in words
    assert "Ada cleared the board!" in words


def test_there_are_no_symbols() -> None:
    state = GAME.start(MagicBagOptions(), 1, FairChance(b"a deal", "told", 0))
    assert all(sign < "\u2600" for sign in read_table(state)), "a screen reader has nothing but words"
