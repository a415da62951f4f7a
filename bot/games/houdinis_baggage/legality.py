"""Why a move is illegal."""

from dataclasses import dataclass
from typing import assert_never

from bot.games.houdinis_baggage.assignments import Item
from bot.games.houdinis_baggage.bonuses import BonusSupply, supply_of
from bot.games.houdinis_baggage.cards import CARD_KEYS, Card, has_trait
from bot.games.houdinis_baggage.moves import Bank, Done, Keep, Move, Open, Place, Shift, Spot, Stop, Take, Use
from bot.games.houdinis_baggage.pieces import ITEM_LETTERS, BaggageReason, Phase, State, Task
from bot.games.houdinis_baggage.placement import find_offered_placement, place_moves
from bot.rules.refusals import Refusal, RefusalFacts, unreadable

_MOVES_BY_PHASE = {
    Phase.SEARCH: (Open, Stop),
    Phase.TWIN: (Keep,),
    Phase.PLACE: (Place, Bank, Shift, Done),
    Phase.CHOOSE: (Take,),
}

_WRONG_PHASE_REASONS = {
    Phase.SEARCH: BaggageReason.SEARCH_FIRST,
    Phase.TWIN: BaggageReason.TWIN,
    Phase.PLACE: BaggageReason.SEARCH_OVER,
    Phase.CHOOSE: BaggageReason.CHOOSE_NOW,
}


@dataclass(frozen=True)
class CardFacts(RefusalFacts):
    """The name of a card."""

    card: str


@dataclass(frozen=True)
class ItemFacts(CardFacts):
    """A card and the item it does not match."""

    item: Item


@dataclass(frozen=True)
class SpotFacts(RefusalFacts):
    """The spot of an item."""

    spot: Spot


@dataclass(frozen=True)
class BonusFacts(RefusalFacts):
    """A bonus that can't be used."""

    use: Use


@dataclass(frozen=True)
class AssignmentFacts(RefusalFacts):
    """The number of an assignment."""

    number: int


def why_not(state: State, move: Move) -> Refusal | None:
    """Return why a move of the seat to move is illegal, or None. Rules HB-3 to HB-12."""
    if not _is_readable(move):
        return unreadable(repr(move))
    if not isinstance(move, _MOVES_BY_PHASE[state.phase]):
        return _wrong_phase_refusal(state, move)
    refusal: Refusal | None = None
    match move:
        case Open() | Done():
            pass
        case Stop():
            refusal = None if state.open else Refusal(BaggageReason.OPEN_FIRST)
        case Keep():
            refusal = None if move.card in state.open else _not_open_refusal(move.card)
        case Place():
            refusal = _why_not_place(state, move)
        case Bank():
            refusal = _why_not_bank(state, move)
        case Shift():
            refusal = _why_not_shift(state, move)
        case Take():
            is_open = any(each.number == move.number for each in state.row)
            refusal = None if is_open else Refusal(BaggageReason.NOT_IN_ROW, AssignmentFacts(move.number))
        case _:
            assert_never(move)
    return refusal


def _is_readable(move: Move) -> bool:
    """Return whether the move's cards and items can exist."""
    match move:
        case Keep(card) | Bank(card):
            return _is_card(card)
        case Place(card, spot):
            return _is_card(card) and _is_item(spot)
        case Shift(start, end):
            return _is_item(start) and _is_item(end)
        case _:
            return True


def _is_card(card: Card) -> bool:
    return 0 <= card < len(CARD_KEYS)


def _is_item(spot: Spot) -> bool:
    return 0 <= spot.at < len(ITEM_LETTERS)


def _wrong_phase_refusal(state: State, move: Move) -> Refusal:
    """Return the refusal of a move of another phase; moves that are rarely possible have their own reasons."""
    if state.phase in (Phase.SEARCH, Phase.PLACE):
        if isinstance(move, Keep):
            return Refusal(BaggageReason.NO_TWIN)
        if isinstance(move, Take):
            return Refusal(BaggageReason.NOTHING_TO_CHOOSE)
    return Refusal(_WRONG_PHASE_REASONS[state.phase])


def _not_open_refusal(card: Card) -> Refusal:
    return Refusal(BaggageReason.NOT_OPEN, CardFacts(_format_card(card)))


def _format_card(card: Card) -> str:
    return CARD_KEYS[card].replace("-", " ")


