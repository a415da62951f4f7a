"""The showcases of Change."""

from bot.games.change.pieces import (
    CardPlayed,
    CardsSeen,
    Challenged,
    ChangeOptions,
    GameEvent,
    Released,
    Stage,
    State,
    TrackRolled,
)
from bot.rules.story import newest_turn
from bot.tools.showcases import Showcase, ShownState, is_over, is_start


def _is_choice_after_landing(moment: ShownState[State, GameEvent]) -> bool:
    public = moment.state.public
    return public.may_challenge and public.may_travel and sum(map(int.bit_count, public.markers)) > 8


def _is_failed_challenge(moment: ShownState[State, GameEvent]) -> bool:
    public = moment.state.public
    return public.missing > 0 and min(map(int.bit_count, public.markers)) > 4


def _is_corner(moment: ShownState[State, GameEvent]) -> bool:
    public = moment.state.public
    return public.stage is Stage.CORNER and min(map(int.bit_count, public.markers)) > 2


def _is_rolled_release(moment: ShownState[State, GameEvent]) -> bool:
    """Return whether a seat has just released the total of three dice, while seats hold message cards."""
    public = moment.state.public
    rolled = any(isinstance(event, Released) and event.dice for event in newest_turn(moment.events, TrackRolled))
    return rolled and public.stage is Stage.FREE and sum(public.hand_sizes) > 3


def _is_full(moment: ShownState[State, GameEvent]) -> bool:
    """Return whether a card was played after a challenge, with many markers on the board."""
    turn = newest_turn(moment.events, TrackRolled)
    kinds = {type(event) for event in turn}
    return {Challenged, CardPlayed} <= kinds and sum(map(int.bit_count, moment.state.public.markers)) > 40


def _is_full_hand(moment: ShownState[State, GameEvent]) -> bool:
    seen = any(isinstance(event, CardsSeen) and event.seat == 0 for event in newest_turn(moment.events, TrackRolled))
    public = moment.state.public
    return public.hand_sizes[0] > 3 and public.stage is Stage.FREE and public.turn == 0 and seen


SHOWCASES: tuple[Showcase[ChangeOptions, State, GameEvent], ...] = (
    Showcase("start", 6, is_start),
    Showcase("landed", 3, _is_choice_after_landing),
    Showcase("failed", 2, _is_failed_challenge),
    Showcase("corner", 4, _is_corner),
    Showcase("release", 4, _is_rolled_release),
    Showcase("return", 5, lambda moment: moment.state.public.stage is Stage.RETURN),
    Showcase("full", 6, _is_full, ChangeOptions(credits=300)),
    Showcase("over", 3, is_over),
    Showcase("hand", 3, _is_full_hand, hand_seat=0),
)
