"""Several servers, spread over the shards of the bot."""

import asyncio
from collections.abc import AsyncIterator

import aiohttp
import discord
import pytest

from bot.sandbox import InteractionState, Person, Refusal, Sandbox, ServerChannel
from bot.sandbox.model.permissions import Overwrite, OverwriteKind
from bot.sandbox.model.servers import Server
from tests.sandbox.bodies import button, components, messages, row
from tests.sandbox.little_bot import LittleBot
from tests.sandbox.wire_bot import Json, WireBot
from tests.support.described import breaches

PING: Json = {"name": "ping", "description": "Ping"}
WORDS: Json = {"content": "x"}


@pytest.fixture
async def sandbox() -> AsyncIterator[Sandbox]:
    running = Sandbox(shards=2)
    await running.start()
    yield running
    await running.stop()
    assert not (found := breaches(running.requests, of_the_bot=False)), "\n".join(found)


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


async def connected(sandbox: Sandbox, http: aiohttp.ClientSession, server: Server) -> WireBot:
    return await (await WireBot(sandbox, http).connect()).identify(shard=(shard_of(server), 2))


async def test_each_shard_has_its_servers(sandbox: Sandbox, http: aiohttp.ClientSession, second: Server) -> None:
    for server in (sandbox.world.server, second):
        wire = await WireBot(sandbox, http).connect()
        await wire.tell(2, {"token": sandbox.token, "intents": 1, "shard": [shard_of(server), 2]})
        assert (await wire.event("READY"))["guilds"] == [{"id": str(server.id), "unavailable": True}]
        assert (await wire.event("GUILD_CREATE"))["name"] == server.name
    assert shard_of(sandbox.world.server) != shard_of(second)


async def test_interactions_go_to_the_shard_of_their_server(
    sandbox: Sandbox, http: aiohttp.ClientSession, second: Server, there: ServerChannel, wren: Person
) -> None:
    here, away = [await connected(sandbox, http, server) for server in (sandbox.world.server, second)]
    await here.register(PING)
    using = asyncio.create_task(wren.slash(there, "ping"))
    told = await away.interaction()
    assert (told["guild_id"], told["channel"]["guild_id"]) == (str(second.id), str(second.id))
    await here.answer(told, 4, WORDS)
    await using
    await here.event("GUILD_CREATE")
    await here.tell(1, None)
    assert (await here.hear())["op"] == 11, "no interaction came before"


async def test_commands_of_one_server_stay_there(wire: WireBot, sandbox: Sandbox, second: Server, wren: Person) -> None:
    path = f"/applications/{sandbox.world.bot.id}/guilds"
    assert (await wire.ask("PUT", f"{path}/{second.id}/commands", [PING]))[0] == 200
    assert [each["name"] for each in sandbox.world.commands.slash(second.id)] == ["ping"]
    assert sandbox.world.commands.slash(sandbox.world.server.id) == []
    with pytest.raises(Refusal, match="no command"):
        await wren.slash(sandbox.channel("lounge"), "ping")
    status, answer = await wire.ask("PUT", f"{path}/{second.id + 1}/commands", [PING])
    assert (status, answer["code"]) == (403, 50001)


async def test_roles_of_one_server_mean_nothing_in_another(
    sandbox: Sandbox, second: Server, there: ServerChannel, wire: WireBot
) -> None:
    jay = sandbox.person("Jay")
    assert sandbox.world.server.roles_of(jay.id) != second.roles_of(jay.id) == []
    there.bot_permissions = 0
    assert (await wire.ask("POST", messages(there), WORDS))[1]["code"] == 50001
    assert (await wire.ask("POST", messages(sandbox.channel("lounge")), WORDS))[0] == 200
    assert (await wire.ask("GET", f"/guilds/{second.id}"))[1]["name"] == "Another"


async def test_the_bot_is_thrown_out_and_invited_again(
    wire: WireBot, sandbox: Sandbox, second: Server, there: ServerChannel, wren: Person
) -> None:
    wire = await connected(sandbox, wire.http, second)
    await wire.register(PING)
    _, posted = await wire.ask("POST", messages(there), {**WORDS, **components(row(button("b")))})
    sandbox.world.throw_out(second)
    assert await wire.event("GUILD_DELETE") == {"id": str(second.id)}
    assert (await wire.ask("POST", messages(there), WORDS))[1]["code"] == 50001
    assert (await wire.ask("GET", f"/guilds/{second.id}"))[1]["code"] == 10004
    assert (await wire.ask("GET", f"/guilds/{second.id}/threads/active"))[1]["code"] == 10004
    with pytest.raises(Refusal, match="no command"):
        await wren.slash(there, "ping")
    pressed = await wren.click(posted["id"], "b")
    assert pressed.state is InteractionState.FAILED
    assert pressed.failure == "Parlour does not belong to this server any more."
    there.overwrite(Overwrite(second.id, OverwriteKind.ROLE))
    another = await WireBot(sandbox, wire.http).connect()
    await another.tell(2, {"token": sandbox.token, "intents": 1, "shard": [shard_of(second), 2]})
    assert (await another.event("READY"))["guilds"] == []

    sandbox.world.invite(second)
    entered = await wire.hear()
    assert (entered["t"], entered["d"]["id"]) == ("GUILD_CREATE", str(second.id)), "nothing was told meanwhile"
    assert [each["id"] for each in entered["d"]["channels"]] == [str(there.id)]
    assert (await wire.ask("POST", messages(there), WORDS))[0] == 200
    pressing = asyncio.create_task(wren.click(posted["id"], "b"))
    await wire.answer(await wire.interaction(), 6)
    assert (await pressing).state is InteractionState.ANSWERED


async def test_the_library_takes_as_many_shards_as_it_is_told(
    pointed: Sandbox, second: Server, there: ServerChannel, robin: Person
) -> None:
    async with LittleBot().running(pointed) as bot:
        assert sorted(bot.shards) == [0, 1]
        assert {guild.id: guild.shard_id for guild in bot.guilds} == {
            server.id: shard_of(server) for server in (pointed.world.server, second)
        }
        assert (await robin.slash(there, "hello")).text == "Hello, world!"
        assert isinstance(bot.get_channel(there.id), discord.TextChannel)


@pytest.mark.parametrize("shard", [[2, 2], [-1, 1], [0, 0]])
async def test_shards_that_do_not_exist(sandbox: Sandbox, http: aiohttp.ClientSession, shard: list[int]) -> None:
    wire = await WireBot(sandbox, http).connect()
    await wire.tell(2, {"token": sandbox.token, "intents": 1, "shard": shard})
    assert await wire.closed() == 4010
