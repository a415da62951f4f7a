"""The telling moments of Change."""

from collections.abc import Sequence

from bot.games.change.events import CardPlayed, CardsSeen, Challenged, Released
from bot.games.change.pieces import ChangeOptions, Stage, State
from bot.games.change.recent_events import latest_turn
from bot.rules.game import Event
from bot.rules.package import Showcase


def _is_first_move(state: State, news: Sequence[Event]) -> bool:
    return not news


def _is_choice_after_landing(state: State, news: Sequence[Event]) -> bool:
    public = state.public
    return public.may_challenge and public.may_travel and sum(map(int.bit_count, public.markers)) > 8


def _is_failed_challenge(state: State, news: Sequence[Event]) -> bool:
    return state.public.missing > 0 and min(map(int.bit_count, state.public.markers)) > 4


def _is_corner(state: State, news: Sequence[Event]) -> bool:
    return state.public.stage is Stage.CORNER and min(map(int.bit_count, state.public.markers)) > 2


def _is_rolled_release(state: State, news: Sequence[Event]) -> bool:
    """Tell whether somebody has released what three dice showed, while others hold message cards."""
    rolled = any(isinstance(event, Released) and event.dice for event in latest_turn(news))
    return rolled and state.public.stage is Stage.FREE and sum(state.public.held) > 3


def _is_return(state: State, news: Sequence[Event]) -> bool:
    return state.public.stage is Stage.RETURN


def _is_full(state: State, news: Sequence[Event]) -> bool:
    """Tell whether many markers lie, and a card was played after a challenge."""
    turn = latest_turn(news)
    kinds = {type(event) for event in turn}
    return {Challenged, CardPlayed} <= kinds and sum(map(int.bit_count, state.public.markers)) > 40


def _is_over(state: State, news: Sequence[Event]) -> bool:
    return state.public.stage is Stage.OVER


def _is_full_hand(state: State, news: Sequence[Event]) -> bool:
    seen = any(isinstance(event, CardsSeen) and event.seat == 0 for event in latest_turn(news))
    public = state.public
    return public.held[0] > 3 and public.stage is Stage.FREE and public.turn == 0 and seen


SHOWCASES: tuple[Showcase[ChangeOptions, State], ...] = (
    Showcase("start", 6, _is_first_move),
    Showcase("landed", 3, _is_choice_after_landing),
    Showcase("failed", 2, _is_failed_challenge),
    Showcase("corner", 4, _is_corner),
    Showcase("release", 4, _is_rolled_release),
    Showcase("return", 5, _is_return),
    Showcase("full", 6, _is_full, ChangeOptions(credits=300)),
    Showcase("over", 3, _is_over),
    Showcase("hand", 3, _is_full_hand, hand_seat=0),
)
