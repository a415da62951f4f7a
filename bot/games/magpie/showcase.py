"""Magpie's showcases."""

from collections.abc import Sequence

from bot.games.magpie.events import Rolled
from bot.games.magpie.pieces import Combination, MagpieOptions, State
from bot.rules.game import Event
from bot.rules.showcase import Moment, Showcase, is_over, is_start


def _is_full_house(moment: Moment[State]) -> bool:
    return _is_newest_combination(moment.events, Combination.FULL_HOUSE) and min(moment.state.scores) > 0


def _is_last_round(moment: Moment[State]) -> bool:
    state = moment.state
    return state.trigger is not None and state.mover is not None


def _is_newest_combination(news: Sequence[Event], combination: Combination) -> bool:
    rolls = [event for event in news if isinstance(event, Rolled)]
    return bool(rolls) and rolls[-1].combination is combination


SHOWCASES: tuple[Showcase[MagpieOptions, State], ...] = (
    Showcase("start", 2, is_start),
    Showcase("full-house", 6, _is_full_house),
    Showcase("last-round", 4, _is_last_round),
    Showcase("over", 3, is_over),
)
