"""The bot's own emoji on the page."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.platform.discord.emoji import OWN_EMOJI
from bot.rules.symbols import SYMBOL_AREA
from bot.sandbox import Sandbox
from tests.support.chromium import PHONE_VIEWPORT, BrowserWindows
from tests.support.emoji import make_emoji_sync
from tests.support.parlour import run_parlour
from tests.support.waiting import wait_until

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


@pytest.fixture(autouse=True)
def no_emoji_afterwards() -> Iterator[None]:
    yield
    OWN_EMOJI.forget()


@pytest.mark.usefixtures("soon_ready")
async def test_a_button_shows_the_die_of_the_picture(windows: BrowserWindows, sandbox: Sandbox, tmp_path: Path) -> None:
    async with run_parlour(sandbox, tmp_path / "parlour.sqlite3", emoji_sync=make_emoji_sync()) as parlour:
        await wait_until(lambda: "emoji" in OWN_EMOJI.in_label("⚅ 6"))
        message = await parlour.start_game(parlour.robin, parlour.wren)
        await parlour.press(await parlour.mover(), message, "Roll all five")
        await parlour.wait_until_shown()
        async with windows.use() as used:
            page = await used.open(sandbox.url, PHONE_VIEWPORT)
            die = page.locator(f"[data-message-id='{message.id}'] button [alt^=':die_']").first
            assert await die.evaluate("image => image.decode().then(() => image.naturalWidth)") == SYMBOL_AREA.width
