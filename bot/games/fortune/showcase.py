"""The telling moments of Fortune."""

from collections.abc import Sequence

from bot.games.fortune.pieces import Ending, FortuneOptions, State
from bot.games.fortune.recent_events import kept_dice, last_turn
from bot.games.fortune.scoring import score_of
from bot.rules.game import Event
from bot.rules.package import Showcase


def _is_start(view: State, news: Sequence[Event]) -> bool:
    return not news


def _is_chest_filled(view: State, news: Sequence[Event]) -> bool:
    return len(view.turn.chest) >= 3 and 0 < view.turn.skulls <= 2 and min(view.scores) > 0


def _is_battle(view: State, news: Sequence[Event]) -> bool:
    turn = view.turn
    return score_of(turn.card, turn.faces).battle > 0 and bool(kept_dice(turn, news))


def _is_island(view: State, news: Sequence[Event]) -> bool:
    return view.turn.island and len(view.turn.free) >= 2 and view.turn.rolls > 1


def _is_third_skull(view: State, news: Sequence[Event]) -> bool:
    return view.turn.is_in_doubt


def _is_back_from_island(view: State, news: Sequence[Event]) -> bool:
    last = last_turn(news)
    return last is not None and last.ending is Ending.ISLAND and not view.turn.faces


def _is_last_round(view: State, news: Sequence[Event]) -> bool:
    return view.crosser is not None and view.mover is not None and view.turn.skulls > 1


def _is_over(view: State, news: Sequence[Event]) -> bool:
    return view.mover is None


SHOWCASES: tuple[Showcase[FortuneOptions, State], ...] = (
    Showcase("start", 2, _is_start),
    Showcase("chest", 3, _is_chest_filled),
    Showcase("battle", 4, _is_battle),
    Showcase("island", 3, _is_island, FortuneOptions(target=3000)),
    Showcase("third-skull", 2, _is_third_skull),
    Showcase("back", 4, _is_back_from_island),
    Showcase("last-round", 4, _is_last_round),
    Showcase("over", 4, _is_over),
)
