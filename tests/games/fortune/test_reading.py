"""The reading of Fortune's table."""

from bot.games.fortune.pieces import State
from bot.games.fortune.reading import build_reading
from tests.games.fortune.positions import NINE_WINS, at, play
from tests.support.each_case import each_case

NAMES = ("Ada", "Ben", "Cleo", "Dan")


def read_table(state: State) -> str:
    return build_reading(state, NAMES[: len(state.scores)])


@each_case(
    "state, words",
    [
        (at("gold"), "They roll all eight dice."),
        (at("gold", "KGMMPPSD"), "two or more of the 7 dice without a skull, or stop"),
        (at("treasure-chest", "KGMMPPSD"), "put others in the chest"),
        (at("sorceress", "KGMMPPSD"), "have the Sorceress free a skull and roll it, alone or with other dice"),
        (at("sorceress", "GGMMPPSD"), "two or more of the 8 dice without a skull, or stop"),
        (at("sorceress", "KGMMPPSD", spell=False), "Already used this turn."),
        (at("sorceress", "KKKMMPPD"), "or stop without points"),
        (at("sorceress", "KKKKMPGD", spell=False, island=True), "She is no help on the Island."),
        (at("storm", "KGMMPPSD", rolls=2), "They can only stop."),
        (at("captain", "KKKKMPGD", island=True), "roll all 4 dice without a skull, or stop"),
        (at("captain", "KKKKKKKD", island=True), "They can only stop."),
    ],
)
def test_fo_4_the_possible_moves_are_described(state: State, words: str) -> None:
    """FO-2, FO-4, FO-9, FO-C1, FO-C3 and FO-C8."""
    assert words in read_table(state)


def test_fo_8_nine_of_a_kind_is_named() -> None:
    """FO-8."""
    state, _ = play(at("gold", scores="0/7000", options=NINE_WINS), "roll 1 2 3 4 5 6 7 8", "GGGGGGGG")
    assert "Ada wins with nine of a kind." in read_table(state)
    assert "Ada has 5,400 and Ben has 7,000" in read_table(state)
    assert "Options: nine of a kind wins immediately." in read_table(state)
