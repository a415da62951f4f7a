"""Finds puzzles in games between computer players; every machine finds the same ones."""

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from bot.rules.chance import Chance, FairChance, shuffle
from bot.rules.evaluation import Unit
from bot.rules.package import GamePackage, Strategy, usual_strategy
from bot.rules.puzzle import (
    DECIMALS,
    LEAST_OFFERED,
    MOST_OFFERED,
    SEPARATOR,
    Difficulty,
    Puzzle,
    PuzzleBook,
    PuzzleGame,
    PuzzleSource,
    chance_in_game,
    key_of_puzzle,
    seed_of_games,
)

_Package: TypeAlias = GamePackage[Any, Any, Any, Any, Any]
_Offer: TypeAlias = tuple[str, float]
"""A move in the game's notation, and its value."""

_GRADED: Final = 20
"""The most positions of a game that computer players try."""

_PER_GAME, _ALIKE_IN_GAME = 6, 4
"""The most puzzles of a game, and of one difficulty in a game."""

_TRIALS: Final = 8
"""How often *Easy* tries a position."""

_DISTANCE: Final = 5
"""The fewest moves between two puzzles of a game: neighbours are much alike."""

_MOST_ALIKE: Final = 2
"""How many puzzles of a book may offer moves that do the same."""

_NEAR: Final = 0.1
"""A move is not offered if its value differs by less than this part of the margin from that of another."""

GAMES_PER_PUZZLE: Final = 60
"""After so many games for each puzzle, the search is given up."""


class PuzzlesNotFound(Exception):
    """The games had too few puzzles."""


@dataclass(frozen=True, slots=True)
class _Position:
    """A decision whose best move is clearly the best."""

    step: int
    view: Any
    moves: Sequence[Any]
    unit: Unit
    offers: Sequence[_Offer]
    """The best moves that differ in effect, the best first."""
    best: Hashable
    """The key of the best move, and of all that do the same."""


@dataclass(frozen=True, slots=True)
class _FoundPuzzle:
    puzzle: Puzzle
    keys: frozenset[Hashable]
    """The keys of the offered moves: what makes puzzles alike."""


