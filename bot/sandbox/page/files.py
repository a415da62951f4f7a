"""Serves static files, attachments and avatars."""

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import cast

import pymupdf_fonts  # type: ignore[import-untyped]  # it has no types
from aiohttp import web

from bot.sandbox.model.clock import parse_snowflake
from bot.sandbox.model.messages import MEDIA_PATH
from bot.sandbox.model.world import World

STATIC = Path(__file__).parent / "static"

_COLORS = ("#5b6ee1", "#6b7280", "#3f9d63", "#c98a2b", "#c9504a", "#b05a9c")
_AVATAR = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" fill="{}"/>'
    '<circle cx="32" cy="25" r="11" fill="#fff"/><path d="M10 60a22 20 0 0 1 44 0z" fill="#fff"/></svg>'
)


_IMAGE = 0x2C
"""The byte with which a frame of a GIF file begins."""

_FONTS = {"regular": "figo", "bold": "figbo", "mono": "fimo", "symbols": "symbol2"}
"""What the page calls its fonts, and what the package does that brings them."""


@lru_cache(maxsize=4)
def _font_file(name: str) -> bytes:
    return cast(bytes, pymupdf_fonts.myfont(_FONTS[name]))


class FileServer:
    """The routes of files."""

    def __init__(self, world: World, port: Callable[[], int]) -> None:
        self._world = world
        self._port = port

    def add_to(self, app: web.Application) -> None:
        """Add the routes to an application."""
        app.router.add_get("/", self._index)
        app.router.add_get("/static/{name:.+}", self._static)
        app.router.add_get(f"/fonts/{{name:{'|'.join(_FONTS)}}}", self._font)
        for root in ("/cdn/", MEDIA_PATH):
            app.router.add_get(root + r"attachments/{channel:\d+}/{file:\d+}/{name}", self._attachment)
        app.router.add_get(r"/cdn/emojis/{emoji:\d+}.{kind:png|webp|gif}", self._emoji)
        app.router.add_get(r"/cdn/embed/avatars/{number:\d{1,9}}.png", self._avatar)

    async def _index(self, request: web.Request) -> web.StreamResponse:
        return self._page_file("index.html")

    async def _static(self, request: web.Request) -> web.StreamResponse:
        return self._page_file(request.match_info["name"])

    def _page_file(self, name: str) -> web.StreamResponse:
        path = (STATIC / name).resolve()
        if not path.is_relative_to(STATIC.resolve()) or not path.is_file():
            raise web.HTTPNotFound
        return web.FileResponse(path, headers=self._page_headers())

    def _page_headers(self) -> dict[str, str]:
        sockets = " ".join(f"ws://{name}:{self._port()}" for name in ("127.0.0.1", "localhost"))
        sources = f"default-src 'self'; connect-src 'self' {sockets}"
        nothing = "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        return {
            "Cache-Control": "no-store",
            "Content-Security-Policy": f"{sources}; {nothing}",
            "X-Content-Type-Options": "nosniff",
            "Referrer-Policy": "no-referrer",
        }

    async def _font(self, request: web.Request) -> web.StreamResponse:
        headers = {"Content-Type": "font/ttf", "Cache-Control": "private, max-age=3600"}
        return web.Response(body=_font_file(request.match_info["name"]), headers=headers)

    async def _attachment(self, request: web.Request) -> web.StreamResponse:
        # Files are looked up by id in memory; the name is only for users who save them.
        file = self._world.file(parse_snowflake(request.match_info["file"]))
        if file is None or file.filename != request.match_info["name"]:
            raise web.HTTPNotFound
        return _file_response(request, file.content, file.content_type)

    async def _emoji(self, request: web.Request) -> web.StreamResponse:
        emoji = self._world.emojis.get(parse_snowflake(request.match_info["emoji"]))
        if emoji is None:
            raise web.HTTPNotFound
        return _file_response(request, emoji.content, emoji.content_type)

    async def _avatar(self, request: web.Request) -> web.StreamResponse:
        picture = _AVATAR.format(_COLORS[int(request.match_info["number"]) % len(_COLORS)])
        return web.Response(text=picture, headers={"Content-Type": "image/svg+xml", **_CDN_HEADERS})


def _file_response(request: web.Request, content: bytes, content_type: str) -> web.Response:
    """Return a file, or the first frame of an animation that should not move."""
    if content_type == "image/gif" and request.query.get("animated") == "false":
        content = first_frame(content)
    return web.Response(body=content, headers={"Content-Type": content_type, **_CDN_HEADERS})


def first_frame(gif: bytes) -> bytes:
    """Return a GIF file that ends after its first frame."""
    at = _after_palette(13, gif[10])
    while gif[at] != _IMAGE:
        at = _after_blocks(gif, at + 2)
    at = _after_blocks(gif, _after_palette(at + 10, gif[at + 9]) + 1)
    return gif[:at] + b";"


def _after_palette(at: int, flags: int) -> int:
    """Return the place behind a palette that begins at a place, if the flags before it say that there is one."""
    return at + (3 << (flags & 7) + 1 if flags & 128 else 0)


def _after_blocks(gif: bytes, at: int) -> int:
    """Return the place behind the blocks that begin at a place; each begins with its length, and the last is empty."""
    while gif[at]:
        at += gif[at] + 1
    return at + 1


# A file that a bot sent must not run as part of the page.
_CDN_HEADERS = {
    "Cache-Control": "private, max-age=3600",
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    "X-Content-Type-Options": "nosniff",
}
