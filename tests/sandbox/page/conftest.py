"""The page in a browser, against the real sandbox with a minimal bot."""

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any

import pytest_asyncio

from bot.sandbox import Sandbox
from tests.sandbox.page.page_helpers import COMMANDS, DESKTOP_VIEWPORT, PHONE_VIEWPORT, Visit
from tests.support.raw_bot import RawBot, connect_raw_bot
from tests.support.timeouts import DEADLINE_SECONDS

if TYPE_CHECKING:
    from playwright.async_api import Browser, Page


@pytest_asyncio.fixture(loop_scope="session")
async def sandbox() -> AsyncIterator[Sandbox]:
    running = Sandbox(deadline=DEADLINE_SECONDS)
    await running.start()
    yield running
    await running.stop()


@pytest_asyncio.fixture(loop_scope="session")
async def bot(sandbox: Sandbox) -> AsyncIterator[RawBot]:
    async with connect_raw_bot(sandbox) as running:
        await running.register(*COMMANDS)
        yield running


@pytest_asyncio.fixture(loop_scope="session")
async def visit(
    browser: "Browser",
    sandbox: Sandbox,
    bot: RawBot,  # noqa: ARG001 - pages are looked at with the bot there
) -> AsyncIterator[Visit]:
    """Open the page as a person; at the end no page may have reported an error."""
    faults: list[str] = []
    contexts = []

    async def enter(who: str = "Robin", viewport: Any = DESKTOP_VIEWPORT) -> "Page":
        context = await browser.new_context(viewport=viewport, has_touch=viewport is PHONE_VIEWPORT)
        contexts.append(context)
        context.set_default_timeout(30_000)
        page = await context.new_page()
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", lambda line: faults.append(line.text) if line.type == "error" else None)
        await page.goto(sandbox.url)
        await page.locator("[data-person]", has_text=who).click()
        await page.locator("[data-person][aria-pressed=true]", has_text=who).wait_for()
        await page.locator("#feed[aria-busy=false]").wait_for()
        return page

    yield enter
    for context in contexts:
        await context.close()
    # A server that is away is reported by the browser itself.
    assert [fault for fault in faults if "WebSocket" not in fault] == []
