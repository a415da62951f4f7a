"""The page's websocket; each open page has a session of its own."""

from __future__ import annotations

from aiohttp import web

from bot.sandbox.model.changes import Change
from bot.sandbox.model.world import World
from bot.sandbox.page.session import PageSession
from bot.sandbox.page.trouble import TroublePanel
from bot.sandbox.people.person import Person


class PageServer:
    """All open pages."""

    def __init__(self, world: World, people: tuple[Person, ...], trouble_panel: TroublePanel) -> None:
        self._world = world
        self._people = people
        self._trouble = trouble_panel
        self._sessions: set[PageSession] = set()
        world.subscribe(self._on_change)

    def add_to(self, app: web.Application) -> None:
        """Add the route to an application."""
        app.router.add_get("/page/socket", self._serve)

    def stop(self) -> None:
        """Close all sessions."""
        for session in self._sessions:
            session.close()

    async def _serve(self, request: web.Request) -> web.StreamResponse:
        socket = web.WebSocketResponse(max_msg_size=1 << 16)
        await socket.prepare(request)
        session = PageSession(socket, self._world, self._people, self._trouble)
        self._sessions.add(session)
        try:
            await session.serve()
        finally:
            self._sessions.discard(session)
        return socket

    def _on_change(self, change: Change) -> None:
        for session in self._sessions:
            session.send_change(change)
