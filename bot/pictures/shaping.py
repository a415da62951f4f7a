"""Lays out texts: HarfBuzz chooses glyphs and places them, and Pillow draws each.

Pillow could do both, but only with FriBiDi, which it expects from the system and which most machines lack.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from io import BytesIO
from itertools import groupby
from struct import pack, pack_into, unpack_from
from typing import Final, NamedTuple, cast
from unicodedata import bidirectional, category, normalize

import pymupdf_fonts  # type: ignore[import-untyped]  # it has no types
import uharfbuzz  # type: ignore[import-untyped]  # it has no types
from bidi import algorithm as bidi  # type: ignore[import-untyped]  # it has no types
from PIL import Image, ImageDraw, ImageFont

from bot.rules.direction import keep_signs, runs_left
from bot.rules.picture import split_names

_TO_THE_LEFT: Final = frozenset({"R", "AL", "AN"})

_FOLLOWERS: Final = frozenset({"BN", "LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"})
"""Joiners, which belong to the letter before as marks do, and controls, which names lose."""


def levels_of(text: str, base: int | None = None) -> list[int]:
    """Return the level of each character: letters of even levels run to the right, those of odd ones to the left.

    Levels follow Unicode's bidirectional algorithm (UAX #9), except that brackets are signs like others: the library's
    rules, step by step, lack the one for brackets, and its complete function does not tell the levels.

    Args:
        text: The text.
        base: The level of the whole text; by default the level of its first letter.
    """
    if not base and _TO_THE_LEFT.isdisjoint(map(bidirectional, text)):
        return [0] * len(text)
    storage = bidi.get_empty_storage()
    storage["base_level"] = bidi.get_base_level(text) if base is None else base
    bidi.get_embedding_levels(text, storage)
    characters = list(storage["chars"])
    for character in characters:
        if character["type"] in _FOLLOWERS:
            character["type"] = "NSM"
    bidi.calc_level_runs(storage)
    bidi.resolve_weak_types(storage)
    bidi.resolve_neutral_types(storage, debug=False)
    bidi.resolve_implicit_levels(storage, debug=False)
    # Spaces at the end get the level of the text only here.
    bidi.reorder_resolved_levels(storage, debug=False)
    return [character["level"] for character in characters]


def order_runs(levels: Sequence[int]) -> list[int]:
    """Return the places of runs from left to right, by their levels in the order in which they are read."""
    runs = [{"level": level, "place": place} for place, level in enumerate(levels)]
    bidi.reverse_contiguous_sequence(runs, 0, len(runs) - 1, max(levels, default=0), 1)
    return [run["place"] for run in runs]


_REGULAR, _BOLD = "figo", "figbo"

_LANGUAGE: Final = "en"
"""Otherwise letters would have the forms of the machine's language."""

_FIRST_GLYPH: Final = 0xF0000
"""The character that stands for the first glyph in the font that Pillow draws with."""

_SCALE: Final = 64
"""Units of a pixel."""


class Run(NamedTuple):
    """Letters of one direction and script."""

    text: str
    level: int
    script: str | None


class PlacedGlyph(NamedTuple):
    """A glyph, and where its origin is: in units to the right of the text's and above the baseline."""

    number: int
    x: int
    y: int


@dataclass(frozen=True, slots=True)
class ShapedText:
    """The glyphs of a text from left to right, and its width in units."""

    glyphs: tuple[PlacedGlyph, ...]
    advance: int


class GlyphBitmap(NamedTuple):
    """A drawn glyph, and where its upper left corner is relative to its origin."""

    mask: Image.Image
    left: int
    top: int


