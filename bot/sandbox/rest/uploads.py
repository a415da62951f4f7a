"""Reads the bodies of requests: JSON, or JSON with files."""

import re
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

from bot.sandbox.errors import Code, api_error
from bot.sandbox.validation.messages import FILE_BYTES
from bot.sandbox.wire import decode, encode

_FILE_FIELD = re.compile(r"files\[(\d+)\]")
_BOUNDARY = re.compile(r'boundary="?([^";]+)', re.IGNORECASE)
_NAME = re.compile(r';\s*name="((?:[^"\\]|\\.)*)"', re.IGNORECASE)
_FILENAME = re.compile(r';\s*filename="((?:[^"\\]|\\.)*)"', re.IGNORECASE)
_CONTENT_TYPE = re.compile(r"^content-type:\s*([^\s;]+)", re.IGNORECASE | re.MULTILINE)
_ESCAPED = re.compile(r"\\(.)")


@dataclass(frozen=True, slots=True)
class Upload:
    """A file that came with a request."""

    number: int
    filename: str
    content_type: str
    content: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Body:
    """What a request carries."""

    json: Any = None
    uploads: tuple[Upload, ...] = ()


async def read_body(request: web.Request) -> Body:
    """Read the body of a request; refuse one that cannot be read."""
    try:
        raw = await request.read()
    except ConnectionResetError:  # whoever sent it has ended in the middle of it
        raise api_error(Code.INVALID_JSON) from None
    if not raw:
        return Body()
    # `request.content_type` takes longer than everything else here: each boundary is new to its cache.
    content_type = request.headers.get("Content-Type", "")
    if content_type.lower().startswith("multipart/form-data"):
        return _parts(raw, content_type)
    return Body(_json(raw))


def _json(raw: bytes) -> Any:
    try:
        json = decode(raw)
        if b"\\ud" in raw.lower():
            encode(json).encode()  # half a character can't be sent on
    except (ValueError, RecursionError):
        raise api_error(Code.INVALID_JSON) from None
    return json


def _parts(raw: bytes, content_type: str) -> Body:
    # The whole body is in memory already: cutting it up is much quicker than reading it as a stream.
    json: Any = None
    uploads: list[Upload] = []
    for part in (b"\r\n" + raw).split(b"\r\n--" + _boundary(content_type))[1:-1]:
        head, _, content = part.partition(b"\r\n\r\n")
        headers = head.decode("utf-8", "replace")
        name = _parameter(_NAME, headers, "")
        if name == "payload_json":
            json = _json(content)
        elif number := _FILE_FIELD.fullmatch(name):
            uploads.append(_upload(int(number[1]), headers, content))
    return Body(json, tuple(uploads))


def _boundary(content_type: str) -> bytes:
    found = _parameter(_BOUNDARY, content_type, "")
    if not found:
        raise api_error(Code.INVALID_JSON)
    return found.encode()


def _upload(number: int, headers: str, content: bytes) -> Upload:
    if len(content) > FILE_BYTES:
        raise api_error(Code.TOO_LARGE)
    filename = _parameter(_FILENAME, headers, "")
    content_type = _parameter(_CONTENT_TYPE, headers, "application/octet-stream")
    return Upload(number, filename, content_type, content)


def _parameter(pattern: re.Pattern[str], text: str, default: str) -> str:
    found = pattern.search(text)
    return default if found is None else _ESCAPED.sub(r"\1", found[1])
