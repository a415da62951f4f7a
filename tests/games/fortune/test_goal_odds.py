"""The odds of passing the line or taking the lead in a turn, counted a second time."""

from collections.abc import Iterator
from itertools import product
from statistics import fmean

import pytest

from bot.games.fortune.minds.evaluation import chance_of_goal, find_goal
from bot.games.fortune.pieces import MAX_SKULLS, State
from tests.games.fortune.naive import score_naively
from tests.games.fortune.positions import GAME, NINE_WINS, PACKAGE, at, play
from tests.games.hint_lines import hint_odds
from tests.support.each_case import each_case

_ENOUGH, _NOT_ENOUGH = 1.0, 0.0


def chance(state: State, move: str) -> float:
    return chance_of_goal(state, GAME.parse_move(move))


@each_case(
    "scores, crosser, goal",
    [
        ("7900/7000", None, 101),  # FO-E1: the line has to be passed
        ("-300/0", None, 8301),
        ("7000/8400", 1, 1401),  # FO-E2
        ("7000/8400/8900", 1, 1901),
    ],
)
def test_what_a_turn_has_to_bring(scores: str, crosser: int | None, goal: int) -> None:
    assert find_goal(at("captain", scores=scores, crosser=crosser)) == goal


def outcomes(letters: str, rolled: tuple[int, ...]) -> Iterator[str]:
    """Yield what eight dice may show after a roll of some."""
    for landed in product("KMPSGD", repeat=len(rolled)):
        faces = list(letters)
        for place, face in zip(rolled, landed, strict=True):
            faces[place - 1] = face
        yield "".join(faces)


@each_case(
    "letters, rolled, scores",
    [
        ("KGGGDDSS", (7, 8), "7000/0"),
        ("KGGGDDSS", (5, 6, 7, 8), "6800/0"),
        ("KMPGGDDS", (2, 3, 8), "7300/0"),
    ],
)
def test_the_last_roll_of_a_storm_brings_enough_as_often_as_its_outcomes_do(
    letters: str, rolled: tuple[int, ...], scores: str
) -> None:
    """FO-C8: there is no roll after it."""
    state = at("storm", letters, scores=scores)
    enough = [
        landed.count("K") <= MAX_SKULLS and score_naively("storm", landed) >= find_goal(state)
        for landed in outcomes(letters, rolled)
    ]
    assert 0 < fmean(enough) < 1
    assert chance(state, f"roll {' '.join(map(str, rolled))}") == pytest.approx(fmean(enough), abs=1e-9)


@each_case("card, letters, rolled", [("gold", "KGGGDDSM", (7, 8)), ("captain", "KMMMPSGG", (5, 6))])
def test_a_roll_is_worth_what_the_best_move_after_each_outcome_is(
    card: str, letters: str, rolled: tuple[int, ...]
) -> None:
    state = at(card, letters, scores="6700/0")
    found, move = [], f"roll {' '.join(map(str, rolled))}"
    for landed in outcomes(letters, rolled):
        if landed.count("K") > MAX_SKULLS:
            found.append(_NOT_ENOUGH)
        elif score_naively(card, landed) >= find_goal(state):
            found.append(_ENOUGH)
        else:
            after, _ = play(state, move, "".join(landed[place - 1] for place in rolled))
            found.append(max(chance_of_goal(after, each) for each in GAME.legal_moves(after)))
    assert chance(state, move) == pytest.approx(fmean(found), abs=0.001)


def test_stopping_brings_what_the_dice_are_worth() -> None:
    assert score_naively("captain", "KPPPPSSM") == 400
    for score, expected in ((7601, _ENOUGH), (7600, _NOT_ENOUGH)):
        assert chance(at("captain", "KPPPPSSM", scores=f"{score}/0"), "stop") == expected


def test_nine_of_a_kind_may_win_whatever_the_scores_are() -> None:
    """FO-8."""
    assert chance(at("gold", "GGGGGGGG", scores="-5000/0"), "stop") == _NOT_ENOUGH
    assert chance(at("gold", "GGGGGGGG", scores="-5000/0", options=NINE_WINS), "stop") == _ENOUGH


@each_case(
    "state, line",
    [
        (at("gold", "KKGGGDSM", scores="7900/0"), "passing 8,000 by stopping, and "),
        (at("gold", "KKGGGDSM", scores="7000/0"), "passing 8,000 in this turn "),
        (at("gold", "KKGGGDSM", scores="7000/8400", crosser=1), "taking the lead in this turn "),
        (at("gold", "KKGGGDSM", scores="0/0"), None),
    ],
)
def test_a_hint_tells_of_the_goal_if_it_is_within_sight(state: State, line: str | None) -> None:
    odds = hint_odds(PACKAGE, state, GAME.legal_moves(state))
    assert odds[0].startswith("bust ")
    assert [each[: len(line or "")] for each in odds[1:]] == ([line] if line else [])
