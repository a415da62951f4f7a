"""The demo as started by hand: it prints the address to open, and shuts down cleanly."""

import asyncio
import re
import signal
import socket
import sys
from asyncio.subprocess import PIPE
from typing import Any

import aiohttp
import pytest

from bot.commands.bot_process import BotProcess
from bot.sandbox import Sandbox
from tests.commands.run_command import ROOT, run_command
from tests.support.each_case import each_case

pytestmark = pytest.mark.slow

TIMEOUT_SECONDS = 120.0


def test_a_port_that_is_taken_ends_in_a_sentence() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        ended = run_command("demo", "--port", str(port))
    assert (ended.code, ended.out) == (1, "")
    assert ended.err.startswith(f"Port {port} can't be used (")
    assert ended.err.endswith("): name another one, or omit --port.\n")


async def test_the_demo_prints_its_address_and_exits_cleanly() -> None:
    command = (sys.executable, "-m", "bot", "demo", "--port", "0")
    demo = await asyncio.create_subprocess_exec(*command, cwd=ROOT, stdout=PIPE, stderr=PIPE)
    assert demo.stdout is not None
    async with asyncio.timeout(TIMEOUT_SECONDS), aiohttp.ClientSession() as http:
        assert await demo.stdout.readline() == b"Starting Parlour...\n"
        said = (await demo.stdout.readline()).decode()
        found = re.search(r"open (http://127\.0\.0\.1:\d+) in a browser", said)
        assert found is not None, said
        async with http.get(found[1]) as page:
            assert page.status == 200
        async with http.ws_connect(f"{found[1]}/page/socket") as socket:
            hello = await socket.receive_json()
            assert hello["bot"]["online"]
            assert [server["name"] for server in hello["servers"]] == ["Parlour Sandbox", "Garden House"]
            assert hello["suggested"] == "play"
            assert (await socket.receive_json())["can_restart"]
            last = None
            demo.send_signal(signal.SIGINT)
            while (frame := await socket.receive()).type is aiohttp.WSMsgType.TEXT:
                last = frame.json()
        # The bot went first: the page was told so before it was hung up on.
        assert last == {"t": "bot", "online": False}
        await demo.communicate()
    assert demo.returncode == 0


async def exit_at_once(process: BotProcess) -> None:
    process.exited.set()


async def fail_to_appear(_sandbox: Sandbox, _condition: object) -> None:
    raise TimeoutError


async def stay_away(_sandbox: Sandbox, _condition: object) -> None:
    await asyncio.Event().wait()


async def appear(_sandbox: Sandbox, _condition: object) -> None:
    pass


@each_case(
    "bot, said",
    [(fail_to_appear, "did not connect"), (stay_away, "stopped unexpectedly"), (appear, "stopped unexpectedly")],
)
def test_a_bot_that_ends_by_itself_ends_the_demo(monkeypatch: pytest.MonkeyPatch, bot: Any, said: str) -> None:
    monkeypatch.setattr(BotProcess, "start", exit_at_once)
    monkeypatch.setattr(Sandbox, "until", bot)
    ended = run_command("demo", "--port", "0")
    assert (ended.code, ended.err) == (1, f"The bot {said}; see its log above.\n")
    assert ("is ready" in ended.out) == (bot is appear)


@each_case("is_taken", [False, True])
def test_without_a_port_the_demo_uses_the_usual_one_or_any(monkeypatch: pytest.MonkeyPatch, *, is_taken: bool) -> None:
    monkeypatch.setattr(BotProcess, "start", exit_at_once)
    monkeypatch.setattr(Sandbox, "until", appear)
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        monkeypatch.setattr("bot.commands.demo.PREFERRED_PORT", port)
        if not is_taken:
            other.close()
        ended = run_command("demo")
    found = re.search(r"open http://127\.0\.0\.1:(\d+) in a browser", ended.out)
    assert found is not None
    assert (found[1] != str(port)) == is_taken
