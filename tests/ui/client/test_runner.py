"""Running ends in a sentence when Discord can't be reached or does not let the bot in."""

import asyncio
import contextlib
import os
import signal
from base64 import b64encode
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from types import SimpleNamespace
from unittest.mock import AsyncMock

import aiohttp
import discord
import pytest
from discord.gateway import DiscordWebSocket

from bot.app.bootstrap import build_client
from bot.platform.discord.client import ParlourClient
from bot.platform.discord.http import MessageClient, post_text
from bot.platform.discord.run import CannotConnect, ConnectionSettings, stop_on_signal
from bot.platform.streams_and_signals import STOP_SIGNALS
from bot.sandbox import Sandbox
from bot.tables.host import Host
from tests.support.each_case import each_case
from tests.support.fakes import GAMES
from tests.support.memory_database import MemoryDatabase
from tests.support.serving import serve_until_stopped
from tests.support.waiting import Gate, wait_until
from tests.ui.fake_interactions import MISSING_ACCESS


@pytest.fixture(autouse=True)
def pointed_back() -> Iterator[None]:
    """What `serve` overwrites is put back."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(discord.http.Route, "BASE", discord.http.Route.BASE)
        patch.setattr(DiscordWebSocket, "DEFAULT_GATEWAY", DiscordWebSocket.DEFAULT_GATEWAY)
        patch.setattr(discord.asset.Asset, "BASE", discord.asset.Asset.BASE)
        yield


@pytest.fixture(autouse=True)
def heeded_signals() -> Iterator[None]:
    """Signals end the process, even if whoever runs the tests has them ignore some."""
    before = {number: signal.signal(number, signal.SIG_DFL) for number in STOP_SIGNALS}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.fixture
async def sandbox() -> AsyncIterator[Sandbox]:
    running = Sandbox()
    await running.start()
    yield running
    await running.stop()


async def test_a_refused_token_is_reported_in_a_sentence(db: MemoryDatabase, sandbox: Sandbox) -> None:
    with pytest.raises(CannotConnect) as refused:
        await serve_until_stopped(build_client(db, GAMES), ConnectionSettings("another.token", sandbox.api_url))
    assert isinstance(refused.value.__cause__, discord.LoginFailure)
    assert "another.token" not in str(refused.value)


@asynccontextmanager
async def run_proxy(sandbox: Sandbox, answer: bytes = b"") -> AsyncIterator[tuple[str, bytearray]]:
    """Run a proxy that passes everything on to the sandbox, or only answers; yield its URL and what clients sent."""
    sent, password = bytearray(), "pa%40ssword"

    async def pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError):
            while data := await reader.read(65536):
                if reader in clients:
                    sent.extend(data)
                writer.write(data)
        writer.close()

    clients = set[asyncio.StreamReader]()

    async def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        clients.add(reader)
        if answer:
            writer.write(answer)
            writer.close()
            return
        there, back = await asyncio.open_connection("127.0.0.1", sandbox.port)
        await asyncio.gather(pump(reader, back), pump(there, writer))

    async with await asyncio.start_server(accept, "127.0.0.1", 0) as server:
        yield f"http://robin:{password}@127.0.0.1:{server.sockets[0].getsockname()[1]}", sent


async def test_everything_goes_through_the_proxy(db: MemoryDatabase, sandbox: Sandbox) -> None:
    client = build_client(db, GAMES)
    async with run_proxy(sandbox) as (proxy, sent):
        connection = ConnectionSettings(sandbox.token, sandbox.api_url, proxy)
        running = asyncio.create_task(serve_until_stopped(client, connection))
        await wait_until(lambda: sandbox.bot_online or running.done())
        assert not running.done(), running
        messages = MessageClient(client.limits)
        messages.open(client)
        assert await post_text(messages, sandbox.channel("table-one").id, [], "Hello")
        await messages.close()
        os.kill(os.getpid(), signal.SIGTERM)
        await running
    requests = [line for line in sent.split(b"\r\n") if line.endswith(b"HTTP/1.1")]
    assert len(requests) == len(sandbox.requests) + 1, "and the gateway"
    assert sent.count(b"Proxy-Authorization: Basic " + b64encode(b"robin:pa@ssword")) == len(requests)


async def test_a_proxy_that_refuses_is_told_without_its_password(db: MemoryDatabase, sandbox: Sandbox) -> None:
    refusal = b"HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n"
    async with run_proxy(sandbox, refusal) as (proxy, _):
        with pytest.raises(CannotConnect) as told:
            await serve_until_stopped(build_client(db, GAMES), ConnectionSettings("a.token", proxy=proxy))
    assert "407" in str(told.value)
    assert "ssword" not in str(told.value)


@each_case(
    "fault, is_lasting",
    [
        (discord.LoginFailure("improper token"), True),
        (MISSING_ACCESS, False),
        (discord.ConnectionClosed(SimpleNamespace(close_code=4014), shard_id=0), True),  # type: ignore[arg-type]
        (discord.ConnectionClosed(SimpleNamespace(close_code=4004), shard_id=0), True),  # type: ignore[arg-type]
        (discord.ConnectionClosed(SimpleNamespace(close_code=4011), shard_id=0), False),  # type: ignore[arg-type]
        (discord.PrivilegedIntentsRequired(0), True),
        (aiohttp.ServerDisconnectedError(), False),
        (OSError("no route"), False),
    ],
)
async def test_errors_of_connecting_are_told(
    db: MemoryDatabase, monkeypatch: pytest.MonkeyPatch, fault: Exception, *, is_lasting: bool
) -> None:
    monkeypatch.setattr(ParlourClient, "start", AsyncMock(side_effect=fault))
    leash, pipe = os.pipe()
    with pytest.raises(CannotConnect) as told:
        await serve_until_stopped(
            build_client(db, GAMES), ConnectionSettings("a.token", "http://127.0.0.1:1"), stop_fd=leash
        )
    assert told.value.is_lasting is is_lasting
    assert told.value.__cause__ is fault
    assert (str(fault) in str(told.value)) is not isinstance(fault, discord.LoginFailure)
    assert not asyncio.get_running_loop().remove_reader(leash), "nothing reads the pipe any more"
    os.close(leash)
    os.close(pipe)


@pytest.mark.parametrize("number", STOP_SIGNALS)
async def test_a_signal_shuts_down_gracefully(db: MemoryDatabase, sandbox: Sandbox, number: signal.Signals) -> None:
    connection = ConnectionSettings(sandbox.token, sandbox.api_url)
    running = asyncio.create_task(serve_until_stopped(build_client(db, GAMES), connection))
    await wait_until(lambda: sandbox.bot_online or running.done())
    assert not running.done()
    os.kill(os.getpid(), number)
    async with asyncio.timeout(30):
        await running
    await wait_until(lambda: not sandbox.bot_online)


@pytest.mark.parametrize("how", ["a signal twice", "a pipe that closes"])
async def test_repeated_signals_do_not_interrupt_shutdown(
    db: MemoryDatabase, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    closing, finished, close_host = Gate(), asyncio.Event(), Host.close

    async def close(host: Host, *others: Callable[[float], Awaitable[None]]) -> None:
        await closing.wait()
        await close_host(host, *others)
        finished.set()

    monkeypatch.setattr(Host, "close", close)
    leash, pipe = os.pipe()
    running = asyncio.create_task(
        serve_until_stopped(build_client(db, GAMES), ConnectionSettings(sandbox.token, sandbox.api_url), stop_fd=leash)
    )
    await wait_until(lambda: sandbox.bot_online or running.done())
    if how == "a signal twice":
        os.kill(os.getpid(), signal.SIGTERM)
        await wait_until(closing.reached.is_set)
        os.kill(os.getpid(), signal.SIGTERM)
    os.close(pipe)
    await wait_until(lambda: closing.reached.is_set() or running.done())
    for _ in range(5):
        await asyncio.sleep(0)
    closing.open()
    async with asyncio.timeout(30):
        await running
    os.close(leash)
    assert finished.is_set()


async def test_signals_do_afterwards_what_they_did_before() -> None:
    def handle(*_: object) -> None:
        pass

    signal.signal(signal.SIGTERM, handle)
    with stop_on_signal() as ended:
        os.kill(os.getpid(), signal.SIGTERM)
        await wait_until(ended.is_set)
    assert signal.getsignal(signal.SIGTERM) is handle
