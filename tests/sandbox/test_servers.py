"""Several servers, spread over the shards of the bot."""

from collections.abc import AsyncIterator

import aiohttp
import pytest

from bot.sandbox import Person, Sandbox, ServerChannel
from bot.sandbox.model.servers import Server
from tests.sandbox.message_bodies import messages
from tests.sandbox.wire_bot import PING, Json, WireBot, identify_wire, run_sandbox

WORDS: Json = {"content": "x"}


@pytest.fixture
async def sandbox() -> AsyncIterator[Sandbox]:
    async with run_sandbox(Sandbox(shards=2)) as running:
        yield running


@pytest.fixture
def second(sandbox: Sandbox) -> Server:
    """A server on the other shard."""
    first = sandbox.world.server
    return sandbox.world.add_server(first.id + (1 << 22), "Another")


@pytest.fixture
def there(sandbox: Sandbox, second: Server) -> ServerChannel:
    return sandbox.world.add_channel(second, "elsewhere")


def shard_of(server: Server) -> int:
    return (server.id >> 22) % 2


async def connect_shard(sandbox: Sandbox, http: aiohttp.ClientSession, server: Server) -> WireBot:
    return await identify_wire(sandbox, http, shard=(shard_of(server), 2))


async def test_interactions_go_to_the_shard_of_their_server(
    sandbox: Sandbox, http: aiohttp.ClientSession, second: Server, there: ServerChannel, wren: Person
) -> None:
    here, away = [await connect_shard(sandbox, http, server) for server in (sandbox.world.server, second)]
    await here.register(PING)
    using, interaction = await away.receive(wren.slash(there, "ping"))
    assert (interaction["guild_id"], interaction["channel"]["guild_id"]) == (str(second.id), str(second.id))
    await here.answer(interaction, 4, WORDS)
    await using
    await here.wait_for_event("GUILD_CREATE")
    await here.send_frame(1, None)
    assert (await here.receive_frame())["op"] == 11, "no interaction came before"


async def test_roles_of_one_server_mean_nothing_in_another(
    sandbox: Sandbox, second: Server, there: ServerChannel, wire: WireBot
) -> None:
    jay = sandbox.person("Jay")
    assert sandbox.world.server.roles_of(jay.id) != second.roles_of(jay.id) == []
    there.bot_permissions = 0
    assert await wire.refusal("POST", messages(there), WORDS) == (403, 50001)
    assert (await wire.request("POST", messages(sandbox.channel("lounge")), WORDS))[0] == 200
    assert (await wire.request("GET", f"/guilds/{second.id}"))[1]["name"] == "Another"


async def test_shards_of_a_bucket_that_identify_too_soon_are_refused(http: aiohttp.ClientSession) -> None:
    async with run_sandbox(Sandbox(shards=4, max_concurrency=2, identify_seconds=3600)) as sandbox:
        wires = [await WireBot(sandbox, http).connect() for _ in range(3)]
        for number in (0, 1):
            await wires[number].identify(shard=(number, 4))
        await wires[2].send_frame(2, {"token": sandbox.token, "intents": 1, "shard": [2, 4]})
        assert await wires[2].receive_frame() == {"op": 9, "d": False}
        assert sandbox.gateway.early_identify_count == 1
