"""Processes that lease shards die, hang and lose their database; others serve on in their place."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from sqlalchemy import make_url

from bot.sandbox import Sandbox, ServerChannel
from bot.sandbox.model.interactions import Interaction, InteractionState
from bot.sandbox.model.messages import Message
from bot.sandbox.people.person import Person
from tests.e2e.crash.leased_processes import (
    OUTLASTED_OUTAGES,
    QUICK_TAKE_OVERS,
    SHARDS,
    LeasedProcess,
    Processes,
    run_processes,
)
from tests.e2e.crash.record_checks import load_records
from tests.support.parlour import ROLL, button_id, shows_step
from tests.support.postgres import PostgresServer
from tests.support.waiting import wait_until

pytestmark = [pytest.mark.slow, pytest.mark.postgres]

END_SECONDS = 60.0
TAKE_OVER_SECONDS = 30.0
"""Within this another process serves the shard of one that has died, with the leases that `run` uses."""

FORGOTTEN_SECONDS = 60.0
"""Longer than anyone waits for an answer."""

LASTING_LEASES = "SELECT * FROM shard_leases WHERE expires_at > clock_timestamp()"


class PlayedTable:
    """A table of two people."""

    def __init__(self, sandbox: Sandbox, channel: ServerChannel) -> None:
        self.channel = channel
        self.step = 0
        self._robin, self._wren = sandbox.person("Robin"), sandbox.person("Wren")
        self._sandbox = sandbox

    @property
    def message(self) -> Message:
        (message,) = self.channel.public_messages
        return message

    async def start(self) -> None:
        await self._robin.slash(self.channel, "magpie new", target=500)
        await self._sandbox.until(lambda: self.channel.public_messages)
        await self._wren.click(self.message, button_id(self.message, "Join"))
        await self._sandbox.until(lambda: any(button.label.startswith("Start") for button in self.message.buttons))
        await self._robin.click(self.message, button_id(self.message, "Start"))
        await self._sandbox.until(lambda: shows_step(self.message, 0))

    def press(self) -> "asyncio.Task[Interaction]":
        """Roll by the button."""
        return asyncio.create_task(self._mover.click(self.message, button_id(self.message, ROLL)))

    async def play(self) -> None:
        """Roll by the button and by the command; each is answered, and shown."""
        for by_button in (True, False):
            acting = self.press() if by_button else self._mover.slash(self.channel, "magpie roll", dice="all")
            assert (await acting).state is InteractionState.RESPONDED
            self.step += 1
            # The words of a moment follow its dice, and name who is next.
            await self._sandbox.until(
                lambda: shows_step(self.message, self.step) and "roll the dice" in self.message.embeds[0]["title"]
            )

    @property
    def _mover(self) -> Person:
        title = self.message.embeds[0]["title"]
        return next(each for each in (self._robin, self._wren) if f"{each.name}, roll the dice" in title)


@pytest.fixture
async def processes(sharded: Sandbox, database: str, tmp_path: Path) -> AsyncIterator[Processes]:
    """Processes with a shard each, whose leases do not last for long."""
    async with run_processes(
        sharded, database, tmp_path, "auto/2", QUICK_TAKE_OVERS, SHARDS_PER_PROCESS="1"
    ) as running:
        yield running


@pytest.fixture
async def table(sharded: Sandbox) -> PlayedTable:
    return PlayedTable(sharded, sharded.channel("table-one"))


def name_of(address: str) -> str:
    """Return the name of a database."""
    return str(make_url(address).database)


def serving(processes: Processes, table: PlayedTable) -> LeasedProcess:
    """Return the process that serves a table."""
    shard = (table.channel.server_id or 0) >> 22 & 1
    return next(each for each in processes.serving if each.shards == f"{shard}-{shard}/2")


@pytest.mark.long
async def test_a_process_that_waits_serves_on_for_one_that_was_killed(
    sharded: Sandbox, database: str, tmp_path: Path, table: PlayedTable
) -> None:
    async with run_processes(sharded, database, tmp_path, "auto/2", {}, SHARDS_PER_PROCESS="1") as processes:
        *_, waiting = [await processes.start() for _ in range(3)]
        await table.start()
        await table.play()
        killed = serving(processes, table)
        killed.process.kill()
        await waiting.wait_until_serving(TAKE_OVER_SECONDS)
        assert waiting.shards == killed.shards
        await table.play()
        assert not waiting.warnings


async def test_a_process_that_was_suspended_ends_when_it_goes_on_and_does_nothing_twice(
    sharded: Sandbox, database: str, processes: Processes, table: PlayedTable
) -> None:
    *_, waiting = [await processes.start() for _ in range(3)]
    await table.start()
    await table.play()
    suspended = serving(processes, table)
    suspended.suspend()
    lost = table.press()
    await asyncio.sleep(0)
    sharded.world.clock.advance(FORGOTTEN_SECONDS)
    assert (await lost).state is InteractionState.FAILED
    await waiting.wait_until_serving()
    assert waiting.shards == suspended.shards
    await table.play()
    await table.play()
    before = await load_records(database)
    suspended.resume()
    assert await asyncio.wait_for(suspended.process.wait(), END_SECONDS) == 1
    assert f"Another process serves shards {suspended.shards} now." in suspended.written
    # PostgreSQL has ended a transaction that was open when it was suspended, if there was one.
    errors = [line for line in suspended.written.splitlines() if " ERROR " in line]
    assert len(errors) <= 1
    assert all("the database fails" in line for line in errors)
    await table.play()
    (record,) = await load_records(database)
    assert record.header.step == table.step
    assert record.entries[:-2] == before[0].entries
    assert not waiting.warnings


@pytest.mark.long
async def test_a_process_that_alone_loses_the_database_is_replaced_and_ends(
    processes: Processes, postgres: PostgresServer, database: str, table: PlayedTable
) -> None:
    with postgres.own_login(database) as login:
        cut_off = await processes.start(login.address)
        await processes.start()
        await table.start()
        await table.play()
        waiting = await processes.start()
        login.revoke()
        await waiting.wait_until_serving()
        assert waiting.shards == cut_off.shards
        assert await asyncio.wait_for(cut_off.process.wait(), END_SECONDS) == 1
        assert f"The lease of shards {cut_off.shards} could not be renewed" in cut_off.written
        await table.play()
        assert not waiting.warnings


@pytest.mark.long
async def test_after_an_outage_longer_than_a_lease_each_shard_is_served_by_one_process(
    sharded: Sandbox, postgres: PostgresServer, database: str, tmp_path: Path, table: PlayedTable
) -> None:
    async with run_processes(
        sharded, database, tmp_path, "auto/2", OUTLASTED_OUTAGES, SHARDS_PER_PROCESS="1"
    ) as processes:
        for _ in range(3):
            await processes.start()
        await table.start()
        await table.play()
        with postgres.outage(name_of(database)) as connection:
            await wait_until(lambda: not connection.execute(LASTING_LEASES).fetchall())
        await table.play()
        await wait_until(lambda: len(processes.serving) == SHARDS)
        assert {each.shards for each in processes.serving} == {"0-0/2", "1-1/2"}
        await table.play()
