"""Two servers that belong to two shards of one bot: each has its own table, and both are played at once."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.sandbox import Sandbox, ServerChannel
from bot.sandbox.model.interactions import InteractionState
from bot.sandbox.model.messages import Message
from bot.ui.client.client import ParlourClient
from tests.support.openapi_conformance import find_breaches
from tests.support.parlour import Parlour, run_parlour
from tests.support.timeouts import DEADLINE_SECONDS
from tests.support.waiting import wait_until

ROLLS = 3


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
                parlour.press(mover, message, "Roll all five")
                if by_button
                else mover.slash(channel, "magpie roll", dice="all")
            )
            assert (await acting).state is InteractionState.RESPONDED
            await parlour.wait_until_shown(table.id)
    return message


async def test_each_shard_plays_its_own_table(
    sandbox: Sandbox, there: ServerChannel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def at_once(*_: object, **__: object) -> None:
        """Identify without the pause that Discord wants between shards."""

    monkeypatch.setattr(ParlourClient, "before_identify_hook", at_once)
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
            assert message.button("Roll all five").custom_id == f"t:{table.id}:{2 * ROLLS}:roll:0"
