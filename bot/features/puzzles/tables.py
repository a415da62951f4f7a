"""Tables at the positions of puzzles."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from typing import Final

from pydantic_core import to_json

from bot.platform.places import Location
from bot.rules.puzzle import Puzzle, PuzzleBook, salt_of_game, seed_of_games
from bot.tables.lobby_header import build_lobby_header
from bot.tables.model import Occupant
from bot.tables.registry import AnyPackage
from bot.tables.table import Table, apply_move, start_game
from bot.words import gettext as _

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
