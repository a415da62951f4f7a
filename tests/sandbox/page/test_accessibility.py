"""The page for those who see it little or use no mouse: names, order, visible focus, spoken news."""

import pytest

from bot.sandbox import Sandbox
from tests.sandbox.page.page_helpers import Visit, expect_text, find_message
from tests.support.raw_bot import RawBot, button, row

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

NAMELESS = """
() => [...document.querySelectorAll("button, input, select, textarea, a, dialog, aside, nav, [role]")]
  .filter((node) => node.checkVisibility())
  .filter((node) => {
    const labels = (node.getAttribute("aria-labelledby") ?? "").split(" ").map((id) => document.getElementById(id));
    const words = [node.ariaLabel, node.title, node.textContent, ...labels.map((each) => each?.textContent),
      ...[...(node.labels ?? [])].map((label) => label.textContent)];
    return !["status", "alert", "presentation"].includes(node.role) && !words.some((each) => each?.trim());
  })
  .map((node) => node.outerHTML.slice(0, 120))
"""
LOOSE = """
() => ["aria-controls", "aria-describedby", "aria-labelledby", "for"].flatMap((name) =>
  [...document.querySelectorAll(`[${name}]`)].map((node) => node.getAttribute(name)))
  .filter((id) => !document.getElementById(id))
"""
TWICE = """
() => [...document.querySelectorAll("[id]")].map((node) => node.id).filter((id, at, ids) => ids.indexOf(id) !== at)
"""


async def test_every_element_has_a_name_and_every_reference_a_target(visit: Visit, bot: RawBot) -> None:
    menu = row({"type": 6, "custom_id": "who"})
    controls = [row(button("b", "Roll"), {"type": 2, "style": 2, "custom_id": "e", "emoji": {"name": "🎲"}}), menu]
    posted = await bot.post("table-one", "||secret|| <t:0:R>", components=controls)
    page = await visit()
    await find_message(page, posted).wait_for()
    await page.click("#trouble-toggle")
    await page.fill("#composer", "/magpie roll ")
    await page.locator("[data-option=dice]").wait_for()
    assert [await page.evaluate(look) for look in (NAMELESS, LOOSE, TWICE)] == [[], [], []]
    assert await page.locator("h1:visible").count() == 1


async def test_the_keyboard_skips_the_channels_and_focus_is_visible(visit: Visit) -> None:
    page = await visit()
    await page.focus(".skip")
    box = await page.locator(".skip").bounding_box()
    assert box is not None
    assert box["y"] >= 0, "the way past is seen once it has the focus"
    await page.keyboard.press("Enter")
    await page.keyboard.press("Shift+Tab")
    assert await page.evaluate("document.activeElement.id || document.activeElement.className") != "skip"
    for _ in range(6):
        await page.keyboard.press("Shift+Tab")
        look = "(({ outlineStyle, outlineWidth }) => `${outlineStyle} ${outlineWidth}`)"
        assert await page.evaluate(f"{look}(getComputedStyle(document.activeElement))") == "solid 2px"


async def test_incoming_messages_are_announced(visit: Visit, bot: RawBot, sandbox: Sandbox) -> None:
    page = await visit()
    spoken = page.locator("#announcer[aria-live=polite]")
    sandbox.person("Jay").say(sandbox.channel("table-one"), "**good** evening")
    await page.locator("#announcer", has_text="Jay: good evening").wait_for(state="attached")
    posted = await bot.post("table-one", embeds=[{"title": "Robin to roll"}])
    await page.locator("#announcer", has_text="Parlour: Robin to roll").wait_for(state="attached")
    await bot.edit("table-one", posted, embeds=[{"title": "Wren to roll"}])
    await page.locator("#announcer", has_text="Parlour: Wren to roll").wait_for(state="attached")
    await bot.post("lounge", "elsewhere")
    await expect_text(page.locator("[data-channel].unread"), "lounge")
    assert await spoken.text_content() == "Parlour: Wren to roll"
