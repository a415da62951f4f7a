"""Processes of the bot that lease shards: some serve, and one more waits."""

import re
import signal
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from datetime import timedelta
from itertools import count
from os import kill
from pathlib import Path

from bot.sandbox import Sandbox
from tests.support.forked_process import Duration, ForkedProcess
from tests.support.processes import PATIENT_SHUTDOWN, QUICK_START, START_SECONDS, spawn_bot
from tests.support.waiting import wait_until

SHARDS = 2
"""How many shards the bot of these tests has."""

QUICK_HAND_OVERS: Mapping[str, Duration] = {
    **QUICK_START,
    "bot.platform.jobs.shard_leases.LOOK_EVERY": timedelta(seconds=0.2),
    "bot.platform.jobs.shard_leases.RENEW_EVERY": timedelta(seconds=0.2),
    "bot.platform.discord.gateway.IDENTIFY_EVERY": timedelta(seconds=0.5),
    # Otherwise the usual sweep would mend within the test's patience what a hand-over breaks.
    "bot.tables.host.SWEEP_SECONDS": 3600.0,
}
"""Times that keep a test short; all processes over a database must agree on them."""

QUICK_TAKE_OVERS: Mapping[str, Duration] = {
    **QUICK_HAND_OVERS,
    "bot.platform.jobs.shard_leases.LEASE": timedelta(seconds=5),
    "bot.platform.jobs.shard_leases.GIVE_UP_AFTER": timedelta(seconds=7),
}
"""The same where a process dies. On a busy machine it may be slow enough to lose its lease."""

OUTLASTED_OUTAGES: Mapping[str, Duration] = {
    **QUICK_TAKE_OVERS,
    "bot.platform.jobs.shard_leases.GIVE_UP_AFTER": timedelta(seconds=15),
}
"""The same where all processes outlast that no database is there."""


class LeasedProcess:
    """A process of the bot; what it does is read from its log."""

    def __init__(self, process: ForkedProcess, log: Path) -> None:
        self.process = process
        self._log = log

    @property
    def shards(self) -> str | None:
        """The range that it serves; None while it waits."""
        found = re.search(r"serving shards (\S+)", self.written)
        return found and found[1]

    @property
    def is_waiting(self) -> bool:
        """Whether it has found no range that is free."""
        return self.shards is None and "waiting for one of them to end" in self.written

    @property
    def is_connected(self) -> bool:
        """Whether it has connected all its shards."""
        return "ready as" in self.written

    @property
    def written(self) -> str:
        """Its log."""
        return self._log.read_text() if self._log.exists() else ""

    @property
    def warnings(self) -> list[str]:
        """What it has logged from warnings on, and what Python has."""
        return [line for line in self.written.splitlines() if " INFO " not in line]

    def suspend(self) -> None:
        """Suspend the process, as a machine does that is out of memory or is moved."""
        kill(self.process.pid, signal.SIGSTOP)

    def resume(self) -> None:
        """Let it go on."""
        kill(self.process.pid, signal.SIGCONT)

    async def wait_until_settled(self) -> None:
        """Wait until it serves its shards, or waits for some."""
        await wait_until(
            lambda: self.is_waiting or self.is_connected or self.process.returncode is not None, START_SECONDS
        )
        assert self.process.returncode is None, self.written

    async def wait_until_serving(self, seconds: float = START_SECONDS) -> None:
        """Wait until it serves shards."""
        await wait_until(lambda: self.is_connected or self.process.returncode is not None, seconds)
        assert self.process.returncode is None, self.written


class Processes:
    """Processes over one database."""

    def __init__(
        self,
        sandbox: Sandbox,
        address: str,
        folder: Path,
        variables: Mapping[str, str],
        constants: Mapping[str, Duration],
    ) -> None:
        self.running: list[LeasedProcess] = []
        self._sandbox = sandbox
        self._address = address
        self._folder = folder
        self._constants = {**PATIENT_SHUTDOWN, **constants}
        self._variables = variables
        self._numbers = count(1)

    @property
    def serving(self) -> list[LeasedProcess]:
        """Those that serve shards and are connected."""
        return [each for each in self.running if each.process.returncode is None and each.is_connected]

    async def spawn(self, address: str | None = None, **variables: str) -> LeasedProcess:
        """Start a process, which may reach the database by an address of its own."""
        log, address = self._folder / f"bot-{next(self._numbers)}.log", address or self._address
        variables = {**self._variables, **variables}
        started = LeasedProcess(await spawn_bot(self._sandbox, address, log, self._constants, **variables), log)
        self.running.append(started)
        return started

    async def start(self, address: str | None = None, **variables: str) -> LeasedProcess:
        """Start a process, and wait until it serves or waits."""
        started = await self.spawn(address, **variables)
        await started.wait_until_settled()
        return started

    async def kill(self) -> None:
        """Kill all that are left."""
        for each in self.running:
            if each.process.returncode is None:
                each.process.kill()
            await each.process.wait()


@asynccontextmanager
async def run_processes(
    sandbox: Sandbox,
    address: str,
    folder: Path,
    shards: str,
    constants: Mapping[str, Duration],
    **variables: str,
) -> AsyncIterator[Processes]:
    """Let processes run until the block ends; those that are left are killed then."""
    running = Processes(sandbox, address, folder, {"SHARDS": shards, "LOG_LEVEL": "INFO", **variables}, constants)
    try:
        yield running
    finally:
        await running.kill()
