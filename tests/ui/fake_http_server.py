"""A server that answers the requests of the bot as a test says."""

import asyncio
import json
import socket
import struct
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import discord
import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer


@dataclass
class ServerAnswer:
    """The answer to one request: a page if its body is a text, JSON that need not be valid if it is in bytes."""

    status: int = 200
    body: Any = field(default_factory=lambda: {"id": "4711"})
    headers: dict[str, str] = field(default_factory=dict)


def refusal_answer(status: int, code: int = 0, **more: Any) -> ServerAnswer:
    return ServerAnswer(status, {"code": code, "message": "No.", **more}, {"Via": "1.1 google"})


class FakeServer:
    """Gives `answers` in order, then the usual one."""

    def __init__(self) -> None:
        self.answers: list[ServerAnswer] = []
        self.usual = ServerAnswer()
        self.asked: list[tuple[str, str]] = []
        self.headers: list[Any] = []
        self.bodies: list[Any] = []
        self.files: list[bytes] = []
        self.hangs_up = 0
        """How many requests it does not answer."""
        self.breaks_off = False
        """Whether it does not even say that it hangs up."""
        self.answering = asyncio.Event()
        self.answering.set()

    @property
    def paths(self) -> list[str]:
        return [path for _method, path in self.asked]

    async def handle(self, request: web.Request) -> web.Response:
        self.asked.append((request.method, request.path_qs))
        self.headers.append(request.headers)
        await self.answering.wait()
        if self.hangs_up:
            self.hangs_up -= 1
            assert request.transport is not None
            if self.breaks_off:
                line = request.transport.get_extra_info("socket")
                line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            request.transport.close()
        if request.content_type == "multipart/form-data":
            form = await request.post()
            body: Any = form["payload_json"]
            file: Any = form["files[0]"]
            self.bodies.append(json.loads(body))
            self.files.append(file.file.read())
        elif request.can_read_body:
            self.bodies.append(await request.json())
        answer = self.answers.pop(0) if self.answers else self.usual
        if isinstance(answer.body, str):
            return web.Response(text=answer.body, status=answer.status, headers=answer.headers)
        sent = answer.body if isinstance(answer.body, bytes) else json.dumps(answer.body).encode()
        return web.Response(body=sent, status=answer.status, headers=answer.headers, content_type="application/json")


@asynccontextmanager
async def run_fake_server(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[FakeServer]:
    """Run a server in the place of Discord's; a test may change the address with the same `monkeypatch`."""
    fake, app = FakeServer(), web.Application()
    app.router.add_route("*", "/{tail:.*}", fake.handle)
    async with TestServer(app, host="127.0.0.1") as http:
        monkeypatch.setattr(discord.http.Route, "BASE", str(http.make_url("/api")))
        yield fake
