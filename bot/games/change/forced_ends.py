"""Turns of Change that end by themselves."""

from bot.games.change.moves import DONE, Done
from bot.games.change.pieces import Stage, View


def find_forced_end(view: View, earlier: View | None) -> Done | None:
    """Return Done if there is no challenge, no option move and no card that could be played.

    Judged by the number of cards alone, so that it tells nothing about a hand.
    """
    public = view.public
    if earlier is not None or public.stage is not Stage.FREE or public.may_challenge or public.may_play_cards:
        return None
    return None if public.may_travel and public.markers_left(public.turn) else DONE
