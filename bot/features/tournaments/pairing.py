"""Who plays whom: round robin, Swiss and knock-out.

The draw is a shuffle by the tournament's seed, and nothing else is chance.
Players are numbers from 1, in the order of the draw.
"""

import hashlib
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple, TypeAlias

Number: TypeAlias = int

_MAX_STEPS: Final = 50_000
"""How long a pairing without rematches is searched for. Real tournaments need fewer than a hundred steps."""


class Match(NamedTuple):
    """Two players by seat, or one who has a bye."""

    first: Number
    second: Number | None = None


@dataclass(frozen=True, slots=True)
class Past:
    """What a Swiss round depends on."""

    points: Mapping[Number, int]
    """The points so far, of those who play on."""
    matches: Sequence[Match] = ()
    apart: Collection[frozenset[Number]] = field(default=frozenset())
    """Who should not meet if that can be avoided."""


def shuffle(people: Iterable[int], seed: str) -> list[int]:
    """Return people in the order that a seed decides, whatever order they came in."""
    return sorted(people, key=lambda each: hashlib.sha256(f"{seed}:{each}".encode()).digest())


def count_rounds(players: int) -> int:
    """Return how many rounds leave one of some players undefeated."""
    return max(1, (players - 1).bit_length())


def round_robin(players: int) -> list[list[Match]]:
    """Return all rounds by the circle method: everybody meets everybody once, and sits first about half the time."""
    count = players + players % 2
    fixed, circle = count, list(range(1, count))
    rounds = []
    for turn in range(count - 1):
        pairs = [(fixed, circle[0]) if turn % 2 else (circle[0], fixed)]
        for place in range(1, count // 2):
            near, far = circle[place], circle[-place]
            pairs.append((near, far) if place % 2 else (far, near))
        # With an odd number, whoever meets the last one has no game.
        rounds.append([Match(*pair) for pair in pairs if max(pair) <= players])
        circle = [circle[-1], *circle[:-1]]
    return rounds


def knockout_slots(players: int) -> list[Number | None]:
    """Return the first round's slots, two for each match: byes go to the first of the draw, who meet last."""
    slots = [1]
    while len(slots) < players:
        total = 2 * len(slots) + 1
        slots = [each for slot in slots for each in (slot, total - slot)]
    return [each if each <= players else None for each in slots]


def swiss_round(past: Past) -> list[Match]:
    """Pair the players by score: without rematches as long as that is possible, and with at most one bye each.

    Those who should be kept apart are, even by a rematch if nothing else helps.
    """
    ranked = sorted(past.points, key=lambda each: (-past.points[each], each))
    met = {frozenset((each.first, each.second)) for each in past.matches if each.second is not None}
    apart = set(past.apart)
    for forbidden in (met | apart, apart, met, set[frozenset[Number]]()):
        for rest, bye in _without_bye(ranked, past.matches):
            pairs = _Search(rest, forbidden).run()
            if pairs is not None:
                seated = [seat(one, other, past.matches) for one, other in pairs]
                return seated if bye is None else [*seated, Match(bye)]
    return []


def seat(one: Number, other: Number, matches: Iterable[Match]) -> Match:
    """Seat two players: whoever sat first less often does now, or else whoever sat second last, or the lower one."""
    played = [each for each in matches if each.second is not None]
    balance = Counter({one: 0, other: 0})
    latest = {one: 0, other: 0}
    for each in played:
        for number, weight in ((each.first, 1), (each.second or 0, -1)):
            balance[number] += weight
            latest[number] = weight
    first = min((one, other), key=lambda each: (balance[each], latest[each], -each))
    return Match(first, other if first == one else one)


def _without_bye(
    ranked: Sequence[Number], matches: Iterable[Match]
) -> Iterable[tuple[Sequence[Number], Number | None]]:
    """Yield who plays and who has a bye: the last one who had none comes first."""
    if len(ranked) % 2 == 0:
        yield ranked, None
        return
    had_one = {each.first for each in matches if each.second is None}
    # In a tournament with more rounds than players everyone may have had one.
    candidates = [each for each in ranked if each not in had_one] or ranked
    for bye in reversed(candidates):
        yield [each for each in ranked if each != bye], bye


class _Search:
    """Pairs each player with the next best one, going back where that leaves somebody without an opponent."""

    def __init__(self, players: Sequence[Number], forbidden: Collection[frozenset[Number]]) -> None:
        self._players = players
        self._forbidden = forbidden
        self._hopeless: set[int] = set()
        """The sets of players, as bits, that can't be paired."""
        self._steps = 0

    def run(self) -> list[tuple[Number, Number]] | None:
        """Return the pairs, or None if there are none."""
        return self._pair((1 << len(self._players)) - 1)

    def _pair(self, left: int) -> list[tuple[Number, Number]] | None:
        if not left:
            return []
        self._steps += 1
        if left in self._hopeless or self._steps > _MAX_STEPS:
            return None
        places = [place for place in range(len(self._players)) if left >> place & 1]
        top = places[0]
        for place in places[1:]:
            pair = self._players[top], self._players[place]
            if frozenset(pair) not in self._forbidden:
                others = self._pair(left & ~(1 << top) & ~(1 << place))
                if others is not None:
                    return [pair, *others]
        self._hopeless.add(left)
        return None
