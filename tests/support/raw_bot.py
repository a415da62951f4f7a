"""A minimal bot that answers exactly as a test wants."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, TypeAlias

import aiohttp

from bot.sandbox import Sandbox

Json: TypeAlias = dict[str, Any]
Answer: TypeAlias = Callable[[Json], Json | None]

DISPATCH, HEARTBEAT, IDENTIFY, HELLO = 0, 1, 2, 10
GUILDS = 1
MESSAGE, UPDATE, CHOICES = 4, 7, 8
EPHEMERAL = 1 << 6


def answer_message(content: str = "", **more: Any) -> Json:
    """Answer with a message."""
    return {"type": MESSAGE, "data": {"content": content, **more}}


def answer_ephemeral(content: str) -> Json:
    """Answer with a message for one reader."""
    return answer_message(content, flags=EPHEMERAL)


def row(*components: Json) -> Json:
    """Stand components side by side."""
    return {"type": 1, "components": list(components)}


def button(custom_id: str, label: str, **more: Any) -> Json:
    """Describe a button."""
    return {"type": 2, "style": 2, "custom_id": custom_id, "label": label, **more}


class RawBot:
    """Speaks REST and gateway without a library; `answers` holds an answer by command name or custom id."""

    def __init__(self, sandbox: Sandbox, session: aiohttp.ClientSession) -> None:
        self.answers: dict[str, Answer] = {}
        self.received: list[Json] = []
        self._sandbox = sandbox
        self._session = session

    async def call(self, method: str, path: str, body: Any = None) -> Any:
        """Send a request; raise `aiohttp.ClientResponseError` when it is refused."""
        async with self._session.request(method, self._sandbox.api_url + path, json=body) as response:
            response.raise_for_status()
            return await response.json() if response.status != 204 else None

    async def register(self, *commands: Json) -> None:
        """Set the slash commands."""
        await self.call("PUT", f"/applications/{self._sandbox.world.bot.id}/commands", list(commands))

    async def post(self, channel: str, content: str = "", **more: Any) -> str:
        """Write a message and return its id."""
        path = f"/channels/{self._sandbox.channel(channel).id}/messages"
        return str((await self.call("POST", path, {"content": content, **more}))["id"])

    async def edit(self, channel: str, message: str, **body: Any) -> None:
        """Change a message."""
        await self.call("PATCH", f"/channels/{self._sandbox.channel(channel).id}/messages/{message}", body)

    async def listen(self) -> None:
        """Introduce itself and answer until cancelled."""
        async with self._session.ws_connect(self._sandbox.gateway_url) as socket:
            async for frame in socket:
                event = frame.json()
                if event["op"] == HELLO:
                    await socket.send_json({"op": IDENTIFY, "d": self._identity()})
                elif event.get("t") == "INTERACTION_CREATE":
                    await self._answer(event["d"])

    def _identity(self) -> Json:
        return {"token": self._sandbox.token, "intents": GUILDS, "properties": {}}

    async def _answer(self, interaction: Json) -> None:
        self.received.append(interaction)
        data = interaction["data"]
        reaction = self.answers.get(data.get("custom_id") or data["name"])
        answer = reaction(interaction) if reaction else None
        if answer is not None:
            path = f"/interactions/{interaction['id']}/{interaction['token']}/callback"
            await self.call("POST", path, answer)


@asynccontextmanager
async def connect_raw_bot(sandbox: Sandbox) -> AsyncIterator[RawBot]:
    """Connect a bot for as long as the block runs."""
    async with aiohttp.ClientSession(headers={"Authorization": f"Bot {sandbox.token}"}) as session:
        bot = RawBot(sandbox, session)
        task = asyncio.create_task(bot.listen())
        try:
            await sandbox.until(lambda: sandbox.bot_online)
            yield bot
        finally:
            task.cancel()
            await asyncio.wait({task})
