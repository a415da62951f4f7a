"""The bot is told to end while people click: who has been heard is answered, and nothing goes wrong."""

import asyncio
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import bot.ui.client
from bot.sandbox import Sandbox
from bot.sandbox.interactions import InteractionState
from bot.settings import child_environment
from bot.store.store import SqlStore
from bot.tables.model import Entry, Header, Occupant, Result
from tests.support.fakes import Gate, until
from tests.support.parlour import Parlour, connected, id_of

ROOT = Path(__file__).parents[2]
ROUNDS = 3


class Slow:
    """Holds a store's moves up."""

    def __init__(self, store: SqlStore) -> None:
        self.gate = Gate()
        self._save = store.save

    async def save(
        self, header: Header, seats: Sequence[Occupant] | None, entry: Entry | None, results: Sequence[Result] = ()
    ) -> None:
        await self.gate.wait()
        await self._save(header, seats, entry, results)


@pytest.mark.parametrize("how", ["a click", "a command"])
async def test_who_has_been_heard_is_answered(parlour: Parlour, monkeypatch: pytest.MonkeyPatch, how: str) -> None:
    message = await parlour.started(parlour.robin, parlour.wren)
    await parlour.settled()
    mover, slow = await parlour.mover(), Slow(parlour.store)
    monkeypatch.setattr(parlour.store, "save", slow.save)
    acting: asyncio.Task[Any] = asyncio.create_task(
        parlour.press(mover, message, "Roll all five")
        if how == "a click"
        else mover.slash(parlour.here, "magpie roll", dice="all")
    )
    await slow.gate.reached.wait()
    ending = asyncio.create_task(parlour.client.close())
    await until(lambda: not parlour.sandbox.bot_online)
    assert not ending.done()
    slow.gate.open()
    assert (await acting).state is InteractionState.ANSWERED
    await ending
    record = await parlour.store.load(1)
    assert record is not None
    assert record.header.step == 1
    assert record.header.published == record.header.revision


async def test_what_takes_too_long_is_left_without_a_fault(
    sandbox: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bot.ui.client, "_PATIENCE_SECONDS", 0.05)
    async with connected(sandbox, tmp_path / "parlour.sqlite3") as parlour:
        message = await parlour.started(parlour.robin, parlour.wren)
        await parlour.settled()
        mover, slow = await parlour.mover(), Slow(parlour.store)
        monkeypatch.setattr(parlour.store, "save", slow.save)
        pressing = asyncio.create_task(parlour.press(mover, message, "Roll all five"))
        await slow.gate.reached.wait()
    slow.gate.open()
    await pressing


async def test_a_process_that_is_told_to_end_while_everybody_clicks_leaves_in_order(tmp_path: Path) -> None:
    sandbox = Sandbox(deadline=0.5)
    await sandbox.start()
    environment = child_environment(
        DISCORD_TOKEN=sandbox.token,
        DISCORD_API_URL=sandbox.api_url,
        DATABASE_URL=f"sqlite+aiosqlite:///{tmp_path / 'parlour.sqlite3'}",
        DEV_GUILD_ID="",
        LOG_LEVEL="WARNING",
    )
    log = tmp_path / "bot.log"
    try:
        for number in range(ROUNDS):
            with log.open("ab") as stderr:
                process = await asyncio.create_subprocess_exec(
                    sys.executable, "-m", "bot", "run", cwd=ROOT, env=environment, stderr=stderr
                )
            await sandbox.until(lambda: sandbox.bot_online, timeout=30)
            robin, wren = sandbox.person("Robin"), sandbox.person("Wren")
            if number == 0:
                (message,) = (await robin.slash(sandbox.channel("table-one"), "magpie new")).replies
            clicks = [
                asyncio.create_task(person.click(message, id_of(message, "Join"), forged=True))
                for person in (robin, wren) * 20
            ]
            await asyncio.sleep(0.01 * number)
            process.terminate()
            assert await asyncio.wait_for(process.wait(), 10) == 0
            await asyncio.gather(*clicks)
            await sandbox.until(lambda: not sandbox.bot_online)
        assert log.read_text() == ""
    finally:
        await sandbox.stop()
