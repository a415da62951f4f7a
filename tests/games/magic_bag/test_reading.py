"""The reading of The Magic Bag's table."""

from collections.abc import Mapping

from bot.games.magic_bag.pieces import MagicBagOptions, State
from bot.games.magic_bag.reading import build_reading
from bot.rules.chance import FairChance
from tests.games.magic_bag.positions import GAME, at
from tests.support.each_case import each_case

FAR: Mapping[int, str] = {9: "sun-4 moon-4 crown-4 arms-4"}
ROWS: Mapping[int, str] = {2: "sun-5", 3: "crown-2 arms-null", **FAR}


def read_table(state: State) -> str:
    return build_reading(state, ("Ada",))


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


def test_there_are_no_symbols() -> None:
    state = GAME.start(MagicBagOptions(), 1, FairChance(b"a deal", "told", 0))
    assert all(sign < "\u2600" for sign in read_table(state)), "a screen reader has nothing but words"
