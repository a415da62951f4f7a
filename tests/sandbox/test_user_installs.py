"""Where the bot is not: it hears only of those who have installed it for themselves, and only answers them."""

import pytest

from bot.sandbox import ClientRefusal, Person
from bot.sandbox.model.channels import Channel
from tests.sandbox.wire_bot import PING, Json, WireBot
from tests.support.each_case import each_case

MESSAGE = 4
EPHEMERAL = 64
ANYWHERE: Json = {**PING, "contexts": [0, 1, 2], "integration_types": [0, 1]}


def add_places(wire: WireBot, robin: Person, wren: Person) -> dict[str, Channel]:
    """Add places without the bot: direct messages of two people and of three, and a server."""
    world = wire.sandbox.world
    server = world.add_server(world.snowflakes.next_id(), "Elsewhere")
    yard = world.add_channel(server, "yard")
    world.remove_bot(server)
    jay = wire.sandbox.person("Jay")
    pair, group = (
        world.add_people_channel(*people) for people in ((robin.user, wren.user), (robin.user, jay.user, wren.user))
    )
    return {"pair": pair, "group": group, "server": yard}


@each_case("place, context, kind", [("pair", 2, 1), ("group", 2, 3), ("server", 0, 0)])
async def test_an_interaction_names_the_person_who_has_installed_the_bot(
    wire: WireBot, robin: Person, wren: Person, place: str, context: int, kind: int
) -> None:
    channel = add_places(wire, robin, wren)[place]
    wire.sandbox.world.installers.add(robin.id)
    await wire.register(ANYWHERE, {**PING, "name": "in-servers", "contexts": [0, 1, 2]})
    used, interaction = await wire.receive(robin.slash(channel, "ping"))
    assert interaction["authorizing_integration_owners"] == {"1": str(robin.id)}
    assert (interaction["context"], interaction["channel"]["type"]) == (context, kind)
    assert ("guild_id" in interaction, "member" in interaction) == (context == 0, context == 0)
    await wire.answer(interaction, MESSAGE, {"content": "pong", "flags": EPHEMERAL})
    (answer,) = (await used).replies
    assert [message.visible_to(wren.id) for message in channel.messages] == [False]
    refused = wire.request("POST", f"/channels/{channel.id}/messages", {"content": "x"})
    assert [(status, body["code"]) for status, body in (await refused,)] == [(403, 50001)]
    edited = wire.webhook(interaction, f"/messages/{answer.id}")
    assert (await wire.request("PATCH", edited, {"content": "again"}))[0] == 200
    follow_ups = [await wire.request("POST", wire.webhook(interaction), {"content": "more"}) for _ in range(6)]
    assert [status for status, _ in follow_ups] == [200] * 5 + [400]
    assert follow_ups[-1][1]["code"] == 40094
    with pytest.raises(ClientRefusal, match="no command /in-servers"):
        await robin.slash(channel, "in-servers")
    with pytest.raises(ClientRefusal, match="no command /ping"):
        await wren.slash(channel, "ping")


async def test_a_server_with_the_bot_comes_before_the_person(wire: WireBot, robin: Person) -> None:
    wire.sandbox.world.installers.add(robin.id)
    await wire.register(ANYWHERE)
    used, interaction = await wire.receive(robin.slash(wire.sandbox.world.channels[0], "ping"))
    owners = {"0": str(wire.sandbox.world.server.id), "1": str(robin.id)}
    assert interaction["authorizing_integration_owners"] == owners
    await wire.answer(interaction, MESSAGE, {"content": "pong"})
    await used
