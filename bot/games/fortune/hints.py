"""Fortune's hints: the odds of a bust and of enough points, and what rolling on brings against stopping."""

from collections.abc import Iterator, Sequence
from typing import Final

from bot.games.fortune.evaluation import expected_points
from bot.games.fortune.goal_odds import chance_of_goal
from bot.games.fortune.moves import STOP, Move, Revive, Roll
from bot.games.fortune.odds import Odds, odds_of
from bot.games.fortune.pieces import MAX_SKULLS, State, Turn
from bot.games.fortune.scoring import toll_of
from bot.rules.evaluation import Evaluation
from bot.rules.hints import Explanation, Hints, RankedMove
from bot.words import format_number, format_odds, format_signed, format_signed_points, gettext as _

_NOTABLE: Final = 0.005
"""What rounds to a percent."""


def _explain(view: State, best: Sequence[RankedMove[Move]], _evaluation: Evaluation) -> Explanation:
    turn, rolls = view.turn, [each.move for each in best if isinstance(each.move, Roll | Revive)]
    if turn.island:
        line = _("Each more skull costs everyone else {price}, and rolling on risks nothing.")
        reason = line.format(price=format_number(toll_of(turn) // turn.skulls))
        return Explanation(tuple(_island_odds(turn, rolls)), reason)
    odds = (*_bust_odds(turn, rolls), *_goal_odds(view, rolls)) if rolls else ()
    return Explanation(odds, _reason(turn, best[0].move, rolls))


def _island_odds(turn: Turn, rolls: Sequence[Roll | Revive]) -> Iterator[str]:
    for each in rolls[:1]:
        yield _("no new 💀 {odds}").format(odds=format_odds(odds_of(turn, len(each.dice)).bust))


def _bust_odds(turn: Turn, rolls: Sequence[Roll | Revive]) -> Iterator[str]:
    """Yield the odds of a bust by the number of dice, and those of a last chance with the best roll."""
    odds: dict[int, Odds] = {}
    for each in rolls:
        revives = isinstance(each, Revive)
        count = len(each.dice) + revives
        odds.setdefault(count, odds_of(turn, count, revives=revives))
    (count, first), *others = odds.items()
    line = _("bust {odds} if you roll {count} dice ({skulls} of {most} 💀 so far)")
    if count == 1:
        line = _("bust {odds} if you roll one die ({skulls} of {most} 💀 so far)")
    texts = [line.format(odds=format_odds(first.bust), count=count, skulls=turn.skulls, most=MAX_SKULLS + 1)]
    texts += [_("{odds} with {count}").format(odds=format_odds(each.bust), count=more) for more, each in others]
    yield " · ".join(texts)
    if first.revivable:
        yield _("a third 💀 that the Sorceress can free {odds}").format(odds=format_odds(first.revivable))


def _goal_odds(view: State, rolls: Sequence[Roll | Revive]) -> Iterator[str]:
    """Yield the chance to pass the line or take the lead by rolling on, unless that is out of sight."""
    rolling, stopping = (chance_of_goal(view, move) for move in (rolls[0], STOP))
    goal = _("passing {target}").format(target=format_number(view.options.target))
    if view.crosser is not None:
        goal = _("taking the lead")
    line = _("{goal} in this turn {odds}, if you play for that")
    if stopping:
        line = _("{goal} by stopping, and {odds} if you roll on")
    if rolling >= _NOTABLE:
        yield line.format(goal=goal, odds=format_odds(rolling))


def _reason(turn: Turn, best: Move, rolls: Sequence[Move]) -> str:
    """Compare the points of rolling on with those of stopping."""
    if not rolls:
        return _("Nothing else brings as much.")
    stopping, rolling = (round(expected_points(turn, each)) for each in (STOP, rolls[0]))
    if best == STOP:
        line = _("Rolling on would bring {rolling} points on average, and stopping brings {stopping} for sure.")
        if rolling > stopping:
            line = _("Rolling on may bring more ({rolling} on average), but {stopping} for sure wins more games here.")
    else:
        line = _("Rolling on brings {rolling} points on average, and stopping only {stopping}.")
        if rolling < stopping:
            line = _("Rolling on brings less on average ({rolling} against {stopping}), but wins more games here.")
        elif rolling == stopping:
            line = _("Rolling on brings as much on average as stopping ({stopping}), but wins more games here.")
    return line.format(rolling=format_signed(rolling), stopping=format_signed(stopping))


HINTS = Hints(_explain, format_signed_points)
