"""Finds faults in a position of The Magic Bag, independently of play."""

from collections import Counter
from itertools import chain

from bot.games.magic_bag import pieces
from bot.games.magic_bag.rules import MagicBag
from bot.games.magic_bag.scoring import find_matching_rows


def find_faults(_game: MagicBag, state: pieces.State) -> tuple[str, ...]:
    """Return the faults of a position; empty if it is sound."""
    checks = _check_layout(state.layout) | _check_dice(state.faces, state.rolls_left)
    checks |= _check_turn(state) if state.end is None else _check_end(state)
    return tuple(fault for fault, sound in checks.items() if not sound)


def _check_layout(layout: pieces.Layout) -> dict[str, bool]:
    """Check tiles and coins. Rules MB-1 and MB-2."""
    coins = Counter(layout.bag + layout.collected + layout.discarded)
    return {
        "not nine rows": len(layout.rows) == len(pieces.ROW_SIZES),
        "a row has more tiles than were dealt": all(map(int.__le__, map(len, layout.rows), pieces.ROW_SIZES)),
        "a row needs other values": layout.needs == tuple(map(pieces.needed_values, layout.rows)),
        "a tile is on the board twice": len(set(chain(*layout.rows))) == sum(map(len, layout.rows)),
        "not one coin of each suit and value": coins == Counter(pieces.PIECES),
    }


def _check_dice(faces: pieces.Faces, rolls_left: int) -> dict[str, bool]:
    """Check the dice. Rule MB-3."""
    return {
        "not four dice": len(faces) == len(pieces.Suit),
        "a die has no such face": all(face in pieces.VALUES for face in faces),
        "not zero to two rolls left": 0 <= rolls_left <= pieces.EXTRA_ROLLS,
    }


def _check_turn(state: pieces.State) -> dict[str, bool]:
    """Check that a game that is not over can go on. Rules MB-4, MB-7 and MB-8."""
    layout, faces = state.layout, state.faces
    can_be_read = len(faces) == len(pieces.Suit) and all(face in pieces.VALUES for face in faces)
    return {
        "other rows match": not can_be_read or state.matching == find_matching_rows(layout.needs, faces),
        "the bag is empty, but the game goes on": layout.bag != (),
        "no row is left, but the game goes on": layout.rows != pieces.NO_ROWS,
        "no move is left, but the game goes on": bool(state.matching or state.rolls_left or layout.collected),
    }


def _check_end(state: pieces.State) -> dict[str, bool]:
    """Check the reason for the end. Rules MB-7 and MB-8."""
    layout, end = state.layout, state.end
    return {
        "the game is over, but a roll or a row is left": not (state.matching or state.rolls_left),
        "the last coin is not drawn": end is not pieces.MagicBagEnd.LAST_COIN or layout.bag == (),
        "rows are left": end is not pieces.MagicBagEnd.LAST_ROW or layout.rows == pieces.NO_ROWS,
        "a coin is left to discard": end is not pieces.MagicBagEnd.NO_COIN_TO_DISCARD or layout.collected == (),
    }