def _mover_tasks(state: State) -> tuple[Task, ...]:
    return state.players[state.mover or 0].tasks


def _find_task(tasks: tuple[Task, ...], spot: Spot) -> Task | None:
    """Return the unfinished assignment that has an item, or None."""
    return next((t for t in tasks if t.assignment.number == spot.number and spot.at < len(t.cards)), None)


def _why_not_place(state: State, move: Place) -> Refusal | None:
    """An open card goes on a free item that it matches, with exactly the bonuses it needs. Rule HB-6."""
    if find_legal_placement(state, move) is not None:
        return None
    if move.card not in state.open:
        return _not_open_refusal(move.card)
    tasks, supply = _mover_tasks(state), supply_of(state)
    offered = place_moves(state.open, tasks, supply)
    return (
        _why_not_free(tasks, move.spot) or _refuse_bonuses(supply, move.uses) or _no_match_refusal(tasks, move, offered)
    )


def find_legal_placement(state: State, move: Place) -> Place | None:
    """Return a placement with its bonuses in the order offered, or None if it is illegal."""
    return find_offered_placement(move, state.open, _mover_tasks(state), supply_of(state))


def _why_not_free(tasks: tuple[Task, ...], spot: Spot) -> Refusal | None:
    """Cards go on free items of the mover's own assignments only."""
    task = _find_task(tasks, spot)
    if task is None:
        return Refusal(BaggageReason.NOT_YOUR_ITEM, SpotFacts(spot))
    return Refusal(BaggageReason.ITEM_FILLED, SpotFacts(spot)) if task.cards[spot.at] is not None else None


def _no_match_refusal(tasks: tuple[Task, ...], move: Place, offered: tuple[Place, ...]) -> Refusal:
    """Return why a card can't go on a free item with these bonuses, or with any."""
    if any((each.card, each.spot) == (move.card, move.spot) for each in offered):
        return Refusal(BaggageReason.OTHER_BONUSES, SpotFacts(move.spot))
    item = next(t.assignment.items[move.spot.at] for t in tasks if t.assignment.number == move.spot.number)
    reason = BaggageReason.WRONG_VALUE if has_trait(move.card, item.trait) else BaggageReason.NO_MATCH
    return Refusal(reason, ItemFacts(_format_card(move.card), item))


def _refuse_bonuses(supply: BonusSupply, uses: tuple[Use, ...]) -> Refusal | None:
    """Refuse bonuses that the mover does not have or has used this turn. Rules HB-12 and HB-B5."""
    own, others = ({each.number for each in bonuses} for bonuses in (supply.own, supply.others))
    for use in uses:
        is_usable = use.number in own if use.copied is None else use.number in supply.copies and use.copied in others
        if not is_usable:
            return Refusal(BaggageReason.NO_SUCH_BONUS, BonusFacts(use))
    return None


def _why_not_bank(state: State, move: Bank) -> Refusal | None:
    """A bank card can be added unless its twin is open. Rule HB-7."""
    if move.card not in state.players[state.mover or 0].bank:
        return Refusal(BaggageReason.NOT_IN_BANK, CardFacts(_format_card(move.card)))
    return Refusal(BaggageReason.LOOKS_ALIKE, CardFacts(_format_card(move.card))) if move.card in state.open else None


def _why_not_shift(state: State, move: Shift) -> Refusal | None:
    """Baggage moves to a free item of its colour or shape. Rule HB-B4."""
    tasks = _mover_tasks(state)
    start, end = _find_task(tasks, move.start), _find_task(tasks, move.end)
    if start is None or end is None:
        return Refusal(BaggageReason.NOT_YOUR_ITEM, SpotFacts(move.end if start else move.start))
    card = start.cards[move.start.at]
    if card is None:
        return Refusal(BaggageReason.ITEM_EMPTY, SpotFacts(move.start))
    if refusal := _why_not_free(tasks, move.end):
        return refusal
    supply = supply_of(state)
    if supply.move_use != move.use:
        return Refusal(BaggageReason.NO_SUCH_BONUS, BonusFacts(move.use))
    item = end.assignment.items[move.end.at]
    return (
        None
        if has_trait(card, item.trait)
        else Refusal(BaggageReason.MOVE_NO_MATCH, ItemFacts(_format_card(card), item))
    )
