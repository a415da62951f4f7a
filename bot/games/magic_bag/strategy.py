"""A computer player for The Magic Bag: exact about the rest of the turn, and with a rough idea of what follows it."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import product
from math import fsum
from typing import NamedTuple

from bot.games.magic_bag.expectation import Rolls, Values
from bot.games.magic_bag.moves import FINISH, Claim, Discard, Move, Roll
from bot.games.magic_bag.pieces import ROW_SIZES, TAKEN, VALUES, Faces, Layout, Piece, Row, State, Suit, needs_of
from bot.games.magic_bag.scoring import SMALLEST_STEP, covers, exact_tiles, tile_bonus, treasure
from bot.games.magic_bag.turns import without
from bot.rules.advice import clear_best
from bot.rules.chance import Chance

_COINS_OF_ROW = (0.0, 1.0, 1.2, 1.3, 0.7)
"""Coins that a row of so many tiles will still bring, less those that are lost on the way. Found by playing."""

_BONUS_SHARE = 0.8
"""The part of the tiles on the table that remains when the bag is emptied later. Found by playing."""

_FACES: tuple[Faces, ...] = tuple(product(VALUES, repeat=len(Suit)))
_NO_MATCH = float("-inf")
_MOST_DRAWS = 1 + max(ROW_SIZES)
_REMEMBERED = 256
"""So many layouts are remembered: within a turn, the same one is looked at again."""


def best_expected_end(view: State, moves: Sequence[Move], chance: Chance) -> Move:
    """Choose the move after which the game should end with most points; the first of equals."""
    layout = view.layout
    rolls = [move for move in moves if isinstance(move, Roll)]
    claims = [move for move in moves if isinstance(move, Claim)]
    worth: dict[Move, float] = {claim: _claim_worth(layout, claim, view.faces) for claim in claims}
    if rolls:
        after = turn_of(layout).rolls[view.rolls_left - 1]
        worth |= {roll: after.mean(roll.suits, view.faces) for roll in rolls}
    if not worth:
        return _way_on(layout, [move for move in moves if isinstance(move, Discard)])
    return max(moves, key=lambda move: worth.get(move, _NO_MATCH))


def clear_claim(view: State) -> Claim | None:
    """Return the row that is clearly best to take after the last roll; None where the choice is close.

    What rolling again is worth takes too long to be worked out at each click, so nothing is recommended before.
    """
    if view.rolls_left:
        return None
    claims = [Claim(row) for row in view.matching]
    if len(claims) == 1:
        return claims[0]
    return clear_best(((_claim_worth(view.layout, claim, view.faces), claim) for claim in claims), SMALLEST_STEP)


class Turn(NamedTuple):
    """What the dice are worth in a turn."""

    rolls: tuple[Rolls, Rolls, Rolls]
    """What rolling dice is worth by the number of rolls left after that."""

    @property
    def worth(self) -> float:
        """What the turn is worth before its first roll."""
        return self.rolls[2].fresh


def _way_on(layout: Layout, discards: Sequence[Discard]) -> Move:
    """Discard the coin that costs least, with the tile that helps most, if the game is worth going on with."""
    if not discards:
        return FINISH
    coin = _cheapest(layout, {discard.coin for discard in discards})
    ways = [discard for discard in discards if discard.coin == coin]
    worth = {discard: _hasty_turn(without(layout, coin, discard.tile)).worth for discard in ways}
    best = max(ways, key=lambda discard: worth[discard])
    return best if worth[best] > _points(layout) else FINISH


def _cheapest(layout: Layout, coins: set[Piece]) -> Piece:
    """Return the coin that costs least points now, and of equals the one that costs least in the end."""

    def cost(coin: Piece) -> tuple[int, int, Piece]:
        left = without(layout, coin, None)
        return -_points(left), -_most_points(left), coin

    return min(coins, key=cost)


@lru_cache(maxsize=_REMEMBERED)
def turn_of(layout: Layout) -> Turn:
    """Look at a turn; after it a failed roll may be survived once by discarding a coin."""
    failed = float(_points(layout))
    if layout.collected:
        coin = _cheapest(layout, set(layout.collected))
        failed = max(failed, _hasty_turn(without(layout, coin, None)).worth)
    return _turn(layout, failed)


@lru_cache(maxsize=_REMEMBERED)
def _hasty_turn(layout: Layout) -> Turn:
    """Look at a turn as if a failed roll ended the game."""
    return _turn(layout, _points(layout))


def _turn(layout: Layout, failed: float) -> Turn:
    last = Rolls(_ends(layout, failed))
    second = Rolls(last.best())
    return Turn((last, second, Rolls(second.best())))


def _ends(layout: Layout, failed: float) -> Values:
    """Return what each faces are worth when no roll is left."""
    lists = []
    for at, row in enumerate(layout.rows):
        if row != TAKEN:
            worth = _rows_worth(layout)[at]
            lists.append(
                [
                    worth[exact] if matches else _NO_MATCH
                    for exact, matches in zip(_exact_counts(row), _matches(needs_of(row)), strict=True)
                ]
            )
    best = map(max, *lists) if len(lists) > 1 else lists[0]
    return [failed if value == _NO_MATCH else value for value in best]


@lru_cache(maxsize=_REMEMBERED)
def _matches(needs: tuple[int, ...]) -> tuple[bool, ...]:
    """Tell for each faces whether they match a row that needs these values."""
    return tuple(covers(faces, needs) for faces in _FACES)


def _exact_counts(row: Row) -> list[int]:
    """Count for each faces the tiles of a row that a die equals in suit and value."""
    suns, moons, crowns, arms = ([Piece(suit, value) in row for value in VALUES] for suit in Suit)
    return [sun + moon + crown + arm for sun in suns for moon in moons for crown in crowns for arm in arms]


def _claim_worth(layout: Layout, claim: Claim, faces: Faces) -> float:
    exact = exact_tiles(layout.rows[claim.row - 1], faces)
    return _rows_worth(layout)[claim.row - 1][len(exact)]


@lru_cache(maxsize=_REMEMBERED)
def _rows_worth(layout: Layout) -> tuple[tuple[float, ...], ...]:
    """Return where the game should end after taking each row, by the number of its tiles that dice equal."""
    points = [_points_after(layout, draws) for draws in range(_MOST_DRAWS + 1)]
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
    left, most = len(layout.bag) - draws, _most_points(layout)
    if left <= 0:
        return most + tile_bonus(rows)
    coming = fsum(_COINS_OF_ROW[len(row)] for row in rows)  # `sum` rounds otherwise from Python 3.12 on
    if coming < left:
        return points + (most - points) * coming / left
    return most + _BONUS_SHARE * tile_bonus(rows) * (coming - left) / coming


def _points(layout: Layout) -> int:
    return treasure(layout.sheet, layout.collected)


def _most_points(layout: Layout) -> int:
    """Return what the coins would be worth with the whole bag."""
    return treasure(layout.sheet, layout.collected + layout.bag)


def _points_after(layout: Layout, draws: int) -> float:
    """Return what the coins are worth after so many draws: exact for none, one and all, and a parabola between."""
    count, points, most = len(layout.bag), _points(layout), _most_points(layout)
    first = sum(treasure(layout.sheet, (*layout.collected, coin)) for coin in layout.bag) / count - points
    if count == 1:
        return points + first * draws
    bend = (most - points - count * first) / (count * (count - 1))
    return points + first * draws + bend * draws * (draws - 1)
