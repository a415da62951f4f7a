"""Suggestions for what is typed, as Discord shows them."""

from collections.abc import Iterable
from itertools import islice
from typing import Any, Final, TypeVar

import discord
from discord import app_commands

from bot.rules.refusals import Refusal
from bot.tables.model import Status
from bot.tables.ports import StoreUnavailable
from bot.tables.table import Table

ValueT = TypeVar("ValueT", str, int)

MOST: Final = 25
"""So many suggestions are shown at once."""

_LONGEST_NAME = 100


async def table_playing(command: discord.Interaction[Any], game: str) -> Table | None:
    """Return the table that a command of this game would play at, if its game is under way."""
    try:
        table: Table = await command.client.desk.table_here(command, game)
    except (Refusal, StoreUnavailable):
        return None
    return table if table.header.status is Status.PLAYING else None


def offered(found: Iterable[tuple[str, ValueT]]) -> list[app_commands.Choice[ValueT]]:
    """Offer names and the values they stand for: the first ones, under names as long as there is room for."""
    return [app_commands.Choice(name=_short(name), value=value) for name, value in islice(found, MOST)]


def _short(name: str) -> str:
    return name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 1]}…"
