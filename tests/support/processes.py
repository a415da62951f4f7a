"""The bot in its own process, on a sandbox and a database."""

import asyncio
import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from bot.sandbox import Sandbox
from bot.settings import child_environment
from tests.support.databases import create_schema
from tests.support.forked_process import ROOT, Command, Duration, ForkedProcess, fork_command
from tests.support.waiting import DEADLINE_SECONDS, PATIENT_POSTGRES, PATIENT_SQLITE

START_SECONDS = 120.0
SQLITE_PREFIX = "sqlite+aiosqlite:///"
PICTURE_FOLDER = ROOT / "var" / "pictures"
"""Where a bot that runs in the checkout keeps its art, if its database is on a server."""

DIRECT_ANSWERS = {"bot.platform.discord.answers.DEFER_AFTER_SECONDS": DEADLINE_SECONDS}
"""A bot that is slow after its start defers, and answers in another way then."""

PATIENT_SHUTDOWN = DIRECT_ANSWERS | dict.fromkeys(
    (
        "bot.platform.discord.client.ANSWER_SECONDS",
        "bot.tables.host.FINISH_SECONDS",
        "bot.tables.host.SHOW_SECONDS",
        "bot.tables.host.WRITE_SECONDS",
    ),
    DEADLINE_SECONDS,
)
"""Limits for tests of what a shutdown finishes: on a busy machine that takes longer than the five seconds it may."""


QUICK_START: dict[str, Duration] = {"bot.platform.discord.gateway.SERVERS_SECONDS": 0.2}
"""For tests that wait until a bot is ready: the sandbox tells of all servers at once."""


async def spawn_bot(
    sandbox: Sandbox, address: str, log: Path, constants: Mapping[str, Duration] | None = None, **variables: str
) -> ForkedProcess:
    """Start the bot's process; its log, by default from warnings on, is appended to a file.

    Constants that are durations may be replaced. An SQLite file is made with all tables, and with the art of other bots
    beside it: both take less time than in the bot.
    """
    patience = PATIENT_POSTGRES
    if address.startswith(SQLITE_PREFIX):
        patience = PATIENT_SQLITE
        file = Path(address.removeprefix(SQLITE_PREFIX))
        create_schema(file)
        _share_art(file.parent / "pictures")
    environment = child_environment(
        DISCORD_TOKEN=sandbox.token,
        DISCORD_API_URL=sandbox.api_url,
        DATABASE_URL=address,
        DEV_GUILD_ID="",
        COMPUTER_PAUSE="0",
        **{"LOG_LEVEL": "WARNING", **variables},
    )
    return fork_command(Command(("run",), environment, log, constants={**patience, **(constants or {})}))


def _share_art(folder: Path) -> None:
    if not folder.exists():
        PICTURE_FOLDER.mkdir(parents=True, exist_ok=True)
        folder.symlink_to(PICTURE_FOLDER, target_is_directory=True)


async def wait_until_online(sandbox: Sandbox, process: ForkedProcess) -> ForkedProcess:
    """Wait until the bot that was started is connected."""
    ended = asyncio.create_task(process.wait())
    connected = asyncio.create_task(sandbox.until(lambda: sandbox.bot_online, timeout=START_SECONDS))
    await asyncio.wait({ended, connected}, return_when=asyncio.FIRST_COMPLETED)
    ended.cancel()
    assert connected.done(), f"the bot ended with status {process.returncode}"
    await connected
    return process


async def kill_bot(sandbox: Sandbox, process: ForkedProcess) -> None:
    """Kill the bot without warning, unless it has ended, and wait until the sandbox has lost it."""
    if process.returncode is None:
        process.kill()
    await process.wait()
    await sandbox.until(lambda: not sandbox.bot_online)


def is_running(process_id: int) -> bool:
    """Return whether a process runs; one that has ended and is not waited for does not, where that can be told."""
    try:
        os.kill(process_id, 0)
    except ProcessLookupError:
        return False
    stat = Path(f"/proc/{process_id}/stat")
    return not stat.exists() or _stat_of(stat)[0] != "Z"


def list_workers(parent_id: int) -> list[int]:
    """Return the running worker processes of a process; needs `/proc`."""
    found: list[int] = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        # Other processes end meanwhile.
        with suppress(FileNotFoundError, ProcessLookupError):
            state, parent, *_ = _stat_of(stat)
            command = (stat.parent / "cmdline").read_bytes()
            if int(parent) == parent_id and state != "Z" and b"spawn_main" in command:
                found.append(int(stat.parent.name))
    return found


def _stat_of(stat: Path) -> list[str]:
    return stat.read_text().rpartition(")")[2].split()
