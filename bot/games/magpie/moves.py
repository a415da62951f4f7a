"""The one move of Magpie, with its notation: which dice are rolled."""

from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

from bot.games.magpie.pieces import DICE_COUNT
from bot.rules.refusals import unreadable

_CACHE_SIZE = 64
"""So many texts of moves are read once only; there are 31 moves, which each table writes over and over."""


@dataclass(frozen=True, slots=True)
class Roll:
    """Roll these dice, named by their places 1 to 5 on the table, in rising order. Rule MP-4."""

    dice: tuple[int, ...]

    def __str__(self) -> str:
        return " ".join(("roll", *map(str, self.dice)))


@lru_cache(_CACHE_SIZE)
def parse_move(text: str) -> Roll:
    """Read `roll 1 3 5`; raises an unreadable refusal for anything else."""
    verb, *places = text.split(" ")
    if verb != "roll" or not all(place.isascii() and place.isdecimal() and len(place) == 1 for place in places):
        raise unreadable(text)
    return Roll(tuple(sorted(map(int, places))))


ROLLS: tuple[Roll, ...] = tuple(
    Roll(dice) for count in range(1, DICE_COUNT + 1) for dice in combinations(range(1, DICE_COUNT + 1), count)
)
"""Every roll there is, few dice first."""
