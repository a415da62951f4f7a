"""Faults injected from the page: their effect on a bot, their end, and their state on the page."""

import asyncio
import json
from collections import deque
from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import pytest

from bot.sandbox import InteractionState, Person, Sandbox
from tests.sandbox.fake_process import FakeProcess
from tests.sandbox.wire_bot import PING, Json, WireBot, run_sandbox, run_wire


class FaultPanel:
    """The page's panel, open in one channel."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self._socket = socket
        self._states: deque[Json] = deque()

    async def cause(self, trouble: str, **parts: Any) -> str | None:
        """Cause trouble; return why it was refused, if it was."""
        await self._socket.send_json({"do": "trouble", "nonce": trouble, "trouble": trouble, **parts})
        while (frame := await self._receive_state())["t"] != "interaction":
            pass
        text: str | None = frame.get("text")
        return text

    async def state(self) -> Json:
        """Return the next state that the page receives."""
        while not self._states:
            await self._receive_state()
        return self._states.popleft()

    async def _receive_state(self) -> Json:
        async with asyncio.timeout(30):
            frame: Json = json.loads(await self._socket.receive_str())
        if frame["t"] == "trouble":
            self._states.append(frame)
        return frame


@pytest.fixture
async def panel(sandbox: Sandbox) -> AsyncIterator[FaultPanel]:
    async with aiohttp.ClientSession() as http, http.ws_connect(f"{sandbox.url}/page/socket") as socket:
        yield FaultPanel(socket)


@pytest.mark.parametrize("status", [429, 502])
async def test_the_next_requests_fail_and_later_ones_succeed(panel: FaultPanel, wire: WireBot, status: int) -> None:
    await panel.cause("fail", status=status, count=2)
    async with wire.http.get(f"{wire.sandbox.api_url}/users/@me") as refused:
        assert refused.status == status
        assert ("Via" in refused.headers) == (status == 429)
    assert wire.sandbox.fault_injector.failing is not None
    assert wire.sandbox.fault_injector.failing.left == 1
    async with wire.http.get(f"{wire.sandbox.api_url}/users/@me") as refused:
        assert refused.status == status
    assert (await wire.request("GET", "/users/@me"))[0] == 200
    left = [await panel.state() for _ in range(4)]
    assert [state["failing"] for state in left] == [
        None,
        {"status": status, "left": 2},
        {"status": status, "left": 1},
        None,
    ]


async def test_a_slow_connection_fails_requests_over_the_deadline() -> None:
    async with run_sandbox(Sandbox(deadline=0.05)) as late, run_wire(late, PING) as bot:
        late.fault_injector.set_delay(200)
        asking, interaction = await bot.receive(late.person("Robin").slash(late.channel("lounge"), "ping"))
        assert await bot.refuse(interaction, 4, {"content": "pong"}) == (404, 10062)
        assert (await asking).state is InteractionState.FAILED


async def test_direct_messages_are_closed_and_opened_again(sandbox: Sandbox, wire: WireBot, robin: Person) -> None:
    path = f"/channels/{robin.direct_channel.id}/messages"
    async with wire.http.ws_connect(f"{sandbox.url}/page/socket") as socket:
        panel = FaultPanel(socket)
        await socket.send_json({"do": "open", "channel": str(robin.direct_channel.id)})
        while (await panel.state())["closed"] is None:
            pass
        await panel.cause("close", closed=True)
        assert await wire.refusal("POST", path, {"content": "x"}) == (403, 50007)
        assert robin.direct_channel.messages == []
        assert (await panel.state())["closed"] is True
        await panel.cause("close", closed=False)
        assert (await wire.request("POST", path, {"content": "x"}))[0] == 200


@pytest.mark.parametrize(
    ("trouble", "parts", "why"),
    [
        ("archive", {}, "This is no thread."),
        ("close", {"closed": True}, "Only direct messages"),
        ("fly", {}, "no such trouble"),
        ("restart", {}, "started elsewhere"),
        ("slow", {"ms": -1}, "from 0 to 10000"),
        ("slow", {}, "from 0 to 10000"),
        ("fail", {"status": 404, "count": 1}, "429, 500 or 502"),
        ("fail", {"status": 429, "count": 21}, "from 0 to 20"),
        ("permit", {"permission": "ADMINISTRATOR", "held": True}, "cannot be taken away"),
    ],
)
async def test_an_invalid_fault_is_refused_and_changes_nothing(
    panel: FaultPanel, sandbox: Sandbox, trouble: str, parts: Json, why: str
) -> None:
    before = await panel.state()
    assert why in str(await panel.cause(trouble, **parts))
    sandbox.attach_bot_process(FakeProcess(sandbox))
    assert {**await panel.state(), "can_restart": False} == before
