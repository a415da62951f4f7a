"""The end of a season on a phone."""

import asyncio
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

import bot.tables.runtime.host
from bot.community.periods import bounds_of, quarter_of
from bot.community.seasons.model import CHAMPION_GAMES
from bot.ui.render.periods import period_name
from tests.e2e.test_results import make_place, store_finished_table
from tests.support.chromium import PHONE_VIEWPORT, BrowserWindows
from tests.support.parlour import Parlour

if TYPE_CHECKING:
    from playwright.async_api import Page

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


@pytest.fixture(autouse=True)
def _checks_are_frequent(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("CHECK_SECONDS", "FLUSH_SECONDS"):
        monkeypatch.setattr(bot.tables.runtime.host, name, 0.1)


async def send(page: "Page", command: str) -> None:
    await page.locator("#composer").fill(command)
    await page.locator("#composer").press("Enter")


async def end_quarter(parlour: Parlour, period: str) -> None:
    """Let the rest of a quarter go by; the bot does the jobs of its months."""
    left = bounds_of(period)[1] + timedelta(hours=1) - parlour.client.host.service.clock()
    parlour.advance_clock(minutes=left / timedelta(minutes=1))
    while not await parlour.store.past_seasons(parlour.sandbox.world.server.id, 1):  # noqa: ASYNC110 - the database tells nobody
        await asyncio.sleep(0.05)


async def test_a_season_ends_with_a_champion_on_a_phone(windows: BrowserWindows, parlour: Parlour) -> None:
    here = make_place(parlour, parlour.elsewhere.id)
    tables = [await store_finished_table(parlour, here, parlour.robin, parlour.wren) for _ in range(CHAMPION_GAMES)]
    period = quarter_of(tables[-1].header.updated_at)
    async with windows.use() as used:
        page = await used.open(parlour.sandbox.url, PHONE_VIEWPORT)
        await send(page, "/season")
        await page.get_by_text("left: it ends").last.wait_for()
        await end_quarter(parlour, period)
        await send(page, "/season")
        await page.get_by_role("button", name=f"◀ {period_name(period)}").last.click()
        await page.get_by_text("🏆 Magpie").last.wait_for()
        await page.get_by_role("button", name="This season ▶").last.click()
        await page.get_by_text("left: it ends").last.wait_for()
