"""The daily bag on a phone, for three days."""

import re
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from bot.features.daily_bag.service import DailyBagService
from bot.platform.clock import utc_now
from bot.tables.host import Host
from bot.tables.model import Status
from bot.tables.table import Table
from tests.e2e.browser.playing import write
from tests.support.chromium import PHONE_VIEWPORT, BrowserWindows
from tests.support.daily_games import do_what_is_due
from tests.support.fakes import FakeClockAhead
from tests.support.parlour import Parlour

if TYPE_CHECKING:
    from playwright.async_api import Page

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

NOON = datetime(2027, 3, 1, 12, tzinfo=UTC)


async def table_of(parlour: Parlour) -> Table:
    table = await parlour.client.app.service(Host).service.open_table_in(parlour.here.id, parlour.robin.id)
    assert table is not None
    return table


async def play(page: "Page", parlour: Parlour, table: Table) -> None:
    """Play a table to its end with the buttons of the message that only its player sees."""
    while table.header.status is Status.PLAYING:
        state, step = table.state, table.header.step
        label = "^Row" if state.matching else "^Roll" if state.rolls_left else "^Finish"
        controls = page.locator(f"[data-custom-id^='w:t:{table.id}:{step}:']")
        await controls.filter(has_text=re.compile(label)).first.click()
        await controls.first.wait_for(state="detached")
        table = await parlour.client.app.service(Host).service.table(table.id)


async def test_three_days_on_a_phone(windows: BrowserWindows, parlour: Parlour) -> None:
    service = parlour.client.app.service(Host).service
    async with windows.use() as used:
        page = await used.open(parlour.sandbox.url, PHONE_VIEWPORT)
        for day in range(3):
            service.clock = FakeClockAhead(NOON + timedelta(days=day) - utc_now())
            await do_what_is_due(parlour.client.app.service(DailyBagService))
            await write(page, "/daily")
            await page.get_by_role("button", name="Play today's bag").last.click()
            await page.get_by_text("Your bag is below.").last.wait_for()
            await page.locator("[data-custom-id^='w:t:']").first.wait_for()
            await play(page, parlour, await table_of(parlour))
            await page.get_by_text(f"Streak in this server: {day + 1} day").last.wait_for()
            await write(page, "/daily")
            await page.get_by_text(f"Your streak: {day + 1} day").last.wait_for()
        await page.get_by_role("button", name="All servers").last.click()
        await page.get_by_text("not shown to others").first.wait_for()
        await page.get_by_role("button", name="Show me on the board of all servers").click()
        await page.get_by_text("Everyone can see the name of your account").first.wait_for()
        await page.get_by_role("button", name="◀ Daily bag").click()
        await page.get_by_role("button", name="Seeds and proof").last.click()
        await page.get_by_text("The seed:").first.wait_for()
        await page.get_by_role("button", name="◀ Daily bag").click()
        await page.get_by_role("button", name="Practise today's bag").last.click()
        await page.get_by_text("2027-03-03 · practice").first.wait_for()
