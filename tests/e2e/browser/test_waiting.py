"""Playing without waiting on a phone: a turn clock that runs out, one's tables, and pings."""

import pytest

import bot.platform.jobs.looks
from tests.e2e.browser.playing import write
from tests.e2e.test_waiting import pass_minute
from tests.support.chromium import PHONE_VIEWPORT, BrowserWindows
from tests.support.parlour import Parlour
from tests.support.waiting import wait_until

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


async def test_a_phone_leads_through_a_turn_that_takes_too_long(
    windows: BrowserWindows, parlour: Parlour, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bot.platform.jobs.looks, "ROUND_SECONDS", 0.01)
    monkeypatch.setattr(bot.platform.jobs.looks, "LOOK_SECONDS", 0.01)
    async with windows.use() as used:
        page = await used.open(parlour.sandbox.url, PHONE_VIEWPORT)

        async def press(label: str) -> None:
            await page.get_by_role("button", name=label, exact=True).last.click()

        async def choose(shown: str, label: str) -> None:
            await page.get_by_role("button", name=shown).last.click()
            await page.get_by_role("option", name=label, exact=True).click()

        await write(page, "/magpie new")
        await press("Options")
        await press("Page 2 ▶")
        await choose("Turn clock: none", "Turn clock: 10 minutes")
        await page.get_by_text("Turn clock: 10 minutes").first.wait_for()
        table = parlour.here.messages[0]
        await parlour.press(parlour.wren, table, "Join")
        await parlour.press(parlour.robin, table, "Start with 2")
        await page.get_by_text("'s time ends").first.wait_for()
        while await parlour.mover() is parlour.robin:
            await parlour.press(parlour.robin, table, "Roll all five")
        for _ in range(11):
            await pass_minute(parlour)
        await page.get_by_text("Wren's time in Magpie is up").first.wait_for()
        await press("Wait")
        await wait_until(lambda: not [each for each in parlour.here.messages if "is up" in each.text])
        await page.get_by_text("'s time ends").first.wait_for()
        await write(page, "/mytables")
        await page.get_by_text("Wren's turn since").first.wait_for()
        await write(page, "/ping always")
        await choose("Ping: as usual, after 2 quiet minutes", "Ping: a direct message")
        await choose("When: after 2 quiet minutes", "When: at once")
        await page.get_by_text("No quiet hours").first.wait_for()
        await wait_until(lambda: not [each for each in parlour.here.messages if "is up" in each.text])
