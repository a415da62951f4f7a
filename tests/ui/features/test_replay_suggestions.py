"""The suggestions of `/table replay`."""

from typing import Any

import discord

from bot.features.replays.handlers import Replays
from bot.platform.places import Location, Person
from tests.support.fakes import HERE, JAY, ROBIN, WREN
from tests.support.finished_games import play_to_end
from tests.ui.adapter import Adapter
from tests.ui.fake_interactions import make_command


async def test_finished_games_are_suggested_newest_first(adapter: Adapter) -> None:
    first = await play_to_end(adapter.service, HERE, ROBIN, WREN)
    adapter.clock.tick(60)
    second = await play_to_end(adapter.service, HERE, JAY, WREN)
    await play_to_end(adapter.service, Location(HERE.guild_id, 71), ROBIN, JAY)
    command: Any = make_command(ROBIN)
    found = await adapter.app.service(Replays).suggestions(command, "")
    assert [choice.value for choice in found] == [str(second.id), str(first.id)]
    assert found[0].name.startswith("2026-03-01 · Magpie · ")
    assert {"Jay", "Wren"} <= set(found[0].name.replace(" and ", " ").split())
    assert [choice.value for choice in await adapter.app.service(Replays).suggestions(command, " robin")] == [
        str(first.id)
    ]


async def test_each_suggestion_fits(adapter: Adapter) -> None:
    crowd = [Person(200 + at, f"{at}" + "n" * 31) for at in range(6)]
    await play_to_end(adapter.service, HERE, *crowd)
    command: Any = make_command(ROBIN)
    (choice,) = await adapter.app.service(Replays).suggestions(command, "")
    assert isinstance(choice, discord.app_commands.Choice)
    assert len(choice.name) == 100
