"""The telling moments of Magpie."""

from collections.abc import Sequence

from bot.games.magpie.events import Rolled
from bot.games.magpie.pieces import Combination, State
from bot.rules.game import Event
from bot.rules.package import Scene


def _is_first_move(view: State, news: Sequence[Event]) -> bool:
    return not news


def _is_full_house(view: State, news: Sequence[Event]) -> bool:
    return _newest(news, Combination.FULL_HOUSE) and min(view.scores) > 0


def _is_last_round(view: State, news: Sequence[Event]) -> bool:
    return view.trigger is not None and view.mover is not None


def _is_over(view: State, news: Sequence[Event]) -> bool:
    return view.mover is None


def _newest(news: Sequence[Event], combination: Combination) -> bool:
    rolls = [event for event in news if isinstance(event, Rolled)]
    return bool(rolls) and rolls[-1].combination is combination


SCENES = (
    Scene("start", 2, _is_first_move),
    Scene("full-house", 6, _is_full_house),
    Scene("last-round", 4, _is_last_round),
    Scene("over", 3, _is_over),
)
