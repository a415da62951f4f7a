"""The bot is told to end while it is connecting, identifying, resuming, or waiting to: it ends every time."""

import asyncio
import gc
import os
import signal
import socket
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import discord
import pytest
from discord.gateway import KeepAliveHandler

from bot.sandbox import Sandbox
from bot.sandbox.gateway.gateway import Silence
from bot.ui.client.client import ParlourClient
from bot.ui.client.runner import Connection, serve
from tests.support.fakes import GAMES, FakeStore, until
from tests.support.parlour import pointed_at
from tests.support.processes import killed, online, spawned

PATIENCE = 30.0
"""So long a busy machine may take for what takes a fraction of a second; without an end nothing ever ends."""

# Where a connection is given up half-way, the library leaves that behind, too.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning", "ignore::ResourceWarning")

Brought = Callable[[Sandbox], Awaitable[None]]


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
    gc.collect()


def silent(at: Silence) -> Brought:
    """The gateway is silent from the start."""

    async def bring(sandbox: Sandbox) -> None:
        sandbox.gateway.silent_at = at

    return bring


async def no_gateway(sandbox: Sandbox) -> None:
    """The address of the gateway is asked for in vain."""
    sandbox.troubles.hold("GET", "/gateway/bot").reached = sandbox.gateway.silence_met


AT_FIRST: dict[str, Brought] = {
    "asking for the gateway": no_gateway,
    "connecting": silent(Silence.CONNECT),
    "turned away": silent(Silence.REFUSE),
    "waiting for hello": silent(Silence.HELLO),
    "identifying": silent(Silence.IDENTIFY),
}


def cut_off(at: Silence) -> Brought:
    """The connection breaks, and the gateway is silent when the bot comes back."""

    async def bring(sandbox: Sandbox) -> None:
        sandbox.gateway.silent_at = at
        sandbox.gateway.drop_connections()
        await asyncio.wait_for(sandbox.gateway.silence_met.wait(), PATIENCE)

    return bring


async def told_to_identify(sandbox: Sandbox) -> None:
    """The session is invalid (op 9): the library waits five seconds before it identifies again."""
    sandbox.gateway.silent_at = Silence.IDENTIFY
    sandbox.gateway.invalidate_sessions()
    await until(lambda: waits_to_identify)


async def told_to_reconnect(sandbox: Sandbox) -> None:
    """The gateway asks for a new connection (op 7) and does not answer on it."""
    sandbox.gateway.silent_at = Silence.RESUME
    sandbox.gateway.ask_to_reconnect()
    await asyncio.wait_for(sandbox.gateway.silence_met.wait(), PATIENCE)


async def connected(sandbox: Sandbox) -> None:
    """Nothing is wrong."""


LATER: dict[str, Brought] = {
    "connected": connected,
    "waiting to identify again": told_to_identify,
    "reconnecting": cut_off(Silence.CONNECT),
    "backing off": cut_off(Silence.REFUSE),
    "waiting for hello": cut_off(Silence.HELLO),
    "resuming": cut_off(Silence.RESUME),
    "resuming as asked": told_to_reconnect,
}

waits_to_identify: list[int | None] = []
"""The shards that wait before they identify again."""


@pytest.fixture(autouse=True)
def waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    waits_to_identify.clear()
    wait = ParlourClient.before_identify_hook

    async def noted(client: ParlourClient, shard_id: int | None, *, initial: bool = False) -> None:
        if not initial:
            waits_to_identify.append(shard_id)
        await wait(client, shard_id, initial=initial)

    monkeypatch.setattr(ParlourClient, "before_identify_hook", noted)


@pytest.fixture
def running(sandbox: Sandbox) -> Callable[[], "asyncio.Task[None]"]:
    connection = Connection(sandbox.token, sandbox.api_url)
    return lambda: asyncio.create_task(serve(FakeStore(), GAMES, connection, pause=0))


async def ends(running: "asyncio.Task[None]") -> None:
    os.kill(os.getpid(), signal.SIGTERM)
    # A timeout would cancel it once more, and so help it to end.
    await asyncio.wait({running}, timeout=PATIENCE)
    assert running.done()
    running.result()


@pytest.mark.parametrize("state", AT_FIRST)
async def test_it_ends_before_it_was_ever_connected(
    sandbox: Sandbox,
    running: Callable[[], "asyncio.Task[None]"],
    state: str,
    caplog: pytest.LogCaptureFixture,
) -> None:
    with pointed_at(sandbox):
        await AT_FIRST[state](sandbox)
        task = running()
        await asyncio.wait_for(sandbox.gateway.silence_met.wait(), PATIENCE)
        await ends(task)
    # The library complains about being turned away.
    caplog.clear()


@pytest.mark.parametrize("state", LATER)
async def test_it_ends_after_it_was_connected(
    sandbox: Sandbox,
    running: Callable[[], "asyncio.Task[None]"],
    state: str,
    caplog: pytest.LogCaptureFixture,
) -> None:
    with pointed_at(sandbox):
        task = running()
        await until(lambda: sandbox.bot_online or task.done())
        await LATER[state](sandbox)
        assert not task.done()
        await ends(task)
    caplog.clear()


async def test_it_ends_while_no_name_server_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process waits for all threads but daemons."""
    asked_in: list[threading.Thread] = []
    answers = threading.Event()

    def getaddrinfo(*_: object, **__: object) -> list[object]:
        asked_in.append(threading.current_thread())
        answers.wait(PATIENCE)
        raise socket.gaierror(socket.EAI_AGAIN, "Temporary failure in name resolution")

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    monkeypatch.setattr(discord.http.Route, "BASE", "http://discord.invalid/api/v10")
    try:
        task = asyncio.create_task(serve(FakeStore(), GAMES, Connection("token"), pause=0))
        await until(lambda: asked_in)
        await ends(task)
        assert all(thread.daemon for thread in asked_in)
    finally:
        answers.set()


async def test_it_ends_if_the_gateway_does_not_say_goodbye(
    sandbox: Sandbox, running: Callable[[], "asyncio.Task[None]"]
) -> None:
    with pointed_at(sandbox):
        sandbox.gateway.silent_at = Silence.CLOSE
        task = running()
        await until(lambda: sandbox.bot_online or task.done())
        await ends(task)


async def test_a_process_that_was_told_to_identify_again_ends_in_order(sandbox: Sandbox, tmp_path: Path) -> None:
    log = tmp_path / "bot.log"
    process = await spawned(sandbox, f"sqlite+aiosqlite:///{tmp_path / 'parlour.sqlite3'}", log)
    try:
        await online(sandbox, process)
        greeted = sandbox.gateway.greeted
        sandbox.gateway.invalidate_sessions()
        await until(lambda: sandbox.gateway.greeted > greeted)
        process.terminate()
        assert await asyncio.wait_for(process.wait(), PATIENCE) == 0
        assert not sandbox.bot_online
        assert log.read_text() == ""
    finally:
        await killed(sandbox, process)
