"""The page's socket: everybody who has the page open looks through a viewer of their own."""

from __future__ import annotations

from aiohttp import web

from bot.sandbox.model.changes import Change
from bot.sandbox.model.world import World
from bot.sandbox.page.trouble import TroublePanel
from bot.sandbox.page.viewer import PageSession
from bot.sandbox.people.person import Person


class PageServer:
    """All open pages."""

    def __init__(self, world: World, people: tuple[Person, ...], trouble: TroublePanel) -> None:
        self._world = world
        self._people = people
        self._trouble = trouble
        self._sessions: set[PageSession] = set()
        world.subscribe(self._on_change)

    def add_to(self, app: web.Application) -> None:
        """Serve the socket."""
        app.router.add_get("/page/socket", self._serve)

    def stop(self) -> None:
        """Hang up on all pages."""
        for viewer in self._sessions:
            viewer.close()

    async def _serve(self, request: web.Request) -> web.StreamResponse:
        socket = web.WebSocketResponse(max_msg_size=1 << 16)
        await socket.prepare(request)
        viewer = PageSession(socket, self._world, self._people, self._trouble)
        self._sessions.add(viewer)
        try:
            await viewer.serve()
        finally:
            self._sessions.discard(viewer)
        return socket

    def _on_change(self, change: Change) -> None:
        for viewer in self._sessions:
            viewer.send_change(change)
