"""Suggestions that need the database, while it fails."""

from collections.abc import Awaitable, Callable
from types import SimpleNamespace
from typing import Any
from unittest.mock import AsyncMock

import pytest

from bot.platform.discord.autocomplete import find_playing_table
from bot.tables.ports import StoreUnavailable
from tests.support.each_case import each_case
from tests.support.fake_store import FakeStore
from tests.ui.adapter import Adapter, command


@each_case(
    "suggest",
    [
        lambda asking: asking.client.features.replays.suggestions(asking, ""),
        lambda asking: find_playing_table(asking, "magpie"),
    ],
)
async def test_without_the_database_nothing_is_suggested(
    adapter: Adapter,
    store: FakeStore,
    monkeypatch: pytest.MonkeyPatch,
    suggest: Callable[[Any], Awaitable[object]],
) -> None:
    store.broken = {"find_open"}
    monkeypatch.setattr(store, "finished_tables", AsyncMock(side_effect=StoreUnavailable("down")))
    assert not await suggest(command(client=SimpleNamespace(features=adapter.features)))
