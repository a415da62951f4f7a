"""The data of puzzles: which is that of a day, what people answered, and their streaks."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Final

from pydantic_core import to_json

from bot.platform.places import Day, Location
from bot.rules.puzzle import Puzzle, PuzzleBook, salt_of_game, seed_of_games
from bot.rules.refusals import RefusalReason
from bot.tables.model import Occupant, build_lobby_header
from bot.tables.registry import AnyPackage
from bot.tables.table import Table, apply_move, start_game
from bot.words import N_, gettext as _


class PuzzleReason(RefusalReason):
    """Why a puzzle is not shown or answered."""

    NO_PUZZLES = "no_puzzles"
    UNKNOWN_PUZZLE = "unknown_puzzle"
    PUZZLE_NOT_ANSWERED = "puzzle_not_answered"


PUZZLE_ERROR_MESSAGES: Final[Mapping[RefusalReason, str]] = {
    PuzzleReason.NO_PUZZLES: N_("I have no such puzzles at the moment."),
    PuzzleReason.UNKNOWN_PUZZLE: N_("This puzzle can't be answered here any more. `/puzzle` shows today's."),
    PuzzleReason.PUZZLE_NOT_ANSWERED: N_("You haven't answered this puzzle. `/puzzle` shows today's."),
}
"""What is said for each reason."""


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
class Progress:
    """How far a person has got with the puzzles of a game."""

    solved: int
    """How many they solved with their first answer."""
    answered: int
    total: int


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


@dataclass(frozen=True, slots=True)
class DailyStanding:
    """What is told with the answer to the puzzle of a day; None where it can't be read, or where there is no server."""

    streak: Streak | None
    board: DailyBoard | None
    following_key: str
    """The key of the next day's puzzle, which settles it."""


_NO_TIME: Final = datetime.min.replace(tzinfo=UTC)
_NOBODY: Final = -1


def replay_puzzle(package: AnyPackage, book: PuzzleBook, puzzle: Puzzle) -> Iterator[Table]:
    """Yield the table of a puzzle after the set-up and after each move, the last one in the position to solve.

    Raises:
        Refusal: The rules have changed.
    """
    game = book.games_by_number[puzzle.game]
    table = start_game(_empty_table(package, book, game.number, game.seats))
    yield table
    for text in game.texts[: puzzle.step]:
        table = apply_move(table, table.header.to_move or 0, package.game.parse_move(text))
        yield table


def _empty_table(package: AnyPackage, book: PuzzleBook, number: int, seats: int) -> Table:
    info = package.game.info
    header = build_lobby_header(
        info.key,
        info.version,
        to_json(book.options).decode(),
        location=Location(guild_id=None, channel_id=0),
        opener_id=_NOBODY,
        seed=seed_of_games(info.key, book.seed),
        at=_NO_TIME,
    )
    # They are shown as people, but nobody's names; a seat's number serves as an id, as in records.
    occupants = tuple(Occupant(_("Player {number}").format(number=seat + 1), seat, None, "") for seat in range(seats))
    return Table(replace(header, salt=salt_of_game(number)), occupants, package)
