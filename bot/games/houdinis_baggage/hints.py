"""Hints of Mr. Houdini's Baggage: the odds of the next card, and why a move is the best."""

from collections.abc import Iterator, Sequence

from bot.games.houdinis_baggage.card_odds import can_fill, chance_to_fill, chance_to_place, last_items
from bot.games.houdinis_baggage.controls import TwinOdds
from bot.games.houdinis_baggage.forced_ends import can_place
from bot.games.houdinis_baggage.moves import Bank, Keep, Move, Open, Place, Shift, Stop, Take
from bot.games.houdinis_baggage.pieces import Phase, State
from bot.rules.evaluation import Evaluation
from bot.rules.hints import Explanation, Hints, RankedMove
from bot.words import format_number, format_odds, format_points, format_signed_points, gettext as _, ngettext


def _explain(view: State, best: Sequence[RankedMove[Move]], _evaluation: Evaluation) -> Explanation:
    odds = tuple(_odds_lines(view)) if view.phase is Phase.SEARCH else ()
    return Explanation(odds, _reason(view, best[0].move))


def _odds_lines(view: State) -> Iterator[str]:
    """Yield the odds of a twin, of anything that fits if nothing does, and of completing assignments."""
    yield _twin_line(view)
    if not can_place(view):
        yield _("something fits after the next card {odds}").format(odds=format_odds(chance_to_place(view)))
    for spot in last_items(view):
        is_now, chance = can_fill(view, spot), chance_to_fill(view, spot)
        line = _("the next card lets you fill the last item of #{number} {odds}")
        if is_now:
            line = _("the last item of #{number} fits now, and after the next card {odds}")
        if is_now or chance:
            yield line.format(number=spot.number, odds=format_odds(chance))


def _twin_line(view: State) -> str:
    odds = TwinOdds.from_state(view)
    line = _("the next card is a twin {share} ({twins} of {left})")
    return line.format(share=odds.share, twins=format_number(odds.twins), left=format_number(odds.left))


def _reason(view: State, best: Move) -> str:
    reason = _("Nothing else that can be done is worth a card or a bonus.")
    match best:
        case Open():
            reason = _("Another card is likely to add more than a twin would cost.")
            if not can_place(view):
                reason = _("Nothing fits yet, so stopping would bring nothing.")
        case Stop():
            reason = _("A twin would cost all open cards but one, and what fits now is worth more than that risk.")
        case Keep():
            reason = _("It is the open card that your items have the most use for.")
        case Place():
            reason = _place_reason(view, best)
        case Bank():
            reason = _("With it, more of your items can be filled now than it is worth in the bank.")
        case Shift():
            reason = _("Moved there, it lets you fill more.")
        case Take(number):
            taken = view.find_assignment(number)
            line = _("It brings {points} for {count} items, and goes well with what you have.")
            reason = line.format(points=format_points(taken.points), count=len(taken.items))
        case _:
            pass
    return reason


def _place_reason(view: State, place: Place) -> str:
    """Say what a placement leaves to be filled."""
    tasks = view.players[view.mover or 0].tasks
    task = next(each for each in tasks if each.assignment.number == place.spot.number)
    left, number = task.cards.count(None) - 1, task.assignment.number
    if not left:
        line = _("It completes #{number} for {points}.")
        return line.format(number=number, points=format_points(task.assignment.points))
    line = ngettext(
        "After it, #{number} lacks {count} more card for {points}.",
        "After it, #{number} lacks {count} more cards for {points}.",
        left,
    )
    return line.format(number=number, count=left, points=format_points(task.assignment.points))


HINTS = Hints(_explain, format_signed_points)
