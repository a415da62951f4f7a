"""Applies legal moves."""

from itertools import accumulate, pairwise, starmap
from operator import itemgetter
from typing import TypeVar

from bot.games.magic_bag.events import CoinDiscarded, GameEvent, Rolled, RowTaken
from bot.games.magic_bag.moves import Claim, Discard, Roll
from bot.games.magic_bag.pieces import (
    EXTRA_ROLLS,
    PIECES,
    ROW_SIZES,
    STARTING_COINS,
    TAKEN_ROW,
    VALUES,
    Faces,
    Layout,
    MagicBagEnd,
    Piece,
    State,
    Suit,
    needed_values,
)
from bot.games.magic_bag.scoring import find_exact_tiles, find_matching_rows
from bot.games.magic_bag.sheet import ReferenceSheet
from bot.rules.chance import Chance, shuffle
from bot.rules.game import Transition

T = TypeVar("T")

NO_ROWS = (TAKEN_ROW,) * len(ROW_SIZES)

_ALL_DICE = tuple(Suit)
_SIDES = len(VALUES)

_cut_into_rows = itemgetter(*starmap(slice, pairwise((0, *accumulate(ROW_SIZES)))))
"""Cuts the shuffled tiles, or their values, into nine rows."""

_STARTING_BAG = tuple(coin for coin in PIECES if coin not in STARTING_COINS)


def deal_layout(sheet: ReferenceSheet, chance: Chance) -> Layout:
    """Deal the tiles and fill the bag. Rules MB-1 and MB-2."""
    tiles = shuffle(chance, PIECES)
    rows, needs = _cut_into_rows(tiles), _cut_into_rows(needed_values(tiles))
    return Layout(sheet, rows, needs, _STARTING_BAG, STARTING_COINS, ())


def start_turn(layout: Layout, chance: Chance) -> State:
    """Roll all four dice. Rule MB-3."""
    below = chance.randbelow
    faces = below(_SIDES), below(_SIDES), below(_SIDES), below(_SIDES)
    return State(layout, faces, EXTRA_ROLLS, find_matching_rows(layout.needs, faces), None)


def reroll(state: State, move: Roll, chance: Chance) -> Transition[State, GameEvent]:
    """Roll some dice. Rules MB-3 and MB-4."""
    faces = _reroll_dice(state.faces, move.suits, chance)
    after = _continue_turn(state.layout, faces, state.rolls_left - 1, find_matching_rows(state.layout.needs, faces))
    return after, (Rolled(move.suits, faces),)


def _reroll_dice(faces: Faces, suits: tuple[Suit, ...], chance: Chance) -> Faces:
    """Return all four dice after rolling some of them, in the order of the suits."""
    after, below = list(faces), chance.randbelow
    for suit in suits:
        after[suit] = below(_SIDES)
    return tuple(after)


def stop(state: State) -> State:
    """Keep all four dice, which match no row. Rule MB-3."""
    return _continue_turn(state.layout, state.faces, 0, ())


def _continue_turn(layout: Layout, faces: Faces, rolls_left: int, matching: tuple[int, ...]) -> State:
    """Return the position; a failed roll without coins ends the game. Rule MB-8."""
    can_go_on = matching or rolls_left or layout.collected
    return State(layout, faces, rolls_left, matching, None if can_go_on else MagicBagEnd.NO_COIN_TO_DISCARD)


def claim_row(state: State, move: Claim, chance: Chance) -> Transition[State, GameEvent]:
    """Take the row and draw its coins; the last coin or the last row ends the game. Rules MB-6 and MB-7."""
    before = state.layout
    row = before.rows[move.row - 1]
    exact = find_exact_tiles(row, state.faces)
    drawn, bag = _draw_coins(before.bag, 1 + len(exact), chance)
    taken = RowTaken(move.row, row, exact, drawn)
    rows, needs = _replace_row(before.rows, move.row, TAKEN_ROW), _replace_row(before.needs, move.row, ())
    layout = Layout(before.sheet, rows, needs, bag, before.collected + drawn, before.discarded)
    if not any(rows):
        return end_game(layout, state.faces, MagicBagEnd.LAST_ROW), (taken,)
    if not bag:
        return end_game(layout, state.faces, MagicBagEnd.LAST_COIN), (taken,)
    after = start_turn(layout, chance)
    return after, (taken, Rolled(_ALL_DICE, after.faces))


def _draw_coins(bag: tuple[Piece, ...], owed: int, chance: Chance) -> tuple[tuple[Piece, ...], tuple[Piece, ...]]:
    """Draw coins while the bag has any; return them and the rest of the bag. Rule MB-7."""
    left, below = list(bag), chance.randbelow
    coins = [left.pop(below(len(left))) for _ in range(min(owed, len(bag)))]
    return tuple(coins), tuple(left)


def discard_coin(state: State, move: Discard, chance: Chance) -> Transition[State, GameEvent]:
    """Remove a coin, and the tile if there is one, and start the next turn. Rules MB-8 and MB-9."""
    after = start_turn(remove_pieces(state.layout, move.coin, move.tile), chance)
    return after, (CoinDiscarded(move.coin, move.tile), Rolled(_ALL_DICE, after.faces))


def remove_pieces(layout: Layout, coin: Piece, tile: Piece | None) -> Layout:
    """Return the layout without a coin, and without a tile if one is named. Rules MB-8 and MB-9."""
    rows, needs = layout.rows, layout.needs
    if tile is not None and (number := layout.find_row(tile)) is not None:
        row = tuple([each for each in rows[number - 1] if each != tile])
        rows, needs = _replace_row(rows, number, row), _replace_row(needs, number, needed_values(row))
    collected = list(layout.collected)
    collected.remove(coin)
    return Layout(layout.sheet, rows, needs, layout.bag, tuple(collected), (*layout.discarded, coin))


def _replace_row(rows: tuple[T, ...], number: int, row: T) -> tuple[T, ...]:
    """Return the rows with one replaced, counted from 1."""
    after = list(rows)
    after[number - 1] = row
    return tuple(after)


def end_game(layout: Layout, faces: Faces, end: MagicBagEnd) -> State:
    """Return the final position, with the dice as they are."""
    return State(layout, faces, 0, (), end)
