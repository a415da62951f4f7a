"""The chances of winning agree with those of the positions that follow, scored by the second scorer."""

from functools import cache
from itertools import product
from statistics import fmean

import pytest

from bot.games.magpie.minds.evaluation import evaluate_points, evaluate_wins
from bot.games.magpie.minds.race import find_race
from bot.games.magpie.pieces import ROLLS, Combination, MagpieOptions, Roll, State
from bot.rules.evaluation import Unit
from tests.games.magpie.naive import TABLES, score
from tests.games.magpie.positions import PAIRED_MIXES, PLAIN, at
from tests.support.each_case import each_case

TARGET = 50


def short(options: MagpieOptions) -> MagpieOptions:
    return options.model_copy(update={"target": TARGET})


def best_chance(state: State) -> float:
    return max(evaluate_wins(state, ROLLS).values)


@cache
def chance_with_fresh_dice(state: State) -> float:
    """Return the chance of winning before five dice are rolled."""
    chances = dict.fromkeys({tuple(sorted(faces)) for faces in TABLES}, 0.0)
    for faces in chances:
        chances[faces] = best_chance(_with(state, faces))
    return fmean(chances[tuple(sorted(faces))] for faces in TABLES)


def _with(state: State, faces: tuple[int, ...]) -> State:
    return State(state.options, state.roll_off, faces, state.scores, state.mover, state.trigger)


def chance_after(state: State, roll: Roll, landed: tuple[int, ...]) -> float:
    """Return the chance of winning of the seat that has rolled, two seats taking turns. Rules MP-5 to MP-10."""
    mover = state.mover or 0
    after = dict(enumerate(state.faces, 1)) | dict(zip(roll.dice, landed, strict=True))
    faces = tuple(after.values())
    combination, points = score(state.options, faces, roll.dice)
    scores = tuple(total + points if seat == mover else total for seat, total in enumerate(state.scores))
    if state.trigger is not None:
        own, other = scores[mover], scores[1 - mover]
        return 1.0 if own > other else 0.5 if own == other else 0.0
    trigger = mover if scores[mover] >= state.options.target else None
    following = State(state.options, state.roll_off, faces, scores, 1 - mover, trigger)
    is_cleared = combination is Combination.FIVE_OF_A_KIND or (
        combination is Combination.FOUR_OF_A_KIND and state.options.reroll_fours
    )
    return 1 - (chance_with_fresh_dice(following) if is_cleared else best_chance(following))


@each_case(
    "position, dice, options",
    [
        *product(["11223 45/47 0 -"], [(3, 5)], PAIRED_MIXES),
        *product(["11112 30/44 1 -", "12345 49/12 0 -", "33344 40/55 0 1", "65421 46/50 0 1"], [(5,), (2, 4)], [PLAIN]),
        ("11223 45/47 0 -", (3, 4, 5), PLAIN),
    ],
)
def test_a_chance_of_winning_is_the_mean_of_those_that_follow(
    position: str, dice: tuple[int, ...], options: MagpieOptions
) -> None:
    state, roll = at(position, short(options)), Roll(dice)
    expected = fmean(chance_after(state, roll, landed) for landed in product(range(1, 7), repeat=len(dice)))
    found = evaluate_wins(state, [roll])
    assert (found.unit, found.is_exact) == (Unit.WINS, True)
    assert found.values[0] == pytest.approx(expected, abs=1e-6)


def test_chances_depend_on_the_distance_from_the_target_alone() -> None:
    near = evaluate_wins(at("11223 20/10 0 -", short(PLAIN)), ROLLS).values
    far = evaluate_wins(at("11223 70/60 0 -", PLAIN), ROLLS).values
    assert near == pytest.approx(far, abs=1e-6)


def test_before_the_last_round_three_seats_are_judged_by_points() -> None:
    state = at("11223 20/10/30 0 -")
    assert evaluate_wins(state, ROLLS) == evaluate_points(state, ROLLS)
    assert evaluate_points(state, ROLLS).unit is Unit.POINTS


@each_case("mover, is_exact", [(0, True), (2, False)])
def test_in_the_last_round_three_seats_are_judged_by_whether_they_reach_the_best_score(
    mover: int, is_exact: bool
) -> None:
    """MP-9. The last seat knows what it needs; the one before may still be overtaken."""
    own = {0: 90, 2: 80}[mover]
    state, roll = at(f"11223 90/101/80 {mover} 1"), Roll((3, 4, 5))
    found = evaluate_wins(state, [roll])
    wins = (
        1.0 if own + points > 101 else 0.5 if own + points == 101 else 0.0
        for landed in product(range(1, 7), repeat=3)
        for points in [score(state.options, (1, 1, *landed), roll.dice)[1]]
    )
    assert (found.unit, found.is_exact) == (Unit.WINS, is_exact)
    assert found.values[0] == pytest.approx(fmean(wins))


def test_the_usual_race_of_each_variation_is_found_once() -> None:
    names = ("double_big_rolls", "reroll_fours", "five_dice_bonus")
    variations = [MagpieOptions(**dict(zip(names, each, strict=True))) for each in product((False, True), repeat=3)]
    found = [find_race(each) for each in variations]
    assert all(find_race(each) is race for each, race in zip(variations, found, strict=True))
