"""The reading of Fortune's table."""

from bot.games.fortune.pieces import State
from bot.games.fortune.reading import build_reading
from tests.games.fortune.positions import CARDS, NINE_WINS, at, play
from tests.support.each_case import each_case
from tests.support.text_order import find_misplaced

NAMES = ("Ada", "Ben", "Cleo", "Dan")


def read_table(state: State) -> str:
    return build_reading(state, NAMES[: len(state.scores)])


def test_the_reading_explains_step_by_step() -> None:
    words = read_table(at("skulls-1", "KGGGMMPS", scores="700/-300/8100", mover=1, crosser=2))
    parts = [
        "It's Ben's turn",
        "roll two or more of the 7 dice",
        "or stop",
        "The card is Skulls",
        "skull, gold coin, gold coin, gold coin, monkey, monkey, parrot, sword",
        "With the card: 2 skulls.",
        "worth +400: 3 gold coins 100 and gold and diamonds 300",
        "which brings 0",
        "Score to beat: 8,000; Ada has",
        "Ada has 700",
        "Ben has −300",
        "Everyone but Cleo",
    ]
    assert find_misplaced(words, parts) == []


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


@each_case("card", CARDS)
def test_cards_are_described_without_symbols(card: str) -> None:
    """FO-C1 to FO-C9."""
    words = read_table(at(card, "KGGMMPSD"))
    assert f"The card is {CARDS[card].kind.replace('-', ' ').title()}: " in words
    assert all(sign < "\u2600" for sign in words), "a screen reader has nothing but words"


@each_case(
    "card, faces, words",
    [
        ("captain", "GGGMPSKK", "worth +800: 3 gold coins 100, gold and diamonds 300, and all doubled"),
        ("monkey-business", "MMPGGDDD", "3 monkeys and parrots 100"),
        ("monkey-business", "MMPGGDDD", "the full chest 500"),
        ("sea-battle-2-300", "MMMMGGSS", "the battle won 300. At 3 skulls it's a bust, which brings −300."),
        ("sea-battle-3-500", "MMMMGGSS", "worth −500: only 2 of 3 swords. At 3 skulls it's a bust, which brings −500."),
        (
            "truce",
            "SSMMMMGG",
            "worth −2,000: swords in a Truce. At 3 skulls it's a bust, which brings 0.",
        ),
        ("gold", "MMPPSSKK", "2 skulls, 2 monkeys, 2 parrots, and 2 swords"),
    ],
)
def test_fo_5_the_points_of_the_dice_are_described(card: str, faces: str, words: str) -> None:
    """FO-3 to FO-7."""
    assert words in read_table(at(card, faces))


def test_fo_c1_the_chest_is_described() -> None:
    """FO-C1."""
    words = read_table(at("treasure-chest", "KGGGDMPS", rolls=2, chest="2345"))
    assert "In the chest: 3 gold coins and 1 diamond, worth 500 even after a bust." in words


def test_fo_9_the_cost_of_the_island_is_described() -> None:
    """FO-9 and FO-C2."""
    assert "every opponent loses 800" in read_table(at("captain", "KKKKMPGD", island=True))


def test_the_odds_of_the_first_roll_are_described() -> None:
    """FO-9, FO-10, FO-C3 and FO-C4."""
    assert "a 10.4% chance to bust and a 3.1% chance of the Island" in read_table(at("gold"))
    assert "a 10.4% chance of three skulls" in read_table(at("sorceress"))
    assert "chance of the Island" not in read_table(at("sea-battle-2-300"))


@each_case(
    "scores, mover, words",
    [
        ("8100/7000", 1, "The game is over: Ada wins."),
        ("8100/8100", 1, "The game is over: Ada and Ben share the win."),
    ],
)
def test_fo_e2_the_winner_is_named(scores: str, mover: int, words: str) -> None:
    """FO-E2 and FO-E3."""
    state, _ = play(at("captain", "MMPPSSKK", scores=scores, mover=mover, crosser=0), "stop")
    assert words in read_table(state)
    assert "turn" not in read_table(state)


def test_fo_8_nine_of_a_kind_is_named() -> None:
    """FO-8."""
    state, _ = play(at("gold", scores="0/7000", options=NINE_WINS), "roll 1 2 3 4 5 6 7 8", "GGGGGGGG")
    assert "Ada wins with nine of a kind." in read_table(state)
    assert "Ada has 5,400 and Ben has 7,000" in read_table(state)
    assert "Options: nine of a kind wins immediately." in read_table(state)
