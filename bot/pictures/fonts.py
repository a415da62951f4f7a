"""The fonts of pictures: FiraGO from a package, so that they look the same on every machine.

It has Latin, Greek, Cyrillic, Hebrew, Arabic, Devanagari, Thai and Georgian letters. Pillow lays them out with raqm,
which knows the direction of scripts and how letters join.
"""

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from io import BytesIO
from math import ceil, floor
from typing import Final, cast
from unicodedata import category, combining, normalize

import pymupdf_fonts  # type: ignore[import-untyped]  # it has no types
from PIL import Image, ImageDraw, ImageFont
from PIL.ImageFont import FreeTypeFont

from bot.rules.names import NAME_END, NAME_START, isolate_name
from bot.rules.picture import Align, ColourRole, Label, Rect

_REGULAR, _BOLD = "figo", "figbo"
_MISSING_GLYPH = "\N{SNOWMAN}"
"""A character that the font lacks; others that it lacks are drawn the same."""

_JOINERS = "\N{ZERO WIDTH NON-JOINER}\N{ZERO WIDTH JOINER}"
"""They decide how letters join in Arabic and Indian scripts."""

_VIRAMA: Final = 9
"""The combining class of signs that join two letters of an Indian script into one."""

_CONTROLS = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
_ACCENTS = frozenset({"Mn", "Me"})
"""Categories of marks without which a letter can still be read."""

_NAME: Final = re.compile(f"{NAME_START}([^{NAME_END}]*){NAME_END}")

_OVERHANG = 1
"""By how many pixels some letters reach beyond their text."""


# 25 ms, once for each cut.
@lru_cache(maxsize=2)
def font_file(*, bold: bool) -> bytes:
    """Return the file of the font."""
    return cast(bytes, pymupdf_fonts.myfont(_BOLD if bold else _REGULAR))


# 50 us for each new text.
@lru_cache(maxsize=128)
def font_of(size: int, *, bold: bool = False) -> FreeTypeFont:
    """Return the font at a size in pixels."""
    return ImageFont.truetype(BytesIO(font_file(bold=bold)), size)


# 0.4 ms of a new text, half of what it takes.
@lru_cache(maxsize=128)
def capital_height(size: int) -> int:
    """Return the height of capitals and digits."""
    _, top, _, bottom = font_of(size).getbbox("H")
    return round(bottom - top)


@dataclass(frozen=True, slots=True)
class TextLayout:
    """How to draw the text of a label."""

    start: tuple[float, int]
    anchor: str
    font: FreeTypeFont


def text_layout_of(label: Label) -> TextLayout:
    """Return the layout that centres capitals and digits vertically."""
    at = label.at
    x, anchor = {
        Align.LEFT: (at.x + _OVERHANG, "ls"),
        Align.CENTRE: (at.x + at.width / 2, "ms"),
        Align.RIGHT: (at.right - _OVERHANG, "rs"),
    }[label.align]
    baseline = at.y + (at.height + capital_height(label.size)) // 2
    return TextLayout((x, baseline), anchor, font_of(label.size, bold=label.bold))


def text_bounds_of(label: Label) -> Rect:
    """Return the area that a label's text covers."""
    layout = text_layout_of(label)
    left, top, right, bottom = layout.font.getbbox(
        label.text, anchor=layout.anchor, direction=_direction_of(label.text)
    )
    x, y = floor(left + layout.start[0]), floor(top + layout.start[1])
    return Rect(x, y, ceil(right + layout.start[0]) - x, ceil(bottom + layout.start[1]) - y)


def _direction_of(text: str) -> str | None:
    """Return the direction of a sentence with names; other texts have that of their first letter."""
    return "ltr" if NAME_START in text else None


@dataclass(frozen=True, slots=True)
class TextMask:
    """The drawn text of a label, and its position relative to the label."""

    mask: Image.Image
    left: int
    top: int


def text_mask_of(label: Label) -> TextMask:
    """Return the drawn text of a label; cached by text and size."""
    room = (label.at.width, label.at.height)
    if label.is_name:
        return _render_name(label.text, room, label.size, label.align, bold=label.bold)
    return _render_text(label.text, room, label.size, label.align, bold=label.bold)


