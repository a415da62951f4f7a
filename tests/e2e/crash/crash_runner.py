"""Starts the bot's process, ends it during games, and checks its database."""

import asyncio
import random
import re
import time
from collections import Counter
from pathlib import Path

from bot.sandbox import Sandbox
from bot.sandbox.model.interactions import InteractionState
from bot.sandbox.model.messages import Message
from bot.tables.model import Header, StoredTable, TableId
from bot.tables.table import Table
from tests.e2e.crash.load_scenario import LoadScenario
from tests.e2e.crash.observer import Observer
from tests.e2e.crash.record_checks import check_records, find_behind, load_records
from tests.support.processes import kill_bot, spawn_bot, wait_until_online

EARLY_KILL_SHARE = 0.25
"""How often the bot is killed while it starts, before anyone has seen it work."""
MAX_EARLY_SECONDS = 2.5
MAX_PLAY_SECONDS = 0.4
TIMEOUT_SECONDS = 60.0

PAUSE_SHARE = 0.5
"""How often everyone looks up from the game, to see whether all that was done is shown."""
MAX_PUBLISH_SECONDS = 30.0
"""Seconds until all tables are up to date by themselves, long before the sweep looks for outdated ones."""

MAX_OLD_PRESSES = 20
"""The number of a message's old buttons that are pressed in the end."""

MAX_NOTE_SECONDS = 1.0
"""The time after which a table's message id is saved, even on a busy machine."""

ORPHANED_WORKER = re.compile(
    r'Traceback [^\n]*\n  File "<string>", line 1, in <module>\n(?:  .*\n?)*(?:(?:EOF|BrokenPipe).*\n?)?'
)


class CrashRunner:
    """Starts the bot and kills it, and checks its database each time."""

    def __init__(self, sandbox: Sandbox, folder: Path, seed: int) -> None:
        self.observer = Observer(sandbox)
        self._sandbox = sandbox
        self._file = folder / "parlour.sqlite3"
        self._log = folder / "bot.log"
        self._random = random.Random(seed)
        self._scenario = LoadScenario(sandbox, self.observer, self._random)
        self._unnoted_posts: Counter[TableId] = Counter()
        self._spawned_at = self._killed_at = 0.0

    @property
    def address(self) -> str:
        return f"sqlite+aiosqlite:///{self._file}"

    async def kill_once(self) -> None:
        """Let the bot run for a random time and kill it."""
        self._spawned_at = time.monotonic()
        process = await spawn_bot(self._sandbox, self.address, self._log)
        self._scenario.start()
        try:
            if self._random.random() < EARLY_KILL_SHARE:
                await asyncio.sleep(self._random.uniform(0, MAX_EARLY_SECONDS))
            else:
                await wait_until_online(self._sandbox, process)
                await self._scenario.wait_for_progress(TIMEOUT_SECONDS)
                if self._random.random() < PAUSE_SHARE:
                    await self._pause()
                await asyncio.sleep(self._random.uniform(0, MAX_PLAY_SECONDS))
        finally:
            self._killed_at = time.monotonic()
            await kill_bot(self._sandbox, process)
            await self._scenario.stop()
        # A worker that was being started and finds its parent gone writes a traceback of the standard library.
        written = ORPHANED_WORKER.sub("", self._log.read_text())
        assert not written, written

    async def _pause(self) -> None:
        """Let everyone pause until the tables show all that was done, and go on."""
        await self._scenario.pause(TIMEOUT_SECONDS)
        end = time.monotonic() + MAX_PUBLISH_SECONDS
        while behind := find_behind(await self._records(), self.observer):
            assert time.monotonic() < end, f"these tables are not shown as saved: {behind}"
            await asyncio.sleep(0.1)
        self._scenario.start()

    async def check_disk(self) -> dict[TableId, Table]:
        """Check that everything people know of is on disk, and fits together."""
        records = await self._records()
        tables = await check_records(records, self.observer.answers, self.observer.newest_steps)
        self.observer.answers.clear()
        for record in records:
            self._check_posts(record.header)
        return tables

    def _check_posts(self, header: Header) -> None:
        posts = len(self.observer.undeleted_posts(header.id))
        assert posts <= 1 + self._unnoted_posts[header.id], "no message but those that could not be noted in time"
        posted_at = self.observer.newest_post_at(header.id)
        if header.message_id is None and posted_at > self._spawned_at:
            self._unnoted_posts[header.id] += 1
            assert self._killed_at - posted_at < MAX_NOTE_SECONDS

    async def _records(self) -> list[StoredTable]:
        return await load_records(self.address) if self._file.exists() else []

    async def check_after_restart(self) -> None:
        """Start the bot once more: every table goes on, and every old button is answered without an error."""
        process = await wait_until_online(self._sandbox, await spawn_bot(self._sandbox, self.address, self._log))
        self._scenario.start()
        try:
            await self._scenario.wait_for_progress(TIMEOUT_SECONDS)
            await self._scenario.pause(TIMEOUT_SECONDS)
            # The computer players go on, so that new messages may come meanwhile.
            for message_id, ids in list(self.observer.button_ids.items()):
                message = self._sandbox.world.message(message_id)
                if message is not None:
                    await self._press_old_buttons(message, list(dict.fromkeys(ids)))
        finally:
            await kill_bot(self._sandbox, process)
            await self._scenario.stop()
        written = ORPHANED_WORKER.sub("", self._log.read_text())
        assert not written, written

    async def _press_old_buttons(self, message: Message, ids: list[str]) -> None:
        robin = self._sandbox.person("Robin")
        for old in self._random.sample(ids, min(len(ids), MAX_OLD_PRESSES)):
            click = await robin.click(message, old, forged=True)
            assert click.state is InteractionState.RESPONDED, old
            assert not click.replies or click.ephemeral, old
