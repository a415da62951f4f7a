"""The only move of Magpie and its notation: which dice to roll."""

from dataclasses import dataclass
from itertools import combinations

from bot.games.magpie.pieces import DICE_COUNT
from bot.rules.refusals import unreadable


@dataclass(frozen=True, slots=True)
class Roll:
    """Roll the dice at these places, 1 to 5, in rising order. Rule MP-4."""

    dice: tuple[int, ...]

    def __str__(self) -> str:
        return " ".join(("roll", *map(str, self.dice)))


def parse_move(text: str) -> Roll:
    """Parse `roll 1 3 5`; raise an unreadable refusal for anything else."""
    verb, *places = text.split(" ")
    if verb != "roll" or not all(place.isascii() and place.isdecimal() and len(place) == 1 for place in places):
        raise unreadable(text)
    return Roll(tuple(sorted(map(int, places))))


ROLLS: tuple[Roll, ...] = tuple(
    Roll(dice) for count in range(1, DICE_COUNT + 1) for dice in combinations(range(1, DICE_COUNT + 1), count)
)
"""Every possible roll, fewest dice first."""
