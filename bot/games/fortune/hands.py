"""Dice without their places: the hands that stay while other dice are rolled, and what rolling does to them.

A hand is the number of dice that show each face. There are 3,003 hands of none to eight dice, and values are lists with
a number for each of them.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import TypeAlias

from bot.games.fortune.pieces import DICE, FACES, Face, Faces

Hand: TypeAlias = tuple[int, ...]
"""How many dice show each face, in the order of the faces."""

Values: TypeAlias = list[float]

_SIDES = len(FACES)
_NO_WAY = float("-inf")


@dataclass(frozen=True, slots=True)
class Hands:
    """All hands, few dice first, and which of them differ by a die."""

    number: dict[Hand, int]
    """Where each hand stands."""
    first: tuple[int, ...]
    """Where the hands of so many dice begin."""
    more: tuple[tuple[int, ...], ...]
    """The hands with one die more, a hand for each face; there are none for eight dice."""
    less: tuple[tuple[int, ...], ...]
    """The hands with one die less that shows no skull."""

    @property
    def whole(self) -> tuple[Hand, ...]:
        """The hands of all eight dice."""
        return tuple(self.number)[self.first[DICE] :]


@cache
def hands() -> Hands:
    """Return all hands; they are put together when they are first needed."""
    number: dict[Hand, int] = {(0,) * _SIDES: 0}
    first: list[int] = [0]
    more: list[tuple[int, ...]] = []
    less: list[tuple[int, ...]] = [()]
    for _ in range(DICE):
        smaller = list(number)[first[-1] :]
        first.append(len(number))
        more += [tuple([number.setdefault(wider, len(number)) for wider in _wider(hand)]) for hand in smaller]
        less += [_less(hand, number) for hand in list(number)[first[-1] :]]
    return Hands(number, tuple(first), tuple(more), tuple(less))


def _wider(hand: Hand) -> Iterable[Hand]:
    return [(*hand[:face], hand[face] + 1, *hand[face + 1 :]) for face in FACES]


def _less(hand: Hand, number: dict[Hand, int]) -> tuple[int, ...]:
    return tuple([number[without(hand, face)] for face in FACES[1:] if hand[face]])


def without(hand: Hand, face: Face) -> Hand:
    """Return a hand with one die less."""
    return (*hand[:face], hand[face] - 1, *hand[face + 1 :])


def hand_of(faces: Faces) -> Hand:
    """Return the hand that dice make."""
    return tuple(map(faces.count, FACES))


def faces_of(hand: Hand) -> Faces:
    """Return dice that make a hand."""
    return tuple([face for face in FACES for _ in range(hand[face])])


def averaged(whole: Values) -> Values:
    """Return what every hand is worth if the other dice are rolled, given what eight dice are worth."""
    more = hands().more
    values = [0.0] * len(more) + whole
    for at in range(len(more) - 1, -1, -1):
        a, b, c, d, e, f = more[at]
        values[at] = (values[a] + values[b] + values[c] + values[d] + values[e] + values[f]) / _SIDES
    return values


def best_kept(values: Values, most: int) -> Values:
    """Return the value of the best hand that can be kept of each, of so many dice at most; its skulls stay."""
    links, end = hands().less, hands().first[most + 1]
    best: Values = []
    for at, less in enumerate(links):
        own = values[at] if at < end else _NO_WAY
        best.append(max([own, *[best[link] for link in less]]))
    return best
