"""Validates the emoji of applications against Discord's limits."""

import base64
import binascii
import re
from dataclasses import dataclass, field

from bot.sandbox.validation.request_part import RequestPart
from bot.sandbox.wire import Json

MAX_EMOJI_BYTES = 256 * 1024

_NAME = re.compile(r"\w+", re.ASCII)
_DATA_URI = re.compile(r"data:(image/(?:png|jpeg|gif|webp|avif));base64,(.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class EmojiFile:
    """An uploaded picture."""

    content_type: str
    content: bytes = field(repr=False)


def check_new_name(body: Json) -> None:
    """Raise ApiError if Discord would refuse the new name of an emoji; without one it keeps its name."""
    request = RequestPart(body)
    if "name" in body:
        _check_name(request["name"])
    request.raise_if_any()


def check_new_emoji(body: Json) -> EmojiFile:
    """Return the picture of a new emoji; raise ApiError if Discord would refuse it."""
    request = RequestPart(body)
    _check_name(request["name"])
    file = _parse_image(request["image"])
    request.raise_if_any()
    return file


def _check_name(name: RequestPart) -> None:
    if name.check_text(32, minimum=2, required=True) and not _NAME.fullmatch(name.value):
        name.add("STRING_TYPE_REGEX", "String value did not match validation regex.")


def _parse_image(image: RequestPart) -> EmojiFile:
    nothing = EmojiFile("", b"")
    # Twice as long as the largest picture in base64 is certainly too large.
    if not image.check_text(4 * MAX_EMOJI_BYTES, required=True):
        return nothing
    match = _DATA_URI.fullmatch(image.value)
    try:
        content = base64.b64decode(match[2], validate=True) if match else b""
    except (ValueError, binascii.Error):
        content = b""
    if match is None or not content:
        image.add("IMAGE_INVALID", "Invalid image data")
        return nothing
    if len(content) > MAX_EMOJI_BYTES:
        image.add("BINARY_TYPE_MAX_SIZE", "File cannot be larger than 256.0 kb.")
    return EmojiFile(match[1], content)
