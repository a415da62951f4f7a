"""What dice are worth, and the odds of a roll: rules FO-3 and FO-5 to FO-10, and the cards that change them."""

from itertools import combinations_with_replacement, product

import pytest

from bot.games.fortune.facts import odds_of
from bot.games.fortune.pieces import State, Turn
from bot.games.fortune.scoring import score_of
from tests.games.fortune.naive import score_naively
from tests.games.fortune.positions import CARDS, at, dice, play
from tests.support.each_case import each_case

EVERY_EIGHT = ["".join(letters) for letters in combinations_with_replacement("KMPSGD", 8)]

PLAIN = "sorceress"
"""A card that changes nothing about the points."""


@each_case(
    "letters, card, points",
    [
        # The worked cases.
        ("PPPMMMMG", PLAIN, 900),
        ("GGGGMPSK", PLAIN, 600),
        ("MMMSSSSK", "sea-battle-3-500", 800),
        ("SSSSSSSS", "captain", 9000),
        ("MMMMGGSS", "sea-battle-2-300", 1200),
        ("GGGGGGGM", "gold", 4800),
        ("MMPGGDDD", "monkey-business", 1200),
        ("GGGDDMPK", "storm", 1100),
        ("SSMMMMGG", "truce", -2000),
        ("KKKKKKKK", PLAIN, 0),  # skulls form no sets
        # Each set by its size.
        ("MMMPPSSK", PLAIN, 100),
        ("MMMMPPSS", PLAIN, 200),
        ("MMMMMPPS", PLAIN, 500),
        ("MMMMMMPS", PLAIN, 1000),
        ("MMMMMMMP", PLAIN, 2000),
        # All eight dice score: a die that shows a skull breaks the full chest, and a skull of the card does not (FO-7).
        ("MMMPPPGD", PLAIN, 200 + 200 + 500),
        ("MMMPPPGS", PLAIN, 200 + 100),
        ("MMMPPPGK", PLAIN, 200 + 100),
        ("MMMPPPGG", "skulls-1", 200 + 200 + 500),
        # The Captain doubles the full chest, and a Storm does not (FO-7, FO-C2 and FO-C8).
        ("GGGGDDDD", "captain", 2 * (400 + 800 + 500)),
        ("GGGGDDDD", "storm", 400 + 1600 + 500),
        # Nine score as eight, with nine pieces of treasure (FO-8).
        ("DDDDDDDD", "diamond", 4000 + 900 + 500),
        # A battle is won with enough swords, which then count for a full chest (FO-C4).
        ("SSSMMPPK", "sea-battle-3-500", 500 + 100),
        ("SSMMMPPK", "sea-battle-3-500", -500),
        # The card's object scores and counts for its set (FO-C5).
        ("GGMMPPSK", "gold", 300 + 100),
        # Each sword costs under a Truce (FO-C9).
        ("GGGGDDDD", "truce", 1700),
        ("SSSSSSSS", "truce", -8000),
    ],
)
def test_dice_are_worth_so_much(letters: str, card: str, points: int) -> None:
    """FO-5 to FO-8, FO-C2, FO-C4, FO-C5, FO-C6, FO-C8 and FO-C9."""
    assert score_of(CARDS[card], dice(letters)).total == points
    if letters.count("K") < 3:
        state, _ = play(at(card, letters, rolls=2), "stop", then="monkey-business")
        assert state.scores == (points, 0)


@each_case("card", CARDS)
def test_a_second_scorer_agrees_on_every_eight_dice(card: str) -> None:
    """FO-5, FO-6, FO-7, FO-8 and FO-C1 to FO-C9."""
    assert len(EVERY_EIGHT) == 1287
    assert [each for each in EVERY_EIGHT if score_of(CARDS[card], dice(each)).total != score_naively(card, each)] == []


def count_ways(turn: Turn, count: int, *, revives: bool) -> tuple[float, float, float]:
    """Count every way the dice can land, a skull or one of five other faces: bust, a third skull, the Island."""
    ways = [0, 0, 0]
    for landed in product((True, False), repeat=count):
        skulls, ways_to_land = turn.skulls - revives + sum(landed), 5 ** landed.count(False)
        if turn.rolls == 0 and skulls > 3 and turn.card.kind != "sea-battle":
            ways[2] += ways_to_land
        elif turn.spell and not revives and skulls == 3:
            ways[1] += ways_to_land
        elif skulls >= 3:
            ways[0] += ways_to_land
    bust, revivable, island = (way / 6**count for way in ways)
    return bust, revivable, island


@each_case(
    "state, count, revives",
    [
        (at("gold", "KGGMMPPD"), 5, False),
        (at("gold", "KKGMMPPD"), 6, False),
        (at("gold", "GGGMMPPD"), 2, False),
        (at("skulls-2", "GGGMMPPD"), 3, False),
        (at("sorceress", "KKGMMPPD"), 4, False),
        (at("sorceress", "KKGMMPPD"), 4, True),
        (at("sorceress", "KKKMMPPD"), 1, True),
        (at("sorceress", "KKGMMPPD", spell=False), 4, False),
        *((at(card), 8, False) for card in ("gold", "skulls-1", "skulls-2", "sea-battle-3-500", "sorceress")),
    ],
)
def test_the_odds_of_a_roll_are_those_of_all_ways_to_land(state: State, count: int, revives: bool) -> None:
    """FO-3, FO-9, FO-10, FO-C3, FO-C4 and FO-C7."""
    odds = odds_of(state.turn, count, revives=revives)
    assert (odds.bust, odds.revivable, odds.island) == pytest.approx(count_ways(state.turn, count, revives=revives))


@each_case("count", [2, 3, 4])
def test_on_the_island_the_odds_are_those_of_no_skull(count: int) -> None:
    """FO-9."""
    assert odds_of(at("gold", "KKKKMPGD", island=True).turn, count).bust == pytest.approx((5 / 6) ** count)
