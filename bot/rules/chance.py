"""Random numbers: one primitive, functions built on it, and its implementations.

Results depend only on the primitive's numbers, so a recorded game replays the same on every version of Python.
"""

import hmac
from collections.abc import Iterable, MutableSequence, Sequence
from typing import Protocol, Self, TypeVar

T = TypeVar("T")

_WORD_RANGE = 1 << 64


class Chance(Protocol):
    """A source of random integers."""

    def randbelow(self, n: int, /) -> int:
        """Return an integer from 0 to n - 1, each equally likely; n is at least 1."""


def roll(chance: Chance, dice: int, sides: int = 6) -> tuple[int, ...]:
    """Roll dice with faces 1 to sides and return the faces in the order rolled."""
    below = chance.randbelow
    return tuple([below(sides) + 1 for _ in range(dice)])


def shuffle(chance: Chance, items: Iterable[T]) -> tuple[T, ...]:
    """Return the items in a random order (Fisher-Yates, from the last place down)."""
    deck, below = list(items), chance.randbelow
    for last in range(len(deck) - 1, 0, -1):
        other = below(last + 1)
        deck[last], deck[other] = deck[other], deck[last]
    return tuple(deck)


def draw(chance: Chance, items: Sequence[T]) -> tuple[T, tuple[T, ...]]:
    """Draw an item at random; return it and the others in their old order."""
    others = list(items)
    item = others.pop(chance.randbelow(len(others)))
    return item, tuple(others)


class FairChance:
    """Chance that can be recomputed from the published seed.

    Word number i of a step is the first 8 bytes, the highest first, of HMAC-SHA256 over `salt|step|i`, keyed with the
    seed; i counts from 0. A number below n (at most 2 ** 64) is the next word modulo n. Words that reach the greatest
    multiple of n are skipped, because they would make small numbers likelier.
    """

    def __init__(self, seed: bytes, salt: str, step: int) -> None:
        self._seed = seed
        self._prefix = f"{salt}|{step}|"
        self._count = 0

    def randbelow(self, n: int, /) -> int:
        """Return the next number below n."""
        limit = _WORD_RANGE - _WORD_RANGE % n
        while (word := self.next_word()) >= limit:
            continue
        return word % n

    def next_word(self) -> int:
        """Return the next word."""
        message = f"{self._prefix}{self._count}".encode()
        self._count += 1
        # `hmac.digest` releases the interpreter lock, and gets it back late if other threads are busy.
        return int.from_bytes(hmac.new(self._seed, message, "sha256").digest()[:8], "big")


class RecordingChance:
    """Chance that records the numbers of another, with their bounds."""

    def __init__(self, source: Chance) -> None:
        self._source = source
        self.draws: list[tuple[int, int]] = []
        """Pairs of bound and number, in the order drawn."""

    def randbelow(self, n: int, /) -> int:
        """Return the source's next number below n."""
        number = self._source.randbelow(n)
        self.draws.append((n, number))
        return number


class SupportsRandom(Protocol):
    """What `FastChance` needs of `random.Random`."""

    def random(self) -> float:
        """Return a number from 0 up to, but not including, 1."""


class FastChance:
    """Fast chance for simulations and computer players; not provably fair."""

    __slots__ = ("_random",)

    def __init__(self, source: SupportsRandom) -> None:
        self._random = source.random

    def randbelow(self, n: int, /) -> int:
        """Return a number below n; the bias of scaling a 53-bit fraction is below 1e-12 for any n used here."""
        return int(self._random() * n)


class ScriptError(AssertionError):
    """The numbers of a `ScriptedChance` do not match what was drawn."""


class ScriptedChance:
    """Chance that returns listed numbers, for tests; too few, unsuitable or unused ones are errors."""

    def __init__(self, numbers: Iterable[int]) -> None:
        self._remaining: MutableSequence[int] = list(numbers)

    @classmethod
    def from_faces(cls, faces: str) -> Self:
        """Script the faces of dice, written as digits; spaces are ignored."""
        return cls(int(face) - 1 for face in faces if not face.isspace())

    def randbelow(self, n: int, /) -> int:
        """Return the next number of the script."""
        if not self._remaining:
            raise ScriptError(f"the script has ended, but a number below {n} is asked for")
        number = self._remaining.pop(0)
        if not 0 <= number < n:
            raise ScriptError(f"the script says {number}, but a number below {n} is asked for")
        return number

    def assert_exhausted(self) -> None:
        """Raise ScriptError if numbers are unused."""
        if self._remaining:
            raise ScriptError(f"{len(self._remaining)} numbers of the script were never asked for")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None:
            self.assert_exhausted()
