"""The data of puzzles: the puzzle of a day, answers and streaks."""

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
from bot.words import N_, format_number, gettext as _


class PuzzleReason(RefusalReason):
    """Why a puzzle can't be shown or answered."""

    NO_PUZZLES = "no_puzzles"
    UNKNOWN_PUZZLE = "unknown_puzzle"
    PUZZLE_NOT_ANSWERED = "puzzle_not_answered"


PUZZLE_ERROR_MESSAGES: Final[Mapping[RefusalReason, str]] = {
    PuzzleReason.NO_PUZZLES: N_("I have no puzzles of that kind at the moment."),
    PuzzleReason.UNKNOWN_PUZZLE: N_("This puzzle can't be answered here any more. `/puzzle` shows today's."),
    PuzzleReason.PUZZLE_NOT_ANSWERED: N_("You haven't answered this puzzle. `/puzzle` shows today's."),
}
"""The message for each reason."""


@dataclass(frozen=True, slots=True)
class ChosenPuzzle:
    """A puzzle with its book."""

    game: str
    """The key of the game."""
    book: PuzzleBook
    puzzle: Puzzle
    day: Day | None = None
    """The day as whose puzzle it is shown; None for any other puzzle."""


@dataclass(frozen=True, slots=True)
class PuzzleAnswer:
    """A person's first answer to a practice puzzle."""

    user_id: int
    game: str
    puzzle: str
    """The key of the puzzle."""
    is_right: bool
    answered_at: datetime


@dataclass(frozen=True, slots=True)
class DailyAnswer:
    """A person's first answer to a day's puzzle, the only one that counts."""

    user_id: int
    day: Day
    game: str
    puzzle: str
    """The key of the puzzle."""
    choice: int
    """The number of the chosen move among the offered ones."""
    is_right: bool
    guild_id: int | None
    """The server in which the person answered; None for a direct message."""
    name: str
    """The person's name there."""
    answered_at: datetime


@dataclass(frozen=True, slots=True)
class Progress:
    """A person's progress with the puzzles of a game."""

    solved: int
    """The number of puzzles solved with the first answer."""
    answered: int
    total: int


@dataclass(frozen=True, slots=True)
class Streak:
    """Consecutive days on which the puzzle of the day was solved."""

    current: int = 0
    """The streak up to today, or up to yesterday while today's puzzle is unanswered."""
    longest: int = 0


@dataclass(frozen=True, slots=True)
class Solver:
    """A person who has solved today's puzzle in a server."""

    user_id: int
    name: str
    streak: int
    """The consecutive days on which they have solved it in this server."""


@dataclass(frozen=True, slots=True)
class DailyBoard:
    """A server's results for a day's puzzle."""

    day: Day
    answered: int
    """The number of people who have answered."""
    solved: int
    """The number of right answers."""
    streak: Streak
    """The server's streak: days on which anyone there solved the puzzle."""
    solvers: tuple[Solver, ...] = ()
    """The solvers with the longest streaks."""


@dataclass(frozen=True, slots=True)
class DailyStanding:
    """The facts shown with an answer to a day's puzzle; None if they can't be read, or without a server."""

    streak: Streak | None
    board: DailyBoard | None
    following_key: str
    """The key of the next day's puzzle, shown in advance to prove that it is fixed."""


_NO_TIME: Final = datetime.min.replace(tzinfo=UTC)
_NOBODY: Final = -1


def replay_puzzle(package: AnyPackage, book: PuzzleBook, puzzle: Puzzle) -> Iterator[Table]:
    """Yield the table of a puzzle after the set-up and after each move, up to the position to solve.

    Raises:
        Refusal: The game's rules have changed.
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
    # Players are shown as nameless people; as in records, a seat's number serves as the user id.
    names = [_("Player {number}").format(number=format_number(seat)) for seat in range(1, seats + 1)]
    occupants = tuple(Occupant(name, seat, None, "") for seat, name in enumerate(names))
    return Table(replace(header, salt=salt_of_game(number)), occupants, package)
