"""Direct messages with the bot: their payloads, and their privacy."""

import aiohttp
import pytest

from bot.sandbox import ClientRefusal, DirectChannel, Person, Sandbox
from tests.sandbox.wire_bot import GO, PING, Json, WireBot, identify_wire

MESSAGE = 4


@pytest.fixture
def direct(wren: Person) -> DirectChannel:
    """Wren's direct messages."""
    return wren.direct_channel


async def test_the_bot_cannot_delete_a_persons_message(wire: WireBot, wren: Person, direct: DirectChannel) -> None:
    said = wren.say(direct, "mine")
    opened = await wire.request("POST", "/users/@me/channels", {"recipient_id": str(wren.id)})
    assert (opened[0], opened[1]["id"]) == (200, str(direct.id))
    assert await wire.refusal("DELETE", f"/channels/{direct.id}/messages/{said.id}") == (403, 50003)
    assert direct.messages == [said]


async def test_a_direct_message_needs_an_existing_recipient(wire: WireBot) -> None:
    bodies: list[Json] = [{}, *({"recipient_id": each} for each in ("Wren", "1", str(wire.sandbox.world.bot.id)))]
    refused = [await wire.refusal("POST", "/users/@me/channels", body) for body in bodies]
    assert refused == [(400, 50035), (400, 50035), (400, 50033), (400, 50007)]


async def test_only_commands_for_direct_messages_are_offered(
    wire: WireBot, wren: Person, direct: DirectChannel
) -> None:
    local = f"/applications/{wire.sandbox.world.bot.id}/guilds/{wire.sandbox.world.server.id}/commands"
    await wire.request("PUT", local, [{**PING, "name": "local"}])
    await wire.register(
        {**PING, "name": "anywhere"},
        {**PING, "name": "here", "contexts": [1], "dm_permission": False},
        {**PING, "name": "elsewhere", "contexts": [0, 2]},
        {**PING, "name": "not-here", "dm_permission": False},
        {**PING, "name": "moderate", "default_member_permissions": "0"},
        {"name": "Quote", "type": 3},
    )
    offered = [command["name"] for command in wire.sandbox.world.commands.slash_commands(direct.server_id)]
    assert offered == ["anywhere", "here", "moderate"]
    # What a server withholds from its members is theirs in direct messages.
    used, interaction = await wire.receive(wren.slash(direct, "moderate"))
    await wire.answer(interaction, MESSAGE, {"content": "fine"})
    assert (await used).text == "fine"
    with pytest.raises(ClientRefusal, match="no command /elsewhere"):
        await wren.slash(direct, "elsewhere")


WHO: Json = {
    "name": "who",
    "description": "Ask about a user",
    "options": [
        {"type": 6, "name": "user", "description": "The user to ask about"},
        {"type": 7, "name": "where", "description": "Where"},
    ],
}


async def test_users_are_no_members_and_there_are_no_channels(
    wire: WireBot, wren: Person, robin: Person, direct: DirectChannel
) -> None:
    await wire.register(WHO)
    used, interaction = await wire.receive(wren.slash(direct, "who", user=robin))
    assert interaction["data"]["resolved"] == {"users": {str(robin.id): robin.user.payload()}}
    await wire.answer(interaction, MESSAGE, {"content": "fine"})
    await used
    for place in (direct, wire.sandbox.channel("lounge")):
        with pytest.raises(ClientRefusal, match="no channel"):
            await wren.slash(direct, "who", where=place)
    with pytest.raises(ClientRefusal, match="no channel"):
        await wren.slash(wire.sandbox.channel("lounge"), "who", where=direct)


async def test_direct_messages_belong_to_the_first_shard(
    sandbox: Sandbox, http: aiohttp.ClientSession, wren: Person
) -> None:
    direct = wren.direct_channel
    first, second = [await identify_wire(sandbox, http, shard=(number, 2)) for number in (0, 1)]
    await first.register(PING)
    used, interaction = await first.receive(wren.slash(direct, "ping"))
    await first.answer(interaction, MESSAGE, {"content": "pong"})
    assert (await used).text == "pong"
    await second.send_frame(1, None)
    while (frame := await second.receive_frame())["op"] == 0:
        assert frame["t"] == "GUILD_CREATE"
    assert frame["op"] == 11


async def test_others_cannot_use_a_direct_message(
    wire: WireBot, wren: Person, robin: Person, direct: DirectChannel
) -> None:
    await wire.register(PING)
    _, sent = await wire.request("POST", f"/channels/{direct.id}/messages", {"content": "x", "components": [GO]})
    assert [message.content for message in wren.visible_messages(direct)] == ["x"]
    assert robin.visible_messages(direct) == []
    with pytest.raises(ClientRefusal, match="no such channel"):
        robin.say(direct, "let me in")
    with pytest.raises(ClientRefusal, match="no such channel"):
        await robin.slash(direct, "ping")
    with pytest.raises(ClientRefusal, match="no such channel"):
        await robin.autocomplete(direct, "ping", {}, focused="x")
    with pytest.raises(ClientRefusal, match="gone"):
        await robin.click(sent["id"], "go", forged=True)
    robin.say(robin.direct_channel, "my own")
    assert len(direct.messages) == len(robin.direct_channel.messages) == 1
