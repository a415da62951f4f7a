"""Custom ids of puzzles."""

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from bot.platform.discord.ids import CustomId


class DailyPuzzleButton(StrEnum):
    """The buttons about the puzzle of a day."""

    SHOW = "show"
    """Shows today's, whatever the day."""
    BOARD = "board"
    """Shows how the server does with today's."""
    SHARE = "share"
    """Posts one's own result of the day."""


@dataclass(frozen=True)
class PuzzleChoiceId(CustomId, prefix="P"):
    """A move that a puzzle offers, by its place."""

    game: str
    puzzle: str
    day: int
    """The day whose puzzle it was shown as; 0 for any other."""
    choice: int


@dataclass(frozen=True)
class NextPuzzleId(CustomId, prefix="Q"):
    """The button that shows the next puzzle of a game, after the one that is seen now."""

    game: str
    puzzle: str


@dataclass(frozen=True)
class DailyPuzzleId(CustomId, prefix="D"):
    """A button about the puzzle of a day; whose it is comes from who clicks, and the server from where."""

    button: DailyPuzzleButton
    day: int


PuzzleComponentId: TypeAlias = PuzzleChoiceId | NextPuzzleId | DailyPuzzleId
