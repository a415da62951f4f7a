"""Fortune's hints: the odds of a bust, and what rolling on brings against stopping."""

from collections.abc import Iterator, Sequence

from bot.games.fortune.evaluation import expected_points
from bot.games.fortune.moves import STOP, Move, Revive, Roll
from bot.games.fortune.odds import Odds, odds_of
from bot.games.fortune.pieces import MAX_SKULLS, State, Turn
from bot.games.fortune.scoring import toll_of
from bot.games.fortune.stakes import format_signed
from bot.rules.evaluation import Evaluation
from bot.rules.hints import Explanation, Hints, RankedMove
from bot.words import format_decimal_points, format_number, format_odds, gettext as _


def _explain(view: State, best: Sequence[RankedMove[Move]], _evaluation: Evaluation) -> Explanation:
    turn, rolls = view.turn, [each.move for each in best if isinstance(each.move, Roll | Revive)]
    odds = () if not rolls else tuple(_odds_lines(turn, rolls[0]))
    if turn.island:
        line = _("Each more skull costs everyone else {price}, and rolling on risks nothing.")
        return Explanation(odds, line.format(price=format_number(toll_of(turn) // turn.skulls)))
    return Explanation(odds, _reason(turn, best[0].move, rolls))


def _odds_lines(turn: Turn, roll: Roll | Revive) -> Iterator[str]:
    revives = isinstance(roll, Revive)
    odds = odds_of(turn, len(roll.dice) + revives, revives=revives)
    if turn.island:
        yield _("no new 💀 {odds}").format(odds=format_odds(odds.bust))
        return
    line = _("bust {odds} if you roll {count} dice ({skulls} of {most} 💀 so far)")
    count = len(roll.dice) + revives
    if count == 1:
        line = _("bust {odds} if you roll one die ({skulls} of {most} 💀 so far)")
    yield line.format(odds=format_odds(odds.bust), count=count, skulls=turn.skulls, most=MAX_SKULLS + 1)
    yield from _other_odds(odds)


def _other_odds(odds: Odds) -> Iterator[str]:
    if odds.revivable:
        yield _("a third 💀 that the Sorceress can free {odds}").format(odds=format_odds(odds.revivable))


def _reason(turn: Turn, best: Move, rolls: Sequence[Move]) -> str:
    """Compare the points of rolling on with those of stopping."""
    if not rolls:
        return _("Nothing else brings as much.")
    stopping, rolling = expected_points(turn, STOP), expected_points(turn, rolls[0])
    if best == STOP:
        line = _("Rolling on would bring {rolling} points on average, and stopping brings {stopping} for sure.")
        if rolling > stopping:
            line = _("Rolling on may bring more ({rolling} on average), but {stopping} for sure wins more games here.")
    else:
        line = _("Rolling on brings {rolling} points on average, and stopping only {stopping}.")
        if rolling < stopping:
            line = _("Rolling on brings less on average ({rolling} against {stopping}), but wins more games here.")
    return line.format(rolling=_format_points(rolling), stopping=_format_points(stopping))


def _format_points(points: float) -> str:
    return format_signed(round(points))


HINTS = Hints(_explain, format_decimal_points)
