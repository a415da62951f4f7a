"""The computer player of The Magic Bag: exact for the rest of the turn, an estimate for later turns."""

from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import product
from math import fsum

import numpy as np
from numpy.typing import NDArray

from bot.games.magic_bag.expectation import RollValues, Values
from bot.games.magic_bag.moves import FINISH, Claim, Discard, Move, Roll
from bot.games.magic_bag.pieces import (
    ROW_SIZES,
    TAKEN_ROW,
    VALUES,
    Faces,
    Layout,
    Piece,
    Row,
    State,
    Suit,
    needed_values,
)
from bot.games.magic_bag.scoring import dice_match, find_exact_tiles, tile_bonus, treasure_points
from bot.games.magic_bag.turns import remove_pieces
from bot.rules.advice import find_clear_best
from bot.rules.chance import Chance

_EXPECTED_COINS_BY_ROW_SIZE = (0.0, 1.0, 1.2, 1.3, 0.7)
"""Coins expected from a row by its size, less those discarded until it is taken. Found by simulation."""

_BONUS_SHARE = 0.8
"""The share of the tiles' values that is left when the bag runs out later. Found by simulation."""

_SHAPE = (len(VALUES),) * len(Suit)
_FACES = np.indices(_SHAPE)
"""The face of each die in each outcome."""

_NO_MATCH = float("-inf")
_DIGITS = 6
"""Decimals that tell worths apart, so that ties do not depend on how a machine rounds."""

_CLEAR_LEAD = 15
"""By how many points a row is clearly best: with a smaller lead, the outlook that hints use often prefers another."""

MAX_DRAWS = 1 + max(ROW_SIZES)
_CACHE_SIZE = 256
"""Cached layouts; within a turn the same one is evaluated again."""


def maximize_expected_final_score(view: State, moves: Sequence[Move], chance: Chance) -> Move:
    """Choose the move with the highest expected final score; the first of equals."""
    layout = view.layout
    rolls = [move for move in moves if isinstance(move, Roll)]
    claims = [move for move in moves if isinstance(move, Claim)]
    worth: dict[Move, float] = {claim: claim_worth(layout, claim, view.faces) for claim in claims}
    if rolls:
        after = evaluate_turn(layout)[view.rolls_left - 1]
        worth |= {roll: after.expected_value(roll.suits, view.faces) for roll in rolls}
    if not worth:
        return _choose_discard(layout, [move for move in moves if isinstance(move, Discard)])
    return max(moves, key=lambda move: round(worth.get(move, _NO_MATCH), _DIGITS))


def find_clear_claim(view: State) -> Claim | None:
    """Return the row that is clearly best after the last roll; None if the choice is close.

    Before the last roll there is no recommendation, because evaluating re-rolls takes too long for a click.
    """
    if view.rolls_left:
        return None
    claims = [Claim(row) for row in view.matching]
    if len(claims) == 1:
        return claims[0]
    return find_clear_best(((claim_worth(view.layout, claim, view.faces), claim) for claim in claims), _CLEAR_LEAD)


def _choose_discard(layout: Layout, discards: Sequence[Discard]) -> Move:
    """Return the best discard and tile, or Finish if playing on costs points."""
    if not discards:
        return FINISH
    coin = _find_cheapest_coin(layout, {discard.coin for discard in discards})
    options = [discard for discard in discards if discard.coin == coin]
    worth = {discard: round(value_after_discard(layout, discard), _DIGITS) for discard in options}
    best = max(options, key=worth.__getitem__)
    return best if worth[best] > current_points(layout) else FINISH


def value_after_discard(layout: Layout, discard: Discard) -> float:
    """Return the expected final points after a discard."""
    return _evaluate_last_turn(remove_pieces(layout, discard.coin, discard.tile))


def _find_cheapest_coin(layout: Layout, coins: set[Piece]) -> Piece:
    """Return the coin that costs the fewest points now, and of equals the fewest in the end."""

    def cost(coin: Piece) -> tuple[int, int, Piece]:
        left = remove_pieces(layout, coin, None)
        return -current_points(left), -_max_points(left), coin

    return min(coins, key=cost)


# 0.3 ms of a computer player's move.
@lru_cache(maxsize=_CACHE_SIZE)
def evaluate_turn(layout: Layout) -> tuple[RollValues, RollValues]:
    """Return the values of rolling dice, by the number of rolls left after it."""
    return _evaluate_rolls(layout, value_after_failure(layout))


def value_after_failure(layout: Layout) -> float:
    """Return the expected final points after a failed roll, which may be survived once by discarding a coin."""
    points = float(current_points(layout))
    if not layout.collected:
        return points
    return max(points, value_after_discard(layout, Discard(_find_cheapest_coin(layout, set(layout.collected)))))


