"""Fortune's showcases."""

from bot.games.fortune.facts import Moment, moment_of
from bot.games.fortune.pieces import CardKind, Ending, FortuneOptions, GameEvent, LineCrossed, State, TurnEnded
from bot.games.fortune.scoring import score_of
from bot.rules.game import find_newest
from bot.tools.showcases import Showcase, ShownState, is_over, is_start


def _is_chest_filled(moment: ShownState[State, GameEvent]) -> bool:
    state = moment.state
    turn = state.turn
    return len(turn.chest) >= 3 and 0 < turn.skulls <= 2 and min(state.scores) > 0


def _is_battle(moment: ShownState[State, GameEvent]) -> bool:
    turn = moment.state.turn
    return score_of(turn.card, turn.faces).battle > 0 and turn.rolls > 1


def _is_storm(moment: ShownState[State, GameEvent]) -> bool:
    """Return whether dice lie in a Storm."""
    turn = moment.state.turn
    return moment.mover is not None and turn.card.kind is CardKind.STORM and bool(turn.faces)


def _is_island(moment: ShownState[State, GameEvent]) -> bool:
    turn = moment.state.turn
    return turn.island and len(turn.free) >= 2 and turn.rolls > 1


def _is_back_from_island(moment: ShownState[State, GameEvent]) -> bool:
    last = find_newest(TurnEnded, moment.events)
    return last is not None and last.ending is Ending.ISLAND and not moment.state.turn.faces


def _is_bust(moment: ShownState[State, GameEvent]) -> bool:
    """Return whether three skulls have just ended a turn that had points."""
    last = find_newest(TurnEnded, moment.events)
    return (
        last is not None and last.ending is Ending.DISQUALIFIED and last.turn.rolls > 1 and not moment.state.turn.faces
    )


def _is_battle_won(moment: ShownState[State, GameEvent]) -> bool:
    """Return whether a won battle was the moment of the turn that has just ended."""
    found = moment_of(moment.state, moment.events)
    return found is not None and found[0] is Moment.BATTLE_WON


def _is_crossed(moment: ShownState[State, GameEvent]) -> bool:
    """Return whether a seat has just passed the line."""
    return find_newest(LineCrossed, moment.events) is not None and moment.mover is not None


def _is_last_round(moment: ShownState[State, GameEvent]) -> bool:
    state = moment.state
    return state.crosser is not None and state.mover is not None and state.turn.skulls > 1


SHOWCASES: tuple[Showcase[FortuneOptions, State, GameEvent], ...] = (
    Showcase("start", 2, is_start),
    Showcase("chest", 3, _is_chest_filled),
    Showcase("battle", 4, _is_battle),
    Showcase("island", 3, _is_island, FortuneOptions(target=3000), first_game=9),
    Showcase("storm", 3, _is_storm),
    Showcase("third-skull", 2, lambda moment: moment.state.turn.is_in_doubt, first_game=4),
    Showcase("back", 4, _is_back_from_island),
    Showcase("bust", 3, _is_bust),
    Showcase("battle-won", 3, _is_battle_won),
    Showcase("crossed", 3, _is_crossed),
    Showcase("last-round", 4, _is_last_round),
    Showcase("over", 4, is_over),
)
