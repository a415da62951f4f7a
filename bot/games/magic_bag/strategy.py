"""A computer player for The Magic Bag: exact about the rest of the turn, and with a rough idea of what follows it."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import product
from math import fsum
from typing import NamedTuple

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
from bot.games.magic_bag.scoring import SCORE_STEP, dice_match, find_exact_tiles, tile_bonus, treasure_points
from bot.games.magic_bag.turns import remove_pieces
from bot.rules.advice import find_clear_best
from bot.rules.chance import Chance

_EXPECTED_COINS_BY_ROW_SIZE = (0.0, 1.0, 1.2, 1.3, 0.7)
"""Coins that a row of so many tiles will still bring, less those that are lost on the way. Found by playing."""

_BONUS_SHARE = 0.8
"""The part of the tiles on the table that remains when the bag is emptied later. Found by playing."""

_FACES: tuple[Faces, ...] = tuple(product(VALUES, repeat=len(Suit)))
_NO_MATCH = float("-inf")
_MAX_DRAWS = 1 + max(ROW_SIZES)
_CACHE_SIZE = 256
"""So many layouts are remembered: within a turn, the same one is looked at again."""


def maximize_expected_final_score(view: State, moves: Sequence[Move], chance: Chance) -> Move:
    """Choose the move after which the game should end with most points; the first of equals."""
    layout = view.layout
    rolls = [move for move in moves if isinstance(move, Roll)]
    claims = [move for move in moves if isinstance(move, Claim)]
    worth: dict[Move, float] = {claim: claim_worth(layout, claim, view.faces) for claim in claims}
    if rolls:
        after = evaluate_turn(layout).roll_values[view.rolls_left - 1]
        worth |= {roll: after.expected_value(roll.suits, view.faces) for roll in rolls}
    if not worth:
        return _choose_discard(layout, [move for move in moves if isinstance(move, Discard)])
    return max(moves, key=lambda move: worth.get(move, _NO_MATCH))


def find_clear_claim(view: State) -> Claim | None:
    """Return the row that is clearly best to take after the last roll; None where the choice is close.

    What rolling again is worth takes too long to be worked out at each click, so nothing is recommended before.
    """
    if view.rolls_left:
        return None
    claims = [Claim(row) for row in view.matching]
    if len(claims) == 1:
        return claims[0]
    return find_clear_best(((claim_worth(view.layout, claim, view.faces), claim) for claim in claims), SCORE_STEP)


class TurnValues(NamedTuple):
    """What the dice are worth in a turn."""

    roll_values: tuple[RollValues, RollValues, RollValues]
    """What rolling dice is worth by the number of rolls left after that."""

    @property
    def worth(self) -> float:
        """What the turn is worth before its first roll."""
        return self.roll_values[2].all_dice_value


def _choose_discard(layout: Layout, discards: Sequence[Discard]) -> Move:
    """Discard the coin that costs least, with the tile that helps most, if the game is worth going on with."""
    if not discards:
        return FINISH
    coin = _find_cheapest_coin(layout, {discard.coin for discard in discards})
    ways = [discard for discard in discards if discard.coin == coin]
    worth = {discard: _evaluate_last_turn(remove_pieces(layout, coin, discard.tile)).worth for discard in ways}
    best = max(ways, key=lambda discard: worth[discard])
    return best if worth[best] > _current_points(layout) else FINISH


def _find_cheapest_coin(layout: Layout, coins: set[Piece]) -> Piece:
    """Return the coin that costs least points now, and of equals the one that costs least in the end."""

    def cost(coin: Piece) -> tuple[int, int, Piece]:
        left = remove_pieces(layout, coin, None)
        return -_current_points(left), -_max_points(left), coin

    return min(coins, key=cost)


@lru_cache(maxsize=_CACHE_SIZE)
def evaluate_turn(layout: Layout) -> TurnValues:
    """Look at a turn; after it a failed roll may be survived once by discarding a coin."""
    failed = float(_current_points(layout))
    if layout.collected:
        coin = _find_cheapest_coin(layout, set(layout.collected))
        failed = max(failed, _evaluate_last_turn(remove_pieces(layout, coin, None)).worth)
    return _compute_turn_values(layout, failed)


@lru_cache(maxsize=_CACHE_SIZE)
def _evaluate_last_turn(layout: Layout) -> TurnValues:
    """Look at a turn as if a failed roll ended the game."""
    return _compute_turn_values(layout, _current_points(layout))


def _compute_turn_values(layout: Layout, failed: float) -> TurnValues:
    last = RollValues(_final_values(layout, failed))
    second = RollValues(last.best_values())
    return TurnValues((last, second, RollValues(second.best_values())))


def _final_values(layout: Layout, failed: float) -> Values:
    """Return what each faces are worth when no roll is left."""
    lists = []
    for at, row in enumerate(layout.rows):
        if row != TAKEN_ROW:
            worth = _row_worths(layout)[at]
            lists.append(
                [
                    worth[exact] if matches else _NO_MATCH
                    for exact, matches in zip(_exact_counts(row), _matches(needed_values(row)), strict=True)
                ]
            )
    best = map(max, *lists) if len(lists) > 1 else lists[0]
    return [failed if value == _NO_MATCH else value for value in best]


@lru_cache(maxsize=_CACHE_SIZE)
def _matches(needs: tuple[int, ...]) -> tuple[bool, ...]:
    """Tell for each faces whether they match a row that needs these values."""
    return tuple(dice_match(faces, needs) for faces in _FACES)


def _exact_counts(row: Row) -> list[int]:
    """Count for each faces the tiles of a row that a die equals in suit and value."""
    suns, moons, crowns, arms = ([Piece(suit, value) in row for value in VALUES] for suit in Suit)
    return [sun + moon + crown + arm for sun in suns for moon in moons for crown in crowns for arm in arms]


def claim_worth(layout: Layout, claim: Claim, faces: Faces) -> float:
    """Return the expected final points after a claim."""
    exact = find_exact_tiles(layout.rows[claim.row - 1], faces)
    return _row_worths(layout)[claim.row - 1][len(exact)]


@lru_cache(maxsize=_CACHE_SIZE)
def _row_worths(layout: Layout) -> tuple[tuple[float, ...], ...]:
    """Return where the game should end after taking each row, by the number of its tiles that dice equal."""
    points = [_points_after(layout, draws) for draws in range(_MAX_DRAWS + 1)]
    rows = layout.rows
    return tuple(
        tuple(
            _worth_after(layout, (*rows[:at], *rows[at + 1 :]), draws, points[draws])
            for draws in range(1, len(row) + 2)
        )
        for at, row in enumerate(rows)
    )


def _worth_after(layout: Layout, rows: Sequence[Row], draws: int, points: float) -> float:
    """Return where the game should end when these rows are left and the coins are worth these points."""
    left, most = len(layout.bag) - draws, _max_points(layout)
    if left <= 0:
        return most + tile_bonus(rows)
    coming = fsum(_EXPECTED_COINS_BY_ROW_SIZE[len(row)] for row in rows)  # `sum` rounds otherwise from Python 3.12 on
    if coming < left:
        return points + (most - points) * coming / left
    return most + _BONUS_SHARE * tile_bonus(rows) * (coming - left) / coming


def _current_points(layout: Layout) -> int:
    return treasure_points(layout.sheet, layout.collected)


def _max_points(layout: Layout) -> int:
    """Return what the coins would be worth with the whole bag."""
    return treasure_points(layout.sheet, layout.collected + layout.bag)


def _points_after(layout: Layout, draws: int) -> float:
    """Return what the coins are worth after so many draws: exact for none, one and all, and a parabola between."""
    count, points, most = len(layout.bag), _current_points(layout), _max_points(layout)
    first = sum(treasure_points(layout.sheet, (*layout.collected, coin)) for coin in layout.bag) / count - points
    if count == 1:
        return points + first * draws
    bend = (most - points - count * first) / (count * (count - 1))
    return points + first * draws + bend * draws * (draws - 1)
