"""Clients connected to the sandbox over real sockets."""

from collections.abc import AsyncIterator, Iterator

import aiohttp
import discord
import pytest
import yarl
from discord.gateway import DiscordWebSocket

from bot.sandbox import Person, Sandbox, ServerChannel
from tests.sandbox.sample_bot import SampleBot
from tests.sandbox.wire_bot import WireBot, identify_wire, run_sandbox
from tests.support.waiting import DEADLINE_SECONDS


@pytest.fixture
async def sandbox() -> AsyncIterator[Sandbox]:
    async with run_sandbox(Sandbox(deadline=DEADLINE_SECONDS)) as running:
        yield running


@pytest.fixture
def pointed(sandbox: Sandbox) -> Iterator[Sandbox]:
    """Point discord.py at the sandbox, and back at Discord afterwards."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(discord.http.Route, "BASE", sandbox.api_url)
        patch.setattr(DiscordWebSocket, "DEFAULT_GATEWAY", yarl.URL(sandbox.gateway_url))
        patch.setattr(discord.asset.Asset, "BASE", f"{sandbox.url}/cdn")
        yield sandbox


@pytest.fixture
async def bot(pointed: Sandbox) -> AsyncIterator[SampleBot]:
    """A client of discord.py."""
    async with SampleBot().run_in(pointed) as client:
        yield client


@pytest.fixture
async def http(sandbox: Sandbox) -> AsyncIterator[aiohttp.ClientSession]:
    """An HTTP client with the bot's token."""
    async with aiohttp.ClientSession(headers={"Authorization": f"Bot {sandbox.token}"}) as session:
        yield session


@pytest.fixture
async def wire(sandbox: Sandbox, http: aiohttp.ClientSession) -> AsyncIterator[WireBot]:
    """A bot without a library, connected."""
    client = await identify_wire(sandbox, http)
    yield client
    await client.socket.close()


@pytest.fixture
def robin(sandbox: Sandbox) -> Person:
    return sandbox.person("Robin")


@pytest.fixture
def wren(sandbox: Sandbox) -> Person:
    return sandbox.person("Wren")


@pytest.fixture
def channel(sandbox: Sandbox) -> ServerChannel:
    return sandbox.channel("table-one")