# 0.1 ms of a picture of Magpie, 0.8 ms of those of Change and The Magic Bag.
@lru_cache(maxsize=1024)
def _render_text(text: str, room: tuple[int, int], size: int, align: Align, *, bold: bool) -> TextMask:
    label = Label(text, Rect(0, 0, *room), ColourRole.TEXT, size, align, bold)
    bounds, layout = text_bounds_of(label), text_layout_of(label)
    mask = Image.new("L", (bounds.width, bounds.height))
    start = (layout.start[0] - bounds.x, layout.start[1] - bounds.y)
    pen = ImageDraw.Draw(mask)
    pen.text(start, text, 255, layout.font, layout.anchor, direction=_direction_of(text))
    return TextMask(mask, bounds.x, bounds.y)


# 0.2 ms for each new name.
@lru_cache(maxsize=1024)
def _render_name(name: str, room: tuple[int, int], size: int, align: Align, *, bold: bool) -> TextMask:
    """Return as much of a name, or of a sentence with names, as fits, cut to its area."""
    text = _fitting_text(_drawable_text(name), room[0] - 2 * _OVERHANG, font_of(size, bold=bold))
    if not text:
        return TextMask(Image.new("L", (1, 1)), 0, 0)
    drawn = _render_text(text, room, size, align, bold=bold)
    left, top = max(0, drawn.left), max(0, drawn.top)
    right, bottom = min(room[0], drawn.left + drawn.mask.width), min(room[1], drawn.top + drawn.mask.height)
    within = (left - drawn.left, top - drawn.top, right - drawn.left, bottom - drawn.top)
    return TextMask(drawn.mask.crop(within), left, top)


def _drawable_text(text: str) -> str:
    """Return what can be drawn of a name, or of a sentence in which each name is isolated."""
    parts = _NAME.split(text)
    if len(parts) == 1 or not "".join(parts[::2]).strip():
        return drawable_name(text)
    parts[1::2] = [isolate_name(drawable_name(name)) for name in parts[1::2]]
    parts[::2] = ["".join(filter(has_glyph, part)) for part in parts[::2]]
    return "".join(parts)


def _fitting_text(text: str, width: int, font: FreeTypeFont) -> str:
    """Shorten the names of a sentence, the longest first, and then the end, until it fits."""

    def is_fitting(tried: str) -> bool:
        return font.getlength(tried, direction=_direction_of(tried)) <= width

    parts = _NAME.split(text)
    names = parts[1::2]
    lengths = [len(name) for name in names]
    while not is_fitting(text) and max(lengths, default=0) > 1:
        lengths[lengths.index(max(lengths))] -= 1
        parts[1::2] = [isolate_name(_cut(name, length)) for name, length in zip(names, lengths, strict=True)]
        text = "".join(parts)
    shorter = (_cut(text, end) for end in range(len(text) - 1, 0, -1))
    return text if is_fitting(text) else next(filter(is_fitting, shorter), "")


def _cut(text: str, length: int) -> str:
    """Return at most so much of a text, with whole letters: none is parted from its marks or from what it joins."""
    if length >= len(text):
        return text
    while length and (text[length] in _JOINERS or category(text[length])[0] == "M" or _joins_next(text[length - 1])):
        length -= 1
    return f"{text[:length].rstrip()}…"


def _joins_next(sign: str) -> bool:
    return sign in _JOINERS or combining(sign) == _VIRAMA


def drawable_name(name: str) -> str:
    """Return a name without symbols and accents that the font lacks, or nothing if it lacks a letter.

    Letters in fancy styles are plain ones, if the font lacks them.
    """
    return _drawable(normalize("NFC", name)) or _drawable(normalize("NFKC", name))


def _drawable(name: str) -> str:
    signs = [sign for sign in name if sign in _JOINERS or category(sign) not in _CONTROLS]
    known = [sign for sign in signs if sign in _JOINERS or has_glyph(sign)]
    lacking = {category(sign) for sign in set(signs).difference(known)} - _ACCENTS
    is_readable = not any(each[0] in "LMN" for each in lacking)
    text = "".join(known).strip()
    return text if is_readable and any(category(sign)[0] in "LNPS" for sign in text) else ""


# 26 us for each character of a new name.
@lru_cache(maxsize=4096)
def has_glyph(character: str) -> bool:
    """Return whether the font has a character."""
    # A mark is laid out on the letter before it, so a lone one never looks like a missing letter.
    font = _plain_font() if category(character)[0] == "M" else font_of(32)
    return character == " " or bytes(font.getmask(character)) != bytes(font.getmask(_MISSING_GLYPH))


@cache
def _plain_font() -> FreeTypeFont:
    """Return the font without the rules of scripts: each character is its own glyph."""
    return ImageFont.truetype(BytesIO(font_file(bold=False)), 32, layout_engine=ImageFont.Layout.BASIC)
