"""Processes that lease shards are replaced one after another while people play, as a rollout does it."""

import asyncio
import logging
import random
from collections import deque
from collections.abc import Sequence

import pytest

from bot.features.results.rebuild import rebuild
from bot.features.settings import storage as setting_storage
from bot.features.settings.all_settings import PICTURES
from bot.features.settings.choices import PictureChoice
from bot.platform.database.database import open_database
from bot.platform.discord.ids import parse_id
from bot.sandbox import Sandbox
from bot.sandbox.model.interactions import InteractionState
from bot.tables.handlers.ids import ControlId, ReadOnlyId
from bot.tables.model import Status, StoredTable, TableId
from bot.tables.table import Table
from tests.e2e.crash.leased_processes import SHARDS, LeasedProcess, Processes
from tests.e2e.crash.load_scenario import LoadScenario, TableSlot
from tests.e2e.crash.observer import Observer
from tests.e2e.crash.record_checks import check_records, load_records

pytestmark = pytest.mark.slow

log = logging.getLogger(__name__)

HAND_OVERS, LONG_HAND_OVERS = 1, 200
SEED = 45
TIMEOUT_SECONDS = 60.0
MAX_PLAY_SECONDS = 0.4

THINK_SECONDS = 0.3
"""A process that has just started is slower than the one that knows the tables, and gets the same clicks: people who
click faster than it answers are told to be slower."""

PAUSE_EVERY = 10
"""After so many hand-overs everyone pauses, and all tables must be shown as they stand."""


def make_slots(sandbox: Sandbox) -> Sequence[TableSlot]:
    """Have people play in servers of both shards, and in direct messages."""
    robin, wren, jay, linnet = map(sandbox.person, ("Robin", "Wren", "Jay", "Linnet"))
    server = sandbox.world.server
    there = sandbox.world.add_server(server.id + (1 << 22), "Another")
    here, evening = sandbox.channel("table-one"), sandbox.channel("table-two")
    one, two = (sandbox.world.add_channel(there, name) for name in ("elsewhere", "far-away"))
    return (
        TableSlot(here, "magpie new", (robin, wren, jay), {"target": 100, "computers": 1}),
        TableSlot(evening, "change new", (jay, linnet), {"credits": 50}),
        TableSlot(one, "magpie new", (linnet, wren), {"target": 100}),
        TableSlot(two, "fortune new", (wren, robin), {"target": 1000}),
        TableSlot(robin.direct_channel, "magic-bag new", (robin,)),
    )


class Rollout:
    """Replaces the process that has served for longest, again and again."""

    def __init__(self, sandbox: Sandbox, address: str, processes: Processes) -> None:
        self.observer = Observer(sandbox)
        self.slowest_seconds = 0.0
        self.answered = 0
        self._random = random.Random(SEED)
        self._slots = make_slots(sandbox)
        self._scenario = LoadScenario(sandbox, self.observer, self._random, self._slots, think_seconds=THINK_SECONDS)
        self._sandbox = sandbox
        self._address = address
        self._processes = processes
        self._serving: deque[LeasedProcess] = deque()

    async def start(self) -> None:
        """Start a process per shard and one that waits, and let people play."""
        await self._turn_pictures_off()
        self._serving.extend([await self._processes.start() for _ in range(SHARDS)])
        self._waiting = await self._processes.start()
        assert self._waiting.is_waiting
        self._scenario.start()

    async def hand_over(self) -> None:
        """End a process, in whose place the one that waits serves on, and start another one to wait."""
        await self.wait_for_progress()
        await asyncio.sleep(self._random.uniform(0, MAX_PLAY_SECONDS))
        ending, successor = self._serving.popleft(), self._waiting
        ending.process.terminate()
        assert await asyncio.wait_for(ending.process.wait(), TIMEOUT_SECONDS) == 0, ending.written
        # Its lease says that it is ready a moment before its log does.
        await successor.wait_until_serving()
        assert successor.shards == ending.shards
        self._serving.append(successor)
        log.info("shards %s were handed over", successor.shards)
        self._waiting = await self._processes.start()
        assert ending.warnings + successor.warnings == []

    async def _turn_pictures_off(self) -> None:
        """Have the tables of all servers shown in words, because drawing takes most of the time."""
        db = open_database(self._address)
        for server_id in self._sandbox.world.servers:
            await db.write(setting_storage.change, server_id, PICTURES, lambda _: PictureChoice.OFF)
        await db.close()

    async def wait_for_progress(self) -> None:
        """Wait until each table has come further."""
        await self._scenario.wait_for_progress(TIMEOUT_SECONDS)

    async def pause(self) -> dict[TableId, Table]:
        """Let everyone pause, and check that nothing is lost, nothing is there twice, and all is shown."""
        await self._scenario.pause(TIMEOUT_SECONDS)
        answers = self.observer.answers
        self.answered += len(answers)
        self.slowest_seconds = max([self.slowest_seconds, *(each.seconds for each in answers)])
        unanswered = [each for each in answers if each.interaction.state is not InteractionState.RESPONDED]
        assert not unanswered
        records = await self._wait_until_shown()
        tables = await check_records(records, answers, self.observer.newest_steps)
        for table in tables.values():
            assert len(self.observer.undeleted_posts(table.id)) == 1, "each table has one message"
        for slot in self._slots:
            of_channel = [each for each in tables.values() if each.header.location.channel_id == slot.channel.id]
            assert len(slot.channel.public_messages) == len(of_channel), "nothing else was posted, and nothing twice"
        return tables

    def go_on(self) -> None:
        """Let people play on."""
        self._scenario.start()

    async def _wait_until_shown(self) -> list[StoredTable]:
        """Wait until each message shows its table as it is stored, by itself: not at a click or at the next sweep."""
        async with asyncio.timeout(TIMEOUT_SECONDS / 2):
            while True:
                records = await load_records(self._address)
                if all(map(self._is_shown, records)):
                    return records
                await asyncio.sleep(0.1)

    def _is_shown(self, record: StoredTable) -> bool:
        header = record.header
        message = self._sandbox.world.message(header.message_id or 0)
        if message is None or header.awaits_computer:
            return False
        pressed = [parse_id(button.custom_id or "") for button in message.buttons]
        steps = {each.step for each in pressed if isinstance(each, ControlId)}
        # Also while a computer player is to move, a message has buttons to read the table.
        revisions = {each.revision for each in pressed if isinstance(each, ReadOnlyId)}
        expected = {header.step} if header.status is Status.PLAYING else set()
        return header.published >= header.revision and steps <= expected and revisions <= {header.revision}


@pytest.mark.postgres
@pytest.mark.time_limit(300)
async def test_people_do_not_notice_that_processes_are_replaced(
    sharded: Sandbox, database: str, processes: Processes, *, is_long: bool
) -> None:
    hand_overs = LONG_HAND_OVERS if is_long else HAND_OVERS
    rollout = Rollout(sharded, database, processes)
    await rollout.start()
    for number in range(1, hand_overs + 1):
        await rollout.hand_over()
        if number % PAUSE_EVERY == 0:
            await rollout.pause()
            rollout.go_on()
    await rollout.wait_for_progress()
    tables = await rollout.pause()
    finished = [table for table in tables.values() if table.header.status is Status.FINISHED]
    db = open_database(database)
    assert await db.run_exclusively(rebuild) == len(finished)
    await db.close()
    log.info(
        "%s hand-overs: %s answers, the slowest after %.2f s; %s moves, %s tables, of which %s finished",
        hand_overs,
        rollout.answered,
        rollout.slowest_seconds,
        sum(table.header.step for table in tables.values()),
        len(tables),
        len(finished),
    )
