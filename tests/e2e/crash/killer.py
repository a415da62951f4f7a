"""Starts the bot's process and ends it in the middle of games, and looks at what it has left on disk."""

import asyncio
import random
import time
from collections import Counter
from pathlib import Path

from bot.sandbox import Sandbox
from bot.sandbox.model.interactions import InteractionState
from bot.sandbox.model.messages import Message
from bot.store.store import SqlStore
from bot.tables.model import Header, Record, Status, TableId
from bot.tables.registry import load_games
from bot.tables.slices import Slices
from bot.tables.table import Table, revived
from tests.e2e.crash.load_scenario import Evening
from tests.e2e.crash.witness import Witness, lost
from tests.support.processes import killed, online, spawned

GAMES = load_games()

EARLY = 0.25
"""How often the bot is killed while it starts, before anybody has seen it work."""
EARLY_SECONDS = 2.5
PLAY_SECONDS = 0.4
PATIENCE = 60.0

PAUSES = 0.5
"""How often everybody looks up from the game, to see whether all that was done is shown."""
SHOWN_SECONDS = 30.0
"""After so long the tables are up to date without anybody's doing, and long before the bot looks for those that lag."""

OLD_PRESSES = 20
"""So many of the buttons that a message has had are pressed in the end."""

NOTED_SECONDS = 1.0
"""After so long it is on disk which message shows a table, however busy the machine is."""


class Killer:
    """Starts the bot and kills it, and looks each time at what it has left on disk."""

    def __init__(self, sandbox: Sandbox, folder: Path, seed: int) -> None:
        self.witness = Witness(sandbox)
        self._sandbox = sandbox
        self._file = folder / "parlour.sqlite3"
        self._log = folder / "bot.log"
        self._moments = random.Random(seed)
        self._evening = Evening(sandbox, self.witness, self._moments)
        self._unnoted: Counter[TableId] = Counter()
        self._spawned_at = self._killed_at = 0.0

    @property
    def address(self) -> str:
        return f"sqlite+aiosqlite:///{self._file}"

    async def kill_once(self) -> None:
        """Let the bot run for a random time and kill it."""
        self._spawned_at = time.monotonic()
        process = await spawned(self._sandbox, self.address, self._log)
        self._evening.begin()
        try:
            if self._moments.random() < EARLY:
                await asyncio.sleep(self._moments.uniform(0, EARLY_SECONDS))
            else:
                await online(self._sandbox, process)
                await self._evening.all_go_on(PATIENCE)
                if self._moments.random() < PAUSES:
                    await self._pause()
                await asyncio.sleep(self._moments.uniform(0, PLAY_SECONDS))
        finally:
            self._killed_at = time.monotonic()
            await killed(self._sandbox, process)
            await self._evening.end()
        written = self._log.read_text()
        assert not written, written

    async def end_politely(self) -> None:
        """Let the bot run for a random time and tell it to end, which it does in order."""
        process = await spawned(self._sandbox, self.address, self._log)
        self._evening.begin()
        try:
            await online(self._sandbox, process)
            await self._evening.all_go_on(PATIENCE)
            await asyncio.sleep(self._moments.uniform(0, PLAY_SECONDS))
            process.terminate()
            assert await asyncio.wait_for(process.wait(), PATIENCE) == 0
        finally:
            await killed(self._sandbox, process)
            await self._evening.end()
        written = self._log.read_text()
        assert not written, written

    async def _pause(self) -> None:
        """Let everybody pause until the tables show all that was done, and go on."""
        await self._evening.pause(PATIENCE)
        end = time.monotonic() + SHOWN_SECONDS
        while behind := [record.header for record in await self._records() if not self._is_shown(record.header)]:
            assert time.monotonic() < end, f"nobody is shown what happened at {behind}"
            await asyncio.sleep(0.1)
        self._evening.begin()

    def _is_shown(self, header: Header) -> bool:
        seen = header.status is Status.PLAYING and self.witness.shown[header.id] >= header.step
        return seen or header.published >= header.revision

    async def look(self) -> dict[TableId, Table]:
        """Check that everything people know of is on disk, and fits together."""
        records = await self._records()
        slices = Slices()
        tables = {record.header.id: await revived(record, GAMES[record.header.game], slices) for record in records}
        for record in records:
            self._check(record)
        gone = lost(self.witness.heard, tables)
        assert not gone, gone
        self.witness.heard.clear()
        return tables

    def _check(self, record: Record) -> None:
        header = record.header
        assert header.status in (Status.LOBBY, Status.PLAYING, Status.FINISHED)
        assert [entry.step for entry in record.entries] == list(range(1, header.step + 1))
        assert self.witness.shown[header.id] <= header.step, "people have seen more than is on disk"
        clicks = [entry.click_id for entry in record.entries if entry.click_id is not None]
        assert len(set(clicks)) == len(clicks), "no click has moved twice"
        posts = len(self.witness.live_posts(header.id))
        assert posts <= 1 + self._unnoted[header.id], "no message but those that could not be noted in time"
        posted_at = self.witness.newest_post_at(header.id)
        if header.message_id is None and posted_at > self._spawned_at:
            self._unnoted[header.id] += 1
            assert self._killed_at - posted_at < NOTED_SECONDS

    async def _records(self) -> list[Record]:
        if not self._file.exists():
            return []
        store, records = SqlStore(self.address), list[Record]()
        try:
            await store.upgrade()
            while (record := await store.load(len(records) + 1)) is not None:
                records.append(record)
        finally:
            await store.close()
        return records

    async def say_good_night(self) -> None:
        """Start the bot once more: every table goes on, and the buttons that ever were are answered without a fault."""
        process = await online(self._sandbox, await spawned(self._sandbox, self.address, self._log))
        self._evening.begin()
        try:
            await self._evening.all_go_on(PATIENCE)
            await self._evening.pause(PATIENCE)
            # The computer players go on, so that new messages may come meanwhile.
            for message_id, ids in list(self.witness.ids.items()):
                message = self._sandbox.world.message(message_id)
                if message is not None:
                    await self._press_old(message, list(dict.fromkeys(ids)))
        finally:
            await killed(self._sandbox, process)
            await self._evening.end()
        written = self._log.read_text()
        assert not written, written

    async def _press_old(self, message: Message, ids: list[str]) -> None:
        robin = self._sandbox.person("Robin")
        for old in self._moments.sample(ids, min(len(ids), OLD_PRESSES)):
            click = await robin.click(message, old, forged=True)
            assert click.state is InteractionState.ANSWERED, old
            assert not click.replies or click.ephemeral, old
