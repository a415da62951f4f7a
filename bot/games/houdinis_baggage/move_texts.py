"""The moves of Mr. Houdini's Baggage in words, before they are made."""

from collections.abc import Sequence

from bot.games.houdinis_baggage.guide import bonus_symbol, card_symbols, item_symbol
from bot.games.houdinis_baggage.moves import Bank, Keep, Move, Open, Place, Shift, Spot, Stop, Take, Use
from bot.games.houdinis_baggage.pieces import State
from bot.games.houdinis_baggage.turns import card_on
from bot.words import NO_BREAK_SPACE, format_points, gettext as _, ngettext


def describe_move(view: State, move: Move) -> str:
    """Describe a move."""
    text = _("end the turn")
    match move:
        case Open():
            text = _("open another card") if view.open else _("open a card")
        case Stop():
            count = len(view.open)
            text = ngettext("stop with one card", "stop with {count} cards", count).format(count=count)
        case Keep(card):
            text = _("keep {card}").format(card=card_symbols(card))
        case Place():
            text = _place_text(view, move)
        case Bank(card):
            text = _("add {card} from the bank").format(card=card_symbols(card))
        case Shift():
            text = _shift_text(view, move)
        case Take(number):
            points = format_points(view.find_assignment(number).points)
            text = _("take #{number} ({points})").format(number=number, points=points)
        case _:
            pass
    return text


def _place_text(view: State, move: Place) -> str:
    line = _("place {card} on #{spot} ({item}) with {uses}") if move.uses else _("place {card} on #{spot} ({item})")
    item = _item_text(view, move.spot)
    return line.format(card=card_symbols(move.card), spot=move.spot, item=item, uses=_uses_text(view, move.uses))


def _shift_text(view: State, move: Shift) -> str:
    card = card_on(view.players[view.mover or 0].tasks, move.start)
    return _("move {card} from #{start} to #{end} ({item})").format(
        card=card_symbols(card or 0), start=move.start, end=move.end, item=_item_text(view, move.end)
    )


def _item_text(view: State, spot: Spot) -> str:
    return item_symbol(view.find_assignment(spot.number).items[spot.at])


def _uses_text(view: State, uses: Sequence[Use]) -> str:
    """List bonuses in order; equal ones in a row are counted."""
    texts = [_use_text(view, use) for use in uses]
    counts = {text: texts.count(text) for text in texts}
    return ", ".join(text if count == 1 else f"{count}×{NO_BREAK_SPACE}{text}" for text, count in counts.items())


def _use_text(view: State, use: Use) -> str:
    text = bonus_symbol(view.find_assignment(use.number if use.copied is None else use.copied).bonus)
    return text if use.copied is None else f"👥{text}"
