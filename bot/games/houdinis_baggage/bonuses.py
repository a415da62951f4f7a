"""Which bonuses can be used, and what changes and +1s do to the values of colours or shapes.

A way is a set of changes in an order that works. Of the ways with the same effect only those count that need no bonus
more than another.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache, reduce
from itertools import islice
from typing import NamedTuple, TypeAlias

from bot.games.houdinis_baggage.assignments import CHANGE_BY_ASPECT, PLUS_BY_ASPECT, Assignment, Bonus, BonusKind
from bot.games.houdinis_baggage.cards import TRAITS_BY_ASPECT, Aspect, Trait
from bot.games.houdinis_baggage.moves import Use
from bot.games.houdinis_baggage.pieces import State
from bot.rules.game import Seat

_CACHE_SIZE = 1024


class OwnedBonus(NamedTuple):
    """A bonus with the number of the completed assignment that carries it."""

    number: int
    bonus: Bonus

    def __hash__(self) -> int:
        return self.number


class BonusSupply(NamedTuple):
    """The bonuses that the mover may still use in this turn. Rule HB-12."""

    own: tuple[OwnedBonus, ...]
    """Those that copy nothing, by their numbers."""
    copies: tuple[int, ...]
    """The numbers of those that copy another player's bonus."""
    others: tuple[OwnedBonus, ...]
    """What can be copied, each bonus once; nothing where nobody can copy. Rule HB-B5."""

    def use_of(self, kind: BonusKind) -> Use | None:
        """Return how a bonus of a kind can be used: one's own before another player's."""
        own = next((each.number for each in self.own if each.bonus.kind is kind), None)
        if own is not None:
            return Use(own)
        copied = next((each.number for each in self.others if each.bonus.kind is kind), None)
        return Use(self.copies[0], copied) if copied is not None else None


def supply_of(state: State) -> BonusSupply:
    """Return the bonuses that the mover of a position may still use."""
    mover = state.mover or 0
    own = state.players[mover].completed
    return build_supply(own, completed_by_others(state, mover), state.spent) if own else NO_SUPPLY


def completed_by_others(state: State, seat: Seat) -> tuple[tuple[Assignment, ...], ...]:
    """Return what the other seats have completed."""
    return tuple([player.completed for other, player in enumerate(state.players) if other != seat])


NO_SUPPLY = BonusSupply((), (), ())


@lru_cache(_CACHE_SIZE)
def build_supply(
    own: tuple[Assignment, ...], others: tuple[tuple[Assignment, ...], ...], spent: tuple[int, ...]
) -> BonusSupply:
    """Return the bonuses of completed assignments, one's own and those of others, without the spent ones."""
    left = sorted(OwnedBonus(each.number, each.bonus) for each in own if each.number not in spent)
    copies = tuple([each.number for each in left if each.bonus.kind is BonusKind.COPY])
    there = sorted(OwnedBonus(each.number, each.bonus) for cards in others for each in cards) if copies else []
    once = {each.bonus: each for each in reversed(there) if each.bonus.kind is not BonusKind.COPY}
    plain = tuple([each for each in left if each.bonus.kind is not BonusKind.COPY])
    return BonusSupply(plain, copies, tuple(sorted(once.values())))


TraitMapping: TypeAlias = tuple[Trait, ...]
"""What the traits of an aspect count as, in their order."""

ChangeChain: TypeAlias = tuple[tuple[OwnedBonus, ...], TraitMapping]
"""Changes in their order, and what they lead to."""


@dataclass(frozen=True, slots=True)
class Conversion:
    """Changes in their order, by which some traits count as the one that is wanted."""

    changes: tuple[OwnedBonus, ...]
    copied: int
    """How many of them are another player's."""
    counted: tuple[Trait, ...]
    """The traits that count as the wanted one then."""

    def is_subset_of(self, other: "Conversion") -> bool:
        """Tell whether the other way needs the same bonuses, or more."""
        return _is_contained(self.changes, other.changes)


def _is_contained(some: tuple[OwnedBonus, ...], more: tuple[OwnedBonus, ...]) -> bool:
    """Tell whether bonuses are all among others, as often as they are there."""
    return len(some) <= len(more) and all(some.count(each) <= more.count(each) for each in some)


