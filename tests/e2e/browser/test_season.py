"""A season on a phone: its games, its end and its champion."""

import asyncio
from datetime import timedelta

import pytest

from bot.features.boards.messages import period_name
from bot.features.results.model import bounds_of, quarter_of
from bot.features.seasons import storage as season_storage
from bot.features.seasons.model import CHAMPION_GAMES
from bot.tables.host import Host
from tests.e2e.browser.playing import let_first_rolls_win, play_magpie, start_with, switch_person, write
from tests.support.chromium import PHONE_VIEWPORT, BrowserWindows
from tests.support.parlour import Parlour

pytestmark = [
    pytest.mark.browser,
    pytest.mark.usefixtures("frequent_checks"),
    pytest.mark.asyncio(loop_scope="session"),
]


@pytest.fixture(autouse=True)
def _short_games(monkeypatch: pytest.MonkeyPatch) -> None:
    let_first_rolls_win(monkeypatch)


async def end_quarter(parlour: Parlour, period: str) -> None:
    """Let the rest of a quarter go by; the bot does the jobs of its months."""
    left = bounds_of(period)[1] + timedelta(hours=1) - parlour.client.app.service(Host).service.clock()
    parlour.advance_clock(minutes=left / timedelta(minutes=1))
    while not await parlour.db.read(season_storage.past_seasons, parlour.sandbox.world.server.id, 1):  # noqa: ASYNC110 - the database tells nobody
        await asyncio.sleep(0.05)


async def test_a_season_ends_with_a_champion_on_a_phone(windows: BrowserWindows, parlour: Parlour) -> None:
    async with windows.use() as used:
        page = await used.open(parlour.sandbox.url, PHONE_VIEWPORT)
        for _ in range(CHAMPION_GAMES):
            await switch_person(page, "Robin")
            await write(page, "/magpie new target:50")
            await play_magpie(page, parlour, await start_with(page, parlour, "Wren"))
        period = quarter_of(parlour.client.app.service(Host).service.clock())
        await write(page, "/season")
        await page.get_by_text("left: it ends").last.wait_for()
        await end_quarter(parlour, period)
        await write(page, "/season")
        await page.get_by_role("button", name=f"◀ {period_name(period)}").last.click()
        await page.get_by_text("🏆 Magpie").last.wait_for()
        await page.get_by_role("button", name="This season ▶").last.click()
        await page.get_by_text("left: it ends").last.wait_for()
