"""Parses request bodies: JSON, or JSON with files."""

import re
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

from bot.sandbox.errors import ErrorCode, api_error
from bot.sandbox.validation.messages import MAX_FILE_BYTES
from bot.sandbox.wire import decode, encode

_FILE_FIELD = re.compile(r"files\[(\d+)\]")
_BOUNDARY = re.compile(r'boundary="?([^";]+)', re.IGNORECASE)
_NAME = re.compile(r';\s*name="((?:[^"\\]|\\.)*)"', re.IGNORECASE)
_FILENAME = re.compile(r';\s*filename="((?:[^"\\]|\\.)*)"', re.IGNORECASE)
_CONTENT_TYPE = re.compile(r"^content-type:\s*([^\s;]+)", re.IGNORECASE | re.MULTILINE)
_ESCAPED = re.compile(r"\\(.)")


@dataclass(frozen=True, slots=True)
class Upload:
    """A file of a request."""

    number: int
    filename: str
    content_type: str
    content: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class RequestBody:
    """The parsed body of a request."""

    json: Any = None
    uploads: tuple[Upload, ...] = ()


async def read_body(request: web.Request) -> RequestBody:
    """Parse the body of a request; raise ApiError if it is malformed."""
    try:
        raw = await request.read()
    except ConnectionResetError:  # the client has disconnected
        raise api_error(ErrorCode.INVALID_JSON) from None
    if not raw:
        return RequestBody()
    # `request.content_type` is the slowest part here: its cache never hits, because each boundary is new.
    content_type = request.headers.get("Content-Type", "")
    if content_type.lower().startswith("multipart/form-data"):
        return _parse_multipart(raw, content_type)
    return RequestBody(_parse_json(raw))


def _parse_json(raw: bytes) -> Any:
    try:
        json = decode(raw)
        if b"\\ud" in raw.lower():
            encode(json).encode()  # fails for lone surrogates
    except (ValueError, RecursionError):
        raise api_error(ErrorCode.INVALID_JSON) from None
    return json


def _parse_multipart(raw: bytes, content_type: str) -> RequestBody:
    # The whole body is in memory, and splitting it is much faster than aiohttp's stream reader.
    json: Any = None
    uploads: list[Upload] = []
    for part in (b"\r\n" + raw).split(b"\r\n--" + _parse_boundary(content_type))[1:-1]:
        head, _, content = part.partition(b"\r\n\r\n")
        headers = head.decode("utf-8", "replace")
        name = _parse_parameter(_NAME, headers, "")
        if name == "payload_json":
            json = _parse_json(content)
        elif number := _FILE_FIELD.fullmatch(name):
            uploads.append(_parse_upload(int(number[1]), headers, content))
    return RequestBody(json, tuple(uploads))


def _parse_boundary(content_type: str) -> bytes:
    found = _parse_parameter(_BOUNDARY, content_type, "")
    if not found:
        raise api_error(ErrorCode.INVALID_JSON)
    return found.encode()


def _parse_upload(number: int, headers: str, content: bytes) -> Upload:
    if len(content) > MAX_FILE_BYTES:
        raise api_error(ErrorCode.TOO_LARGE)
    filename = _parse_parameter(_FILENAME, headers, "")
    content_type = _parse_parameter(_CONTENT_TYPE, headers, "application/octet-stream")
    return Upload(number, filename, content_type, content)


def _parse_parameter(pattern: re.Pattern[str], text: str, default: str) -> str:
    found = pattern.search(text)
    return default if found is None else _ESCAPED.sub(r"\1", found[1])
