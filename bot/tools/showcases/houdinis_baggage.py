"""The showcases of Mr. Houdini's Baggage."""

from bot.games.houdinis_baggage.facts import latest_events, points_gained
from bot.games.houdinis_baggage.pieces import (
    BaggageOptions,
    CardKept,
    CardPlaced,
    GameEvent,
    Phase,
    State,
    TurnPlayed,
)
from bot.tools.showcases import Showcase, ShownState, is_over, is_start

_MANY_CARDS = 6
_MANY_BONUSES = 7


def _is_searching(moment: ShownState[State, GameEvent]) -> bool:
    state = moment.state
    is_search = state.mover is not None and state.phase is Phase.SEARCH
    return is_search and len(state.open) >= _MANY_CARDS and all(player.completed for player in state.players)


def _is_twin(moment: ShownState[State, GameEvent]) -> bool:
    state = moment.state
    return state.mover is not None and state.phase is Phase.TWIN and len(state.open) > _MANY_CARDS - 2


def _is_kept(moment: ShownState[State, GameEvent]) -> bool:
    return any(isinstance(event, CardKept) for event in latest_events(moment.events))


def _is_placed(moment: ShownState[State, GameEvent]) -> bool:
    """Return whether a card was just placed with a bonus and more cards are open."""
    match latest_events(moment.events):
        case (CardPlaced(uses=uses),):
            return bool(uses) and len(moment.state.open) > 1
        case _:
            return False


def _is_choice(moment: ShownState[State, GameEvent]) -> bool:
    made = [event for event in latest_events(moment.events) if isinstance(event, TurnPlayed)]
    return moment.state.phase is Phase.CHOOSE and any(points_gained(moment.events, event.seat) > 1 for event in made)


def _is_full(moment: ShownState[State, GameEvent]) -> bool:
    state = moment.state
    most = max(len(player.completed) for player in state.players)
    return state.mover is not None and most >= _MANY_BONUSES


SHOWCASES: tuple[Showcase[BaggageOptions, State, GameEvent], ...] = (
    Showcase("start", 2, is_start),
    Showcase("search", 2, _is_searching),
    Showcase("twin", 3, _is_twin),
    Showcase("bank", 3, _is_kept),
    Showcase("placed", 4, _is_placed),
    Showcase("choice", 2, _is_choice),
    Showcase("full", 4, _is_full),
    Showcase("over", 2, is_over),
)
