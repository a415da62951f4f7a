"""Days in which the bot did not run count against nobody, through the sandbox."""

from datetime import timedelta
from pathlib import Path

from bot.platform.jobs import downtimes
from bot.sandbox import Sandbox
from bot.tables.host import Host
from bot.tables.model import Status
from tests.support.parlour import run_parlour

TWO_DAYS = timedelta(days=2)


async def test_after_two_days_without_the_bot_a_lobby_is_open_and_its_opener_not_away(
    sandbox: Sandbox, tmp_path: Path
) -> None:
    file = tmp_path / "parlour.sqlite3"
    async with run_parlour(sandbox, file) as before:
        before.advance_clock(minutes=-TWO_DAYS / timedelta(minutes=1))
        lobby = await before.open_table(before.robin)
        await before.press(before.wren, lobby, "Join")
        await before.db.maintain(
            downtimes.note_alive, before.db.shards, before.client.app.service(Host).service.clock(), timedelta.max
        )
    async with run_parlour(sandbox, file) as after:
        await after.client.app.service(Host).sweep()
        answer = await after.press(after.wren, lobby, "Start")
        assert answer.ephemeral
        assert (await after.table()).header.status is Status.LOBBY
        after.advance_clock(minutes=6)
        await after.press(after.wren, lobby, "Start")
        assert (await after.table()).header.status is Status.PLAYING
