"""The list of one's tables: which places it names."""

from types import SimpleNamespace

from bot.features.my_tables.commands import MyTablesCommands
from bot.platform.places import Location, Person
from tests.support.fakes import HERE, ROBIN, WREN, start_game
from tests.ui.adapter import Adapter
from tests.ui.fake_interactions import make_command
from tests.ui.fake_servers import make_member, make_server

PLACES = (Location(3, 81), Location(3, 82), Location(4, 83), Location(5, 84), Location(None, 85))


async def test_only_channels_of_this_server_that_the_asker_can_see_are_named(adapter: Adapter) -> None:
    for place in reversed(PLACES):
        await start_game(adapter.service, ROBIN, Person(WREN.id, "*Wren*"), location=place)
        adapter.clock.tick()
    await adapter.wait_until_shown()
    server = make_server(HERE.channel_id, 81, 82, hidden=(82,))
    names = {3: "Ours", 4: "**Theirs**"}
    command = make_command(ROBIN, guild=server, member=make_member(ROBIN, server))
    command.client = SimpleNamespace(
        get_guild=lambda guild_id: SimpleNamespace(name=names[guild_id]) if guild_id in names else None
    )
    await adapter.app.service(MyTablesCommands).show(command)  # type: ignore[arg-type]
    embed = command.answers[-1].embed
    assert embed is not None
    text = embed.description or ""
    named = ("<#81>", "<#82>", "Ours", r"\*\*Theirs\*\*")
    assert sorted((text.find(name), name) for name in named if name in text) == [
        (text.find(name), name) for name in named if name != "<#82>"
    ]
    assert r"\*Wren\*" in text
