"""Two servers that belong to two shards of one bot: each has its own table, and both are played at once."""

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest

from bot.features.privacy import storage as privacy_storage
from bot.features.privacy.service import ServerDataService
from bot.platform.clock import utc_now
from bot.platform.jobs import storage as job_storage
from bot.platform.places import ShardRange
from bot.sandbox import Sandbox, ServerChannel
from bot.sandbox.model.interactions import InteractionState
from bot.sandbox.model.messages import Message
from bot.tables.host import Host
from tests.support.openapi_conformance import find_breaches
from tests.support.parlour import ROLL, Parlour, find_button, run_parlour
from tests.support.waiting import DEADLINE_SECONDS, wait_until

pytestmark = pytest.mark.usefixtures("soon_ready")

ROLLS = 3


@pytest.fixture(autouse=True)
def _shards_identify_often(monkeypatch: pytest.MonkeyPatch) -> None:
    """The sandbox does not mind."""
    monkeypatch.setattr("bot.platform.discord.gateway.IDENTIFY_EVERY", timedelta(seconds=0.2))


@pytest.fixture
async def sandbox() -> AsyncIterator[Sandbox]:
    running = Sandbox(shards=2, deadline=DEADLINE_SECONDS)
    await running.start()
    yield running
    await running.stop()
    assert not (found := find_breaches(running.requests, of_the_bot=True)), "\n".join(found)


@pytest.fixture
def there(sandbox: Sandbox) -> ServerChannel:
    """A channel of a server on the other shard."""
    second = sandbox.world.add_server(sandbox.world.server.id + (1 << 22), "Another")
    return sandbox.world.add_channel(second, "elsewhere")


async def play_table(parlour: Parlour, channel: ServerChannel) -> Message:
    """Open a table, and roll by button and by command in turn."""
    robin, wren = parlour.robin, parlour.wren
    (message,) = (await robin.slash(channel, "magpie new", target=500)).replies
    await parlour.press(wren, message, "Join")
    await parlour.press(robin, message, "Start")
    for _ in range(ROLLS):
        for by_button in (True, False):
            table = await parlour.table(channel)
            assert table.mover is not None
            mover = parlour.sandbox.person(table.mover.name)
            acting = (
                parlour.press(mover, message, ROLL) if by_button else mover.slash(channel, "magpie roll", dice="all")
            )
            assert (await acting).state is InteractionState.RESPONDED
            await parlour.wait_until_shown(table.id)
    return message


async def test_each_shard_plays_its_own_table(
    sandbox: Sandbox, there: ServerChannel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with run_parlour(sandbox, tmp_path / "parlour.sqlite3") as parlour:
        await wait_until(lambda: len(parlour.client.guilds) == 2)
        shards = {guild.name: guild.shard_id for guild in parlour.client.guilds}
        assert sorted(shards.values()) == [0, 1]
        await wait_until(lambda: set(parlour.client.latencies_by_shard()) == {0, 1})
        with monkeypatch.context() as starting:
            starting.setattr(parlour.client, "is_ready", lambda: False)
            assert parlour.client.latencies_by_shard() == {}
        messages = await asyncio.gather(*(play_table(parlour, channel) for channel in (parlour.here, there)))
        tables = [await parlour.table(channel) for channel in (parlour.here, there)]
        assert [table.header.step for table in tables] == [2 * ROLLS] * 2
        assert [table.header.location.guild_id for table in tables] == [sandbox.world.server.id, there.server_id]
        for table, message in zip(tables, messages, strict=True):
            assert message.channel.public_messages == [message]
            assert find_button(message, ROLL).custom_id == f"t:{table.id}:{2 * ROLLS}:roll:0"


async def test_shards_connect_together_as_often_as_discord_allows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.platform.discord.gateway.IDENTIFY_EVERY", timedelta(seconds=1))
    sandbox = Sandbox(shards=6, max_concurrency=3, identify_seconds=0.5)
    await sandbox.start()
    try:
        async with run_parlour(sandbox, tmp_path / "parlour.sqlite3") as parlour:
            await wait_until(lambda: set(parlour.client.shards) == set(range(6)))
            assert sandbox.gateway.hello_count == 6
            assert sandbox.gateway.early_identify_count == 0
    finally:
        await sandbox.stop()


async def test_two_processes_share_the_servers(sandbox: Sandbox, there: ServerChannel, tmp_path: Path) -> None:
    file, channels = tmp_path / "parlour.sqlite3", (sandbox.channel("table-one"), there)
    here_shard, there_shard = ((channel.server_id or 0) >> 22 & 1 for channel in channels)
    async with (
        run_parlour(sandbox, file, shards=ShardRange(here_shard, here_shard, 2)) as here_bot,
        run_parlour(sandbox, file, shards=ShardRange(there_shard, there_shard, 2)) as there_bot,
    ):
        bots = (here_bot, there_bot)
        await wait_until(lambda: all(len(bot.client.guilds) == 1 for bot in bots))
        await asyncio.gather(*(play_table(bot, channel) for bot, channel in zip(bots, channels, strict=True)))
        tables = [await bot.table(channel) for bot, channel in zip(bots, channels, strict=True)]
        assert [table.header.step for table in tables] == [2 * ROLLS] * 2
        await asyncio.gather(*(bot.client.app.service(Host).sweep() for bot in bots))
        caches = [bot.client.app.service(Host).service.cache for bot in bots]
        assert [[cache.get(table.id) is not None for table in tables] for cache in caches] == [
            [True, False],
            [False, True],
        ]
        assert await here_bot.db.read(privacy_storage.find_servers, here_bot.db.shards) == [sandbox.world.server.id]
        assert await there_bot.db.read(privacy_storage.find_servers, there_bot.db.shards) == [there.server_id]


async def test_a_bot_schedules_no_deletion_of_servers_that_other_processes_serve(
    sandbox: Sandbox, there: ServerChannel, tmp_path: Path
) -> None:
    file = tmp_path / "parlour.sqlite3"
    shard = (there.server_id or 0) >> 22 & 1
    async with run_parlour(sandbox, file) as parlour:
        await wait_until(lambda: len(parlour.client.guilds) == 2)
        await asyncio.gather(*(play_table(parlour, channel) for channel in (parlour.here, there)))
    async with run_parlour(sandbox, file, shards=ShardRange(shard, shard, 2)) as parlour:
        await wait_until(lambda: parlour.client.app.service(ServerDataService).find_membership(there.server_id or 0))
        servers = [each.id for each in parlour.client.guilds]
        await parlour.client.app.service(ServerDataService).note_present(servers)
        due = await parlour.db.maintain(
            job_storage.claim, parlour.db.shards, ["left server"], utc_now() + timedelta(days=40), utc_now(), 9
        )
        assert due == []
