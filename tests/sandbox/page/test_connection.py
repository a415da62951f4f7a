"""The page when the bot or the sandbox is away, and on a phone."""

import pytest

from bot.sandbox import Sandbox
from tests.sandbox.page.page_helpers import Visit, expect_text, find_message
from tests.support.chromium import PHONE_VIEWPORT
from tests.support.raw_bot import RawBot, button, connect_raw_bot, row

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


async def test_the_page_shows_when_the_bot_is_away_and_recovers_by_itself(visit: Visit, sandbox: Sandbox) -> None:
    page = await visit("Wren")
    banner = page.locator("#banner")
    await banner.wait_for(state="hidden")
    sandbox.world.set_online(False)
    await expect_text(banner, "Parlour is offline: reconnecting…")
    again = Sandbox(port=sandbox.port)
    await sandbox.stop()
    await expect_text(banner, "Not connected to the sandbox")
    await again.start()
    try:
        async with connect_raw_bot(again):
            await banner.wait_for(state="hidden")
            await page.fill("#composer", "still me")
            await page.press("#composer", "Enter")
            await expect_text(page.locator("[data-message-id]"), "still me")
            assert [said.author.name for said in again.channel("table-one").messages] == ["Wren"]
    finally:
        await again.stop()


async def test_a_phone_shows_everything_without_scrolling_sideways(visit: Visit, bot: RawBot, sandbox: Sandbox) -> None:
    fields = [{"name": "a long name of a field", "value": "w" * 90, "inline": True} for _ in range(3)]
    wide = [row(*(button(f"b{number}", "A rather long label") for number in range(5)))]
    page = await visit(viewport=PHONE_VIEWPORT)
    posted = await bot.post("table-one", "x" * 300, embeds=[{"title": "t" * 200, "fields": fields}], components=wide)
    await find_message(page, posted).wait_for()
    for width in ("document.documentElement.scrollWidth", "document.getElementById('feed').scrollWidth"):
        assert await page.evaluate(width) <= PHONE_VIEWPORT["width"]
    heights = "nodes => nodes.map((node) => node.getBoundingClientRect().height)"
    buttons = page.locator("button:visible")
    assert await buttons.count() >= 11
    assert min(await buttons.evaluate_all(heights)) >= 40

    assert await page.locator("#place").evaluate("each => each.scrollHeight <= each.clientHeight"), "table-one is whole"

    lounge = page.locator(f"[data-channel='{sandbox.channel('lounge').id}']")
    assert not await lounge.is_visible()
    await page.click("#menu")
    await lounge.click()
    await expect_text(page.locator("#place"), "lounge")
    await lounge.wait_for(state="hidden")
