"""The whole bot, in one browser per run."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest
import pytest_asyncio
from aiohttp import web

from bot.sandbox import Sandbox
from bot.tables.host import Host
from tests.support.chromium import BrowserWindows, CacheableFile
from tests.support.network_ports import reserve_port
from tests.support.parlour import Parlour, run_parlour, run_sandbox

if TYPE_CHECKING:
    from playwright.async_api import Browser

SHORT_GAMES_SEED = 1
"""With the dice of this seed whole games take a third less clicks than with those of other tests."""


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def windows(browser: "Browser") -> BrowserWindows:
    """The browser's windows, which tests use in turn."""
    return BrowserWindows(browser)


@pytest.fixture(scope="session")
def port() -> Iterator[int]:
    """A port for every sandbox in turn, so that the browser can cache the page's files."""
    with reserve_port() as reserved:
        yield reserved


@pytest_asyncio.fixture(loop_scope="session")
async def sandbox(port: int, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Sandbox]:
    monkeypatch.setattr(web, "FileResponse", CacheableFile)
    async with run_sandbox(port) as running:
        yield running


@pytest_asyncio.fixture(loop_scope="session")
async def parlour(sandbox: Sandbox, tmp_path: Path) -> AsyncIterator[Parlour]:
    async with run_parlour(sandbox, tmp_path / "parlour.sqlite3") as running:
        running.client.app.service(Host).service.entropy = Random(SHORT_GAMES_SEED).randbytes
        yield running
