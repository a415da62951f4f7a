"""What owners of servers use, by clicks on a phone."""

from typing import TYPE_CHECKING

import pytest

from bot.features.settings.kinds import SettingsSection
from bot.tables import storage as table_storage
from bot.tables.model import Status
from tests.e2e.browser.playing import find_embed, switch_person, write
from tests.support.chromium import PHONE_VIEWPORT, BrowserWindows
from tests.support.parlour import Parlour

if TYPE_CHECKING:
    from playwright.async_api import Locator, Page

pytestmark = [pytest.mark.slow, pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


async def choose(page: "Page", message: "Locator", menu: str, value: str) -> None:
    """Choose a value in a menu of a message, or the first if the value is empty."""
    await message.locator(f"[data-select][data-custom-id^='{menu}:']").click()
    chosen = f"[data-value='{value}']" if value else "[data-value]"
    await page.locator(f"#select-menu {chosen}").first.click()


async def test_an_owner_bans_chooses_closes_and_runs_a_tournament(windows: BrowserWindows, parlour: Parlour) -> None:
    async with windows.use() as used:
        page = await used.open(parlour.sandbox.url, PHONE_VIEWPORT)
        newest = page.locator("[data-message-id]").last
        await write(page, "/magpie new")
        await page.get_by_role("button", name="Join", exact=True).wait_for()
        await write(page, "/server ban member:Jay time:1 day")
        await newest.get_by_text("can't play in this server until").wait_for()
        await switch_person(page, "Jay")
        await page.get_by_role("button", name="Join", exact=True).click()
        await newest.get_by_text("you can't play here until").wait_for()
        await switch_person(page, "Wren")
        await write(page, "/server tables")
        await newest.get_by_text("Only moderators of this server can do that.").wait_for()
        await switch_person(page, "Robin")
        await write(page, "/settings show")
        await find_embed(page, "Server settings").wait_for()
        await choose(page, newest, "Sm", SettingsSection.BANS.value)
        await find_embed(page, "Server settings · Bans").locator(".mention", has_text="Jay").wait_for()
        await write(page, "/server tables")
        await find_embed(page, "1 open table").wait_for()
        await choose(page, newest, "VK", "")
        await newest.get_by_role("button", name="Close the table", exact=True).click()
        await find_embed(page, "0 open tables").wait_for()
        record = await parlour.db.read(table_storage.load, 1)
        assert record is not None
        assert record.header.status is Status.CANCELLED
        await write(page, "/tournament new game:magpie name:Cup")
        cup = page.locator("[data-message-id]", has=find_embed(page, "Cup"))
        for name in ("Robin", "Wren"):
            await switch_person(page, name)
            await cup.get_by_role("button", name="Join", exact=True).click()
            await cup.locator(".embed", has_text=name).wait_for()
        await switch_person(page, "Robin")
        await cup.get_by_role("button", name="Start", exact=True).click()
        await find_embed(page, "Round 1").first.wait_for()
        assert await page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
