"""Magpie's hints: the odds of each combination and of the target, and why a roll is the best."""

from collections.abc import Iterator, Sequence

from bot.games.magpie.guide import COMBINATION_NAMES
from bot.games.magpie.moves import ROLLS, Roll
from bot.games.magpie.pieces import State
from bot.games.magpie.roll_values import (
    chance_of_points,
    combination_chances,
    expected_points,
    kept_dice,
    scoring_chance,
)
from bot.rules.evaluation import Evaluation
from bot.rules.hints import Explanation, Hints, RankedMove
from bot.words import format_number, format_odds, format_signed_points, gettext as _


def _explain(view: State, best: Sequence[RankedMove[Roll]], _evaluation: Evaluation) -> Explanation:
    roll = best[0].move
    odds = (_odds_line(view, roll), *_target_odds(view, roll))
    return Explanation(odds, _last_turn_reason(view, roll) or _points_reason(view, roll))


def _odds_line(view: State, roll: Roll) -> str:
    """Return the odds of each combination, and those of no points."""
    kept = kept_dice(view.faces, roll)
    odds = {_(COMBINATION_NAMES[each]): chance for each, chance in combination_chances(view.options, kept).items()}
    odds |= {_("no points"): 1 - scoring_chance(view.options, kept)}
    line = _("{outcome} {odds}")
    return " · ".join(line.format(outcome=name, odds=format_odds(chance)) for name, chance in odds.items() if chance)


def _target_odds(view: State, roll: Roll) -> Iterator[str]:
    """Yield the chance to reach the target with a roll, if it can. Rule MP-9."""
    target = view.options.target
    chance = chance_of_points(view.options, view.faces, roll, target - view.scores[view.mover or 0])
    if view.trigger is None and chance:
        yield _("the roll reaches {target} {odds}").format(target=format_number(target), odds=format_odds(chance))


def _last_turn_reason(view: State, roll: Roll) -> str:
    """Return what the last turn must bring to take the lead; empty if it is not the last, or nothing is missing."""
    mover = view.mover or 0
    missing = max(score for seat, score in enumerate(view.scores) if seat != mover) - view.scores[mover]
    if view.trigger is None or missing < 0:
        return ""
    line = _(
        "This is your last turn: taking the lead needs {points} points, and no roll is likelier to bring them ({odds})."
    )
    odds = chance_of_points(view.options, view.faces, roll, missing + 1)
    if any(chance_of_points(view.options, view.faces, other, missing + 1) > odds for other in ROLLS):
        line = _("This is your last turn: taking the lead needs {points} points ({odds}), and fewer may share it.")
    return line.format(points=format_number(missing + 1), odds=format_odds(odds))


def _points_reason(view: State, roll: Roll) -> str:
    """Compare a roll with the one that brings the most points on average."""
    kept = kept_dice(view.faces, roll)
    richest = max(
        (kept_dice(view.faces, other) for other in ROLLS), key=lambda other: expected_points(view.options, other)
    )
    worth, most = (expected_points(view.options, each) for each in (kept, richest))
    safety, other_safety = (scoring_chance(view.options, each) for each in (kept, richest))
    line = _("It brings fewer points on average ({points}) than another roll, but leaves the next player worse dice.")
    if worth == most:
        line = _("It brings the most on average, {points}, and scores {odds} of the time.")
    elif safety > other_safety:
        line = _("It brings fewer points on average ({points}) than another roll, but scores more often ({odds}).")
    return line.format(points=format_signed_points(round(worth, 1)), odds=format_odds(safety))


HINTS = Hints(_explain, format_signed_points)
