"""The odds of a challenge and of coming to a space that a set lacks, counted a second time."""

from collections.abc import Iterator
from itertools import chain, product, repeat

import pytest

from bot.games.change.pieces import CHALLENGE_ODDS, Stage, State
from bot.games.change.study import HINTS, chance_of_landing, chance_of_success, lacking_spaces
from bot.rules.evaluation import Evaluation, Unit
from bot.rules.study import RankedMove
from tests.games.change.positions import BOARD, GAME, PLAIN, WITH_SETS, at, cards, spaces
from tests.games.hint_lines import hint_odds
from tests.support.each_case import each_case
from tests.support.games import load_games_once

PACKAGE = load_games_once()["change"]
EMOTIONAL = 14


@each_case(
    "markers, lacking",
    [
        ("", ""),
        ("greed gossip", "envy"),
        ("greed gossip desires excuses", "habits envy"),
        ("greed gossip envy", ""),
    ],
)
def test_a_set_lacks_one_space_if_the_others_have_markers(markers: str, lacking: str) -> None:
    """CH-11."""
    assert set(lacking_spaces(BOARD, spaces(markers))) == {BOARD.space_by_key[key] for key in lacking.split()}


def test_no_marker_completes_a_set_once_all_are_placed() -> None:
    """CH-9."""
    twelve = "habits excuses greed gossip vanity anger worry doubt resentment blame denial control"
    assert lacking_spaces(BOARD, spaces(twelve)) == ()
    assert len(lacking_spaces(BOARD, spaces(twelve.removesuffix(" control")))) == 5


@each_case("hand, points", [("", 0), ("add-1 add-2 greed", 3), ("any", 0)])
def test_a_challenge_succeeds_as_often_as_its_dice_and_add_cards_do(hand: str, points: int) -> None:
    """CH-6 and CH-7: every roll of six dice."""
    rolls = list(product(range(1, 7), repeat=6))
    enough = sum(max(roll[:3]) + max(roll[3:5]) + roll[5] + points >= 13 for roll in rolls)
    assert chance_of_success(BOARD, cards(hand)) == pytest.approx(enough / len(rolls))
    assert points or enough / len(rolls) == pytest.approx(CHALLENGE_ODDS)


class Dice:
    """The dice of a track roll, and the lowest numbers for whatever else is drawn."""

    def __init__(self, faces: tuple[int, ...]) -> None:
        self._numbers: Iterator[int] = chain((face - 1 for face in faces), repeat(0))

    def randbelow(self, _n: int, /) -> int:
        return next(self._numbers)


def reached(state: State, faces: tuple[int, ...]) -> int:
    """Return where the Ragz of the first seat is after a track roll."""
    (move,) = GAME.legal_moves(state)
    return GAME.play(state, 0, move, Dice(faces))[0].public.ragz_spaces[0]


@each_case("start", [0, 7, 12, 27])
def test_a_track_roll_leads_to_each_challenge_space_as_often_as_the_rules_let_it(start: int) -> None:
    """CH-3, CH-4 and CH-S3: an Emotional rolls once more, which is why two rolls are looked at."""
    state = at(f"120@{start}", "120@0")
    rolls = [(*first, *second) for first, second in product(product(range(1, 7), repeat=2), repeat=2)]
    counts = [0] * len(BOARD.spaces)
    for faces in rolls:
        counts[reached(state, faces)] += 1
    for space in BOARD.challenge_spaces:
        assert chance_of_landing(BOARD, start, [space]) == pytest.approx(counts[space] / len(rolls))
    assert chance_of_landing(BOARD, start, []) == 0


def odds_at(state: State, *best: str) -> list[str]:
    """Return the odds of a hint, for its own best moves or for others."""
    view = GAME.view(state, 0)
    if not best:
        return list(hint_odds(PACKAGE, view, GAME.legal_moves(state)))
    ranked = [RankedMove(GAME.parse_move(text), text, 0.0) for text in best]
    return list(HINTS.explain(view, ranked, Evaluation([], Unit.WINS)).odds)


def free(*seats: str, hand: str = "", sets: bool = True, challenge: bool = True) -> State:
    options = WITH_SETS if sets else PLAIN
    return at(*seats, hands=[hand], stage=Stage.FREE, challenge=challenge, travel=challenge, options=options)


def test_a_hint_tells_what_a_challenge_completes_and_how_cards_help() -> None:
    lines = odds_at(free("90@9 greed gossip", "90@0", hand="add-2"))
    assert lines[0].startswith("the challenge succeeds 58% (13 or more), with your Add cards ")
    assert "success on Envy completes a set" in lines[1]
    assert odds_at(free("90@9 greed gossip", "90@0", sets=False)) == ["the challenge succeeds 58% (13 or more)"]


@each_case(
    "markers, lines",
    [
        # From Desires to Envy: a one and a three, in either order. A pair of twos would lead to Start.
        ("desires greed gossip", ["your next roll leads to Envy, which a set of yours lacks, 6%"]),
        # And to Anger, by a sum of 8 that is no double: four ways more.
        ("greed gossip vanity pride", ["your next roll leads to one of 2 spaces that your sets lack 17%"]),
        ("desires greed", []),
    ],
)
def test_a_hint_tells_how_likely_the_next_roll_leads_to_a_lacking_space(markers: str, lines: list[str]) -> None:
    assert odds_at(free(f"90@5 {markers}", "90@0", hand="replace-1 add-2", challenge=False)) == lines


def test_odds_of_the_next_roll_are_those_after_the_best_move() -> None:
    """From Envy to Anger and from Excuses to Desires: two ways of 36. Envy itself is being challenged."""
    challenged = free("90@9 greed gossip vanity pride", "90@0")
    assert odds_at(challenged, "challenge")[2:] == ["your next roll leads to Anger, which a set of yours lacks, 6%"]
    placing = at("90@28 habits", "90@0", stage=Stage.PLACE, options=WITH_SETS)
    assert odds_at(placing, "choose excuses") == ["your next roll leads to Desires, which a set of yours lacks, 6%"]
