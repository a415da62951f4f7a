"""The commands for the table of a channel, and what all commands have in common."""

import re
from types import SimpleNamespace
from typing import Any

import pytest
from discord import app_commands

from bot.tables.registry import load_games
from bot.ui.client.client import ParlourClient
from cogs.tables import Tables
from tests.support.fakes import FakeStore


@pytest.mark.parametrize(
    ("name", "room", "deed"),
    [
        ("show", "table_commands", "show"),
        ("verify", "table_commands", "verify"),
        ("resign", "seat_commands", "ask_to_resign"),
        ("substitute", "seat_commands", "substitute"),
        ("back", "seat_commands", "come_back"),
        ("undo", "seat_commands", "take_back"),
        ("read", "readings", "read_here"),
    ],
)
async def test_each_command_asks_whoever_sees_to_it(name: str, room: str, deed: str) -> None:
    asked: list[object] = []

    async def table_commands(command: object) -> None:
        asked.append(command)

    command: Any = SimpleNamespace(client=SimpleNamespace(**{room: SimpleNamespace(**{deed: table_commands})}))
    cog: Any = Tables()
    await getattr(cog, name).callback(cog, command)
    assert asked == [command]


@pytest.mark.parametrize(
    ("name", "room"), [("invite", "invitation_commands"), ("kick", "lobby_commands"), ("cancel", "table_commands")]
)
async def test_who_is_named_is_handed_on(name: str, room: str) -> None:
    asked: list[object] = []

    async def deed(*given: object) -> None:
        asked.extend(given)

    command: Any = SimpleNamespace(client=SimpleNamespace(**{room: SimpleNamespace(**{name: deed})}))
    cog, person = Tables(), SimpleNamespace(id=12)
    await getattr(cog, name).callback(cog, command, person)
    assert asked == [command, person]


@pytest.mark.parametrize("table", [None, "17"])
async def test_a_replay_is_asked_for_by_number_or_not_at_all(table: str | None) -> None:
    asked: list[object] = []

    async def show_here(command: object, wanted: str | None) -> None:
        asked.extend((command, wanted))

    command: Any = SimpleNamespace(client=SimpleNamespace(replays=SimpleNamespace(show_here=show_here)))
    cog: Any = Tables()
    await cog.replay.callback(cog, command, *([] if table is None else [table]))
    assert asked == [command, table]


async def test_finished_games_are_suggested() -> None:
    async def suggestions(_command: object, typed: str) -> list[str]:
        return [typed]

    command: Any = SimpleNamespace(client=SimpleNamespace(replays=SimpleNamespace(suggestions=suggestions)))
    cog: Any = Tables()
    assert await cog.suggest_finished(command, "mag") == ["mag"]


@pytest.fixture
async def client() -> ParlourClient:
    made = ParlourClient(FakeStore(), load_games(), pause=0)
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
