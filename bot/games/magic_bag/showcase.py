"""The telling moments of The Magic Bag."""

from collections.abc import Sequence

from bot.games.magic_bag.events import CoinDiscarded, RowTaken
from bot.games.magic_bag.pieces import MagicBagEnd, MagicBagOptions, State
from bot.rules.game import Event
from bot.rules.package import Showcase

_MANY_COINS = 3
_FEW_COINS = 4
_LARGE_GROUP = 4


def _is_start(view: State, news: Sequence[Event]) -> bool:
    return not news


def _is_choice(view: State, news: Sequence[Event]) -> bool:
    is_rolled_again = bool(news) and not any(isinstance(event, RowTaken | CoinDiscarded) for event in news)
    return is_rolled_again and len(view.matching) > 1 and view.rolls_left > 0


def _is_haul(view: State, news: Sequence[Event]) -> bool:
    return view.end is None and any(isinstance(event, RowTaken) and len(event.coins) >= _MANY_COINS for event in news)


def _is_failed(view: State, news: Sequence[Event]) -> bool:
    return view.has_failed and bool(view.removable) and len(view.layout.collected) > _LARGE_GROUP


def _is_tile_gone(view: State, news: Sequence[Event]) -> bool:
    return any(isinstance(event, CoinDiscarded) and event.tile for event in news)


def _is_late(view: State, news: Sequence[Event]) -> bool:
    return view.end is None and len(view.layout.bag) <= _FEW_COINS


def _is_bag_empty(view: State, news: Sequence[Event]) -> bool:
    return view.end is MagicBagEnd.LAST_COIN


def _is_finished(view: State, news: Sequence[Event]) -> bool:
    return view.end is MagicBagEnd.FINISHED or view.end is MagicBagEnd.LAST_ROW


SHOWCASES: tuple[Showcase[MagicBagOptions, State], ...] = (
    Showcase("start", 1, _is_start),
    Showcase("choice", 1, _is_choice),
    Showcase("haul", 1, _is_haul),
    Showcase("failed", 1, _is_failed),
    Showcase("tile-gone", 1, _is_tile_gone),
    Showcase("late", 1, _is_late),
    Showcase("bag-empty", 1, _is_bag_empty),
    Showcase("over", 1, _is_finished),
)
