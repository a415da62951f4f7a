"""The emojis that Discord accepts for buttons and menus, and validation of an application's own."""

import base64
import binascii
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from bot.sandbox.validation.request_part import JsonPath, RequestPart
from bot.sandbox.wire import Json

_BELOW_ASTRAL = (
    "a9 ae 203c 2049 2122 2139 2194-2199 21a9-21aa 231a-231b 2328 23cf 23e9-23f3 23f8-23fa 24c2 25aa-25ab "
    "25b6 25c0 25fb-25fe 2600-2604 260e 2611 2614-2615 2618 261d 2620 2622-2623 2626 262a 262e-262f "
    "2638-263a 2640 2642 2648-2653 265f-2660 2663 2665-2666 2668 267b 267e-267f 2692-2697 2699 269b-269c "
    "26a0-26a1 26a7 26aa-26ab 26b0-26b1 26bd-26be 26c4-26c5 26c8 26ce-26cf 26d1 26d3-26d4 26e9-26ea "
    "26f0-26f5 26f7-26fa 26fd 2702 2705 2708-270d 270f 2712 2714 2716 271d 2721 2728 2733-2734 2744 2747 "
    "274c 274e 2753-2755 2757 2763-2764 2795-2797 27a1 27b0 27bf 2934-2935 2b05-2b07 2b1b-2b1c 2b50 2b55 "
    "3030 303d 3297 3299"
)
_ASTRAL = "1f004 1f0cf 1f170-1f171 1f17e-1f17f 1f18e 1f191-1f19a 1f1e6-1f1ff 1f201-1f202 1f21a 1f22f"
_ASTRAL_BLOCKS = "1f232-1f23a 1f250-1f251 1f300-1f64f 1f680-1f6ff 1f7e0-1f7f0 1f90c-1f9ff 1fa70-1faff"
_KEYCAP = "\u20e3"


def _expand(ranges: str) -> frozenset[int]:
    found: set[int] = set()
    for part in ranges.split():
        first, _, last = part.partition("-")
        found.update(range(int(first, 16), int(last or first, 16) + 1))
    return frozenset(found)


_EMOJI = _expand(f"{_BELOW_ASTRAL} {_ASTRAL} {_ASTRAL_BLOCKS}")


def is_emoji(name: str) -> bool:
    """Whether a text starts with an emoji: `🎲` and `1️⃣` do, `⚀` and `dice` do not."""
    if not name:
        return False
    return ord(name[0]) in _EMOJI or (name[0] in "0123456789#*" and name.endswith(_KEYCAP))


def check_emoji_exist(components: Any, exists: Callable[[int], bool], path: JsonPath) -> None:
    """Raise ApiError if components, valid otherwise, use an application's emoji that does not exist."""
    root = RequestPart(components, path)
    for emoji in _find_custom_emoji(root):
        if not exists(int(emoji.value["id"])):
            emoji["id"].add("BUTTON_COMPONENT_INVALID_EMOJI", "Invalid emoji")
    root.raise_if_any()


def _find_custom_emoji(part: RequestPart) -> Iterator[RequestPart]:
    if isinstance(part.value, list):
        for item in part:
            yield from _find_custom_emoji(item)
    elif isinstance(part.value, dict):
        for name in ("components", "component", "options"):
            yield from _find_custom_emoji(part[name])
        if (part.value.get("emoji") or {}).get("id") is not None:
            yield part["emoji"]


MAX_EMOJI_BYTES = 256 * 1024

_NAME = re.compile(r"\w+", re.ASCII)
_DATA_URI = re.compile(r"data:(image/(?:png|jpeg|gif|webp|avif));base64,(.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class EmojiFile:
    """An uploaded picture."""

    content_type: str
    content: bytes = field(repr=False)


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
