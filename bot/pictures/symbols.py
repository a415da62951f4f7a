"""Draws the symbols of texts as small PNG files, and as GIF files if they move."""

import hashlib
from collections.abc import Iterable
from functools import cached_property
from io import BytesIO
from pathlib import Path
from typing import Final

from PIL import Image

from bot.pictures.art import ArtFile, BrokenArt, read_art
from bot.pictures.fonts import text_mask_of
from bot.pictures.shaping import font_file
from bot.pictures.themes import colour_of
from bot.rules.components import die_marks, token_marks
from bot.rules.motion import tumble
from bot.rules.picture import SYMBOL_AREA, ColourRole, Label, Mark, Rect, Sprite, Symbol, Theme
from bot.rules.seat_rows import SeatSign
from bot.words import seat_emoji

_THEME: Final = Theme.STANDARD
_SEATS: Final = 6
_DIE_FACES: Final = "⚀⚁⚂⚃⚄⚅"

_DRAWING: Final = "1"
"""Changed when the same marks and art are drawn in another way."""

ROLLING_DIE: Final = "🌀"
"""How texts write a die that rolls until a picture is ready."""

_LOOK_MILLISECONDS: Final = 80


def _make_rolling_die() -> Symbol:
    looks = tumble(SYMBOL_AREA, 0, range(1, 7), lambda face, at, turn: die_marks(face, at, ColourRole.PAPER, turn))
    return Symbol("rolling_die", ROLLING_DIE, looks[0], looks[1:])


COMMON_SYMBOLS: Final = (
    _make_rolling_die(),
    *(Symbol(f"die_{face}", text, die_marks(face, SYMBOL_AREA)) for face, text in enumerate(_DIE_FACES, 1)),
    *(Symbol(f"seat_{seat + 1}", seat_emoji(seat), token_marks((), seat, SYMBOL_AREA)) for seat in range(_SEATS)),
    Symbol("last_round", "🏁", (Sprite(SeatSign.FLAG.value, SYMBOL_AREA),)),
    Symbol("right", "✅", (Sprite("tick", SYMBOL_AREA),)),
    Symbol("wrong", "❌", (Sprite("cross", SYMBOL_AREA),)),
)
"""The symbols that all games share."""


class SymbolPainter:
    """Draws symbols from the art of the content folder; nothing is read before the first is drawn."""

    def __init__(self, data: Path) -> None:
        self._data = data

    @cached_property
    def _art(self) -> dict[str, ArtFile]:
        return read_art(self._data)

    def digest(self, symbol: Symbol) -> str:
        """Return a hexadecimal digest of everything that the look of a symbol depends on; nothing is drawn for it."""
        looks = repr(symbol.more_looks) if symbol.more_looks else ""
        digest = hashlib.sha256(f"{_DRAWING}\n{symbol.marks!r}{looks}".encode())
        for mark in symbol.marks:
            if isinstance(mark, Sprite):
                digest.update(self._find_art(mark).svg_in_theme(_THEME, mark.colour).encode())
            elif isinstance(mark, Label):
                digest.update(repr(colour_of(_THEME, mark.colour)).encode() + font_file(bold=mark.bold))
        return digest.hexdigest()

    def draw(self, symbol: Symbol) -> bytes:
        """Draw a symbol as a PNG file with a transparent background, or as a GIF file if it moves."""
        first, *others = (self._paint(symbol.name, look) for look in (symbol.marks, *symbol.more_looks))
        file = BytesIO()
        if others:
            first.save(
                file, "GIF", save_all=True, append_images=others, duration=_LOOK_MILLISECONDS, disposal=2, loop=0
            )
        else:
            first.save(file, "PNG", optimize=True)
        return file.getvalue()

    def _paint(self, name: str, marks: Iterable[Mark]) -> Image.Image:
        canvas = Image.new("RGBA", SYMBOL_AREA[2:])
        for mark in marks:
            match mark:
                case Sprite():
                    self._paint_sprite(canvas, mark)
                case Label():
                    text = text_mask_of(mark)
                    at = (mark.at.x + text.left, mark.at.y + text.top)
                    canvas.paste(colour_of(_THEME, mark.colour), at, text.mask)
                case _:
                    raise BrokenArt(f"The symbol {name} has a mark that symbols can't have.")
        return canvas

    def _paint_sprite(self, canvas: Image.Image, sprite: Sprite) -> None:
        piece = self._find_art(sprite)
        at = _fit(piece.size, sprite.at)
        layer = Image.new("RGBA", canvas.size)
        drawn = piece.draw(_THEME, sprite.colour, (at.width, at.height))
        if sprite.rotation:
            drawn = drawn.rotate(-sprite.rotation, Image.Resampling.BICUBIC, expand=True)
            at = at.center(drawn.width, drawn.height)
        layer.paste(drawn, (at.x, at.y))
        canvas.alpha_composite(layer)

    def _find_art(self, sprite: Sprite) -> ArtFile:
        if sprite.name not in self._art:
            raise BrokenArt(f"There is no art called {sprite.name}.")
        return self._art[sprite.name]


def _fit(size: tuple[int, int], room: Rect) -> Rect:
    """Return the largest centred rectangle with the proportions of a size."""
    width, height = size
    scale = min(room.width / width, room.height / height)
    return room.center(max(1, round(width * scale)), max(1, round(height * scale)))
