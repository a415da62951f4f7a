"""The telling moments of Mr. Houdini's Baggage."""

from collections.abc import Sequence

from bot.games.houdinis_baggage.events import CardKept, CardPlaced, TurnPlayed
from bot.games.houdinis_baggage.pieces import BaggageOptions, Phase, State
from bot.games.houdinis_baggage.recent_events import latest_events, points_gained
from bot.rules.game import Event
from bot.rules.package import Showcase

_MANY_CARDS = 6
_MANY_BONUSES = 7


def _is_first_move(view: State, news: Sequence[Event]) -> bool:
    return not news


def _is_searching(view: State, news: Sequence[Event]) -> bool:
    is_search = view.mover is not None and view.phase is Phase.SEARCH
    return is_search and len(view.open) >= _MANY_CARDS and all(player.completed for player in view.players)


def _is_twin(view: State, news: Sequence[Event]) -> bool:
    return view.mover is not None and view.phase is Phase.TWIN and len(view.open) > _MANY_CARDS - 2


def _is_kept(view: State, news: Sequence[Event]) -> bool:
    return any(isinstance(event, CardKept) for event in latest_events(news))


def _is_placed(view: State, news: Sequence[Event]) -> bool:
    """Tell whether a card was just placed with a bonus, and more can be done."""
    match latest_events(news):
        case (CardPlaced(uses=uses),):
            return bool(uses) and len(view.open) > 1
        case _:
            return False


def _is_choice(view: State, news: Sequence[Event]) -> bool:
    made = [event for event in latest_events(news) if isinstance(event, TurnPlayed)]
    return view.phase is Phase.CHOOSE and any(points_gained(news, event.seat) > 1 for event in made)


def _is_full(view: State, news: Sequence[Event]) -> bool:
    most = max(len(player.completed) for player in view.players)
    return view.mover is not None and most >= _MANY_BONUSES and any(player.bank for player in view.players)


def _is_over(view: State, news: Sequence[Event]) -> bool:
    return view.mover is None


SHOWCASES: tuple[Showcase[BaggageOptions, State], ...] = (
    Showcase("start", 2, _is_first_move),
    Showcase("search", 2, _is_searching),
    Showcase("twin", 3, _is_twin),
    Showcase("bank", 3, _is_kept),
    Showcase("placed", 4, _is_placed),
    Showcase("choice", 2, _is_choice),
    Showcase("full", 4, _is_full),
    Showcase("over", 2, _is_over),
)
