"""Matching: pair all players of a round, although some of them may not meet."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

Number: TypeAlias = int
Wishes: TypeAlias = Mapping[Number, Sequence[Number]]
"""Each player's possible opponents, the preferred one first; symmetric."""


def match_all(wishes: Wishes) -> list[tuple[Number, Number]] | None:
    """Give each player in turn the most preferred opponent with whom everyone else can still be paired.

    Returns:
        The pairs, or None if not everyone can be paired.
    """
    mates: dict[Number, Number] = {}
    for number in wishes:
        if number not in mates and not _Search(mates, wishes, wishes).match(number):
            return None
    left, pairs = dict.fromkeys(wishes), list[tuple[Number, Number]]()
    while left:
        top = next(iter(left))
        del left[top]
        for other in wishes[top]:
            if other in left and (changed := _with_pair(mates, top, other, left, wishes)) is not None:
                mates = changed
                pairs.append((top, other))
                del left[other]
                break
    return pairs


def _with_pair(
    mates: Mapping[Number, Number], one: Number, other: Number, left: Iterable[Number], wishes: Wishes
) -> dict[Number, Number] | None:
    """Return a matching of the players left in which two of them are a pair; None if there is none."""
    if mates[one] == other:
        return dict(mates)
    single = mates[one]
    rest = [number for number in left if number != other]
    changed = {number: mates[number] for number in rest if mates[number] not in (one, other)}
    if not _Search(changed, wishes, rest).match(single):
        return None
    return changed | {one: other, other: one}


class _Search:
    """The search for a way to match one more player, by changing the pairs of others (Edmonds' blossom algorithm)."""

    def __init__(self, mates: dict[Number, Number], wishes: Wishes, among: Iterable[Number]) -> None:
        """Initialize.

        Args:
            mates: The matching so far, which a successful search extends.
            wishes: The possible opponents.
            among: The players to consider.
        """
        self._mates = mates
        self._wishes = wishes
        self._bases = {number: number for number in among}
        """The base of the odd cycle (the blossom) that a player belongs to; a player outside all cycles is its own."""
        self._parents: dict[Number, Number] = {}
        self._outer: list[Number] = []
        """Players at an even distance from the first one, whose opponents are tried."""

    def match(self, root: Number) -> bool:
        """Match a player; return whether that is possible."""
        self._outer.append(root)
        for number in self._outer:
            for other in self._wishes[number]:
                if other in self._bases and self._reach(number, other):
                    self._flip(other)
                    return True
        return False

    def _reach(self, number: Number, other: Number) -> bool:
        """Go on from an outer player to an opponent; return whether that opponent has no mate."""
        if self._bases[number] == self._bases[other] or self._mates.get(number) == other:
            return False
        if other == self._outer[0] or self._mates.get(other) in self._parents:
            self._contract(number, other)
        elif other not in self._parents:
            self._parents[other] = number
            if other not in self._mates:
                return True
            self._outer.append(self._mates[other])
        return False

    def _contract(self, one: Number, other: Number) -> None:
        """Make a blossom of the odd cycle that two neighbouring outer players close."""
        above = set(self._climb(one))
        top = next(base for base in self._climb(other) if base in above)
        blossom = self._turn(one, top, other) | self._turn(other, top, one)
        for member, base in self._bases.items():
            if base in blossom:
                self._bases[member] = top
                if member not in self._outer:
                    self._outer.append(member)

    def _climb(self, number: Number) -> Iterator[Number]:
        """Yield the bases from a player up to the first one."""
        base = self._bases[number]
        yield base
        while base in self._mates:
            base = self._bases[self._parents[self._mates[base]]]
            yield base

    def _turn(self, number: Number, top: Number, child: Number) -> set[Number]:
        """Let paths go around a blossom the other way; return the bases on this side of it."""
        found = set()
        while self._bases[number] != top:
            mate = self._mates[number]
            found |= {self._bases[number], self._bases[mate]}
            self._parents[number] = child
            number, child = self._parents[mate], mate
        return found

    def _flip(self, end: Number) -> None:
        """Exchange the pairs along the path to a player without a mate."""
        number: Number | None = end
        while number is not None:
            parent = self._parents[number]
            following = self._mates.get(parent)
            self._mates[number], self._mates[parent] = parent, number
            number = following
