"""Chromium for tests of the sandbox's page."""

import os
import shutil
from collections import Counter
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import pytest
from aiohttp import web

if TYPE_CHECKING:
    from aiohttp.abc import AbstractStreamWriter
    from playwright.async_api import Browser, ConsoleMessage, Error, Page

COMMANDS = ("chromium-headless-shell", "chromium")
"""What Debian calls it; the shell shows nothing on a screen and takes half the time of the whole browser."""

PACKAGES = "chromium-headless-shell libatomic1 fonts-noto-color-emoji"

ARGUMENTS = ("--no-sandbox", "--disable-dev-shm-usage", "--disable-quic", "--disable-background-networking")

DESKTOP_VIEWPORT = {"width": 1280, "height": 800}
PHONE_VIEWPORT = {"width": 390, "height": 844}
PHONE_PICTURE_WIDTH = 284
"""How wide the page shows the picture of a table in that viewport."""


@asynccontextmanager
async def run_chromium(font_folder: Path | None = None) -> AsyncIterator["Browser"]:
    """Start Chromium (the command in CHROMIUM, or else one of COMMANDS); without it the test is skipped, or fails
    where PARLOUR_REQUIRE_BROWSER=1 says that it has to be there.

    Args:
        font_folder: Where the only fonts are that it finds; without it all fonts of the machine.
    """
    try:
        from playwright.async_api import async_playwright
    except ImportError:
        _skip_or_fail("playwright is not installed")
    commands = (os.environ["CHROMIUM"],) if os.environ.get("CHROMIUM") else COMMANDS
    path = next(filter(None, map(shutil.which, commands)), None)
    if path is None:
        _skip_or_fail(f"there is no {' and no '.join(commands)} here (on Debian: apt install {PACKAGES})")
    async with AsyncExitStack() as stack:
        try:
            driver = await stack.enter_async_context(async_playwright())
        except Exception as fault:  # noqa: BLE001 - Playwright raises nothing narrower
            _skip_or_fail(f"Playwright can't start; on Debian it needs all of {PACKAGES} ({fault})")
        fonts = _font_settings(font_folder) if font_folder else {}
        browser = await driver.chromium.launch(executable_path=path, args=list(ARGUMENTS), env={**os.environ, **fonts})
        stack.push_async_callback(browser.close)
        yield browser


def _font_settings(folder: Path) -> dict[str, str]:
    settings = folder / "fonts.conf"
    settings.write_text(f"<fontconfig><dir>{folder}</dir><cachedir>{folder}</cachedir></fontconfig>")
    return {"FONTCONFIG_FILE": str(settings)}


def _skip_or_fail(reason: str) -> NoReturn:
    if os.environ.get("PARLOUR_REQUIRE_BROWSER") == "1":
        pytest.fail(f"This test needs a browser: {reason}.")
    pytest.skip(f"needs a browser: {reason}")


class CacheableFile(web.FileResponse):
    """A file of the page that the browser may cache: it doesn't change during a run, and loading it takes half of a
    visit's time.
    """

    async def prepare(self, request: web.BaseRequest) -> "AbstractStreamWriter | None":
        self.headers["Cache-Control"] = "max-age=3600"
        return await super().prepare(request)


class BrowserWindows:
    """Windows kept between tests, because a new one costs twice as much as another address in an old one.

    Every window has storage of its own. It is emptied between tests.
    """

    def __init__(self, browser: "Browser") -> None:
        self._browser = browser
        self._kept: dict[tuple[int, int, int], Page] = {}

    @asynccontextmanager
    async def use(self) -> AsyncIterator["WindowsInUse"]:
        """Lend windows to a test; no page in them may report an error."""
        lent = WindowsInUse(self)
        try:
            yield lent
        finally:
            await lent.give_back()
        # A server that is away is reported by the browser itself.
        assert [fault for fault in lent.faults if "WebSocket" not in fault] == []

    async def kept(self, viewport: Mapping[str, int], number: int) -> "Page":
        """Return a kept window by its size and its number among those of that size."""
        key = viewport["width"], viewport["height"], number
        if key not in self._kept:
            self._kept[key] = await self.new(viewport)
        return self._kept[key]

    async def new(self, viewport: Mapping[str, int]) -> "Page":
        """Open a window."""
        width, height = viewport["width"], viewport["height"]
        page = await self._browser.new_page(
            viewport={"width": width, "height": height}, has_touch=width == PHONE_VIEWPORT["width"]
        )
        page.set_default_timeout(30_000)
        return page


class WindowsInUse:
    """The windows of one test, and the faults on their pages."""

    def __init__(self, windows: BrowserWindows) -> None:
        self.faults: list[str] = []
        self._windows = windows
        self._number_used: Counter[tuple[int, int]] = Counter()
        self._kept: list[Page] = []
        self._own: list[Page] = []

    async def open(self, url: str, viewport: Mapping[str, int] = DESKTOP_VIEWPORT, *, is_own: bool = False) -> "Page":
        """Open an address in a window that no other visit of this test uses.

        Args:
            is_own: Whether no other test may get the window, because this one changes its size, media or listeners.
        """
        if is_own:
            page = await self._windows.new(viewport)
            self._own.append(page)
        else:
            size = viewport["width"], viewport["height"]
            page = await self._windows.kept(viewport, self._number_used[size])
            self._number_used[size] += 1
            self._kept.append(page)
        page.on("pageerror", self._note_error)
        page.on("console", self._note_line)
        await page.goto(url)
        return page

    async def give_back(self) -> None:
        """Empty the kept windows, so that nothing gets from one test into another, and close the others."""
        for page in self._kept:
            # The next server may have the same address, and with it the storage of this one.
            await page.evaluate("localStorage.clear(); sessionStorage.clear()")
            await page.goto("about:blank")
            page.remove_listener("pageerror", self._note_error)
            page.remove_listener("console", self._note_line)
        for page in self._own:
            await page.close()

    def _note_error(self, error: "Error") -> None:
        self.faults.append(str(error))

    def _note_line(self, line: "ConsoleMessage") -> None:
        if line.type == "error":
            self.faults.append(line.text)
