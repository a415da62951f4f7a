"""An owner's settings on a phone: pages, menus of channels and switches, and a table in its thread."""

import re

import pytest

from tests.e2e.browser.playing import write
from tests.support.chromium import PHONE_VIEWPORT, BrowserWindows
from tests.support.parlour import Parlour

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


async def test_an_owner_chooses_a_channel_and_threads_and_a_player_follows(
    windows: BrowserWindows, parlour: Parlour
) -> None:
    async with windows.use() as used:
        page = await used.open(parlour.sandbox.url, PHONE_VIEWPORT)
        await write(page, "/settings show")
        panel = page.locator("[data-message-id]").last
        await panel.locator("[data-custom-id='S:channels']").click()
        await page.get_by_role("option", name="#table-two", exact=True).click()
        await page.get_by_role("button", name="Done", exact=True).click()
        await panel.get_by_text("Games are played in").wait_for()
        await panel.locator("[data-custom-id='S:threads']").click()
        await page.get_by_role("option", name="Thread per table: On", exact=True).click()
        await panel.get_by_text("gets a thread of its own").wait_for()
        await panel.get_by_role("button", name="Changes", exact=True).click()
        await panel.get_by_text(re.compile("set Thread per table to On")).wait_for()
        box = await panel.bounding_box()
        assert box is not None
        assert box["width"] <= PHONE_VIEWPORT["width"]
    refused = await parlour.wren.slash(parlour.here, "magpie new")
    assert f"<#{parlour.elsewhere.id}>" in refused.text
    await parlour.wren.slash(parlour.elsewhere, "magpie new")
    await parlour.sandbox.until(lambda: any(each.public_messages for each in parlour.sandbox.world.threads.values()))
