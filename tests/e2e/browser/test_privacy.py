"""A person deletes their data on a phone: told, asked once more, and gone from the table."""

import pytest

from tests.e2e.browser.playing import start_with, write
from tests.support.chromium import PHONE_VIEWPORT, BrowserWindows
from tests.support.parlour import Parlour

pytestmark = [
    pytest.mark.browser,
    pytest.mark.usefixtures("frequent_checks"),
    pytest.mark.asyncio(loop_scope="session"),
]


async def test_a_person_exports_and_deletes_everything(windows: BrowserWindows, parlour: Parlour) -> None:
    async with windows.use() as used:
        page = await used.open(parlour.sandbox.url, PHONE_VIEWPORT)
        await write(page, "/magpie new")
        await start_with(page, parlour, "Wren", "Jay")
        table = page.locator(f"[data-message-id='{parlour.here.messages[-1].id}'] .embed")
        await write(page, "/privacy")
        panel = page.locator("[data-message-id]").last
        await panel.get_by_text("What I keep").wait_for()
        await panel.get_by_role("button", name="Export my data", exact=True).click()
        await page.get_by_text("parlour-data.json").first.wait_for()
        await panel.page.get_by_role("button", name="Delete my data", exact=True).click()
        await page.get_by_text("This can't be undone.", exact=True).wait_for()
        await page.get_by_role("button", name="Delete everything", exact=True).click()
        await page.get_by_text("Your data is being deleted").first.wait_for()
        await table.get_by_text("Deleted").first.wait_for()
        await table.get_by_text("Robin").first.wait_for(state="detached")
