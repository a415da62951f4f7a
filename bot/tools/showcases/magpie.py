"""Magpie's showcases."""

from bot.games.magpie.pieces import Combination, GameEvent, MagpieOptions, Rolled, State, TableCleared
from bot.rules.game import find_newest
from bot.tools.showcases import Showcase, ShownState, is_over, is_start


def _is_full_house(moment: ShownState[State, GameEvent]) -> bool:
    newest = find_newest(Rolled, moment.events)
    is_scored = newest is not None and newest.combination is Combination.FULL_HOUSE
    return is_scored and min(moment.state.scores) > 0


def _is_cleared(moment: ShownState[State, GameEvent]) -> bool:
    return bool(moment.events) and isinstance(moment.events[-1], TableCleared)


def _is_last_round(moment: ShownState[State, GameEvent]) -> bool:
    state = moment.state
    return state.trigger is not None and state.mover is not None


SHOWCASES: tuple[Showcase[MagpieOptions, State, GameEvent], ...] = (
    Showcase("start", 2, is_start),
    Showcase("full-house", 6, _is_full_house),
    Showcase("cleared", 2, _is_cleared),
    Showcase("last-round", 4, _is_last_round),
    Showcase("over", 3, is_over),
)
