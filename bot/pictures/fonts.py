"""The fonts of pictures: FiraGO from a package, so that they look the same on every machine.

It has Latin, Greek, Cyrillic, Hebrew, Arabic, Devanagari, Thai and Georgian letters.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final
from unicodedata import category, normalize

from PIL import Image

from bot.graphemes import split_letters
from bot.pictures.shaping import Typeface, to_pixels, to_units, typeface_of
from bot.rules.picture import MIN_TEXT_SIZE, NAME_START, Align, Label, Rect, isolate_name, split_names

_JOINERS = "\N{ZERO WIDTH NON-JOINER}\N{ZERO WIDTH JOINER}"
"""They decide how letters join in Arabic and Indian scripts."""

_ELLIPSIS: Final = "…"

_CONTROLS = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
_ACCENTS = frozenset({"Mn", "Me"})
"""Categories of marks without which a letter can still be read."""

_OVERHANG = 1
"""By how many pixels some letters reach beyond their text."""


# 0.4 ms of a new text, half of what it takes.
@lru_cache(maxsize=128)
def capital_height(size: int) -> int:
    """Return the height of capitals and digits."""
    typeface = typeface_of(size)
    (capital,) = typeface.shape("H").glyphs
    bitmap = typeface.bitmap(capital.number)
    return 0 if bitmap is None else bitmap.mask.height


def text_bounds_of(label: Label) -> Rect:
    """Return the area that a label's text covers in its own size."""
    room = (label.at.width, label.at.height)
    drawn = _render_text(label.text, room, label.size, label.align, bold=label.bold, shrinks=False)
    return Rect(label.at.x + drawn.left, label.at.y + drawn.top, drawn.mask.width, drawn.mask.height)


@dataclass(frozen=True, slots=True)
class TextMask:
    """The drawn text of a label, and its position relative to the label."""

    mask: Image.Image
    left: int
    top: int


_BLANK: Final = TextMask(Image.new("L", (1, 1)), 0, 0)


def text_mask_of(label: Label) -> TextMask:
    """Return the drawn text of a label; cached by text and size."""
    room = (label.at.width, label.at.height)
    if label.is_name:
        return _render_name(label.text, room, label.size, label.align, bold=label.bold)
    return _render_text(label.text, room, label.size, label.align, bold=label.bold)


def forget_texts() -> None:
    """Forget all texts that were drawn: names of people may be among them."""
    for cached in (_render_text, _render_name):
        cached.cache_clear()


