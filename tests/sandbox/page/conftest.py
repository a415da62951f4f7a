"""The page in a browser, against the real sandbox with a minimal bot."""

from collections.abc import AsyncIterator, Iterator
from typing import TYPE_CHECKING, Any

import pytest
import pytest_asyncio
from aiohttp import web

from bot.sandbox import Sandbox
from tests.sandbox.page.page_helpers import COMMANDS, Visit
from tests.support.chromium import DESKTOP_VIEWPORT, BrowserWindows, CacheableFile
from tests.support.network_ports import reserve_port
from tests.support.raw_bot import RawBot, connect_raw_bot
from tests.support.waiting import DEADLINE_SECONDS

if TYPE_CHECKING:
    from playwright.async_api import Browser, Page


@pytest.fixture(scope="session")
def port() -> Iterator[int]:
    """A port for every sandbox in turn, so that the browser can cache the page's files."""
    with reserve_port() as reserved:
        yield reserved


@pytest_asyncio.fixture(loop_scope="session")
async def sandbox(port: int, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Sandbox]:
    monkeypatch.setattr(web, "FileResponse", CacheableFile)
    running = Sandbox(port, deadline=DEADLINE_SECONDS)
    await running.start()
    yield running
    await running.stop()


@pytest_asyncio.fixture(loop_scope="session")
async def bot(sandbox: Sandbox) -> AsyncIterator[RawBot]:
    async with connect_raw_bot(sandbox) as running:
        await running.register(*COMMANDS)
        yield running


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def windows(browser: "Browser") -> BrowserWindows:
    """The browser's windows, which tests use in turn."""
    return BrowserWindows(browser)


@pytest_asyncio.fixture(loop_scope="session")
async def visit(
    windows: BrowserWindows,
    sandbox: Sandbox,
    bot: RawBot,  # noqa: ARG001 - pages are looked at with the bot there
) -> AsyncIterator[Visit]:
    """Open the page as a person; at the end no page may have reported an error."""
    async with windows.use() as used:

        async def enter(who: str = "Robin", viewport: Any = DESKTOP_VIEWPORT, *, is_own: bool = False) -> "Page":
            page = await used.open(sandbox.url, viewport, is_own=is_own)
            await page.locator("[data-person]", has_text=who).click()
            await page.locator("[data-person][aria-pressed=true]", has_text=who).wait_for()
            await page.locator("#feed[aria-busy=false]").wait_for()
            return page

        yield enter
