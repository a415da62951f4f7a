"""A person deletes their data on a phone: told, asked once more, and gone from the table."""

import pytest

from tests.support.chromium import PHONE_VIEWPORT, BrowserWindows
from tests.support.parlour import Parlour

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


async def test_a_person_exports_and_deletes_everything(windows: BrowserWindows, parlour: Parlour) -> None:
    message = await parlour.start_game(parlour.robin, parlour.wren, parlour.jay)
    async with windows.use() as used:
        page = await used.open(parlour.sandbox.url, PHONE_VIEWPORT)
        await page.locator("#composer").fill("/privacy")
        await page.locator("#composer").press("Enter")
        panel = page.locator("[data-message-id]").last
        await panel.get_by_text("What I keep").wait_for()
        await panel.get_by_role("button", name="Export my data", exact=True).click()
        await page.get_by_text("parlour-data.json").first.wait_for()
        await panel.page.get_by_role("button", name="Delete my data", exact=True).click()
        await page.get_by_text("This can't be undone.", exact=True).wait_for()
        await page.get_by_role("button", name="Delete everything", exact=True).click()
        await page.get_by_text("Your data is being deleted").first.wait_for()
        await parlour.sandbox.until(lambda: "Deleted" in message.text and "Robin" not in message.text)