class Typeface:
    """The font in one cut and size."""

    def __init__(self, size: int, *, bold: bool) -> None:
        self._shaping = uharfbuzz.Font(_face(bold=bold))
        self._shaping.scale = (size * _SCALE, size * _SCALE)
        file = BytesIO(_drawing_file(bold=bold))
        self._drawing = ImageFont.truetype(file, size, layout_engine=ImageFont.Layout.BASIC)
        self._bitmaps: dict[int, GlyphBitmap | None] = {}

    def shape(self, text: str) -> ShapedText:
        """Lay out a text; in a sentence each name is laid out by itself."""
        glyphs: list[PlacedGlyph] = []
        x = 0
        for run in _runs_of(text):
            buffer = uharfbuzz.Buffer()
            buffer.add_str(run.text)
            buffer.direction = "rtl" if run.level % 2 else "ltr"
            buffer.script = run.script or "Zyyy"
            buffer.language = _LANGUAGE
            uharfbuzz.shape(self._shaping, buffer)
            for info, place in zip(buffer.glyph_infos, buffer.glyph_positions or (), strict=True):
                glyphs.append(PlacedGlyph(info.codepoint, x + place.x_offset, place.y_offset))
                x += place.x_advance
        return ShapedText(tuple(glyphs), x)

    def bitmap(self, glyph: int) -> GlyphBitmap | None:
        """Return a drawn glyph, or None if there is nothing to see of it."""
        if glyph not in self._bitmaps:
            self._bitmaps[glyph] = self._draw(chr(_FIRST_GLYPH + glyph))
        return self._bitmaps[glyph]

    def has_glyph(self, character: str) -> bool:
        """Return whether a character can be drawn.

        The font has it or its letter and marks, or it is a space, such as the narrow one of French, whose width
        HarfBuzz makes from the ordinary one.
        """
        find = self._shaping.get_nominal_glyph
        return (
            bool(find(ord(character)))
            or category(character) == "Zs"
            or all(find(ord(piece)) for piece in normalize("NFD", character))
        )

    def _draw(self, character: str) -> GlyphBitmap | None:
        left, top, right, bottom = map(round, self._drawing.getbbox(character, anchor="ls"))
        canvas = Image.new("L", (right - left, bottom - top))
        ImageDraw.Draw(canvas).text((-left, -top), character, 255, self._drawing, "ls")
        inked = canvas.getbbox()
        return GlyphBitmap(canvas.crop(inked), left + inked[0], top + inked[1]) if inked else None


def to_pixels(units: int) -> int:
    """Return the nearest pixel."""
    return (units + _SCALE // 2) // _SCALE


def to_units(pixels: int) -> int:
    """Convert pixels to units."""
    return pixels * _SCALE


# 25 ms, once for each cut.
@lru_cache(maxsize=2)
def font_file(*, bold: bool) -> bytes:
    """Return the file of the font."""
    return cast(bytes, pymupdf_fonts.myfont(_BOLD if bold else _REGULAR))


@lru_cache(maxsize=128)
def typeface_of(size: int, *, bold: bool = False) -> Typeface:
    """Return the font at a size in pixels."""
    return Typeface(size, bold=bold)


@lru_cache(maxsize=2)
def _face(*, bold: bool) -> uharfbuzz.Face:
    return uharfbuzz.Face(font_file(bold=bold))


@lru_cache(maxsize=2)
def _drawing_file(*, bold: bool) -> bytes:
    """Return the font's file with a character for each glyph, even for glyphs that only join letters."""
    font = font_file(bold=bold)
    tables = {font[at : at + 4]: at for at in range(12, 12 + 16 * unpack_from(">H", font, 4)[0], 16)}
    (glyphs,) = unpack_from(">H", font, unpack_from(">I", font, tables[b"maxp"] + 8)[0] + 4)
    # One table of characters, one group in it: as many characters as there are glyphs, in their order.
    characters = pack(">HHHHI", 0, 1, 3, 10, 12)
    characters += pack(">HHIIIIII", 12, 0, 28, 0, 1, _FIRST_GLYPH, _FIRST_GLYPH + glyphs - 1, 0)
    file = bytearray(font + characters)
    pack_into(">II", file, tables[b"cmap"] + 8, len(font), len(characters))
    return bytes(file)


def _runs_of(text: str) -> Iterator[Run]:
    """Yield the runs of a text or of a sentence with names from left to right."""
    is_left = runs_left(text)
    parts = list(enumerate(split_names(keep_signs(text) if is_left else text)))
    for at, part in parts[::-1] if is_left else parts:
        # A sentence has the direction of its words, whatever its names are.
        yield from _order(part, None if at % 2 else int(is_left))


def _order(text: str, base: int | None) -> list[Run]:
    levels, scripts = levels_of(text, base), _scripts_of(text)
    groups = groupby(range(len(text)), lambda at: (levels[at], scripts[at]))
    runs = [Run("".join(text[at] for at in group), level, script) for (level, script), group in groups]
    return [runs[place] for place in order_runs([run.level for run in runs])]


def _scripts_of(text: str) -> list[str | None]:
    """Return the script of each character; a sign of many scripts takes that of the letter beside it."""
    scripts = [_script_of(character) for character in text]
    for places in (range(1, len(text)), range(len(text) - 2, -1, -1)):
        step = places.step
        for at in places:
            scripts[at] = scripts[at] or scripts[at - step]
    return scripts


@lru_cache(maxsize=4096)
def _script_of(character: str) -> str | None:
    """Return the script of a letter, or None if many scripts share it."""
    buffer = uharfbuzz.Buffer()
    buffer.add_str(character)
    buffer.guess_segment_properties()
    return cast("str | None", buffer.script)