# 0.1 ms of a picture of Magpie, 0.8 ms of those of Change and The Magic Bag.
@lru_cache(maxsize=1024)
def _render_text(
    text: str, room: tuple[int, int], size: int, align: Align, *, bold: bool, shrinks: bool = True
) -> TextMask:
    """Draw a text; capitals and digits are centred vertically. A translation that is too long is smaller."""
    typeface = typeface_of(size, bold=bold)
    shaped = typeface.shape(text)
    width, height = room
    # In units.
    start = {
        Align.LEFT: to_units(_OVERHANG),
        Align.CENTRE: to_units(width) // 2 - to_units(to_pixels(shaped.advance // 2)),
        Align.RIGHT: to_units(width - _OVERHANG - to_pixels(shaped.advance)),
    }[align]
    baseline = (height + capital_height(size)) // 2
    glyphs = [
        bitmap._replace(left=to_pixels(start + glyph.x) + bitmap.left, top=baseline - to_pixels(glyph.y) + bitmap.top)
        for glyph in shaped.glyphs
        if (bitmap := typeface.bitmap(glyph.number)) is not None
    ]
    if not glyphs:
        return _BLANK
    left, top = min(glyph.left for glyph in glyphs), min(glyph.top for glyph in glyphs)
    right = max(glyph.left + glyph.mask.width for glyph in glyphs)
    bottom = max(glyph.top + glyph.mask.height for glyph in glyphs)
    if shrinks and right - left > width:
        smaller = min(size - 1, size * width // (right - left))
        return _render_text(text, room, smaller, align, bold=bold) if smaller > 0 else _BLANK
    mask = Image.new("L", (right - left, bottom - top))
    for glyph in glyphs:
        mask.paste(255, (glyph.left - left, glyph.top - top), glyph.mask)
    return TextMask(mask, left, top)


# 0.2 ms for each new name.
@lru_cache(maxsize=1024)
def _render_name(name: str, room: tuple[int, int], size: int, align: Align, *, bold: bool) -> TextMask:
    """Return a name, or a sentence with names, cut to its area: smaller if it does not fit, and only then shortened."""
    whole, width = _drawable_text(name), room[0] - 2 * _OVERHANG
    size = _fitting_size(whole, width, size, bold=bold)
    text = _fitting_text(whole, width, typeface_of(size, bold=bold))
    # A name alone has the direction of its first letter.
    drawn = _render_text(text if NAME_START in text else isolate_name(text), room, size, align, bold=bold)
    left, top = max(0, drawn.left), max(0, drawn.top)
    right, bottom = min(room[0], drawn.left + drawn.mask.width), min(room[1], drawn.top + drawn.mask.height)
    if right <= left or bottom <= top:
        return _BLANK
    within = (left - drawn.left, top - drawn.top, right - drawn.left, bottom - drawn.top)
    return TextMask(drawn.mask.crop(within), left, top)


def _drawable_text(text: str) -> str:
    """Return what can be drawn of a name, or of a sentence in which each name is isolated."""
    parts = split_names(text)
    if len(parts) == 1 or not "".join(parts[::2]).strip():
        return drawable_name(text)
    parts[1::2] = [isolate_name(drawable_name(name)) for name in parts[1::2]]
    parts[::2] = ["".join(filter(has_glyph, part)) for part in parts[::2]]
    return "".join(parts)


def _fitting_size(text: str, width: int, size: int, *, bold: bool) -> int:
    """Return the largest size at which a text fits, or else the smallest that can be read at a table."""
    while size > MIN_TEXT_SIZE:
        advance = typeface_of(size, bold=bold).shape(text).advance
        if advance <= to_units(width):
            break
        size = max(MIN_TEXT_SIZE, min(size - 1, size * to_units(width) // advance))
    return size


def _fitting_text(text: str, width: int, typeface: Typeface) -> str:
    """Shorten the names of a sentence, the longest first, and then the end, until it fits."""

    def is_fitting(tried: str) -> bool:
        return typeface.shape(tried).advance <= to_units(width)

    parts = split_names(text)
    names = [split_letters(name) for name in parts[1::2]]
    lengths = list(map(len, names))
    while not is_fitting(text) and max(lengths, default=0) > 1:
        lengths[lengths.index(max(lengths))] -= 1
        parts[1::2] = [isolate_name(_beginning(name, length)) for name, length in zip(names, lengths, strict=True)]
        text = "".join(parts)
    letters = split_letters(text)
    shorter = (_beginning(letters, end) for end in range(len(letters) - 1, 0, -1))
    return text if is_fitting(text) else next(filter(is_fitting, shorter), "")


def _beginning(letters: Sequence[str], length: int) -> str:
    """Return the first letters of a text, with an ellipsis if there are more."""
    return "".join(letters) if length >= len(letters) else "".join(letters[:length]).rstrip() + _ELLIPSIS


def drawable_name(name: str) -> str:
    """Return a name without symbols and accents that the font lacks, or nothing if it lacks a letter.

    Letters in fancy styles are plain ones, if the font lacks them. The ellipsis of a shortened name is no name.
    """
    visible = "".join(sign for sign in name if sign in _JOINERS or category(sign) not in _CONTROLS)
    beginning = visible.removesuffix(_ELLIPSIS)
    text = _drawable(normalize("NFC", beginning)) or _drawable(normalize("NFKC", beginning))
    return text + _ELLIPSIS if text and beginning != visible else text


def _drawable(name: str) -> str:
    known = [sign for sign in name if sign in _JOINERS or has_glyph(sign)]
    lacking = {category(sign) for sign in set(name).difference(known)} - _ACCENTS
    is_readable = not any(each[0] in "LMN" for each in lacking)
    text = "".join(known).strip()
    return text if is_readable and any(category(sign)[0] in "LNPS" for sign in text) else ""


@lru_cache(maxsize=4096)
def has_glyph(character: str) -> bool:
    """Return whether the font has a character."""
    return typeface_of(32).has_glyph(character)
