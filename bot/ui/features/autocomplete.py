"""Helpers for autocompletion."""

from bot.rules.refusals import Refusal
from bot.tables.model import Status
from bot.tables.ports import StoreUnavailable
from bot.tables.table import Table
from bot.ui.interactions.responses import Interaction


def legal_move_texts(table: Table) -> list[str]:
    """Return the legal moves in the game's notation; none before the game starts."""
    return [] if table.state is None else [str(move) for move in table.package.game.legal_moves(table.state)]


async def find_playing_table(command: Interaction, game: str) -> Table | None:
    """Return the table that a command of a game would play at, or None if none is being played."""
    try:
        table: Table = await command.client.features.tables.table_here(command, game)
    except (Refusal, StoreUnavailable):
        return None
    return table if table.header.status is Status.PLAYING else None
