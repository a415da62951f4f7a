"""What a table of The Magic Bag advises: the best moves, and the rows that a roll is for."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

from bot.games.magic_bag.facts import key_of
from bot.games.magic_bag.minds.evaluation import VALUE_ERROR
from bot.games.magic_bag.minds.turn_values import expect_coins
from bot.games.magic_bag.pieces import FINISH, ROLLS, Claim, Discard, Move, Piece, Roll, State, Suit
from bot.games.magic_bag.rules import MagicBag
from bot.games.magic_bag.scoring import find_exact_tiles, treasure_points
from bot.rules.evaluation import Evaluator
from bot.rules.screen import MAX_SHORTCUTS, find_clear_best

MoveEvaluator: TypeAlias = Evaluator[State, Move]

CLEAR_LEAD: Final = 3
"""By how many points a move is clearly best: by more than estimates are usually off."""

COIN_BUTTONS: Final = 3
"""How many coins to give up have buttons: the others are in a menu."""

_MOST_NAMED_ROWS: Final = 2
_MOST_TRIES_BESIDE_A_ROW: Final = 2
_LEAST_CHANCE: Final = 0.1
"""A roll that works less often is not offered."""

_WORTH_PLAYING_ON: Final = 1.1
"""Playing on is worth a question if it promises so many times the points."""


@dataclass(frozen=True, slots=True)
class Advice:
    """What the moves of a position are worth."""

    values: Mapping[Move, float]
    """The points expected in the end after each legal move."""
    best: tuple[Move, ...]
    """Up to three moves that do different things, best first."""
    clear: Move | None
    """The best move if it is clearly the best."""

    def is_good(self, move: Move) -> bool:
        """Return whether a move is one of the best three, or as good as the best as far as can be told."""
        return move in self.best or self.values[move] >= self.values[self.best[0]] - VALUE_ERROR

    @property
    def claims(self) -> list[Claim]:
        """The rows that can be taken, best first."""
        return sorted((move for move in self.values if isinstance(move, Claim)), key=lambda move: -self.values[move])

    @property
    def coin_worths(self) -> Mapping[Piece, float]:
        """What giving up each coin is worth, with the best tile or none."""
        worths: dict[Piece, float] = {}
        for move, worth in self.values.items():
            if isinstance(move, Discard):
                worths[move.coin] = max(worth, worths.get(move.coin, worth))
        return worths

    @property
    def worth_of_playing_on(self) -> float:
        """What the best coin to give up is worth; nothing if there is none."""
        return max(self.coin_worths.values(), default=0)

    @property
    def is_finishing_early(self) -> bool:
        """Whether playing on promises so much more that nobody should finish by mistake."""
        worth, finished = self.worth_of_playing_on, self.values[FINISH]
        return worth > finished and worth >= _WORTH_PLAYING_ON * finished


def advise(evaluate: MoveEvaluator, view: State) -> Advice:
    """Return what the legal moves of a position are worth, 0.4 ms of a click."""
    moves = MagicBag(view.layout.sheet).legal_moves(view)
    values = dict(zip(moves, evaluate(view, moves).values, strict=True))
    different: dict[object, Move] = {}
    for move in sorted(moves, key=lambda move: -values[move]):
        different.setdefault(key_of(view, move), move)
    ranked = tuple(different.values())
    clear = find_clear_best(((values[move], move) for move in ranked), CLEAR_LEAD)
    return Advice(values, ranked[:MAX_SHORTCUTS], clear)


class Aim(NamedTuple):
    """What a roll is for."""

    rows: tuple[int, ...]
    """The numbers of the rows that may fit after it; the one that stays, if the kept dice match a row already."""
    is_safe: bool
    """Whether the dice that are kept match a row already."""
    chance: float
    """The chance (0 to 1) that a row fits after it."""
    coins: float
    """How many coins the best of the rows that fit brings on average. Rule MB-6."""

    @property
    def named_rows(self) -> tuple[int, ...]:
        """The rows, unless there are too many to name them."""
        return self.rows if len(self.rows) <= _MOST_NAMED_ROWS else ()


def find_aim(view: State, roll: Roll) -> Aim:
    """Return what a roll is for."""
    kept = [suit for suit in Suit if suit not in roll.suits]
    chance, coins = expect_coins(view.layout, roll.suits, view.faces)
    values = [view.faces[suit] for suit in kept]
    missing = {number: _count_missing(needs, values) for number, needs in enumerate(view.layout.needs, 1) if needs}
    if safe := [number for number, lack in missing.items() if not lack]:
        exact = {
            number: sum(tile.suit in kept for tile in find_exact_tiles(view.layout.rows[number - 1], view.faces))
            for number in safe
        }
        return Aim((max(safe, key=exact.__getitem__),), is_safe=True, chance=chance, coins=coins)
    rows = tuple(number for number, lack in missing.items() if lack <= len(roll.suits))
    return Aim(rows, is_safe=False, chance=chance, coins=coins)


def _count_missing(needs: Sequence[int], values: Sequence[int]) -> int:
    """Return how many of a row's tiles dice with some values leave uncovered. Rule MB-4."""
    left = list(values)
    for value in needs:
        if value in left:
            left.remove(value)
    return len(needs) - len(values) + len(left)


# 1 ms of a click; the screens of a position share them while dice are picked.
@lru_cache(maxsize=64)
def find_aims(view: State) -> Mapping[Roll, Aim]:
    """Return what each roll is for, those that work most often first."""
    return dict(sorted(((roll, find_aim(view, roll)) for roll in ROLLS), key=lambda each: -each[1].chance))


def find_tries(view: State, advice: Advice) -> Mapping[Roll, Aim]:
    """Return the best rolls that work often enough, the safest first; if none does, the likeliest of them alone.

    Beside a row that can be taken there is room for two.
    """
    aims, best = find_aims(view), [move for move in advice.best if isinstance(move, Roll)]
    likely = [roll for roll in best if aims[roll].chance >= _LEAST_CHANCE]
    offered = likely[: _MOST_TRIES_BESIDE_A_ROW if view.matching else None]
    offered = offered or sorted(best, key=lambda roll: -aims[roll].chance)[:1]
    return {roll: aim for roll, aim in aims.items() if roll in offered}


def cost_of(view: State, coin: Piece) -> int:
    """Return the points lost by giving up a coin. Rule MB-8."""
    others = [other for other in view.layout.collected if other != coin]
    return treasure_points(view.layout.sheet, view.layout.collected) - treasure_points(view.layout.sheet, others)


def list_coins(view: State, advice: Advice) -> list[Piece]:
    """Return the coins that can be given up: the cheapest first, and of equals the most dispensable. Rule MB-8."""
    worths = advice.coin_worths
    return sorted(worths, key=lambda coin: (cost_of(view, coin), -worths[coin], coin))
