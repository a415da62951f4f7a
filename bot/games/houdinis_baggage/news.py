"""Recent events of Mr. Houdini's Baggage as lines of text."""

from collections.abc import Iterator, Sequence

from bot.games.houdinis_baggage.cards import Card
from bot.games.houdinis_baggage.controls import format_uses
from bot.games.houdinis_baggage.events import (
    AssignmentTaken,
    BaggageMoved,
    BankUsed,
    CardKept,
    CardOpened,
    CardPlaced,
    LastRound,
    TurnPlayed,
)
from bot.games.houdinis_baggage.guide import LAST_ROUND_MESSAGES, bonus_name, card_name, card_symbols, item_name
from bot.games.houdinis_baggage.moves import Use
from bot.games.houdinis_baggage.pieces import State
from bot.rules.game import Event, Seat
from bot.rules.screen import News
from bot.words import format_points, gettext as _, join_items, seat_emoji

_MAX_LINES = 3


def news_lines(view: State, news: Sequence[News]) -> list[str]:
    """Return the newest lines, newest first; an opened card is shown only while it is the newest event."""
    lines = [*_opened_line(news), *(_line(view, *each) for each in reversed(news))]
    return list(filter(None, lines))[:_MAX_LINES]


def _opened_line(news: Sequence[News]) -> Iterator[str]:
    for event, names in news[-1:]:
        if isinstance(event, CardOpened):
            yield _("{who} opens {card}").format(who=_format_seat(event.seat, names), card=_format_card(event.card))


def _line(view: State, event: Event, names: Sequence[str]) -> str:
    match event:
        case CardOpened(seat, is_reshuffled=True):
            return _("{who} shuffles the discards into a new deck").format(who=_format_seat(seat, names))
        case CardKept(seat, card, lost):
            line = _("{who} drew a twin: kept {card}, lost {lost}")
            return line.format(
                who=_format_seat(seat, names), card=_format_card(card), lost=" ".join(map(card_symbols, lost))
            )
        case CardPlaced(seat, card, spot, uses):
            item = item_name(view.find_assignment(spot.number).items[spot.at])
            line = _("{who}: {card} on {item} ({spot}){bonuses}")
            return line.format(
                who=_format_seat(seat, names),
                card=_format_card(card),
                item=item,
                spot=spot,
                bonuses=_format_bonuses(view, uses),
            )
        case BankUsed(seat, card):
            return _("{who} adds {card} from the bank").format(who=_format_seat(seat, names), card=_format_card(card))
        case BaggageMoved(seat, card, start, end, _use):
            line = _("{who} moves {card} from {start} to {end}")
            return line.format(who=_format_seat(seat, names), card=_format_card(card), start=start, end=end)
        case _:
            return _turn_end_line(view, event, names)


def _turn_end_line(view: State, event: Event, names: Sequence[str]) -> str:
    """Return the line of an event at the end of a turn."""
    match event:
        case TurnPlayed(seat, completed, _discarded) if completed:
            done = [
                _("{number} ({points}, {bonus})").format(
                    number=each.number, points=format_points(each.points), bonus=bonus_name(each.bonus)
                )
                for each in completed
            ]
            return _("{who} completes {assignments}").format(
                who=_format_seat(seat, names), assignments=join_items(done)
            )
        case TurnPlayed(seat, (), discarded) if discarded:
            lost = " ".join(map(card_symbols, discarded))
            return _("{who} discards {lost}").format(who=_format_seat(seat, names), lost=lost)
        case AssignmentTaken(seat, assignment):
            return _("{who} takes #{number} ({points})").format(
                who=_format_seat(seat, names), number=assignment.number, points=format_points(assignment.points)
            )
        case LastRound(seat, reason):
            return _(LAST_ROUND_MESSAGES[reason]).format(name=names[seat], score=view.players[seat].score)
        case _:
            return ""


def _format_seat(seat: Seat, names: Sequence[str]) -> str:
    return f"{seat_emoji(seat)} {names[seat]}"


def _format_card(card: Card) -> str:
    return f"{card_symbols(card)} {card_name(card)}"


def _format_bonuses(view: State, uses: Sequence[Use]) -> str:
    return _(": {bonuses}").format(bonuses=format_uses(view, uses)) if uses else ""
