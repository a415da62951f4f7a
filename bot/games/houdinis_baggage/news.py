"""Recent events of Mr. Houdini's Baggage as lines of text."""

from collections.abc import Iterator, Sequence

from bot.games.houdinis_baggage import events
from bot.games.houdinis_baggage.cards import Card
from bot.games.houdinis_baggage.controls import format_uses
from bot.games.houdinis_baggage.guide import LAST_ROUND_MESSAGES, bonus_name, card_name, card_symbols, item_name
from bot.games.houdinis_baggage.moves import Use
from bot.games.houdinis_baggage.pieces import State
from bot.rules.game import Event, Seat, SeatEvent
from bot.rules.screen import News
from bot.words import format_points, gettext as _, join_items, seat_emoji

_MAX_LINES = 3


def news_lines(view: State, news: Sequence[News]) -> list[str]:
    """Return the newest lines, newest first; an opened card is shown only while it is the newest event."""
    lines = [*_opened_line(news), *(_line(view, *each) for each in reversed(news))]
    return list(filter(None, lines))[:_MAX_LINES]


def _opened_line(news: Sequence[News]) -> Iterator[str]:
    for event, names in news[-1:]:
        if isinstance(event, events.CardOpened):
            yield _("{who} opens {card}").format(who=_format_seat(event.seat, names), card=_format_card(event.card))


def _line(view: State, event: Event, names: Sequence[str]) -> str:
    match event:
        case events.LastRound(seat, reason):
            return _(LAST_ROUND_MESSAGES[reason]).format(name=names[seat], score=view.players[seat].score)
        case SeatEvent(seat):
            return _action_text(view, event, _format_seat(seat, names))
        case _:
            return ""


def _action_text(view: State, event: SeatEvent, who: str) -> str:
    """Return what a seat did."""
    text = ""
    match event:
        case events.CardOpened(is_reshuffled=True):
            text = _("{who} shuffles the discards into a new deck").format(who=who)
        case events.CardKept(card=card, lost=lost):
            line = _("{who} drew a twin: kept {card}, lost {lost}")
            text = line.format(who=who, card=_format_card(card), lost=" ".join(map(card_symbols, lost)))
        case events.CardPlaced(card=card, spot=spot, uses=uses):
            item = item_name(view.find_assignment(spot.number).items[spot.at])
            line, bonuses = _("{who}: {card} on {item} ({spot}){bonuses}"), _format_bonuses(view, uses)
            text = line.format(who=who, card=_format_card(card), item=item, spot=spot, bonuses=bonuses)
        case events.BankUsed(card=card):
            text = _("{who} adds {card} from the bank").format(who=who, card=_format_card(card))
        case events.BaggageMoved(card=card, start=start, end=end):
            line = _("{who} moves {card} from {start} to {end}")
            text = line.format(who=who, card=_format_card(card), start=start, end=end)
        case events.AssignmentTaken(assignment=assignment):
            line = _("{who} takes #{number} ({points})")
            text = line.format(who=who, number=assignment.number, points=format_points(assignment.points))
        case events.TurnPlayed():
            text = _turn_played_text(event, who)
        case _:
            pass
    return text


def _turn_played_text(event: events.TurnPlayed, who: str) -> str:
    if event.completed:
        line = _("{number} ({points}, {bonus})")
        assignments = [
            line.format(number=each.number, points=format_points(each.points), bonus=bonus_name(each.bonus))
            for each in event.completed
        ]
        return _("{who} completes {assignments}").format(who=who, assignments=join_items(assignments))
    discarded = " ".join(map(card_symbols, event.discarded))
    return _("{who} discards {lost}").format(who=who, lost=discarded) if discarded else ""


def _format_seat(seat: Seat, names: Sequence[str]) -> str:
    return f"{seat_emoji(seat)} {names[seat]}"


def _format_card(card: Card) -> str:
    return f"{card_symbols(card)} {card_name(card)}"


def _format_bonuses(view: State, uses: Sequence[Use]) -> str:
    return _(": {bonuses}").format(bonuses=format_uses(view, uses)) if uses else ""
