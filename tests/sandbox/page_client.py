"""The page's socket as a browser uses it."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias

import aiohttp

from tests.sandbox.wire_bot import Json


class PageClient:
    """One open page."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self.socket = socket

    async def send_action(self, act: str, **parts: Any) -> None:
        await self.socket.send_json({"do": act, **parts})

    async def wait_for_event(self, kind: str | None = None) -> Json:
        """Return the next frame, of one kind if that is asked for."""
        async with asyncio.timeout(30):
            while True:
                frame: Json = json.loads(await self.socket.receive_str())
                if kind is None or frame["t"] == kind:
                    return frame

    async def wait_for_reply(self, nonce: str) -> tuple[str, str | None]:
        """Return how something ended."""
        while (frame := await self.wait_for_event("interaction"))["nonce"] != nonce or frame["state"] == "sent":
            pass
        return frame["state"], frame.get("text")


OpenPage: TypeAlias = Callable[[], Awaitable[PageClient]]
