"""The commands for the table of a channel, and what all commands have in common."""

import re
from types import SimpleNamespace
from typing import Any

import pytest
from discord import app_commands

from bot.app.bootstrap import build_client
from bot.features.table_commands import Tables
from bot.platform.discord.client import ParlourClient
from tests.support.each_case import each_case
from tests.support.games import load_games_once
from tests.support.memory_database import MemoryDatabase
from tests.ui.fake_interactions import make_command_context


@each_case(
    "name, feature, method",
    [
        ("show", "tables", "show"),
        ("verify", "tables", "verify"),
        ("resign", "seats", "ask_to_resign"),
        ("substitute", "seats", "substitute"),
        ("back", "seats", "come_back"),
        ("undo", "seats", "take_back"),
        ("read", "tables", "read"),
    ],
)
async def test_each_command_calls_its_feature(name: str, feature: str, method: str) -> None:
    asked: list[object] = []

    async def note(command: object) -> None:
        asked.append(command)

    command: Any = make_command_context(**{feature: SimpleNamespace(**{method: note})})
    cog: Any = Tables()
    await getattr(cog, name).callback(cog, command)
    assert asked == [command]


@each_case("name, feature", [("invite", "invitations"), ("kick", "lobbies"), ("cancel", "tables")])
async def test_a_named_person_is_passed_on(name: str, feature: str) -> None:
    asked: list[object] = []

    async def note(*given: object) -> None:
        asked.extend(given)

    command: Any = make_command_context(**{feature: SimpleNamespace(**{name: note})})
    cog, person = Tables(), SimpleNamespace(id=12)
    await getattr(cog, name).callback(cog, command, person)
    assert asked == [command, person]


@each_case("table", [None, "17"])
async def test_the_number_of_a_replay_is_optional(table: str | None) -> None:
    asked: list[object] = []

    async def show_here(command: object, wanted: str | None) -> None:
        asked.extend((command, wanted))

    command: Any = make_command_context(replays=SimpleNamespace(show_here=show_here))
    cog: Any = Tables()
    await cog.replay.callback(cog, command, *([] if table is None else [table]))
    assert asked == [command, table]


async def test_finished_games_are_suggested() -> None:
    async def suggestions(_command: object, typed: str) -> list[str]:
        return [typed]

    command: Any = make_command_context(replays=SimpleNamespace(suggestions=suggestions))
    cog: Any = Tables()
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
