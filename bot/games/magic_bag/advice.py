"""What a table of The Magic Bag advises: the best moves, and the rows that a roll is for."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Final, NamedTuple, TypeAlias

from bot.games.magic_bag.facts import key_of
from bot.games.magic_bag.minds.evaluation import VALUE_ERROR
from bot.games.magic_bag.pieces import FINISH, VALUES, Claim, Discard, Faces, Move, Piece, Roll, Row, State, Suit
from bot.games.magic_bag.rules import MagicBag
from bot.games.magic_bag.scoring import dice_match, find_exact_tiles, matching_chance
from bot.rules.evaluation import Evaluator
from bot.rules.screen import MAX_SHORTCUTS, find_clear_best

MoveEvaluator: TypeAlias = Evaluator[State, Move]

CLEAR_LEAD: Final = 3
"""By how many points a move is clearly best: by more than estimates are usually off."""

_MOST_NAMED_ROWS: Final = 2
_LEAST_CHANCE: Final = 0.1
"""A roll is not named after rows for which it works less often."""

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

    chance: float
    """The chance (0 to 1) that it works."""
    rows: tuple[int, ...]
    """The numbers of one or two rows that it is for; none if any row will do."""
    is_safe: bool
    """Whether the dice that are kept match the row already."""


def find_aim(view: State, roll: Roll) -> Aim:
    """Return what a roll is for: a row that it keeps, or else the rows that have use for most of the kept dice."""
    needs = {number: Counter(values) for number, values in enumerate(view.layout.needs, 1) if values}
    kept = Counter(view.faces[suit] for suit in Suit if suit not in roll.suits)
    if safe := [number for number in view.matching if needs[number] <= kept]:
        coins = {number: count_coins(view.layout.rows[number - 1], view.faces, roll.suits)[0] for number in safe}
        return Aim(1, (max(safe, key=coins.__getitem__),), is_safe=True)
    uses = {number: (kept & needed).total() for number, needed in needs.items() if number not in view.matching}
    most = max(uses.values(), default=0)
    rows = tuple(number for number, used in uses.items() if used == most)
    chance = _chance_of(view, kept, rows)
    if not most or len(rows) > _MOST_NAMED_ROWS or chance < _LEAST_CHANCE:
        return Aim(_chance_of(view, kept, tuple(needs)), (), is_safe=False)
    return Aim(chance, rows, is_safe=False)


def _chance_of(view: State, kept: Counter[int], rows: tuple[int, ...]) -> float:
    return matching_chance(tuple(sorted(kept.elements())), frozenset(view.layout.needs[row - 1] for row in rows))


def find_tries(view: State, advice: Advice) -> tuple[Roll, ...]:
    """Return the best rolls of some dice that work often enough, the safest first."""
    aims = {
        move: find_aim(view, move) for move in advice.best if isinstance(move, Roll) and len(move.suits) < len(Suit)
    }
    likely = [move for move, aim in aims.items() if aim.chance >= _LEAST_CHANCE]
    return tuple(sorted(likely, key=lambda move: -aims[move].chance))


# 60 us for three dice.
@lru_cache(maxsize=1024)
def count_coins(row: Row, faces: Faces, suits: tuple[Suit, ...]) -> tuple[int, int]:
    """Return the fewest and the most coins that a row brings if rolling some dice matches it. Rule MB-6."""
    needs, counts = tuple(tile.value for tile in row), list[int]()
    for landed in product(*(VALUES if suit in suits else (faces[suit],) for suit in Suit)):
        if dice_match(landed, needs):
            counts.append(1 + len(find_exact_tiles(row, landed)))
    return min(counts), max(counts)