class AspectBonuses:
    """What the bonuses can do for items of one aspect."""

    def __init__(self, there: BonusSupply, aspect: Aspect) -> None:
        self._copies = there.copies
        self._own_numbers = {each.number for each in there.own}
        self._pluses = [each.number for each in there.own if each.bonus.kind is PLUS_BY_ASPECT[aspect]]
        self._plus_copied = next(
            (each.number for each in there.others if each.bonus.kind is PLUS_BY_ASPECT[aspect]), None
        )
        self.conversions = _find_conversions(there, aspect)
        """The ways to each trait, those with few changes first."""

    def max_pluses(self, way: Conversion) -> int:
        """Return how many +1s can be used beside the changes of a way."""
        left = len(self._copies) - way.copied if self._plus_copied is not None else 0
        return len(self._pluses) + left

    def build_uses(self, way: Conversion, pluses: int) -> tuple[Use, ...]:
        """Write down which bonuses are used for a way and so many +1s, one's own before another player's."""
        copies = iter(self._copies)
        own = [Use(number) for number in self._pluses[:pluses]]
        changes = [
            Use(each.number) if each.number in self._own_numbers else Use(next(copies), each.number)
            for each in way.changes
        ]
        copied = [Use(copy, self._plus_copied) for copy in islice(copies, pluses - len(own))]
        return (*changes, *own, *copied)


@lru_cache(_CACHE_SIZE)
def aspect_bonuses_of(there: BonusSupply, aspect: Aspect) -> AspectBonuses:
    """Return what the bonuses can do for items of an aspect."""
    return AspectBonuses(there, aspect)


def _find_conversions(there: BonusSupply, aspect: Aspect) -> dict[Trait, tuple[Conversion, ...]]:
    """Return the ways to each trait of an aspect. Rules HB-B1 and HB-B2."""
    traits = TRAITS_BY_ASPECT[aspect]
    found: dict[Trait, list[Conversion]] = {trait: [] for trait in traits}
    for changes, mapping in _find_change_chains(there, aspect):
        copied = sum(each not in there.own for each in changes)
        for wanted in traits:
            counted = tuple(trait for trait, counts_as in zip(traits, mapping, strict=True) if counts_as is wanted)
            way = Conversion(changes, copied, counted)
            if not any(known.counted == counted and known.is_subset_of(way) for known in found[wanted]):
                found[wanted].append(way)
    return {trait: tuple(ways) for trait, ways in found.items()}


def _find_change_chains(there: BonusSupply, aspect: Aspect) -> list[ChangeChain]:
    """Return what changes can lead to, few of them first; a change without effect is never made.

    A chain is left out when another one does the same with no bonus that this one does not need.
    """
    own, others = (
        tuple(each for each in bonuses if each.bonus.kind is CHANGE_BY_ASPECT[aspect])
        for bonuses in (there.own, there.others)
    )
    chains: list[ChangeChain] = [((), TRAITS_BY_ASPECT[aspect])]
    # The list grows while it is read: chains are followed from the shortest on.
    for changes, mapping in chains:
        left = [each for each in own if each not in changes]
        if sum(each in others for each in changes) < len(there.copies):
            left += others
        for each in left:
            longer = (*changes, each)
            after = _apply_change(mapping, each.bonus)
            if after != mapping and not _is_redundant(longer, after, chains):
                chains.append((longer, after))
    return chains


def _apply_change(mapping: TraitMapping, change: Bonus) -> TraitMapping:
    after = change.after
    if after is None:
        return mapping
    return tuple([after if counts_as is change.before else counts_as for counts_as in mapping])


def traits_counting_as(wanted: Trait, changes: Iterable[Bonus]) -> tuple[Trait, ...]:
    """Return the traits that count as the wanted one after changes in this order. Rules HB-B1 and HB-B2."""
    traits = TRAITS_BY_ASPECT[wanted.aspect]
    mapping = reduce(_apply_change, changes, traits)
    return tuple(trait for trait, counts_as in zip(traits, mapping, strict=True) if counts_as is wanted)


def _is_redundant(changes: tuple[OwnedBonus, ...], mapping: TraitMapping, chains: Iterable[ChangeChain]) -> bool:
    return any(other == mapping and _is_contained(known, changes) for known, other in chains)