class PuzzleSearch:
    """Searches games between computer players of all levels."""

    def __init__(self, package: _Package, source: PuzzleSource, seed: int) -> None:
        if package.mind.evaluate is None or not package.mind.strategies:
            raise ValueError(f"{package.game.info.title} does not say what moves are worth")
        self._package, self._source, self._seed = package, source, seed
        self._evaluate, self._key_of = package.mind.evaluate, package.mind.key_of
        self._key = package.game.info.key

    def find(self, count: int) -> Iterator[Puzzle | PuzzleBook]:
        """Yield each puzzle as it is found, and at the end the book of all.

        Raises:
            PuzzlesNotFound: There are too few.
        """
        games: list[PuzzleGame] = []
        puzzles: list[Puzzle] = []
        alike = Counter[frozenset[Hashable]]()
        for number in range(count * GAMES_PER_PUZZLE):
            moves, found = self._search_game(number)
            new = [each.puzzle for each in found if alike[each.keys] < _MOST_ALIKE][: count - len(puzzles)]
            alike.update(each.keys for each in found)
            if new:
                seats = self._seats_of(number)
                last = max(puzzle.step for puzzle in new)
                games.append(PuzzleGame(number=number, seats=seats, moves=SEPARATOR.join(moves[:last])))
            yield from new
            puzzles += new
            if len(puzzles) == count:
                yield self._make_book(games, puzzles)
                return
        raise PuzzlesNotFound(f"{len(puzzles)} puzzles in {count * GAMES_PER_PUZZLE} games, not {count}")

    def _make_book(self, games: Sequence[PuzzleGame], puzzles: Sequence[Puzzle]) -> PuzzleBook:
        """Put the puzzles into an order in which those of a game are far apart."""
        info = self._package.game.info
        return PuzzleBook(
            rules=info.version,
            seed=self._seed,
            options=info.options().model_dump(mode="json"),
            games=tuple(games),
            puzzles=shuffle(self._chance("order"), puzzles),
        )

    def _chance(self, purpose: str) -> Chance:
        """Return chance for everything but the games, whose moves it must not foretell."""
        return FairChance(seed_of_games(self._key, self._seed), purpose, 0)

    def _seats_of(self, number: int) -> int:
        return self._source.seats[number % len(self._source.seats)]

    def _search_game(self, number: int) -> tuple[list[str], list[_FoundPuzzle]]:
        """Play a game and return its moves and a few puzzles from anywhere in the game."""
        moves, positions = self._play(number)
        chance, found = self._chance(f"grading {number}"), list[_FoundPuzzle]()
        for position in shuffle(chance, positions)[:_GRADED]:
            if any(abs(position.step - each.puzzle.step) < _DISTANCE for each in found):
                continue
            difficulty = self._grade(position, chance)
            alike = sum(each.puzzle.difficulty is difficulty for each in found)
            if difficulty is not None and alike < _ALIKE_IN_GAME and len(found) < _PER_GAME:
                played = tuple(moves[: position.step])
                found.append(self._make_puzzle(number, position, difficulty, played, chance))
        return moves, found

    def _play(self, number: int) -> tuple[list[str], list[_Position]]:
        rules, chance = self._package.game, self._chance(f"players {number}")
        levels = list(self._package.mind.strategies.values())
        players = [levels[chance.randbelow(len(levels))] for _ in range(self._seats_of(number))]
        state = rules.start(rules.info.options(), len(players), self._chance_of_step(number, 0))
        made: list[str] = []
        positions: list[_Position] = []
        while (seat := rules.seat_to_move(state)) is not None:
            view, moves = rules.view(state, seat), rules.legal_moves(state)
            if len(moves) >= LEAST_OFFERED:
                positions += self._find_position(len(made), view, moves)
            move = players[seat](view, moves, chance)
            made.append(str(move))
            state, _ = rules.play(state, seat, move, self._chance_of_step(number, len(made)))
        return made, positions

    def _chance_of_step(self, number: int, step: int) -> Chance:
        return chance_in_game(self._key, self._seed, number, step)

    def _find_position(self, step: int, view: Any, moves: Sequence[Any]) -> list[_Position]:
        """Return the position if its best move is worth more than the next best by the stated margin, or nothing."""
        evaluation = self._evaluate(view, moves)
        margin = self._source.margins.get(evaluation.unit)
        if margin is None:
            return []
        values = [round(float(value), DECIMALS[evaluation.unit]) for value in evaluation.values]
        worth: dict[Hashable, _Offer] = {}
        for at in sorted(range(len(moves)), key=lambda at: (-values[at], at)):
            worth.setdefault(self._key_of(view, moves[at]), (str(moves[at]), values[at]))
        offers = list(worth.values())
        if len(offers) < LEAST_OFFERED or offers[0][1] - offers[1][1] < margin:
            return []
        offers = _leave_gaps(offers, margin * _NEAR)[:MOST_OFFERED]
        if len(offers) < LEAST_OFFERED:
            return []
        return [_Position(step, view, moves, evaluation.unit, offers, next(iter(worth)))]

    def _grade(self, position: _Position, chance: Chance) -> Difficulty | None:
        """Return how difficult a position is, or None if *Easy* finds the best move every time."""
        weakest = next(iter(self._package.mind.strategies.values()))
        hits = sum(self._finds_best(weakest, position, chance) for _ in range(_TRIALS))
        if hits == _TRIALS:
            return None
        usual = usual_strategy(self._package)
        if usual is not None and not self._finds_best(usual, position, chance):
            return Difficulty.HARD
        return Difficulty.EASY if hits > _TRIALS / 2 else Difficulty.MEDIUM

    def _finds_best(self, player: Strategy[Any, Any], position: _Position, chance: Chance) -> bool:
        return self._key_of(position.view, player(position.view, position.moves, chance)) == position.best

    def _make_puzzle(
        self, number: int, position: _Position, difficulty: Difficulty, played: tuple[str, ...], chance: Chance
    ) -> _FoundPuzzle:
        shown = shuffle(chance, position.offers)
        offered = tuple(move for move, _ in shown)
        puzzle = Puzzle(
            key=key_of_puzzle(self._key, self._seed, played, offered),
            game=number,
            step=position.step,
            unit=position.unit,
            difficulty=difficulty,
            offered=offered,
            values=tuple(value for _, value in shown),
        )
        parse = self._package.game.parse_move
        return _FoundPuzzle(puzzle, frozenset(self._key_of(position.view, parse(move)) for move in offered))


def _leave_gaps(offers: Sequence[_Offer], gap: float) -> list[_Offer]:
    """Return the offers, the best first, without those that are worth nearly the same as the one before."""
    kept = list(offers[:1])
    for offer in offers[1:]:
        if kept[-1][1] - offer[1] >= gap:
            kept.append(offer)
    return kept


def count_by_difficulty(puzzles: Sequence[Puzzle]) -> Mapping[Difficulty, int]:
    """Return how many puzzles there are of each difficulty."""
    return Counter(puzzle.difficulty for puzzle in puzzles)
