"""Faults injected from the page: their effect on a bot, their end, and their state on the page."""

import asyncio
import json
from collections import deque
from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import pytest

from bot.sandbox import Channel, EndMode, InteractionState, Person, Sandbox
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


@pytest.mark.parametrize("status", [429, 500, 502])
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


async def test_for_a_while_no_message_can_be_edited_with_the_bots_token(
    panel: FaultPanel, wire: WireBot, channel: Channel
) -> None:
    path = f"/channels/{channel.id}/messages"
    message = (await wire.request("POST", path, {"content": "x"}))[1]["id"]
    await panel.cause("limit", seconds=30)
    status, refused = await wire.request("PATCH", f"{path}/{message}", {"content": "y"})
    assert (status, refused["global"]) == (429, False)
    assert 25 < refused["retry_after"] <= 30
    assert (await wire.request("POST", path, {"content": "z"}))[0] == 200
    wire.sandbox.world.clock.advance(refused["retry_after"])
    assert (await wire.request("PATCH", f"{path}/{message}", {"content": "y"}))[0] == 200
    assert wire.sandbox.fault_injector.edits_refused == 1


async def test_a_message_that_was_edited_too_often_takes_no_more_edits(
    panel: FaultPanel, wire: WireBot, channel: Channel
) -> None:
    path = f"/channels/{channel.id}/messages"
    row = {"type": 1, "components": [{"type": 2, "style": 2, "custom_id": "x", "label": "X"}]}
    message = (await wire.request("POST", path, {"content": "x", "components": [row]}))[1]["id"]
    await panel.cause("wear")
    status, refused = await wire.request("PATCH", f"{path}/{message}", {"content": "y"})
    assert (status, refused["code"], refused["retry_after"]) == (429, 30046, 1800.0)
    other = (await wire.request("POST", path, {"content": "x"}))[1]["id"]
    assert (await wire.request("PATCH", f"{path}/{other}", {"content": "y"}))[0] == 200


async def test_a_slow_connection_fails_requests_over_the_deadline() -> None:
    async with run_sandbox(Sandbox(deadline=0.05)) as late, run_wire(late, PING) as bot:
        late.fault_injector.set_delay(200)
        asking, interaction = await bot.receive(late.person("Robin").slash(late.channel("lounge"), "ping"))
        assert await bot.refuse(interaction, 4, {"content": "pong"}) == (404, 10062)
        assert (await asking).state is InteractionState.FAILED


async def test_the_bot_is_restarted_in_steps_that_the_page_sees(
    panel: FaultPanel, sandbox: Sandbox, wire: WireBot
) -> None:
    keeper = FakeProcess(sandbox)
    assert not (await panel.state())["can_restart"]
    sandbox.attach_bot_process(keeper)
    assert (await panel.state())["can_restart"]
    assert await panel.cause("restart", kill=True) is None
    assert (await panel.state())["phase"] == "ending"
    assert await panel.cause("restart") == "The bot is being restarted already."
    keeper.go_on.set()
    while (await panel.state())["phase"] != "starting":
        pass
    assert keeper.did == [EndMode.KILL, "start"]
    again = await (await WireBot(sandbox, wire.http).connect()).identify()
    assert (await panel.state())["phase"] is None
    assert await panel.cause("restart") is None
    assert (await panel.state())["phase"] == "ending"
    assert keeper.did[2:] == [EndMode.POLITE, "start"]
    await again.socket.close()


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
        ("lock", {}, "This is no thread."),
        ("close", {"closed": True}, "Only direct messages"),
        ("fly", {}, "no such trouble"),
        ("restart", {}, "started elsewhere"),
        ("slow", {"ms": -1}, "from 0 to 10000"),
        ("slow", {"ms": True}, "from 0 to 10000"),
        ("slow", {"ms": "7"}, "from 0 to 10000"),
        ("slow", {}, "from 0 to 10000"),
        ("fail", {"status": 404, "count": 1}, "429, 500 or 502"),
        ("fail", {"status": [], "count": 1}, "429, 500 or 502"),
        ("fail", {"status": 429, "count": 21}, "from 0 to 20"),
        ("permit", {"permission": "ADMINISTRATOR", "held": True}, "cannot be taken away"),
        ("permit", {"permission": ["SEND_MESSAGES"], "held": False}, "cannot be taken away"),
    ],
)
async def test_an_invalid_fault_is_refused_and_changes_nothing(
    panel: FaultPanel, sandbox: Sandbox, trouble: str, parts: Json, why: str
) -> None:
    before = await panel.state()
    assert why in str(await panel.cause(trouble, **parts))
    sandbox.attach_bot_process(FakeProcess(sandbox))
    assert {**await panel.state(), "can_restart": False} == before
