"""Which bonuses can be used, and how changes and +1s affect the values of colours and shapes.

A conversion is a sequence of changes. Of conversions with the same effect, those that need more bonuses are dropped.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache, reduce
from itertools import islice
from typing import NamedTuple, TypeAlias

from bot.games.houdinis_baggage.cards import (
    CHANGE_BY_ASPECT,
    PLUS_BY_ASPECT,
    TRAITS_BY_ASPECT,
    TRAITS_PER_ASPECT,
    Aspect,
    Assignment,
    Bonus,
    BonusKind,
    Trait,
)
from bot.games.houdinis_baggage.pieces import State, Use
from bot.rules.game import Seat

_CACHE_SIZE = 1024


class OwnedBonus(NamedTuple):
    """A bonus with the number of its completed assignment."""

    number: int
    bonus: Bonus

    def __hash__(self) -> int:
        return self.number


@dataclass(frozen=True, eq=False)
class BonusSupply:
    """The bonuses that the mover can still use this turn. Rule HB-12.

    It is found by identity in caches: its bonuses would take long to compare.
    """

    own: tuple[OwnedBonus, ...]
    """The mover's bonuses except those that copy, by number."""
    copies: tuple[int, ...]
    """The numbers of the mover's bonuses that copy another player's."""
    others: tuple[OwnedBonus, ...]
    """The bonuses that can be copied, each once; empty if `copies` is. Rule HB-B5."""

    @cached_property
    def move_use(self) -> Use | None:
        """The use of a bonus to move baggage, preferably the mover's own, or None. Rule HB-B4."""
        own = next((each.number for each in self.own if each.bonus.kind is BonusKind.MOVE), None)
        if own is not None:
            return Use(own)
        copied = next((each.number for each in self.others if each.bonus.kind is BonusKind.MOVE), None)
        return Use(self.copies[0], copied) if copied is not None else None

    @cached_property
    def by_trait(self) -> "tuple[AspectBonuses, ...]":
        """The use of the bonuses for items of each trait."""
        colours, shapes = AspectBonuses(self, Aspect.COLOUR), AspectBonuses(self, Aspect.SHAPE)
        return (colours,) * TRAITS_PER_ASPECT + (shapes,) * TRAITS_PER_ASPECT


def supply_of(state: State) -> BonusSupply:
    """Return the bonuses that the mover can still use."""
    mover = state.mover or 0
    own = state.players[mover].completed
    return build_supply(own, completed_by_others(state, mover), state.spent) if own else NO_SUPPLY


def completed_by_others(state: State, seat: Seat) -> tuple[tuple[Assignment, ...], ...]:
    """Return the completed assignments of each other seat."""
    return tuple([player.completed for other, player in enumerate(state.players) if other != seat])


NO_SUPPLY = BonusSupply((), (), ())


# 12 us of a click.
@lru_cache(_CACHE_SIZE)
def build_supply(
    own: tuple[Assignment, ...], others: tuple[tuple[Assignment, ...], ...], spent: tuple[int, ...]
) -> BonusSupply:
    """Return the unspent bonuses of the mover's completed assignments, and of others' if they can be copied."""
    left = sorted(OwnedBonus(each.number, each.bonus) for each in own if each.number not in spent)
    copies = tuple([each.number for each in left if each.bonus.kind is BonusKind.COPY])
    copyable = sorted(OwnedBonus(each.number, each.bonus) for cards in others for each in cards) if copies else []
    once = {each.bonus: each for each in reversed(copyable) if each.bonus.kind is not BonusKind.COPY}
    plain = tuple([each for each in left if each.bonus.kind is not BonusKind.COPY])
    return BonusSupply(plain, copies, tuple(sorted(once.values())))


TraitMapping: TypeAlias = tuple[Trait, ...]
"""The trait that each trait of an aspect counts as."""

ChangeChain: TypeAlias = tuple[tuple[OwnedBonus, ...], TraitMapping]
"""Changes in order, and their result."""


@dataclass(frozen=True, slots=True)
class Conversion:
    """Changes, in order, after which some traits count as the wanted one."""

    changes: tuple[OwnedBonus, ...]
    copied: int
    """How many of the changes are copied from another player."""
    counted: tuple[Trait, ...]
    """The traits that then count as the wanted one."""

    def is_subset_of(self, other: "Conversion") -> bool:
        """Return whether the other one needs the same bonuses, or more."""
        return _is_contained(self.changes, other.changes)


