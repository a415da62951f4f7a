"""What chance did for a seat, with exact odds."""

from fractions import Fraction
from itertools import product

import pytest

from bot.games.change.facts import chance_of_total
from bot.games.change.pieces import Challenged
from bot.games.houdinis_baggage.pieces import Phase
from bot.rules.rewards import Feat, FeatKind, with_feats
from tests.games.fortune import positions as fortune
from tests.games.houdinis_baggage import positions as baggage
from tests.games.magpie import positions as magpie
from tests.support.each_case import each_case
from tests.support.games import load_games_once

GAMES = load_games_once()


@each_case(
    "position, move, dice, chance",
    [
        ("11112 0/0 0 -", "roll 5", "1 22334", Fraction(1, 6)),  # five of a kind
        ("11123 0/0 1 -", "roll 4 5", "11 22334", Fraction(1, 36)),
        # Four or five of a kind: 11 of 36 ways have a 1.
        ("11123 0/0 1 -", "roll 4 5", "14", Fraction(11, 36)),
    ],
)
def test_the_luck_of_a_roll_of_magpie(position: str, move: str, dice: str, chance: Fraction) -> None:
    state = magpie.at(position)
    after, events = magpie.play_move(state, move, dice)
    (feat,) = GAMES["magpie"].results.find_feats(state, events, after)
    assert feat.kind is FeatKind.LUCK
    assert feat.size == pytest.approx(float(1 - chance))
    assert feat.seat == state.mover


def test_a_roll_without_points_is_no_luck() -> None:
    state = magpie.at("11112 0/0 0 -")
    after, events = magpie.play_move(state, "roll 5", "6")
    assert not list(GAMES["magpie"].results.find_feats(state, events, after))


def test_a_survived_roll_of_fortune_is_an_escape_and_a_bust_is_none() -> None:
    start = fortune.at("gold", "KKGGGGGP")
    survived, events = fortune.play(start, "roll 7 8", "GG")
    (escape,) = GAMES["fortune"].results.find_feats(start, events, survived)
    assert (escape.kind, escape.seat) == (FeatKind.ESCAPE, 0)
    assert escape.size == pytest.approx(11 / 36)
    bust, events = fortune.play(survived, "roll 7 8", "KG", then="storm")
    assert not list(GAMES["fortune"].results.find_feats(survived, events, bust))


def test_many_skulls_on_the_island_are_luck() -> None:
    """FO-9: three of four dice at once, by counting all rolls."""
    start = fortune.at("captain", "KKKKGGMM", island=True)
    after, events = fortune.play(start, "roll 5 6 7 8", "KKKG", then="storm")
    (luck,) = GAMES["fortune"].results.find_feats(start, events, after)
    rolls = list(product(range(6), repeat=4))
    assert (luck.kind, luck.seat) == (FeatKind.LUCK, 0)
    assert luck.size == pytest.approx(sum(roll.count(0) < 3 for roll in rolls) / len(rolls))
    assert "7" in GAMES["fortune"].results.name_roll(luck.rolled)


def test_a_card_of_baggage_that_was_no_twin_is_an_escape_and_a_twin_is_none() -> None:
    start = baggage.at(baggage.player("1; 2"), opened="red-star blue-star red-circle", phase=Phase.SEARCH)
    opened, events = baggage.play_move(start, "open", "green-star")
    (escape,) = GAMES["houdinis_baggage"].results.find_feats(start, events, opened)
    assert (escape.kind, escape.size) == (FeatKind.ESCAPE, 9 / 61)
    twin, events = baggage.play_move(opened, "open", "green-star")
    assert not list(GAMES["houdinis_baggage"].results.find_feats(opened, events, twin))


def test_the_luck_of_a_challenge() -> None:
    """CH-6: the best of three dice, the best of two, and one more."""
    totals = [max(dice[:3]) + max(dice[3:5]) + dice[5] for dice in product(range(1, 7), repeat=6)]
    for least in (13, 16, 18):
        assert chance_of_total(least) == pytest.approx(sum(total >= least for total in totals) / 6**6)
    rolled = Challenged(1, 5, ((6, 5, 1), (6, 2), (5,)))
    (feat,) = GAMES["change"].results.find_feats(None, (rolled,), None)
    assert (feat.kind, feat.seat, feat.size) == (FeatKind.LUCK, 1, 1 - chance_of_total(17))
    assert not list(GAMES["change"].results.find_feats(None, (Challenged(1, 5, ((1, 1, 1), (6, 2), (5,))),), None))


def test_the_greatest_of_each_kind_is_kept() -> None:
    lucky, luckier = (Feat(FeatKind.LUCK, 0, size, 2) for size in (0.9, 0.95))
    usual, risky = (Feat(FeatKind.ESCAPE, 1, size) for size in (0.2, 0.3))
    assert with_feats((), [usual]) == ()
    assert with_feats((), [lucky, risky, luckier]) == (risky, luckier)
    assert with_feats((luckier, risky), [lucky, Feat(FeatKind.ESCAPE, 0, 0.3)]) == (luckier, risky)
