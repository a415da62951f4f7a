"""Bots in their own processes: their processor, CPU time and memory."""

import asyncio
import os
import re
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import TypeVar

from bot.sandbox import Sandbox
from bot.settings import child_environment

SandboxT = TypeVar("SandboxT", bound=Sandbox)

ROOT = Path(__file__).parents[2]
PARLOUR = (sys.executable, "-m", "bot", "run")
"""The command that starts the bot."""

_IDLE_SHARE = 0.03
"""Of a processor."""
_TICKS = os.sysconf("SC_CLK_TCK")


def parlour_environment(sandbox: Sandbox, address: str) -> dict[str, str]:
    """Return the environment that points the bot to a sandbox and a database."""
    return child_environment(
        DISCORD_TOKEN=sandbox.token,
        DISCORD_API_URL=sandbox.api_url,
        DATABASE_URL=address.replace("sqlite:", "sqlite+aiosqlite:"),
        DEV_GUILD_ID="",
        LOG_LEVEL="WARNING",
    )


@asynccontextmanager
async def run_sandbox(sandbox: SandboxT) -> AsyncIterator[SandboxT]:
    """Run a sandbox until the block ends."""
    await sandbox.start()
    try:
        yield sandbox
    finally:
        await sandbox.stop()


@asynccontextmanager
async def run_bot(
    sandbox: Sandbox, command: tuple[str, ...], environment: dict[str, str]
) -> AsyncIterator[asyncio.subprocess.Process]:
    """Run a bot against a sandbox until the block ends; it is online when the block begins."""
    # The output of this process is for figures alone.
    process = await asyncio.create_subprocess_exec(*command, cwd=ROOT, env=environment, stdout=sys.stderr)
    try:
        await sandbox.until(lambda: sandbox.bot_online, timeout=60)
        yield process
    finally:
        if process.returncode is None:
            process.terminate()
        await process.wait()


@contextmanager
def pin_to_processor(process_id: int, processor: int) -> Iterator[None]:
    """Pin a process, or this one (0), to one processor while the block runs; an ended process is ignored."""
    before = os.sched_getaffinity(process_id)
    os.sched_setaffinity(process_id, {processor})
    try:
        yield
    finally:
        with suppress(ProcessLookupError):
            os.sched_setaffinity(process_id, before)


def processor_seconds(process_id: int) -> float:
    """Return the CPU time of all threads of a process."""
    fields = Path(f"/proc/{process_id}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS


async def wait_until_idle(process_id: int) -> None:
    """Wait until a process has used next to no CPU time for a second: its start is over and its art is drawn."""
    busy = True
    while busy:
        before = processor_seconds(process_id)
        await asyncio.sleep(1)
        busy = processor_seconds(process_id) - before > _IDLE_SHARE


def memory_mib(process_id: int, what: str = "VmRSS") -> float:
    """Return the present or peak (`VmHWM`) memory of a process."""
    status = Path(f"/proc/{process_id}/status").read_text()
    found = re.search(rf"{what}:\s+(\d+) kB", status)
    return round(int(found[1]) / 1024, 1) if found else float("nan")
