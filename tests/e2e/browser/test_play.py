"""`/play` and a guide on a phone."""

from typing import TYPE_CHECKING

import pytest

from tests.e2e.browser.playing import write
from tests.support.chromium import PHONE_VIEWPORT, BrowserWindows
from tests.support.parlour import Parlour

if TYPE_CHECKING:
    from playwright.async_api import Locator

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

MAX_TOP = 220
"""The most pixels from the top of a message to its picture."""

ROOM = 749
"""The pixels of a phone below the page's header."""


async def test_a_phone_leads_from_the_games_to_a_guide(windows: BrowserWindows, parlour: Parlour) -> None:
    async with windows.use() as used:
        page = await used.open(parlour.sandbox.url, PHONE_VIEWPORT)
        await write(page, "/play")
        newest = page.locator("[data-message-id]").last
        await require_fit(newest)
        await newest.get_by_role("button", name="Fortune", exact=True).click()
        await page.locator(".embed-title", has_text="Waiting for players").wait_for()
        await newest.get_by_role("button", name="More …").click()
        await page.get_by_role("button", name="How to play", exact=True).click()
        await page.locator(".embed-title", has_text="Fortune · The goal").wait_for()
        await require_fit(newest)
        await newest.get_by_role("button", name="Next ▶").click()
        await page.locator(".embed-title", has_text="Fortune · Your turn").wait_for()
        await require_fit(newest)


async def require_fit(message: "Locator") -> None:
    """Require that a message fits on the screen, with its picture near the top."""
    picture = message.locator(".embed-picture")
    await picture.wait_for()
    whole, drawn = await message.bounding_box(), await picture.bounding_box()
    assert whole is not None
    assert drawn is not None
    assert drawn["y"] - whole["y"] <= MAX_TOP
    assert whole["height"] <= ROOM
