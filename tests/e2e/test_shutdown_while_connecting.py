"""Shutdown while the bot is connecting, identifying, resuming or waiting to: it ends every time."""

import asyncio
import gc
import os
import signal
import socket
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator

import discord
import pytest
from discord.gateway import KeepAliveHandler

from bot.app.bootstrap import build_client
from bot.platform.discord.client import ParlourClient
from bot.platform.discord.run import ConnectionSettings
from bot.sandbox import Sandbox
from bot.sandbox.gateway.gateway import StallPoint
from tests.support.fakes import GAMES
from tests.support.memory_database import MemoryDatabase
from tests.support.parlour import point_discord_at
from tests.support.serving import serve_until_stopped
from tests.support.waiting import wait_until

TIMEOUT_SECONDS = 30.0
"""Enough for a busy machine, where an idle one needs a fraction of a second; a failed shutdown never ends."""

# Where a connection is given up half-way, the library leaves that behind, too.
pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning", "ignore::ResourceWarning"),
]

SetUpState = Callable[[Sandbox], Awaitable[None]]


@pytest.fixture
async def sandbox() -> AsyncIterator[Sandbox]:
    running = Sandbox()
    await running.start()
    yield running
    await running.stop()
    for thread in threading.enumerate():
        # Where a connection is given up half-way, the library leaves its heartbeat behind, which ends with the process.
        if isinstance(thread, KeepAliveHandler):
            thread.stop()


@pytest.fixture(scope="module", autouse=True)
def garbage() -> Iterator[None]:
    """What connections given up half-way leave behind warns here, where warnings are ignored, and in no other test."""
    yield
    gc.collect()


def silence_gateway(at: StallPoint) -> SetUpState:
    """The gateway is silent from the start."""

    async def bring(sandbox: Sandbox) -> None:
        sandbox.gateway.stall_at = at

    return bring


async def refuse_gateway(sandbox: Sandbox) -> None:
    """The address of the gateway is asked for in vain."""
    sandbox.fault_injector.hold("GET", "/gateway/bot").reached = sandbox.gateway.stall_reached


STARTING_STATES: dict[str, SetUpState] = {
    "asking for the gateway": refuse_gateway,
    "turned away": silence_gateway(StallPoint.REFUSE),
    "waiting for hello": silence_gateway(StallPoint.HELLO),
    "identifying": silence_gateway(StallPoint.IDENTIFY),
}


def disconnect(at: StallPoint) -> SetUpState:
    """The connection breaks, and the gateway is silent when the bot comes back."""

    async def bring(sandbox: Sandbox) -> None:
        sandbox.gateway.stall_at = at
        sandbox.gateway.drop_connections()
        await asyncio.wait_for(sandbox.gateway.stall_reached.wait(), TIMEOUT_SECONDS)

    return bring


async def invalidate_session(sandbox: Sandbox) -> None:
    """The session is invalid (op 9): the bot waits before it identifies again."""
    sandbox.gateway.stall_at = StallPoint.IDENTIFY
    sandbox.gateway.invalidate_sessions()
    await wait_until(lambda: waits_to_identify)


CONNECTED_STATES: dict[str, SetUpState] = {
    "waiting to identify again": invalidate_session,
    "backing off": disconnect(StallPoint.REFUSE),
    "resuming": disconnect(StallPoint.RESUME),
}

waits_to_identify: list[int] = []
"""The shards that wait before they identify again."""


@pytest.fixture(autouse=True)
def waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    waits_to_identify.clear()
    wait = ParlourClient.wait_for_session

    async def noted(client: ParlourClient, shard_id: int) -> None:
        waits_to_identify.append(shard_id)
        await wait(client, shard_id)

    monkeypatch.setattr(ParlourClient, "wait_for_session", noted)


@pytest.fixture
def running(sandbox: Sandbox) -> Callable[[], "asyncio.Task[None]"]:
    connection = ConnectionSettings(sandbox.token, sandbox.api_url)
    return lambda: asyncio.create_task(serve_until_stopped(build_client(MemoryDatabase(), GAMES), connection))


async def assert_ends(running: "asyncio.Task[None]") -> None:
    os.kill(os.getpid(), signal.SIGTERM)
    # A timeout would cancel it once more, and so help it to end.
    await asyncio.wait({running}, timeout=TIMEOUT_SECONDS)
    assert running.done()
    running.result()


@pytest.mark.parametrize("state", STARTING_STATES)
async def test_shutdown_works_before_the_first_connection(
    sandbox: Sandbox,
    running: Callable[[], "asyncio.Task[None]"],
    state: str,
    caplog: pytest.LogCaptureFixture,
) -> None:
    with point_discord_at(sandbox):
        await STARTING_STATES[state](sandbox)
        task = running()
        await asyncio.wait_for(sandbox.gateway.stall_reached.wait(), TIMEOUT_SECONDS)
        await assert_ends(task)
    # The library complains about being turned away.
    caplog.clear()


@pytest.mark.parametrize("state", CONNECTED_STATES)
async def test_shutdown_works_after_connecting(
    sandbox: Sandbox,
    running: Callable[[], "asyncio.Task[None]"],
    state: str,
    caplog: pytest.LogCaptureFixture,
) -> None:
    with point_discord_at(sandbox):
        task = running()
        await wait_until(lambda: sandbox.bot_online or task.done())
        await CONNECTED_STATES[state](sandbox)
        assert not task.done()
        await assert_ends(task)
    caplog.clear()


async def test_shutdown_works_while_no_name_server_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process waits for all threads but daemons."""
    asked_in: list[threading.Thread] = []
    answers = threading.Event()

    def getaddrinfo(*_: object, **__: object) -> list[object]:
        asked_in.append(threading.current_thread())
        answers.wait(TIMEOUT_SECONDS)
        raise socket.gaierror(socket.EAI_AGAIN, "Temporary failure in name resolution")

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    monkeypatch.setattr(discord.http.Route, "BASE", "http://discord.invalid/api/v10")
    try:
        task = asyncio.create_task(
            serve_until_stopped(build_client(MemoryDatabase(), GAMES), ConnectionSettings("token"))
        )
        await wait_until(lambda: asked_in)
        await assert_ends(task)
        assert all(thread.daemon for thread in asked_in)
    finally:
        answers.set()


async def test_shutdown_works_if_the_gateway_does_not_close(
    sandbox: Sandbox, running: Callable[[], "asyncio.Task[None]"]
) -> None:
    with point_discord_at(sandbox):
        sandbox.gateway.stall_at = StallPoint.CLOSE
        task = running()
        await wait_until(lambda: sandbox.bot_online or task.done())
        await assert_ends(task)