# 50 us of a computer player's move.
@lru_cache(maxsize=_CACHE_SIZE)
def _evaluate_last_turn(layout: Layout) -> float:
    """Return the value of a turn before its first roll, as if a failed roll ended the game."""
    _last, second = _evaluate_rolls(layout, current_points(layout))
    return float(second.best_values().mean())


def _evaluate_rolls(layout: Layout, failed: float) -> tuple[RollValues, RollValues]:
    return evaluate_rolls(layout.rows, _row_worths(layout), failed)


def evaluate_rolls(
    rows: Sequence[Row], worths: Sequence[Sequence[float]], failed: Values | float
) -> tuple[RollValues, RollValues]:
    """Return the values of rolling dice, by the number of rolls left after it.

    Args:
        rows: All rows.
        worths: What taking each row is worth, by the number of its tiles that equal a die.
        failed: What a failed roll is worth.
    """
    last = RollValues(_final_values(rows, worths, failed))
    return last, RollValues(last.best_values())


def _final_values(rows: Sequence[Row], worths: Sequence[Sequence[float]], failed: Values | float) -> Values:
    """Return the value of each outcome of the dice after the last roll."""
    best = np.max(
        [
            np.array((*worth, _NO_MATCH))[count_exact(row)]
            for row, worth in zip(rows, worths, strict=True)
            if row != TAKEN_ROW
        ],
        axis=0,
    )
    return np.where(best == _NO_MATCH, failed, best)


# 80 us for each new turn.
@lru_cache(maxsize=_CACHE_SIZE)
def count_exact(row: Row) -> NDArray[np.int_]:
    """Return for each outcome the number of a row's tiles that equal a die, or -1 if it does not match the row."""
    exact = np.sum([_FACES[suit] == value for suit, value in row], axis=0)
    return np.where(_matches(tuple(sorted(needed_values(row)))), exact, -1)


# 0.2 ms for each new row.
@cache
def _matches(needs: tuple[int, ...]) -> NDArray[np.bool_]:
    """Return for each outcome whether it matches a row with these values."""
    return np.array([dice_match(faces, needs) for faces in product(VALUES, repeat=len(Suit))]).reshape(_SHAPE)


def claim_worth(layout: Layout, claim: Claim, faces: Faces) -> float:
    """Return the expected final points after a claim."""
    exact = find_exact_tiles(layout.rows[claim.row - 1], faces)
    return _row_worths(layout)[claim.row - 1][len(exact)]


# 65 us of a computer player's move.
@lru_cache(maxsize=_CACHE_SIZE)
def _row_worths(layout: Layout) -> tuple[tuple[float, ...], ...]:
    """Return the expected final score after taking each row, by the number of its tiles that equal a die."""
    rows, coins, most = layout.rows, len(layout.bag), _max_points(layout)
    points = _points_after_draws(layout, most)
    return tuple(
        tuple(
            _worth_after((*rows[:at], *rows[at + 1 :]), coins - draws, points[draws], most)
            for draws in range(1, len(row) + 2)
        )
        for at, row in enumerate(rows)
    )


def _worth_after(rows: Sequence[Row], left: int, points: float, most: int) -> float:
    """Return the expected final score with these rows and coins left, and of the points possible these collected."""
    if left <= 0:
        return most + tile_bonus(rows)
    coming = fsum(_EXPECTED_COINS_BY_ROW_SIZE[len(row)] for row in rows)  # `sum` rounds differently in Python 3.12
    if coming < left:
        return points + (most - points) * coming / left
    return most + _BONUS_SHARE * tile_bonus(rows) * (coming - left) / coming


def current_points(layout: Layout) -> int:
    """Return the points if the game ended now."""
    return treasure_points(layout.sheet, layout.collected)


def _max_points(layout: Layout) -> int:
    """Return the points for the coins and the whole bag."""
    return treasure_points(layout.sheet, layout.collected + layout.bag)


def _points_after_draws(layout: Layout, most: int) -> list[float]:
    """Return the expected points after 0 to 5 draws: exact for none, one and all, a parabola in between."""
    count, points = len(layout.bag), current_points(layout)
    first = sum(treasure_points(layout.sheet, (*layout.collected, coin)) for coin in layout.bag) / count - points
    if count == 1:
        return [points + first * draws for draws in range(MAX_DRAWS + 1)]
    bend = (most - points - count * first) / (count * (count - 1))
    return [points + first * draws + bend * draws * (draws - 1) for draws in range(MAX_DRAWS + 1)]
