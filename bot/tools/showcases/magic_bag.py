"""The showcases of The Magic Bag."""

from bot.games.magic_bag.pieces import CoinDiscarded, GameEvent, MagicBagEnd, MagicBagOptions, RowTaken, State
from bot.tools.showcases import Showcase, ShownState, is_start

_MANY_COINS = 3
_FEW_COINS = 4
_LARGE_GROUP = 4


def _is_choice(moment: ShownState[State, GameEvent]) -> bool:
    state = moment.state
    is_rolled_again = bool(moment.events) and not any(
        isinstance(event, RowTaken | CoinDiscarded) for event in moment.events
    )
    return is_rolled_again and len(state.matching) > 1 and state.rolls_left > 0


def _is_haul(moment: ShownState[State, GameEvent]) -> bool:
    return moment.state.end is None and any(
        isinstance(event, RowTaken) and len(event.coins) >= _MANY_COINS for event in moment.events
    )


def _is_failed(moment: ShownState[State, GameEvent]) -> bool:
    state = moment.state
    return state.has_failed and bool(state.removable) and len(state.layout.collected) > _LARGE_GROUP


def _is_tile_gone(moment: ShownState[State, GameEvent]) -> bool:
    return any(isinstance(event, CoinDiscarded) and event.tile for event in moment.events)


def _is_late(moment: ShownState[State, GameEvent]) -> bool:
    state = moment.state
    return state.end is None and len(state.layout.bag) <= _FEW_COINS


def _is_finished(moment: ShownState[State, GameEvent]) -> bool:
    state = moment.state
    return state.end is MagicBagEnd.FINISHED or state.end is MagicBagEnd.LAST_ROW


SHOWCASES: tuple[Showcase[MagicBagOptions, State, GameEvent], ...] = (
    Showcase("start", 1, is_start),
    Showcase("choice", 1, _is_choice),
    Showcase("haul", 1, _is_haul),
    Showcase("failed", 1, _is_failed),
    Showcase("tile-gone", 1, _is_tile_gone),
    Showcase("late", 1, _is_late),
    Showcase("bag-empty", 1, lambda moment: moment.state.end is MagicBagEnd.LAST_COIN),
    Showcase("over", 1, _is_finished),
)
