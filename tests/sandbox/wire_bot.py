"""A bot without a library: what it says and hears is exactly what goes over the wire."""

import asyncio
import json
from collections.abc import AsyncIterator, Coroutine, Iterator
from contextlib import asynccontextmanager
from typing import Any, TypeAlias, TypeVar

import aiohttp

from bot.sandbox import Sandbox
from tests.support.openapi_conformance import find_breaches

Json: TypeAlias = dict[str, Any]
T = TypeVar("T")

PING: Json = {"name": "ping", "description": "Ask for an answer"}
"""A command without options."""
GO: Json = {"type": 1, "components": [{"type": 2, "style": 1, "label": "Go", "custom_id": "go"}]}
"""A row with a button."""


def error_codes(errors: Json, path: str = "") -> Iterator[tuple[str, str]]:
    for key, value in errors.items():
        if key == "_errors":
            yield from ((path, fault["code"]) for fault in value)
        else:
            yield from error_codes(value, f"{path}.{key}" if path else key)


class WireBot:
    """A gateway connection and an HTTP client with the token."""

    def __init__(self, sandbox: Sandbox, http: aiohttp.ClientSession) -> None:
        self.sandbox = sandbox
        self.http = http
        self.sequence = 0
        self.session_id = ""
        self.socket: aiohttp.ClientWebSocketResponse

    async def connect(self) -> "WireBot":
        self.socket = await self.http.ws_connect(self.sandbox.gateway_url + "?v=10&encoding=json")
        assert (await self.receive_frame())["op"] == 10
        return self

    async def identify(self, intents: int = 1, shard: tuple[int, int] = (0, 1)) -> "WireBot":
        await self.send_frame(2, {"token": self.sandbox.token, "intents": intents, "shard": list(shard)})
        self.session_id = (await self.wait_for_event("READY"))["session_id"]
        return self

    async def resume(self, sequence: int) -> None:
        await self.send_frame(6, {"token": self.sandbox.token, "session_id": self.session_id, "seq": sequence})

    async def send_frame(self, opcode: int, data: Any) -> None:
        await self.socket.send_json({"op": opcode, "d": data})

    async def receive_frame(self) -> Json:
        async with asyncio.timeout(30):
            frame = await self.socket.receive()
        assert frame.type is aiohttp.WSMsgType.TEXT, f"closed with {self.socket.close_code}"
        heard: Json = json.loads(frame.data)
        self.sequence = heard.get("s") or self.sequence
        return heard

    async def wait_for_event(self, name: str) -> Json:
        while (frame := await self.receive_frame()).get("t") != name:
            pass
        data: Json = frame["d"]
        return data

    async def wait_for_close(self) -> int | None:
        async with asyncio.timeout(30):
            while (await self.socket.receive()).type is aiohttp.WSMsgType.TEXT:
                pass
        return self.socket.close_code

    async def request(self, method: str, path: str, body: Any = None, **more: Any) -> tuple[int, Any]:
        async with self.http.request(method, self.sandbox.api_url + path, json=body, **more) as answer:
            text = await answer.text()
            return answer.status, json.loads(text) if text else None

    async def refusal(self, method: str, path: str, body: Any = None, **more: Any) -> tuple[int, int]:
        """Return the status and the code with which a request is refused."""
        status, answer = await self.request(method, path, body, **more)
        return status, answer["code"]

    async def faults(self, method: str, path: str, body: Any = None, **more: Any) -> set[tuple[str, str]]:
        """Return the places and codes of what is wrong in a request that is refused for its form."""
        status, answer = await self.request(method, path, body, **more)
        assert (status, answer["code"], answer["message"]) == (400, 50035, "Invalid Form Body")
        return set(error_codes(answer["errors"]))

    async def register(self, *commands: Json) -> None:
        status, answer = await self.request("PUT", f"/applications/{self.sandbox.world.bot.id}/commands", commands)
        assert status == 200, answer

    async def interaction(self) -> Json:
        return await self.wait_for_event("INTERACTION_CREATE")

    async def receive(self, act: Coroutine[Any, Any, T]) -> tuple[asyncio.Task[T], Json]:
        """Let a person act, and return the interaction that this leads to."""
        acting = asyncio.create_task(act)
        return acting, await self.interaction()

    async def answer(self, interaction: Json, kind: int, data: Json | None = None) -> tuple[int, Any]:
        body = {"type": kind} if data is None else {"type": kind, "data": data}
        return await self.request("POST", self.callback(interaction), body)

    async def refuse(self, interaction: Json, kind: int, data: Json | None = None) -> tuple[int, int]:
        """Return the status and the code with which an answer is refused."""
        status, answer = await self.answer(interaction, kind, data)
        return status, answer["code"]

    def callback(self, interaction: Json) -> str:
        return f"/interactions/{interaction['id']}/{interaction['token']}/callback"

    def webhook(self, interaction: Json, rest: str = "") -> str:
        return f"/webhooks/{self.sandbox.world.bot.id}/{interaction['token']}{rest}"


async def identify_wire(
    sandbox: Sandbox, http: aiohttp.ClientSession, intents: int = 1, shard: tuple[int, int] = (0, 1)
) -> WireBot:
    """Connect a bot that hears what its intents and its shard are about."""
    return await (await WireBot(sandbox, http).connect()).identify(intents, shard)


@asynccontextmanager
async def run_sandbox(sandbox: Sandbox) -> AsyncIterator[Sandbox]:
    """Run a sandbox until the block ends, whose answers must be as Discord describes them."""
    await sandbox.start()
    yield sandbox
    await sandbox.stop()
    assert not (found := find_breaches(sandbox.requests, of_the_bot=False)), "\n".join(found)


@asynccontextmanager
async def run_wire(sandbox: Sandbox, *commands: Json) -> AsyncIterator[WireBot]:
    """Run a bot with some commands until the block ends."""
    async with aiohttp.ClientSession(headers={"Authorization": f"Bot {sandbox.token}"}) as http:
        wire = await identify_wire(sandbox, http)
        await wire.register(*commands)
        yield wire
        await wire.socket.close()
