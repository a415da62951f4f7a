"""The commands for the table of a channel, and what all commands have in common."""

import re
from types import SimpleNamespace
from typing import Any

import pytest
from discord import app_commands

from bot.app.bootstrap import build_client
from bot.app.table_commands import TablesCog
from bot.platform.discord.client import ParlourClient
from tests.support.games import load_games_once
from tests.support.memory_database import MemoryDatabase
from tests.ui.fake_interactions import make_command_context


async def test_finished_games_are_suggested() -> None:
    async def suggestions(_command: object, typed: str) -> list[str]:
        return [typed]

    command: Any = make_command_context(SimpleNamespace(suggestions=suggestions))
    cog: Any = TablesCog()
    assert await cog.suggest_finished(command, "mag") == ["mag"]


@pytest.fixture
async def client() -> ParlourClient:
    made = build_client(MemoryDatabase(), load_games_once())
    await made.load_cogs()
    return made


async def test_every_command_fits_discords_limits(client: ParlourClient) -> None:
    for command in client.tree.walk_commands():
        assert re.fullmatch(r"[-_a-z0-9]{1,32}", command.name)
        assert 1 <= len(command.description) <= 100
        if isinstance(command, app_commands.Command):
            assert len(command.parameters) <= 25
            for parameter in command.parameters:
                assert re.fullmatch(r"[-_a-z0-9]{1,32}", parameter.name)
                assert 1 <= len(str(parameter.description)) <= 100
                assert str(parameter.description) != "…", f"{command.qualified_name} {parameter.name}"
