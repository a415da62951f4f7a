"""Plays while the database's primary is killed and its standby promoted."""

import asyncio
import random
import time

from bot.sandbox import Sandbox
from bot.sandbox.model.interactions import InteractionState
from bot.tables.model import TableId
from bot.tables.table import Table
from tests.e2e.crash.load_scenario import LoadScenario
from tests.e2e.crash.observer import Observer, find_unanswered
from tests.e2e.crash.record_checks import check_records, find_behind, load_records, restore_tables
from tests.support.replicated_postgres import ReplicatedPostgres
from tests.support.waiting import wait_until

TIMEOUT_SECONDS = 150.0
"""Long enough for processes of computer players to start on a busy machine."""
MAX_PLAY_SECONDS = 1.0
MAX_OUTAGE_SECONDS = 2.0
RESUME_SECONDS = 10.0
"""How long after the promotion the first move is made: what docs/hosting.md promises."""
ALL_RESUME_SECONDS = 30.0
"""How long until all tables have gone on, with a worker to start on a busy machine; 50 times it took 8 s at most."""


class FailoverRunner:
    """Fails the database over under people who play, and checks what its new primary holds."""

    def __init__(self, sandbox: Sandbox, servers: ReplicatedPostgres, seed: int) -> None:
        self.observer = Observer(sandbox)
        self.resumed_after: list[float] = []
        """The seconds from each promotion to the next move."""
        self.all_resumed_after: list[float] = []
        """The seconds from each promotion until all tables had gone on."""
        self.answers = self.refused = 0
        self.longest_wait = 0.0
        """The seconds until the latest answer."""
        self.tables: dict[TableId, Table] = {}
        self._servers = servers
        self._random = random.Random(seed)
        self._scenario = LoadScenario(sandbox, self.observer, self._random)

    async def fail_over_once(self) -> None:
        """Let people play, kill the primary, promote the standby, and compare what they know with what it holds."""
        self._scenario.start()
        await self._scenario.wait_for_progress(TIMEOUT_SECONDS)
        await asyncio.sleep(self._random.uniform(0, MAX_PLAY_SECONDS))
        await asyncio.to_thread(self._servers.primary.kill)
        await asyncio.sleep(self._random.uniform(0, MAX_OUTAGE_SECONDS))
        await asyncio.to_thread(self._servers.promote)
        promoted_at, before = time.monotonic(), self._count_steps()
        await wait_until(lambda: self._count_steps() > before, RESUME_SECONDS)
        self.resumed_after.append(time.monotonic() - promoted_at)
        await self._scenario.wait_for_progress(ALL_RESUME_SECONDS)
        self.all_resumed_after.append(time.monotonic() - promoted_at)
        await asyncio.to_thread(self._servers.add_standby)
        await self._scenario.pause(TIMEOUT_SECONDS)
        await self._check()

    async def stop(self) -> None:
        """Stop all players."""
        await self._scenario.stop()

    def _count_steps(self) -> int:
        """Return how many steps people have seen."""
        return sum(self.observer.newest_steps.values())

    async def _check(self) -> None:
        answers = self.observer.answers
        for heard in answers:
            assert heard.interaction.state is InteractionState.RESPONDED, heard
            await heard.interaction.wait_for_text(TIMEOUT_SECONDS)
            self.longest_wait = max(self.longest_wait, heard.seconds)
        self.answers += len(answers)
        self.refused += sum(not heard.was_granted for heard in answers)
        await self._wait_until_shown()
        # The computer players go on meanwhile.
        steps = self.observer.newest_steps.copy()
        self.tables = await check_records(await load_records(self._servers.address), answers, steps)
        answers.clear()

    async def _wait_until_shown(self) -> None:
        """Wait until every table is shown as it is saved, and every click answered."""
        end = time.monotonic() + TIMEOUT_SECONDS
        while True:
            records = await load_records(self._servers.address)
            behind = find_behind(records, self.observer)
            unanswered = find_unanswered(self.observer.answers, await restore_tables(records))
            if not behind and not unanswered:
                return
            assert time.monotonic() < end, f"not shown as saved: {behind}; never answered: {unanswered}"
            await asyncio.sleep(0.1)
