"""The page's lines are the same on every machine, whatever fonts are installed there."""

from pathlib import Path
from typing import TYPE_CHECKING

import pymupdf_fonts  # type: ignore[import-untyped]  # it has no types
import pytest

from bot.sandbox import Sandbox
from tests.sandbox.page.page_helpers import Visit, find_message
from tests.support.chromium import PHONE_VIEWPORT, BrowserWindows, run_chromium
from tests.support.raw_bot import Json, RawBot, button, row

if TYPE_CHECKING:
    from playwright.async_api import Page

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

EMOJI = "🎲 ⚔️ 🏳️‍🌈 👍🏽 🇫🇮 3️⃣ ⭐ ⏳ 👉🪙🏆💀"
SIGNS = "→ × − ½ … ✓ ★ ▱▰ ◀ ● ○ ⚄"
WORDS = f"{EMOJI} What **wraps** depends on *every* letter before it {EMOJI} {SIGNS} `{SIGNS}`"

MESSAGE: Json = {
    "content": WORDS,
    "embeds": [
        {
            "title": WORDS,
            "description": f"# {WORDS}\n{WORDS}\n- {WORDS}\n-# {WORDS}\n> {WORDS}",
            "author": {"name": WORDS},
            "fields": [{"name": WORDS, "value": WORDS, "inline": True} for _ in range(2)],
            "footer": {"text": WORDS},
        }
    ],
    "components": [
        row(
            button("a", "🎲 Roll"),
            button("b", "", emoji={"name": "💡"}),
            button("c", "A longer label ✓", emoji={"name": "👉"}),
            button("d", "➡️ Another label ➡️"),
            button("e", "⚅ ⚅"),
        ),
        row({"type": 3, "custom_id": "s", "options": [{"label": EMOJI, "value": "1", "default": True}]}),
    ],
}

PLACES = """
async (message) => {
  await document.fonts.ready;
  const origin = message.getBoundingClientRect();
  return [...message.querySelectorAll("*")].map((each) => {
    const { x, y, width, height } = each.getBoundingClientRect();
    return [x - origin.x, y - origin.y, width, height];
  });
}
"""
"""Where each part of a message is, and how large."""


async def find_places(page: "Page", message: str) -> list[float]:
    """Return the places of a message's parts, in pixels."""
    places: list[list[float]] = await find_message(page, message).evaluate(PLACES)
    return [number for place in places for number in place]


async def test_a_message_has_the_same_lines_with_other_fonts(
    visit: Visit, bot: RawBot, sandbox: Sandbox, tmp_path: Path
) -> None:
    posted = await bot.post("table-one", **MESSAGE)
    here = await visit(viewport=PHONE_VIEWPORT)
    # It has no emoji, and its letters are wider than those of other fonts.
    (tmp_path / "only.ttf").write_bytes(pymupdf_fonts.myfont("spacemo"))
    async with run_chromium(tmp_path) as browser, BrowserWindows(browser).use() as windows:
        elsewhere = await windows.open(sandbox.url, PHONE_VIEWPORT)
        await elsewhere.locator("#feed[aria-busy=false]").wait_for()
        places = await find_places(here, posted)
        assert len(places) > 400
        # A machine's settings for drawing letters move some of them by parts of a pixel.
        assert await find_places(elsewhere, posted) == pytest.approx(places, abs=1)
