"""Lists of moves, which depend only on which dice show skulls."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain, combinations, product

from bot.games.fortune.deck import CardKind
from bot.games.fortune.moves import STOP, Move, Revive, Roll
from bot.games.fortune.pieces import ALL_PLACES, FACES, MIN_ROLLED_DICE, Places, Turn

FIRST_ROLL = Roll(ALL_PLACES)
"""All eight dice. Rule FO-2."""

ONLY_FIRST_ROLL: tuple[Move, ...] = (FIRST_ROLL,)
ONLY_STOP: tuple[Move, ...] = (STOP,)


def subsets(places: Places, least: int = 0) -> Iterator[Places]:
    """Return every choice of at least `least` places, fewest first."""
    return chain.from_iterable(combinations(places, count) for count in range(least, len(places) + 1))


# 30 us of a click, and 20 us of a computer player's move; there are 256 choices of free dice.
@lru_cache(maxsize=256)
def rolls_by_dice(free: Places) -> dict[Places, Roll]:
    """Return the rolls of free dice, by the dice that they roll. Rule FO-2."""
    return {dice: Roll(dice) for dice in subsets(free, MIN_ROLLED_DICE)}


@lru_cache(maxsize=256)
def usual_moves(free: Places) -> tuple[Move, ...]:
    """Return the moves without a special card. Rules FO-2 and FO-4."""
    return (*rolls_by_dice(free).values(), STOP)


# 0.6 ms of a computer player's move with a Treasure Chest.
@lru_cache(maxsize=256)
def moves_with_chest(free: Places) -> tuple[Move, ...]:
    """Return the moves with every way to fill the Treasure Chest, the fullest first. Rule FO-C1."""
    rolls = (
        Roll(dice, chest)
        for dice in rolls_by_dice(free)
        for chest in reversed([*subsets(tuple(place for place in free if place not in dice))])
    )
    return (*rolls, STOP)


@lru_cache(maxsize=256)
def moves_with_spell(free: Places) -> tuple[Move, ...]:
    """Return the moves with every way to free a skull. Rule FO-C3."""
    return (*rolls_by_dice(free).values(), *revive_moves(free))


# 0.1 ms of a move with the Sorceress.
@lru_cache(maxsize=256)
def revive_moves(free: Places) -> tuple[Move, ...]:
    """Return every way to free a skull, and stopping. Rule FO-C3."""
    skulls = (place for place in ALL_PLACES if place not in free)
    return (*(Revive(skull, dice) for skull in skulls for dice in subsets(free)), STOP)


def island_moves(free: Places) -> tuple[Move, ...]:
    """Return the moves on the Island of Skulls. Rule FO-9."""
    return (Roll(free), STOP)


def distinct_moves(turn: Turn) -> Sequence[Move]:
    """Return the moves off the Island: of those that roll equal dice the first, with all others in the chest."""
    places = [tuple([place for place in turn.free if turn.faces[place - 1] is face]) for face in FACES[1:]]
    chosen = product(*[[each[:count] for count in range(len(each) + 1)] for each in places])
    choices = sorted([tuple(sorted(chain(*dice))) for dice in chosen], key=lambda dice: (len(dice), dice))
    moves: list[Move] = []
    if not turn.is_in_doubt:
        has_chest = turn.card.kind is CardKind.TREASURE_CHEST
        moves += [
            Roll(dice, tuple([place for place in turn.free if place not in dice]) if has_chest else ())
            for dice in choices
            if len(dice) >= MIN_ROLLED_DICE
        ]
    if turn.spell and len(turn.free) < len(ALL_PLACES):
        skull = next(place for place in ALL_PLACES if place not in turn.free)
        moves += [Revive(skull, dice) for dice in choices]
    return (*moves, STOP)
