"""The race of a game: the scores of all seats after each turn."""

from array import array
from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from bot.rules.game import EventT, MoveT, OptionsT, Seat, StateT, ViewT
from bot.rules.package import GamePackage

PackedRace: TypeAlias = bytes
"""The scores of all seats at the start and after each turn, four bytes each: tables in memory keep one."""

Race: TypeAlias = tuple[tuple[int, ...], ...]
"""The scores by turn and seat; the first are those at the start."""

_SCORE_TYPE: Final = "i"
_SCORE_BYTES: Final = 4


def pack_scores(package: GamePackage[OptionsT, StateT, MoveT, EventT, ViewT], state: StateT) -> PackedRace:
    """Return the scores in a state as a part of a packed race; nothing if the game has no `scores_of`."""
    return b"" if package.results.scores_of is None else array(_SCORE_TYPE, package.results.scores_of(state)).tobytes()


def unpack_race(packed: PackedRace, seats: int) -> Race:
    """Return the scores by turn and seat."""
    scores = array(_SCORE_TYPE, packed)
    return tuple(tuple(scores[first : first + seats]) for first in range(0, len(scores), seats))


def newest_scores(packed: PackedRace, seats: int, turns: int) -> Race:
    """Return the scores before the newest turns and after each of them; fewer if the race is shorter."""
    return unpack_race(packed[-_SCORE_BYTES * seats * (turns + 1) :], seats)


def count_turns(packed: PackedRace, seats: int) -> int:
    """Return how many turns a packed race has; 0 if the game tells no scores."""
    return max(0, len(packed) // (_SCORE_BYTES * seats) - 1)


def largest_deficit(race: Race, seat: Seat, *, lower_is_better: bool = False) -> int:
    """Return how far behind the leader a seat was at most."""
    sign = -1 if lower_is_better else 1
    return max((max(sign * score for score in scores) - sign * scores[seat] for scores in race), default=0)


def find_overtaker(race: Race, *, lower_is_better: bool = False) -> Seat | None:
    """Return the seat that the newest turn of a race put ahead of one that had led for a round, or None.

    It takes two rounds for a lead to mean something.
    """
    if not race or len(race) <= 2 * len(race[0]):
        return None
    best = min if lower_is_better else max
    *before, last, now = race[-len(race[0]) - 2 :]
    newest, latest = _leader(now, best), _leader(last, best)
    # Most turns change nothing, and each picture asks.
    if newest is None or newest == latest:
        return None
    leaders = {latest, *[_leader(scores, best) for scores in before]} - {None}
    return newest if len(leaders) == 1 and newest not in leaders else None


def _leader(scores: Sequence[int], best: Callable[[Sequence[int]], int]) -> Seat | None:
    """Return the seat that is ahead of all others, or None."""
    first = best(scores)
    return scores.index(first) if scores.count(first) == 1 else None
