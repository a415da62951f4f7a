"""The telling moments of Magpie."""

from collections.abc import Sequence

from bot.games.magpie.events import Rolled
from bot.games.magpie.pieces import Combination, MagpieOptions, State
from bot.rules.game import Event
from bot.rules.package import Showcase


def _is_first_move(view: State, news: Sequence[Event]) -> bool:
    return not news


def _is_full_house(view: State, news: Sequence[Event]) -> bool:
    return _is_newest_combination(news, Combination.FULL_HOUSE) and min(view.scores) > 0


def _is_last_round(view: State, news: Sequence[Event]) -> bool:
    return view.trigger is not None and view.mover is not None


def _is_over(view: State, news: Sequence[Event]) -> bool:
    return view.mover is None


def _is_newest_combination(news: Sequence[Event], combination: Combination) -> bool:
    rolls = [event for event in news if isinstance(event, Rolled)]
    return bool(rolls) and rolls[-1].combination is combination


SHOWCASES: tuple[Showcase[MagpieOptions, State], ...] = (
    Showcase("start", 2, _is_first_move),
    Showcase("full-house", 6, _is_full_house),
    Showcase("last-round", 4, _is_last_round),
    Showcase("over", 3, _is_over),
)
