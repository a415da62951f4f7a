"""Every setting reaches the bot that `run` starts."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.store.store import SqlStore
from bot.tables.actions.idle import IdleLimits
from bot.ui.client import runner
from bot.ui.client.runner import ConnectionSettings
from tests.commands.run_command import run_command

TOKEN = "MTIzNDU2Nzg5.GhIjKl.very-secret-part"
API_URL = "http://127.0.0.1:9/api/v10"

CASES: list[tuple[dict[str, str], str, object]] = [
    ({}, "pause", 1.0),
    ({"COMPUTER_PAUSE": "0"}, "pause", 0.0),
    ({"COMPUTER_PAUSE": "2.5"}, "pause", 2.5),
    ({}, "reminds", True),
    ({"REMINDERS": "false"}, "reminds", False),
    ({"TABLE_CACHE_MIB": "7"}, "cache_bytes", 7 * 1024 * 1024),
    ({"OPEN_TABLES": "3"}, "most_open", 3),
    ({}, "silence_limits", IdleLimits(timedelta(hours=24), timedelta(days=30))),
    ({"SET_ASIDE_AFTER_HOURS": "5"}, "silence_limits", IdleLimits(timedelta(hours=5), timedelta(days=30))),
    ({"ABANDONED_AFTER_DAYS": "off"}, "silence_limits", IdleLimits(timedelta(hours=24), None)),
    ({"SET_ASIDE_AFTER_HOURS": "off"}, "silence_limits", IdleLimits(None, timedelta(days=30))),
    ({"DEV_GUILD_ID": "77"}, "connection", ConnectionSettings(TOKEN, API_URL, 77)),
    ({}, "connection", ConnectionSettings(TOKEN, API_URL, None)),
]


@pytest.mark.parametrize(("variables", "name", "expected"), CASES)
def test_a_setting_is_handed_to_the_bot(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, variables: dict[str, str], name: str, expected: object
) -> None:
    given: dict[str, Any] = {}

    async def serve(store: object, games: object, connection: object, **more: object) -> None:
        given.update(store=store, games=games, connection=connection, **more)

    monkeypatch.setattr(runner, "serve", serve)
    file = tmp_path / "parlour.sqlite3"
    for variable, value in {
        "DISCORD_TOKEN": TOKEN,
        "DISCORD_API_URL": API_URL,
        "DATABASE_URL": f"sqlite+aiosqlite:///{file}",
        **variables,
    }.items():
        monkeypatch.setenv(variable, value)
    ended = run_command("run")
    assert ended.code == 0, ended.err
    assert given[name] == expected
    assert isinstance(given["store"], SqlStore)
    assert file.exists()
