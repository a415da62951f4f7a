"""Chromium for tests of the sandbox's page."""

import os
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, NoReturn

import pytest

if TYPE_CHECKING:
    from playwright.async_api import Browser

COMMANDS = ("chromium-headless-shell", "chromium")
"""What Debian calls it; the shell shows nothing on a screen and takes half the time of the whole browser."""

ARGUMENTS = ("--no-sandbox", "--disable-dev-shm-usage", "--disable-quic", "--disable-background-networking")


@asynccontextmanager
async def run_chromium() -> AsyncIterator["Browser"]:
    """Start Chromium (the command in CHROMIUM, or else one of COMMANDS); without it the test is skipped, or fails
    where PARLOUR_REQUIRE_BROWSER=1 says that it has to be there.
    """
    try:
        from playwright.async_api import async_playwright
    except ImportError:
        _skip_or_fail("playwright is not installed")
    commands = (os.environ["CHROMIUM"],) if os.environ.get("CHROMIUM") else COMMANDS
    path = next(filter(None, map(shutil.which, commands)), None)
    if path is None:
        _skip_or_fail(f"there is no {' and no '.join(commands)} here")
    async with async_playwright() as driver:
        browser = await driver.chromium.launch(executable_path=path, args=list(ARGUMENTS))
        try:
            yield browser
        finally:
            await browser.close()


def _skip_or_fail(reason: str) -> NoReturn:
    if os.environ.get("PARLOUR_REQUIRE_BROWSER") == "1":
        pytest.fail(f"This test needs a browser: {reason}.")
    pytest.skip(f"needs a browser: {reason}")
