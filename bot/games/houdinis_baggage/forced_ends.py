"""Turns of Mr. Houdini's Baggage that end by themselves."""

from bot.games.houdinis_baggage.bonuses import supply_of
from bot.games.houdinis_baggage.moves import DONE, Done, Keep
from bot.games.houdinis_baggage.pieces import Phase, State
from bot.games.houdinis_baggage.placement import bank_moves, place_moves, shift_moves


def find_forced_end(view: State, earlier: State | None) -> Done | Keep | None:
    """Return Done if nothing fits after the search, or Keep if both open cards are twins. Rules HB-4 and HB-6.

    A turn in which something was placed does not end by itself: its player may take that back. It does not either if no
    card could be opened, since no one might ever have anything to do again.
    """
    if view.mover is None or not view.open:
        return None
    if view.phase is Phase.TWIN:
        return Keep(view.open[0]) if len(set(view.open)) == 1 else None
    is_untouched = earlier is None or earlier.phase is Phase.SEARCH
    return DONE if view.phase is Phase.PLACE and is_untouched and not can_place(view) else None


def can_place(view: State) -> bool:
    """Return whether phase 2 offers, or would offer after the search, more than its end. Rules HB-6, HB-7 and HB-B4."""
    player, supply = view.players[view.mover or 0], supply_of(view)
    return bool(
        place_moves(view.open, player.tasks, supply)
        or bank_moves(view.open, player.bank)
        or shift_moves(player.tasks, supply)
    )
