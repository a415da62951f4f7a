"""Recent events of Mr. Houdini's Baggage as lines of text."""

from collections.abc import Iterator, Sequence

from bot.games.houdinis_baggage import events
from bot.games.houdinis_baggage.cards import Card
from bot.games.houdinis_baggage.controls import format_uses
from bot.games.houdinis_baggage.guide import LAST_ROUND_MESSAGES, card_name, card_symbols, item_name
from bot.games.houdinis_baggage.moves import Use
from bot.games.houdinis_baggage.pieces import State
from bot.rules.game import Event, Seat, SeatEvent
from bot.rules.screen import News
from bot.rules.story import Highlight, Narration, heaviest
from bot.words import format_points, gettext as _, join_items, ngettext

SHOWN_MOVES = 24
"""A turn rarely has more moves."""

_BIG_GAIN, _HUGE_GAIN = 5, 8
"""About one turn in fifteen, and one in a hundred, brings as many points."""


def news_lines(view: State, news: Sequence[News]) -> list[str]:
    """Return the lines of the newest turn; an opened card is shown only while it is the newest event."""
    turn = _newest_turn(news)
    lines = [tell(view, *each) for each in turn[:-1] if not _is_plain_opening(each.event)]
    return list(filter(None, (*lines, *(tell(view, *each) for each in turn[-1:]))))


def _newest_turn(news: Sequence[News]) -> Sequence[News]:
    """Return the news of the latest turn: the newest events of the same seat."""
    seats = [event.seat if isinstance(event, SeatEvent) else None for event, _ in news]
    first = next((at for at in range(len(seats) - 1, 0, -1) if seats[at - 1] != seats[at]), 0)
    return news[first:]


def _is_plain_opening(event: Event) -> bool:
    return isinstance(event, events.CardOpened) and not event.is_reshuffled


def tell(view: State, event: Event, names: Sequence[str]) -> str:
    """Tell an event in one line."""
    match event:
        case events.LastRound(seat, reason):
            return _(LAST_ROUND_MESSAGES[reason]).format(name=names[seat], score=view.players[seat].score)
        case SeatEvent(seat):
            return _action_text(view, event, _format_seat(seat, names))
        case _:
            return ""


def summarize_turn(_view: State, news: Sequence[News]) -> str:
    """Tell the newest turn in one line, next to a picture that shows the cards."""
    turn = _newest_turn(news)
    parts = list(_summary_parts([event for event, _ in turn]))
    if not parts:
        return ""
    event, names = turn[0]
    who = _format_seat(event.seat, names) if isinstance(event, SeatEvent) else ""
    return _("{who} {actions}.").format(who=who, actions=join_items(parts))


def _summary_parts(turn: Sequence[Event]) -> Iterator[str]:
    """Yield what was done in a turn, in order."""
    if opened := sum(isinstance(event, events.CardOpened) for event in turn):
        yield ngettext("opened {count} card", "opened {count} cards", opened).format(count=opened)
    for event in turn:
        if isinstance(event, events.CardKept):
            line = _("drew a twin: kept {card}, lost {lost}")
            yield line.format(card=card_symbols(event.card), lost=" ".join(map(card_symbols, event.lost)))
    if placed := [event.card for event in turn if isinstance(event, events.CardPlaced)]:
        yield _("placed {cards}").format(cards=" ".join(map(card_symbols, placed)))
    for event in turn:
        match event:
            case events.TurnPlayed() if event.completed:
                yield _("completed {assignments}").format(assignments=_format_completed(event))
            case events.AssignmentTaken(assignment=assignment):
                points = format_points(assignment.points)
                yield _("took #{number} ({points})").format(number=assignment.number, points=points)
            case _:
                pass


def _action_text(view: State, event: SeatEvent, who: str) -> str:
    """Return what a seat did."""
    text = ""
    match event:
        case events.CardOpened(is_reshuffled=True):
            line = _("{who} shuffled the discards into a new deck and opened {card}")
            text = line.format(who=who, card=_format_card(event.card))
        case events.CardOpened(card=card):
            text = _("{who} opened {card}").format(who=who, card=_format_card(card))
        case events.CardKept(card=card, lost=lost):
            line = _("{who} drew a twin: kept {card}, lost {lost}")
            text = line.format(who=who, card=_format_card(card), lost=" ".join(map(card_symbols, lost)))
        case events.CardPlaced(card=card, spot=spot, uses=uses):
            item = item_name(view.find_assignment(spot.number).items[spot.at])
            line, bonuses = _("{who}: {card} on {item} ({spot}){bonuses}"), _format_bonuses(view, uses)
            text = line.format(who=who, card=_format_card(card), item=item, spot=spot, bonuses=bonuses)
        case events.BankUsed(card=card):
            text = _("{who} added {card} from the bank").format(who=who, card=_format_card(card))
        case events.BaggageMoved(card=card, start=start, end=end):
            line = _("{who} moved {card} from {start} to {end}")
            text = line.format(who=who, card=_format_card(card), start=start, end=end)
        case events.AssignmentTaken(assignment=assignment):
            line = _("{who} took #{number} ({points})")
            text = line.format(who=who, number=assignment.number, points=format_points(assignment.points))
        case events.TurnPlayed():
            text = _turn_played_text(event, who)
        case _:
            pass
    return text


def _turn_played_text(event: events.TurnPlayed, who: str) -> str:
    if event.completed:
        return _("{who} completed {assignments}").format(who=who, assignments=_format_completed(event))
    discarded = " ".join(map(card_symbols, event.discarded))
    return _("{who} discarded {lost}").format(who=who, lost=discarded) if discarded else ""


def _format_completed(event: events.TurnPlayed) -> str:
    line = _("#{number} ({points})")
    return join_items([line.format(number=each.number, points=format_points(each.points)) for each in event.completed])


def _format_seat(seat: Seat, names: Sequence[str]) -> str:
    return f"**{names[seat]}**"


def _format_card(card: Card) -> str:
    return f"{card_symbols(card)} {card_name(card)}"


def _format_bonuses(view: State, uses: Sequence[Use]) -> str:
    return _(": {bonuses}").format(bonuses=format_uses(view, uses)) if uses else ""


def _highlight(_view: State, move: Sequence[Event]) -> Highlight | None:
    return heaviest(map(_event_highlight, move))


def _event_highlight(event: Event) -> Highlight | None:
    match event:
        case events.LastRound():
            return Highlight(_("Last round!"), "", 3)
        case events.CardKept(lost=lost):
            line = ngettext("−{count} card", "−{count} cards", len(lost))
            return Highlight(_("Twin!"), line.format(count=len(lost)), 2, is_good=False)
        case events.TurnPlayed(completed=completed):
            points = sum(each.points for each in completed)
            if points < _BIG_GAIN:
                return None
            return Highlight(_("Completed!"), f"+{points}", 2 if points < _HUGE_GAIN else 3)
        case _:
            return None


NARRATION = Narration(tell, summarize_turn, _highlight)
