"""The bot as a process of its own, killed without warning in the middle of games."""

import asyncio
import random
import sys
from asyncio.subprocess import Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import pytest

from bot.sandbox import Sandbox
from bot.sandbox.interactions import Interaction
from bot.sandbox.messages import Message
from bot.sandbox.people import Person
from bot.settings import child_environment
from bot.store.store import SqlStore
from tests.support.parlour import id_of

KILLS = 5
ROOT = Path(__file__).parents[2]


@pytest.fixture
async def impatient() -> AsyncIterator[Sandbox]:
    """A sandbox that waits for an answer only briefly, because a killed bot gives none."""
    running = Sandbox(deadline=0.8)
    await running.start()
    yield running
    await running.stop()


@asynccontextmanager
async def bot_process(sandbox: Sandbox, file: Path) -> AsyncIterator[Process]:
    """Run the bot until the block ends; then it is killed, unless it is already."""
    environment = child_environment(
        DISCORD_TOKEN=sandbox.token,
        DISCORD_API_URL=sandbox.api_url,
        DATABASE_URL=f"sqlite+aiosqlite:///{file}",
        DEV_GUILD_ID="",
        COMPUTER_PAUSE="0",
    )
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bot", "run", cwd=ROOT, env=environment, stderr=asyncio.subprocess.DEVNULL
    )
    try:
        await sandbox.until(lambda: sandbox.bot_online, timeout=30)
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()
        await sandbox.until(lambda: not sandbox.bot_online)


async def roll(sandbox: Sandbox, message: Message) -> Interaction:
    """Let whoever is to move, as far as the message says, roll all five dice."""
    title = message.embeds[0]["title"]
    mover: Person = next(
        person for person in map(sandbox.person, ("Robin", "Wren")) if f"{person.name} to roll" in title
    )
    return await mover.click(message, id_of(message, "Roll all five"))


def shown_step(message: Message) -> int:
    """Return the step that the table's message shows, as its buttons carry it."""
    return int(id_of(message, "Roll all five").split(":")[2])


def shows_more_than(message: Message, step: int) -> bool:
    return shown_step(message) > step


async def steps_on_disk(file: Path) -> list[int]:
    store = SqlStore(f"sqlite+aiosqlite:///{file}")
    record = await store.load(1)
    await store.close()
    assert record is not None
    assert record.header.step == len(record.entries)
    return [entry.step for entry in record.entries]


async def test_no_shown_move_is_lost_and_old_buttons_work(impatient: Sandbox, tmp_path: Path) -> None:
    sandbox, file = impatient, tmp_path / "parlour.sqlite3"
    table_one, robin, wren = sandbox.channel("table-one"), sandbox.person("Robin"), sandbox.person("Wren")
    moments = random.Random(5)
    async with bot_process(sandbox, file):
        opened = await robin.slash(table_one, "magpie new", target=500)
        message = opened.replies[0]
        await wren.click(message, id_of(message, "Join"))
        await robin.click(message, id_of(message, "Start"))

    async def roll_until_killed(process: Process) -> None:
        while process.returncode is None:
            await roll(sandbox, message)

    for _ in range(KILLS):
        before = shown_step(message)
        async with bot_process(sandbox, file) as process:
            rolling = asyncio.create_task(roll_until_killed(process))
            await sandbox.until(partial(shows_more_than, message, before + 1), timeout=20)
            await asyncio.sleep(moments.uniform(0, 0.02))
            process.kill()
            await process.wait()
        await rolling
        kept = await steps_on_disk(file)
        assert kept == list(range(1, len(kept) + 1))
        assert shown_step(message) <= len(kept)


async def test_a_polite_end_leaves_nothing_undone(sandbox: Sandbox, tmp_path: Path) -> None:
    async with bot_process(sandbox, tmp_path / "parlour.sqlite3") as process:
        opened = await sandbox.person("Robin").slash(sandbox.channel("table-one"), "magpie new")
        await sandbox.person("Wren").click(opened.replies[0], id_of(opened.replies[0], "Join"))
        process.terminate()
        assert await asyncio.wait_for(process.wait(), 10) == 0
    store = SqlStore(f"sqlite+aiosqlite:///{tmp_path / 'parlour.sqlite3'}")
    record = await store.load(1)
    await store.close()
    assert record is not None
    assert [who.name for who in record.seats] == ["Robin", "Wren"]
    assert record.header.published == record.header.revision
    assert record.header.message_id == opened.replies[0].id
