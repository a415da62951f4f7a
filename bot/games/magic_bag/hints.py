"""Hints of The Magic Bag: the odds that a row matches, and why a move is the best."""

from collections import Counter
from collections.abc import Sequence

from bot.games.magic_bag.guide import piece_text
from bot.games.magic_bag.moves import Claim, Discard, Move, Roll, Stop
from bot.games.magic_bag.pieces import State, Suit
from bot.games.magic_bag.scoring import coins_for, matching_chance, points_of, treasure_points
from bot.rules.evaluation import Evaluation
from bot.rules.hints import Explanation, Hints, RankedMove
from bot.words import format_number, format_odds, format_points, gettext as _, join_items, ngettext


def _explain(view: State, best: Sequence[RankedMove[Move]], _evaluation: Evaluation) -> Explanation:
    return Explanation(_odds_lines(view, best), _reason(view, best[0].move))


def _odds_lines(view: State, best: Sequence[RankedMove[Move]]) -> tuple[str, ...]:
    """Return the odds that a row matches after the best roll; after a discard all four dice are rolled."""
    rolls = [each.move for each in best if isinstance(each.move, Roll)]
    if rolls:
        line = _("a row matches after that roll {odds}")
        if not isinstance(best[0].move, Roll):
            line = _("a row matches after another roll {odds}")
        return (line.format(odds=format_odds(_chance(view, _kept_values(view, rolls[0])))),)
    if isinstance(best[0].move, Discard):
        return (_("a row matches at once after a roll of all four {odds}").format(odds=format_odds(_chance(view, ()))),)
    return ()


def _chance(view: State, kept: tuple[int, ...]) -> float:
    """Return the chance that kept dice, in rising order, and a roll of the others match a row."""
    return matching_chance(kept, frozenset(filter(None, view.layout.needs)))


def _kept_values(view: State, roll: Roll) -> tuple[int, ...]:
    return tuple(sorted(view.faces[suit] for suit in Suit if suit not in roll.suits))


def _reason(view: State, best: Move) -> str:
    match best:
        case Roll():
            return _roll_reason(view, best)
        case Claim(row):
            coins = coins_for(view, row)
            line = ngettext("It draws {count} coin, and", "It draws {count} coins, and", coins).format(count=coins)
            if view.rolls_left:
                return _("{draws} rolling on would risk that no row matches.").format(draws=line)
            return _("{draws} leaves rows that are worth more than after the others.").format(draws=line)
        case Discard(coin):
            left = treasure_points(view.layout.sheet, [each for each in view.layout.collected if each != coin])
            line = _("Without {coin} you still have {points}, and play on.")
            return line.format(coin=piece_text(coin), points=format_points(left))
        case Stop():
            return _("Another roll promises less than discarding a coin now.")
        case _:
            line = _("You have {points}, and playing on would lose more than it is likely to bring.")
            return line.format(points=format_points(points_of(view)))


def _roll_reason(view: State, roll: Roll) -> str:
    """Name the rows that have use for the kept dice."""
    kept = Counter(_kept_values(view, roll))
    rows = [str(at) for at, needs in enumerate(view.layout.needs, 1) if needs and kept <= Counter(needs)]
    if not kept or not rows:
        return (
            _("No dice are worth keeping for the rows that promise the most.")
            if not kept
            else _("The kept dice leave the most ways to match a valuable row.")
        )
    line = ngettext("Row {rows} needs the dice you keep.", "Rows {rows} need the dice you keep.", len(rows))
    return line.format(rows=join_items(rows))


def _format_final_points(points: float) -> str:
    return _("{points} points in the end").format(points=format_number(points))


HINTS = Hints(_explain, _format_final_points)
