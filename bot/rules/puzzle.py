"""Puzzles: positions of computer games with one clearly best move."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from typing import Annotated, Any, Final, Self

from pydantic import Field, model_validator

from bot.rules.chance import FairChance
from bot.rules.content import ContentModel
from bot.rules.evaluation import Unit

LEAST_OFFERED, MOST_OFFERED = 3, 6
"""How many moves a puzzle offers: few enough for buttons, which a phone shows one in a line."""

KEY_LENGTH: Final = 8
"""Hexadecimal digits of a puzzle's key."""

SEPARATOR: Final = ";"
"""Stands between the moves of a game; in no game's notation."""

DECIMALS: Final[Mapping[Unit, int]] = {Unit.POINTS: 2, Unit.FINAL_POINTS: 2, Unit.WINS: 4}
"""How exactly values are stored. The margin is measured on what is stored, so that anyone can check it."""


class Difficulty(IntEnum):
    """How difficult a puzzle is, measured by whether computer players find its answer."""

    EASY = 1
    """*Normal* finds it, and *Easy* more often than not, though not always."""
    MEDIUM = 2
    """*Normal* finds it, *Easy* at most every second time."""
    HARD = 3
    """*Normal* does not find it, and *Easy* not every time."""


@dataclass(frozen=True, slots=True)
class PuzzleSource:
    """The games that puzzles are found in, and what makes a move clearly the best."""

    seats: tuple[int, ...]
    """The numbers of seats, one for each game in turn."""
    margins: Mapping[Unit, float]
    """How much more the best move must be worth than the next best, by unit. Other units yield no puzzles."""
    is_exact: bool = False
    """Whether the values are those of perfect play by everyone; otherwise they are estimates."""


class PuzzleGame(ContentModel):
    """A game between computer players, up to the last of its puzzles."""

    number: int = Field(ge=0)
    seats: int = Field(ge=1)
    moves: str
    """The moves in the game's notation, joined by semicolons; JSON takes a third more for a list."""

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """The moves in the game's notation."""
        return tuple(self.moves.split(SEPARATOR)) if self.moves else ()


class Puzzle(ContentModel):
    """A position with the moves that are offered, in the order in which they are shown."""

    key: Annotated[str, Field(pattern=f"^[0-9a-f]{{{KEY_LENGTH}}}$")]
    """Tells it from all other puzzles, also those of other versions."""
    game: int
    """The number of its game."""
    step: int = Field(ge=0)
    """How many moves of the game led to the position."""
    unit: Unit
    difficulty: Difficulty
    offered: Annotated[tuple[str, ...], Field(min_length=LEAST_OFFERED, max_length=MOST_OFFERED)]
    values: tuple[float, ...]
    """What each offered move is worth to the seat to move."""

    @property
    def best(self) -> int:
        """The place of the best move among those offered."""
        return max(range(len(self.values)), key=self.values.__getitem__)

    @property
    def ranking(self) -> list[int]:
        """The places of the offered moves, the best first."""
        return sorted(range(len(self.values)), key=lambda at: -self.values[at])

    @property
    def lead(self) -> float:
        """How much more the best move is worth than the next best."""
        first, second, *_ = sorted(self.values, reverse=True)
        return round(first - second, DECIMALS[self.unit])

    @model_validator(mode="after")
    def _require_a_value_for_each_move(self) -> Self:
        if len(self.values) != len(self.offered) or len(set(self.offered)) != len(self.offered):
            raise ValueError(f"puzzle {self.key} does not have one value for each of its moves")
        return self


class PuzzleBook(ContentModel):
    """The puzzles of a game, in the order in which they are those of a day."""

    rules: int
    """The version of the game's rules."""
    seed: int
    """What the chance of the games is derived from."""
    options: dict[str, Any]
    games: tuple[PuzzleGame, ...]
    puzzles: Annotated[tuple[Puzzle, ...], Field(min_length=1)]

    @model_validator(mode="after")
    def _require_games_and_keys(self) -> Self:
        if len(self.places) != len(self.puzzles):
            raise ValueError("two puzzles have the same key")
        for puzzle in self.puzzles:
            if puzzle.game not in self.games_by_number or puzzle.step > len(self.games_by_number[puzzle.game].texts):
                raise ValueError(f"puzzle {puzzle.key} is not in any game")
        return self

    @cached_property
    def games_by_number(self) -> Mapping[int, PuzzleGame]:
        """The games by their numbers."""
        return {game.number: game for game in self.games}

    @cached_property
    def places(self) -> Mapping[str, int]:
        """The places of the puzzles by their keys."""
        return {puzzle.key: at for at, puzzle in enumerate(self.puzzles)}

    def find(self, key: str) -> Puzzle | None:
        """Return the puzzle with a key, or None."""
        return self.puzzles[self.places[key]] if key in self.places else None


def seed_of_games(game: str, seed: int) -> bytes:
    """Return the seed of the chance in all games of a book, by the key of the game."""
    return hashlib.sha256(f"puzzles {game} {seed}".encode()).digest()


def salt_of_game(number: int) -> str:
    """Return the salt of the chance in a game."""
    return f"game {number}"


def chance_in_game(game: str, seed: int, number: int, step: int) -> FairChance:
    """Return the random numbers of a step, as at any table; step 0 is the set-up."""
    return FairChance(seed_of_games(game, seed), salt_of_game(number), step)


def key_of_puzzle(game: str, seed: int, moves: tuple[str, ...], offered: tuple[str, ...]) -> str:
    """Return the key of a puzzle: a hash of what it consists of."""
    text = "\n".join((game, str(seed), *moves, "?", *offered))
    return hashlib.sha256(text.encode()).hexdigest()[:KEY_LENGTH]
