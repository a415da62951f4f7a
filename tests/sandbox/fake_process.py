"""A process of the bot that the page restarts."""

import asyncio

from bot.sandbox import EndMode, Sandbox


class FakeProcess:
    """Stands for what holds the bot's process; it ends when the test says so, and the test brings the bot back."""

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = sandbox
        self.did: list[EndMode | str] = []
        self.go_on = asyncio.Event()

    async def end(self, mode: EndMode) -> None:
        self.did.append(mode)
        await self.go_on.wait()
        self._sandbox.gateway.drop_connections()

    async def start(self) -> None:
        self.did.append("start")