def _is_contained(some: tuple[OwnedBonus, ...], more: tuple[OwnedBonus, ...]) -> bool:
    """Return whether the first bonuses are a sub-multiset of the second."""
    return len(some) <= len(more) and all(some.count(each) <= more.count(each) for each in some)


class AspectBonuses:
    """The use of bonuses for items of one aspect."""

    def __init__(self, supply: BonusSupply, aspect: Aspect) -> None:
        self._copies = supply.copies
        self._own_numbers = {each.number for each in supply.own}
        self._pluses = [each.number for each in supply.own if each.bonus.kind is PLUS_BY_ASPECT[aspect]]
        self._plus_copied = next(
            (each.number for each in supply.others if each.bonus.kind is PLUS_BY_ASPECT[aspect]), None
        )
        own, others = (
            tuple([each for each in bonuses if each.bonus.kind is CHANGE_BY_ASPECT[aspect]])
            for bonuses in (supply.own, supply.others)
        )
        self.conversions = _find_conversions(own, others, len(supply.copies), aspect)
        """The conversions to each trait, shortest first."""

    def max_pluses(self, conversion: Conversion) -> int:
        """Return how many +1s can be added to a conversion."""
        left = len(self._copies) - conversion.copied if self._plus_copied is not None else 0
        return len(self._pluses) + left

    def build_uses(self, conversion: Conversion, pluses: int) -> tuple[Use, ...]:
        """Return the bonuses used for a conversion and some +1s, preferring the mover's own."""
        copies = iter(self._copies)
        own = [Use(number) for number in self._pluses[:pluses]]
        changes = [
            Use(each.number) if each.number in self._own_numbers else Use(next(copies), each.number)
            for each in conversion.changes
        ]
        copied = [Use(copy, self._plus_copied) for copy in islice(copies, pluses - len(own))]
        return (*changes, *own, *copied)


# 34 us of a click.
@lru_cache(_CACHE_SIZE)
def _find_conversions(
    own: tuple[OwnedBonus, ...], others: tuple[OwnedBonus, ...], copies: int, aspect: Aspect
) -> dict[Trait, tuple[Conversion, ...]]:
    """Return the conversions to each trait of an aspect by own changes and copies of others. Rules HB-B1 and HB-B2."""
    traits = TRAITS_BY_ASPECT[aspect]
    found: dict[Trait, list[Conversion]] = {trait: [] for trait in traits}
    for changes, mapping in _find_change_chains(own, others, copies, TRAITS_BY_ASPECT[aspect]):
        copied = sum(each not in own for each in changes)
        for wanted in traits:
            counted = tuple(trait for trait, counts_as in zip(traits, mapping, strict=True) if counts_as is wanted)
            conversion = Conversion(changes, copied, counted)
            if not any(known.counted == counted and known.is_subset_of(conversion) for known in found[wanted]):
                found[wanted].append(conversion)
    return {trait: tuple(conversions) for trait, conversions in found.items()}


def _find_change_chains(
    own: tuple[OwnedBonus, ...], others: tuple[OwnedBonus, ...], copies: int, unchanged: TraitMapping
) -> list[ChangeChain]:
    """Return the useful chains of changes, shortest first.

    A chain is dropped if a change has no effect, or if another chain has the same result with a subset of its bonuses.
    """
    chains: list[ChangeChain] = [((), unchanged)]
    # The list grows during the loop: a breadth-first search.
    for changes, mapping in chains:
        left = [each for each in own if each not in changes]
        if sum(each in others for each in changes) < copies:
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
    """Return the traits that count as the wanted one after some changes, in order. Rules HB-B1 and HB-B2."""
    traits = TRAITS_BY_ASPECT[wanted.aspect]
    mapping = reduce(_apply_change, changes, traits)
    return tuple(trait for trait, counts_as in zip(traits, mapping, strict=True) if counts_as is wanted)


def _is_redundant(changes: tuple[OwnedBonus, ...], mapping: TraitMapping, chains: Iterable[ChangeChain]) -> bool:
    return any(other == mapping and _is_contained(known, changes) for known, other in chains)
