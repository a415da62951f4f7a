"""Computer players as characters: the level is the species, and the name follows from the order at the table."""

from collections.abc import Iterable, Mapping
from itertools import cycle
from typing import Final, Protocol

from bot.rules.components import Species

_SPECIES: Final[Mapping[str, Species]] = {"easy": Species.MOUSE, "normal": Species.FOX, "strong": Species.OWL}

_NAMES: Final[Mapping[Species, tuple[str, ...]]] = {
    Species.MOUSE: ("Pip", "Dot", "Crumb", "Bun", "Pebble"),
    Species.FOX: ("Rusty", "Bramble", "Hazel", "Reed", "Maple"),
    Species.OWL: ("Vesper", "Onyx", "Sage", "Argus", "Juno"),
}
"""One name for each seat that a person leaves free at the largest table."""


class Seated(Protocol):
    """Who has a seat: a person with a name, or a computer player of a level."""

    @property
    def name(self) -> str:
        """The person's name."""

    @property
    def level(self) -> str | None:
        """The computer player's level; None for a person."""


def species_of(level: str) -> Species:
    """Return the species of a level; those that only some games have are foxes."""
    return _SPECIES.get(level, Species.FOX)


def name_level(level: str) -> str:
    """Return the name by which a level is known: that of the first computer player who plays at it."""
    return _NAMES[species_of(level)][0]


def name_seats(seats: Iterable[Seated]) -> tuple[str, ...]:
    """Return the names of all seats of a table; a name that a person has is given to a computer player last."""
    seats = tuple(seats)
    people = frozenset(who.name for who in seats if who.level is None)
    free = {species: cycle(sorted(names, key=people.__contains__)) for species, names in _NAMES.items()}
    return tuple(who.name if who.level is None else next(free[species_of(who.level)]) for who in seats)
