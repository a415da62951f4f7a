"""The reading of Change's table."""

from bot.games.change.pieces import Stage, State
from bot.games.change.reading import build_reading
from bot.games.change.words import card_name
from tests.games.change.positions import BOARD, GAME, PLAIN, WITH_SETS, at
from tests.support.each_case import each_case

NAMES = ("Ada", "Ben", "Cleo", "Dan", "Eve", "Finn")


def read_table(state: State) -> str:
    return build_reading(GAME.view(state, None), NAMES[: len(state.hands)])


@each_case(
    "state, words",
    [
        (at("120@5", "120@0", stage=Stage.FREE, challenge=True), "take on the challenge of Desires"),
        (at("120@5", "120@0", stage=Stage.FREE), "make an option move"),
        (at("120@5", "120@0", stage=Stage.FREE, travel=False), "They can only end"),
        (at("120@5", "120@0", stage=Stage.FREE, hands=["any"]), "play message cards"),
        (at("120@5", "120@0", stage=Stage.FREE, missing=1), "1 point short"),
        (at("120@5", "120@0", stage=Stage.FREE, missing=3), "3 points short"),
        (
            at("120@3", "120@0", stage=Stage.CORNER),
            "release 10, or give the bonus to another player and draw 1 card. Others who",
        ),
        (
            at("120@12", "120@0", "9@0", stage=Stage.CORNER),
            "draw 1 card for each of them. Others who can take it: Ben and Cleo",
        ),
        (
            at("120@12", "120@0", "9@0", stage=Stage.CORNER, hands=["any any any any add-1"]),
            "draw nothing, as the hand is full. Others who",
        ),
        (at("120@19", "120@0 fear greed", stage=Stage.CORNER), "They can't, so"),
        (at("120@19 fear greed", "120@0", stage=Stage.RETURN), "one of their own markers"),
        (at("120@28", "120@0", stage=Stage.PLACE), "a new marker"),
        (at("120@4", "120@0", stage=Stage.SWAP, hands=["any add-1"]), "to replace"),
        (at("120@22", "120@0", stage=Stage.KEEP, hands=["any add-1"]), "the one message card to keep"),
    ],
)
def test_the_possible_moves_are_described(state: State, words: str) -> None:
    assert words in read_table(state)


def test_ch_c0_a_chosen_seat_is_named_together_with_the_seat_whose_turn_it_is() -> None:
    """CH-C0."""
    words = read_table(at("120@19", "120@0 greed fear", stage=Stage.RETURN, asked=[1], draws=2))
    assert "Ada's turn, at a corner" in words
    assert "Ben chooses one of their own markers" in words


@each_case("key", ["any", "replace-2", "add-4"])
def test_ch_m1_no_card_in_a_hand_is_named(key: str) -> None:
    """CH-M1."""
    words = read_table(at("120@0", "120@0", hands=["any replace-2 add-4"]))
    assert card_name(BOARD, BOARD.card_by_key[key]) not in words
    assert "3 message cards" in words


def test_ch_11_a_whole_set_is_described_where_it_counts() -> None:
    """CH-11."""
    seats = ("120@0 greed gossip envy habits excuses desires", "120@0 greed")
    assert "They release double in the sets A and B." in read_table(at(*seats, options=WITH_SETS))
    assert "double" not in read_table(at(*seats, options=PLAIN))


def test_there_are_neither_emoji_nor_markup() -> None:
    words = read_table(at("120@0 greed", "95@24", hands=["", "any"], stage=Stage.FREE, challenge=False))
    assert words.isascii()
    assert not set("*_`|") & set(words)
