"""What rolls are worth, in points of this roll or in chances of winning, and which one stands out on the screen."""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from itertools import combinations_with_replacement

from bot.games.magpie.minds.race import KEPT_PLACE, find_race, last_turn_values, pattern_of, points_alone
from bot.games.magpie.minds.roll_values import expected_points, kept_dice, scoring_chance
from bot.games.magpie.pieces import DICE_COUNT, ROLLS, SIDES, TURNS_ALONE, Faces, MagpieOptions, Roll, State
from bot.games.magpie.rules import SCORE_STEP
from bot.rules.evaluation import Evaluation, Unit
from bot.rules.screen import find_clear_best

_RACERS = 2
_MOST_SHORTCUTS = 3
_DIGITS = 9
"""Decimals that tell values apart: equal ones may have been calculated in another order."""


def evaluate_points(view: State, moves: Sequence[Roll]) -> Evaluation:
    """Return the expected points of each roll."""
    return Evaluation([expected_points(view.options, kept_dice(view.faces, move)) for move in moves], Unit.POINTS)


def evaluate_last_turn(view: State, moves: Sequence[Roll]) -> Evaluation:
    """Return the chance of winning after each roll on the last turn, and the expected points before it."""
    if view.trigger is None:
        return evaluate_points(view, moves)
    mover = view.mover or 0
    others = [score for seat, score in enumerate(view.scores) if seat != mover]
    # Who follows may still do better, so this is exact for the last seat only.
    best = max(others)
    chances = last_turn_values(view.options, best - view.scores[mover], share=1 / (1 + others.count(best)))
    is_last = (mover + 1) % len(view.scores) == view.trigger
    return _evaluate_by_pattern(view, moves, chances.__getitem__, is_exact=is_last)


def evaluate_wins(view: State, moves: Sequence[Roll]) -> Evaluation:
    """Return the chance of winning after each roll, where it is known exactly: with two seats, and on the last turn.

    With more seats, the expected points until then: what a roll leaves to the next seat matters less. Alone, the
    points expected at the end.
    """
    if view.is_alone:
        return _evaluate_alone(view, moves)
    if view.trigger is not None or len(view.scores) > _RACERS:
        return evaluate_last_turn(view, moves)
    mover, target = view.mover or 0, view.options.target
    chances = find_race(view.options).values(target - view.scores[mover], target - view.scores[1 - mover])
    return _evaluate_by_pattern(view, moves, chances.__getitem__, is_exact=True)


def _evaluate_alone(view: State, moves: Sequence[Roll]) -> Evaluation:
    """Return the score that a seat alone expects at the end after each roll. Rule MP-S1."""
    expected = view.scores[0] + points_alone(view.options, TURNS_ALONE - len(view.gains))
    return _evaluate_by_pattern(view, moves, expected.__getitem__, is_exact=True, unit=Unit.FINAL_POINTS)


def _evaluate_by_pattern(
    view: State, moves: Sequence[Roll], value_of: Callable[[int], float], *, is_exact: bool, unit: Unit = Unit.WINS
) -> Evaluation:
    places = (KEPT_PLACE[pattern_of(kept_dice(view.faces, move))] for move in moves)
    return Evaluation([float(value_of(place)) for place in places], unit, is_exact=is_exact)


def is_clearly_best(view: State, kept: Faces) -> bool:
    """Return whether keeping these dice, in rising order, is clearly the best; equal dice are interchangeable.

    In the last round only the score to beat counts, so that nothing is. Rule MP-9.
    """
    return view.trigger is None and kept == _clear_kept_dice(view.options, tuple(sorted(view.faces)))


# 0.2 ms of a click, whose buttons recommend a roll.
@lru_cache(maxsize=4096)
def _clear_kept_dice(options: MagpieOptions, faces: Faces) -> Faces | None:
    """Return the dice that the best roll keeps, in rising order; None if the choice is close."""
    choices = {kept_dice(faces, move) for move in ROLLS}
    return find_clear_best(((expected_points(options, kept), kept) for kept in choices), SCORE_STEP / 2)


def find_shortcuts(view: State) -> tuple[Roll, ...]:
    """Return the three best rolls, the safest first; of those that keep the same pattern, that of the highest dice.

    Rolls that keep different faces are left out, because they are hard to name, and so are those that another one beats
    in chance and pay, except the roll of all five.
    """
    options, rolls = view.options, {kept_dice(view.faces, move): move for move in reversed(ROLLS)}
    found = _evaluate_at_a_glance(view, list(rolls.values())).values
    values = {kept: round(value, _DIGITS) for kept, value in zip(rolls, found, strict=True)}
    ranked = sorted(rolls, key=lambda kept: (values[kept], kept), reverse=True)
    by_pattern = {pattern_of(kept): values[kept] for kept in rolls}
    third = sorted(by_pattern.values(), reverse=True)[:_MOST_SHORTCUTS][-1]
    good = {len(kept): kept for kept in reversed(ranked) if len(set(kept)) <= 1 and values[kept] >= third}
    odds = {kept: (scoring_chance(options, kept), expected_points(options, kept)) for kept in good.values()}
    chosen = [kept for kept in odds if not kept or not _is_dominated(kept, odds)] or ranked[:1]
    return tuple(rolls[kept] for kept in sorted(chosen, key=lambda kept: -scoring_chance(options, kept)))


def _is_dominated(kept: Faces, odds: Mapping[Faces, tuple[float, float]]) -> bool:
    """Return whether another roll scores as often and brings as much on average."""
    chance, points = odds[kept]
    return any(other != kept and found[0] >= chance and found[1] >= points for other, found in odds.items())


def _evaluate_at_a_glance(view: State, moves: Sequence[Roll]) -> Evaluation:
    """Return the values of rolls as far as a click may wait for them: chances to win with the usual options only.

    Races up to higher targets take seconds. Their beginning hardly matters to what a roll is worth.
    """
    if view.is_alone:
        return _evaluate_alone(view, moves)
    if view.trigger is not None:
        return evaluate_last_turn(view, moves)
    if view.options != MagpieOptions(target=view.options.target) or len(view.scores) > _RACERS:
        return evaluate_points(view, moves)
    mover, longest = view.mover or 0, MagpieOptions().target
    own, other = (min(longest, view.options.target - view.scores[seat]) for seat in (mover, 1 - mover))
    return _evaluate_by_pattern(view, moves, find_race(MagpieOptions()).values(own, other).__getitem__, is_exact=False)


def prepare_advice() -> None:
    """Look at every roll with the default options: the first screens of a process would take their time otherwise."""
    find_race(MagpieOptions())
    points_alone(MagpieOptions(), TURNS_ALONE)
    for faces in combinations_with_replacement(range(1, SIDES + 1), DICE_COUNT):
        _clear_kept_dice(MagpieOptions(), faces)
