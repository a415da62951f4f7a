"""What dice are worth: rules FO-5 to FO-8 and the cards that change it."""

from itertools import combinations_with_replacement

from bot.games.fortune.scoring import score_of
from tests.games.fortune.naive import score_naively
from tests.games.fortune.positions import CARDS, at, dice, play
from tests.support.each_case import each_case

EVERY_EIGHT = ["".join(letters) for letters in combinations_with_replacement("KMPSGD", 8)]

# A card that changes nothing about the points.
PLAIN = "sorceress"

WORKED = [
    ("PPPMMMMG", PLAIN, 900),
    ("GGGGMPSK", PLAIN, 600),
    ("MMMSSSSK", "sea-battle-3-500", 800),
    ("SSSSSSSS", "captain", 9000),
    ("MMMMGGSS", "sea-battle-2-300", 1200),
    ("GGGGGGGM", "gold", 4800),
    ("MMPGGDDD", "monkey-business", 1200),
    ("GGGDDMPK", "storm", 1100),
    ("SSMMMMGG", "truce", -2000),
]


def worth(letters: str, card: str = PLAIN) -> int:
    return score_of(CARDS[card], dice(letters)).total


@each_case("letters, card, points", WORKED)
def test_the_worked_cases(letters: str, card: str, points: int) -> None:
    """FO-5, FO-6, FO-7, FO-C2, FO-C4, FO-C5, FO-C6, FO-C8 and FO-C9."""
    assert worth(letters, card) == points
    state, _ = play(at(card, letters, rolls=2), "stop", then="gold" if card != "gold" else "storm")
    assert state.scores == (points, 0)


@each_case("card", CARDS)
def test_a_second_scorer_agrees_on_every_eight_dice(card: str) -> None:
    """FO-5 to FO-8 and FO-C1 to FO-C9."""
    assert len(EVERY_EIGHT) == 1287
    assert [letters for letters in EVERY_EIGHT if worth(letters, card) != score_naively(card, letters)] == []


@each_case(
    "letters, points",
    [
        ("MMPPSSKK", 0),
        ("MMMPPSSK", 100),
        ("MMMMPPSS", 200),
        ("MMMMMPPS", 500),
        ("MMMMMMPS", 1000),
        ("MMMMMMMK", 2000),
        ("MMMMMMMM", 4000 + 500),
        ("KKKKKKKK", 0),  # skulls form no sets
        ("MMMPPPSK", 200),
    ],
)
def test_fo_5_sets(letters: str, points: int) -> None:
    """FO-5."""
    assert worth(letters) == points


@each_case("letters, points", [("GKMMPPSS", 100), ("GDKMMPPS", 200), ("GGGKMPSS", 300 + 100)])
def test_fo_6_gold_and_diamonds_score_on_top_of_sets(letters: str, points: int) -> None:
    """FO-6."""
    assert worth(letters) == points


@each_case(
    "letters, card, bonus",
    [
        ("GGDDGGDD", PLAIN, 500),
        ("MMMPPPGD", PLAIN, 500),
        ("MMMPPPGS", PLAIN, 0),
        ("MMMPPPGK", PLAIN, 0),  # a die that shows a skull
        ("MMMPPPGG", "skulls-1", 500),  # ... but not the card's own
        ("MMMPPPGD", "skulls-2", 500),
        ("MMPGGDDD", PLAIN, 0),
        ("MMPGGDDD", "monkey-business", 500),
        ("MPGGGDDD", "monkey-business", 0),
        ("SSMMMMGG", "sea-battle-2-300", 500),
        ("SSMMMMGG", PLAIN, 0),
        ("GGDDGGDD", "storm", 500),
        ("GGDDGMMM", "storm", 0),
        ("GGGGGGGM", "gold", 0),
        ("GDMMMPPP", "diamond", 500),
    ],
)
def test_fo_7_a_full_chest_takes_all_eight_dice(letters: str, card: str, bonus: int) -> None:
    """FO-7."""
    assert score_of(CARDS[card], dice(letters)).full_chest == bonus


def test_fo_7_the_captain_doubles_the_full_chest_and_a_storm_does_not() -> None:
    """FO-7, FO-C2 and FO-C8."""
    assert worth("GGGGDDDD", "captain") == 2 * (400 + 800 + 500)
    assert worth("GGGGDDDD", "storm") == 400 + 1600 + 500


@each_case("letters, card", [("GGGGGGGG", "gold"), ("DDDDDDDD", "diamond")])
def test_fo_8_nine_of_a_kind_score_as_eight(letters: str, card: str) -> None:
    """FO-5 and FO-8: the ninth is still gold or a diamond."""
    assert worth(letters, card) == 4000 + 900 + 500


@each_case(
    "letters, points",
    [("SSSMMPPK", 500 + 100), ("SSMMMPPK", -500), ("KKMMMMMM", -500), ("SSSSGGGG", 500 + 200 + 200 + 400 + 500)],
)
def test_fo_c4_a_battle_is_won_with_enough_swords(letters: str, points: int) -> None:
    """FO-C4."""
    assert worth(letters, "sea-battle-3-500") == points


@each_case(
    "letters, card, points",
    [
        ("GGMMPPSK", "gold", 300 + 100),
        ("MMPPSSKK", "gold", 100),
        ("GGMMPPSK", "diamond", 300),
        ("DDMMPPSK", "diamond", 300 + 100),
    ],
)
def test_fo_c5_the_cards_object_scores_and_counts_for_its_set(letters: str, card: str, points: int) -> None:
    """FO-C5."""
    assert worth(letters, card) == points


@each_case("letters, points", [("MMMPPSSK", 500), ("MMMMPPPP", 4500), ("MPSSSKKK", 100)])
def test_fo_c6_monkeys_and_parrots_are_one_kind(letters: str, points: int) -> None:
    """FO-C6."""
    assert worth(letters, "monkey-business") == points


@each_case(
    "letters, points", [("MMMMMMMM", 0), ("SSSSSSGK", 200), ("GGGGDKMM", 5 * 200 + 200), ("DDDDDDDD", 1600 + 4500)]
)
def test_fo_c8_only_gold_and_diamonds_score_in_a_storm(letters: str, points: int) -> None:
    """FO-C8."""
    assert worth(letters, "storm") == points


@each_case("letters, points", [("GGGGDDDD", 1700), ("SGGGDDDD", -1000), ("SSSSSSSS", -8000)])
def test_fo_c9_each_sword_costs_under_a_truce(letters: str, points: int) -> None:
    """FO-C9."""
    assert worth(letters, "truce") == points
