"""Closing takes less than five seconds, whatever hangs; in virtual time."""

import asyncio
import contextlib
import selectors
from types import SimpleNamespace
from typing import Any

import pytest
from discord.ext import commands

from bot.app.bootstrap import build_client
from bot.platform.database.database import CLOSE_SECONDS
from bot.platform.discord.answers import EphemeralMessage
from bot.platform.discord.client import ParlourClient
from bot.platform.discord.private_messages import EphemeralKind, EphemeralMessages
from bot.platform.discord.run import STOP_SECONDS, stop_connecting
from bot.tables import storage as table_storage
from bot.tables.host import Host
from tests.support.each_case import each_case
from tests.support.fakes import GAMES, ROBIN, open_lobby
from tests.support.memory_database import MemoryDatabase
from tests.support.waiting import Gate
from tests.ui.fake_interactions import make_command

MAX_SECONDS = 5.0


class SkippingLoop(asyncio.SelectorEventLoop):
    """An event loop that does not wait for a timer: it moves its clock on."""

    def __init__(self) -> None:
        self._ahead = 0.0
        super().__init__(_SkippingSelector(self))

    def time(self) -> float:
        return super().time() + self._ahead

    def skip(self, seconds: float) -> None:
        self._ahead += seconds


class _SkippingSelector(selectors.DefaultSelector):
    def __init__(self, loop: SkippingLoop) -> None:
        super().__init__()
        self._loop = loop

    def select(self, timeout: float | None = None) -> Any:
        found = super().select(0)
        if timeout and not found:
            self._loop.skip(timeout)
        return found


async def forever(*_: object, **__: object) -> None:
    await asyncio.Event().wait()


async def make_everything_hang(client: ParlourClient, db: MemoryDatabase) -> None:
    """Let everything hang that closing waits for."""
    table = await open_lobby(client.app.service(Host).service, ROBIN)
    client.app.service(Host).service.note_published(table, 70)
    db.before |= {table_storage.mark_published: Gate(), table_storage.save: Gate()}
    answering = asyncio.create_task(_answering(client))
    leaving = asyncio.create_task(client.app.service(Host).service.leave(table.id, ROBIN))
    client.app.service(Host).publisher.wake(table.id, again=True)
    asked: Any = make_command(ROBIN)
    for message_id in (1, 2):
        client.app.service(EphemeralMessages).replace_previous(
            asked, EphemeralKind.HAND, table.id, EphemeralMessage(message_id, forever, forever)
        )
    await asyncio.sleep(1)
    assert not answering.done()
    assert not leaving.done()


async def _answering(client: ParlourClient) -> None:
    client.in_flight.track()
    await forever()


@pytest.fixture
def hanging(monkeypatch: pytest.MonkeyPatch) -> None:
    shards = {number: SimpleNamespace(disconnect=forever) for number in range(3)}
    monkeypatch.setattr(ParlourClient, "shards", property(lambda _: shards))
    monkeypatch.setattr(commands.AutoShardedBot, "close", forever)
    monkeypatch.setattr("bot.platform.discord.http.MessageClient.send", forever)


@pytest.mark.usefixtures("hanging")
def test_closing_ends_in_time_whatever_hangs() -> None:
    async def seconds() -> float:
        db = MemoryDatabase()
        client = build_client(db, GAMES)
        await client.__aenter__()
        await make_everything_hang(client, db)
        began = asyncio.get_running_loop().time()
        await client.close()
        return asyncio.get_running_loop().time() - began

    with asyncio.Runner(loop_factory=SkippingLoop) as running:
        taken = running.run(seconds())
    # Computing takes a little real time.
    assert CLOSE_SECONDS - 0.5 < taken < MAX_SECONDS - STOP_SECONDS


@each_case("times", [0, 1, 3, 1000])
def test_swallowed_cancellations_do_not_prolong_closing(times: int) -> None:
    async def stubborn() -> None:
        for _ in range(times):
            with contextlib.suppress(asyncio.CancelledError):
                await forever()
        await forever()

    async def seconds() -> float:
        task = asyncio.create_task(stubborn())
        await asyncio.sleep(0)
        began = asyncio.get_running_loop().time()
        await stop_connecting(task)
        took = asyncio.get_running_loop().time() - began
        assert task.done() == (times < 1000)
        for _ in range(times):
            task.cancel()
            await asyncio.sleep(0)
        return took

    with asyncio.Runner(loop_factory=SkippingLoop) as running:
        assert running.run(seconds()) < STOP_SECONDS + 0.5


def test_the_limits_together_are_below_the_allowed_time() -> None:
    assert STOP_SECONDS + CLOSE_SECONDS < MAX_SECONDS
