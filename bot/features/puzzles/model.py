"""The data of puzzles: which is that of a day, what people answered, and their streaks."""

from dataclasses import dataclass
from datetime import datetime

from bot.platform.days import Day
from bot.rules.puzzle import Puzzle, PuzzleBook


@dataclass(frozen=True, slots=True)
class ChosenPuzzle:
    """A puzzle with the book that it is in."""

    game: str
    """The key of the game."""
    book: PuzzleBook
    puzzle: Puzzle
    day: Day | None = None
    """The day whose puzzle it is shown as; None for any other puzzle."""


@dataclass(frozen=True, slots=True)
class PuzzleAnswer:
    """The first answer of a person to a puzzle that is not that of the day."""

    user_id: int
    game: str
    puzzle: str
    """The key of the puzzle."""
    is_right: bool
    answered_at: datetime


@dataclass(frozen=True, slots=True)
class DailyAnswer:
    """The first answer of a person to the puzzle of a day; no other counts."""

    user_id: int
    day: Day
    game: str
    puzzle: str
    """The key of the puzzle."""
    choice: int
    """The place of the chosen move among those offered."""
    is_right: bool
    guild_id: int | None
    """The server in which it was given; None for a direct message."""
    name: str
    """The name of the person there."""
    answered_at: datetime


@dataclass(frozen=True, slots=True)
class Streak:
    """Days in a row on which the puzzle of the day was solved."""

    current: int = 0
    """Up to today, or up to yesterday while today's is open."""
    longest: int = 0


@dataclass(frozen=True, slots=True)
class Solver:
    """Someone who solved today's puzzle in a server."""

    user_id: int
    name: str
    streak: int
    """The days in a row on which they solved it in this server."""


@dataclass(frozen=True, slots=True)
class DailyBoard:
    """How a server does with the puzzle of a day."""

    day: Day
    answered: int
    """How many people have answered."""
    solved: int
    """How many of them were right."""
    streak: Streak
    """The days on which someone of the server solved it."""
    solvers: tuple[Solver, ...] = ()
    """The solvers with the longest streaks."""
