"""Suggestions that need the database, while it fails."""

from collections.abc import Awaitable, Callable
from types import SimpleNamespace
from typing import Any

from bot.features.replays.handlers import Replays
from bot.features.results import storage as result_storage
from bot.tables import storage as table_storage
from bot.tables.handlers.commands import find_playing_table
from tests.support.each_case import each_case
from tests.support.memory_database import MemoryDatabase
from tests.ui.adapter import Adapter, command


@each_case(
    "suggest",
    [
        lambda asking: asking.client.app.service(Replays).suggestions(asking, ""),
        lambda asking: find_playing_table(asking, "magpie"),
    ],
)
async def test_without_the_database_nothing_is_suggested(
    adapter: Adapter, db: MemoryDatabase, suggest: Callable[[Any], Awaitable[object]]
) -> None:
    db.broken = {table_storage.find_open, result_storage.newest_tables}
    assert not await suggest(command(client=SimpleNamespace(app=adapter.app)))
