"""The race of a game: the scores of all seats after each turn, and what is remarkable about them."""

from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, TypeAlias

from bot.rules.game import EventT, MoveT, OptionsT, Seat, StateT, ViewT
from bot.rules.package import GamePackage

PackedRace: TypeAlias = bytes
"""The scores of all seats at the start and after each turn, four bytes each: tables in memory keep one."""

Race: TypeAlias = tuple[tuple[int, ...], ...]
"""The scores by turn and seat; the first are those at the start."""

_SCORE_TYPE: Final = "i"

MIN_TURNS: Final = 6
"""Games of as many turns or fewer have no facts."""

_MANY_LEAD_CHANGES: Final = 3
_COMEBACK_SHARE: Final = 0.25
"""How far behind a winner must have been, as a share of all the points they made."""

_CLOSE_SHARE: Final = 0.05
"""How close the second must be, as a share of all the points the winner made."""


def pack_scores(package: GamePackage[OptionsT, StateT, MoveT, EventT, ViewT], state: StateT) -> PackedRace:
    """Return the scores in a state as a part of a packed race; nothing if the game has no `scores_of`."""
    return b"" if package.results.scores_of is None else array(_SCORE_TYPE, package.results.scores_of(state)).tobytes()


def unpack_race(packed: PackedRace, seats: int) -> Race:
    """Return the scores by turn and seat."""
    scores = array(_SCORE_TYPE, packed)
    return tuple(tuple(scores[first : first + seats]) for first in range(0, len(scores), seats))


@dataclass(frozen=True, slots=True)
class BestTurn:
    """One seat made more in a turn than any other seat ever did."""

    seat: Seat
    gain: int


@dataclass(frozen=True, slots=True)
class LedThroughout:
    """The winner led from the first score to the end."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Comeback:
    """The winner was far behind at some time."""

    seat: Seat
    deficit: int


@dataclass(frozen=True, slots=True)
class LeadChanges:
    """The lead went from seat to seat many times."""

    count: int


@dataclass(frozen=True, slots=True)
class CloseFinish:
    """The winner was only just ahead in the end."""

    margin: int


Fact: TypeAlias = BestTurn | LedThroughout | Comeback | LeadChanges | CloseFinish


def find_facts(race: Race, winners: Sequence[Seat], *, lower_is_better: bool = False) -> tuple[Fact, ...]:
    """Return up to three facts about a race; none about a short one.

    Args:
        race: The scores by turn and seat.
        winners: The seats in first place by their scores; empty if something else decided, such as a resignation.
        lower_is_better: Whether the lowest score wins.
    """
    if len(race) <= MIN_TURNS:
        return ()
    sign = -1 if lower_is_better else 1
    merits = [[sign * score for score in scores] for scores in race]
    turns = list(pairwise(merits))
    gains = [max(after[seat] - before[seat] for before, after in turns) for seat in range(len(merits[0]))]
    gain = max(gains)
    best = BestTurn(gains.index(gain), gain) if gain > 0 and gains.count(gain) == 1 else None
    about_lead = _find_lead_facts(merits, winners) if len(merits[0]) > 1 else ()
    return tuple(fact for fact in (best, *about_lead) if fact is not None)


def _find_lead_facts(merits: Sequence[Sequence[int]], winners: Sequence[Seat]) -> tuple[Fact, ...]:
    """Return how the lead went, and whether the end was close."""
    leaders = [seat for scores in merits if (seat := _leader(scores, max)) is not None]
    changes = sum(one != other for one, other in pairwise(leaders))
    many = (LeadChanges(changes),) if changes >= _MANY_LEAD_CHANGES else ()
    if len(winners) != 1:
        return many if winners else ()
    (winner,) = winners
    made = merits[-1][winner] - merits[0][winner]
    deficit = max(max(scores) - scores[winner] for scores in merits)
    margin = merits[-1][winner] - max(merit for seat, merit in enumerate(merits[-1]) if seat != winner)
    close = (CloseFinish(margin),) if 0 < margin <= made * _CLOSE_SHARE else ()
    if set(leaders) == {winner}:
        return (LedThroughout(winner), *close)
    if deficit > made * _COMEBACK_SHARE:
        return (Comeback(winner, deficit), *close)
    return (*many, *close)


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
