"""Tips for people who are new to Mr. Houdini's Baggage."""

from collections.abc import Iterator, Sequence

from bot.games.houdinis_baggage.assignments import Bonus, BonusKind, Item
from bot.games.houdinis_baggage.bonuses import supply_of
from bot.games.houdinis_baggage.events import CardKept, GameEvent, TurnPlayed
from bot.games.houdinis_baggage.guide import TRAIT_TEXTS, bonus_name, item_name
from bot.games.houdinis_baggage.pieces import Phase, State
from bot.games.houdinis_baggage.placement import bank_moves, free_items, place_moves
from bot.rules.tips import Tip
from bot.words import N_, gettext as _, ngettext

_BONUS_EFFECTS = {
    BonusKind.COLOUR_CHANGE: N_("New bonus, {bonus}: use it for one placement each turn."),
    BonusKind.SHAPE_CHANGE: N_("New bonus, {bonus}: use it for one placement each turn."),
    BonusKind.PLUS_COLOUR: N_("New bonus, {bonus}: once a turn, a colour counts one more."),
    BonusKind.PLUS_SHAPE: N_("New bonus, {bonus}: once a turn, a shape counts one more."),
    BonusKind.MOVE: N_("New bonus, {bonus}: once a turn, move a placed card."),
    BonusKind.COPY: N_("New bonus, {bonus}: once a turn, use another player's bonus."),
}


def find_tips(view: State, events: Sequence[GameEvent]) -> Iterator[Tip]:
    """Yield the bonuses that were just won, then what matters in the phase."""
    if view.phase is Phase.TWIN:
        # A twin asks for one thing only, and its message has no room.
        return
    for event in reversed(events):
        if isinstance(event, TurnPlayed) and event.seat == view.mover:
            yield from (_explain(each.bonus) for each in event.completed)
        if isinstance(event, CardKept):
            text = _("A twin looks like an open card: it ends the turn, and one card goes to the bank.")
            yield Tip("twins", text, is_explanation=True)
    match view.phase:
        case Phase.SEARCH:
            yield from _search_tips(view)
        case Phase.PLACE:
            yield from _placing_tips(view)
        case _:
            yield Tip("choose", _("Look for colours and shapes that your other assignment needs, too."))


def _explain(bonus: Bonus) -> Tip:
    text = _(_BONUS_EFFECTS[bonus.kind]).format(bonus=bonus_name(bonus))
    return Tip(bonus.kind.name.lower(), text, is_explanation=True)


def _search_tips(view: State) -> Iterator[Tip]:
    """Yield what to search for. Rules HB-2 to HB-5."""
    if view.end is not None:
        yield Tip("last", _("This is the last round: finish what you can."))
    items = [item for _spot, item in free_items(view.players[view.mover or 0].tasks)]
    if items:
        yield _exact_tip(items[0])
    if not view.open:
        yield Tip("values", _("Values count your open cards."))
        return
    yield Tip("stop", _("Each open card makes a twin likelier, which ends your turn. Stop any time."))


def _exact_tip(item: Item) -> Tip:
    """Return what one of the mover's items takes. Rule HB-6."""
    line = ngettext(
        "Your item {item} takes a {trait} card while exactly {number} {trait} card is open.",
        "Your item {item} takes a {trait} card while exactly {number} {trait} cards are open.",
        item.number,
    )
    return Tip("exact", line.format(item=item_name(item), trait=_(TRAIT_TEXTS[item.trait].name), number=item.number))


def _placing_tips(view: State) -> Iterator[Tip]:
    """Yield how to place cards. Rules HB-6 to HB-12."""
    player = view.players[view.mover or 0]
    if any(place.uses for place in place_moves(view.open, player.tasks, supply_of(view))):
        yield Tip("bonus", _("Some placements need a bonus. Each of yours works once a turn."))
    if bank_moves(view.open, player.bank):
        yield Tip("bank", _("You can add cards from your bank: they raise the values, too."))
    yield Tip("order", _("A placed card no longer counts: start with the highest numbers."))
    yield Tip("stay", _("Placed cards stay until the assignment is complete. Others are lost."))
