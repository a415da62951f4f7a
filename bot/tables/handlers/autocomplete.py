"""Helpers for autocompletion."""

from collections.abc import Callable
from typing import TypeVar

from bot.platform.database.errors import StoreUnavailable
from bot.platform.discord.answers import Interaction
from bot.rules.refusals import Refusal
from bot.tables.handlers.commands import TableCommands
from bot.tables.model import Status
from bot.tables.table import Table

T = TypeVar("T")


def legal_move_texts(table: Table) -> list[str]:
    """Return the legal moves in the game's notation; none before the game starts."""
    return [] if table.state is None else [str(move) for move in table.package.game.legal_moves(table.state)]


async def find_playing_table(command: Interaction, game: str) -> Table | None:
    """Return the table that a command of a game would play at, or None if none is being played."""
    try:
        table: Table = await command.client.app.service(TableCommands).table_here(command, game)
    except (Refusal, StoreUnavailable):
        return None
    return table if table.header.status is Status.PLAYING else None


async def suggest(command: Interaction, game: str, build: Callable[[Table], list[T]]) -> list[T]:
    """Return what a function suggests at the table that a command of a game would play at; nothing without one."""
    table = await find_playing_table(command, game)
    return [] if table is None else build(table)
