"""Dark and light, and that nothing is loaded from elsewhere."""

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest

from bot.sandbox import Sandbox
from tests.sandbox.page.page_helpers import Visit, expect_text, find_message
from tests.support.raw_bot import RawBot

if TYPE_CHECKING:
    from playwright.async_api import Page

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


async def brightness(page: "Page") -> float:
    """Return how bright the page is, from 0 to 255."""
    ground = "getComputedStyle(document.body).backgroundColor.match(/\\d+/g).slice(0, 3).map(Number)"
    red, green, blue = await page.evaluate(ground)
    return float(red + green + blue) / 3


async def test_the_page_follows_the_systems_theme_unless_one_is_chosen(visit: Visit) -> None:
    page = await visit(is_own=True)
    await page.emulate_media(color_scheme="light")
    assert await brightness(page) > 200
    await page.emulate_media(color_scheme="dark")
    assert await brightness(page) < 80
    await page.get_by_role("button", name="Switch to light colours").click()
    assert await brightness(page) > 200
    await page.reload()
    await page.get_by_role("button", name="Switch to dark colours").wait_for()
    assert await brightness(page) > 200
    await page.get_by_role("button", name="Switch to dark colours").click()
    assert await brightness(page) < 80
    # Back at the system's own colours the page follows it again.
    await page.emulate_media(color_scheme="light")
    assert await brightness(page) > 200


async def test_no_other_site_is_contacted(visit: Visit, bot: RawBot, sandbox: Sandbox) -> None:
    asked: list[str] = []
    page = await visit(is_own=True)
    page.on("request", lambda request: asked.append(request.url))
    away = {"url": "https://example.org/p.png"}
    icon = {"icon_url": "https://example.org/i.png"}
    embed = {"title": "t", "image": away, "thumbnail": away, "author": {"name": "a", **icon}}
    posted = await bot.post(
        "table-one", "[x](https://example.org/x)", embeds=[{**embed, "footer": {"text": "f", **icon}}]
    )
    await expect_text(find_message(page, posted), "A picture at example.org")
    await page.reload()
    await expect_text(find_message(page, posted), "A picture at example.org")
    assert len(asked) > 10
    assert {urlsplit(url).netloc for url in asked} == {f"127.0.0.1:{sandbox.port}"}
    assert await page.locator("img").count() == 0
