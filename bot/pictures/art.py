"""Reads the SVG files in `data/` and draws them with resvg."""

import re
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

import resvg_py
from PIL import Image

from bot.pictures.themes import hex_of
from bot.rules.picture import FELT, ColourRole, Surface, Theme

_SIZE = re.compile(r'<svg[^>]*\bwidth="(\d+)"[^>]*\bheight="(\d+)"')
_COLOUR_VARIABLE = re.compile(r"var\(--([a-z0-9-]+)\)")
_SURFACE_VARIABLE = "var(--surface"
_TINT_KEYWORD = "currentColor"


class BrokenArt(Exception):
    """Art can't be used; the message is a sentence."""


@dataclass(frozen=True, slots=True)
class ArtFile:
    """An SVG file."""

    name: str
    source: str
    size: tuple[int, int]
    """The width and height in the file, the largest at which it is drawn."""

    @property
    def is_tinted(self) -> bool:
        """Whether sprites choose a colour."""
        return _TINT_KEYWORD in self.source

    @property
    def is_of_surface(self) -> bool:
        """Whether it has colours of the surface that it lies on."""
        return _SURFACE_VARIABLE in self.source

    def svg_in_theme(self, theme: Theme, colour: ColourRole | None, surface: Surface = FELT) -> str:
        """Return the file with the colours of a theme; the colour of sprites is paper by default."""
        source = _COLOUR_VARIABLE.sub(lambda found: hex_of(theme, ColourRole(found[1]), surface), self.source)
        return source.replace(_TINT_KEYWORD, hex_of(theme, colour or ColourRole.PAPER, surface))

    def draw(
        self,
        theme: Theme,
        colour: ColourRole | None,
        size: tuple[int, int] | None = None,
        surface: Surface = FELT,
    ) -> Image.Image:
        """Draw the file at a size, or at its full size."""
        return Image.open(BytesIO(self.draw_png(theme, colour, size, surface))).convert("RGBA")

    def draw_png(
        self,
        theme: Theme,
        colour: ColourRole | None,
        size: tuple[int, int] | None = None,
        surface: Surface = FELT,
    ) -> bytes:
        """Draw the file at a size, or at its full size, as a PNG file."""
        width, height = size or self.size
        # Loading system fonts takes long, and art has no text.
        return resvg_py.svg_to_bytes(
            svg_string=self.svg_in_theme(theme, colour, surface), skip_system_fonts=True, width=width, height=height
        )


def read_art(data: Path) -> dict[str, ArtFile]:
    """Read all art of the content folder by name; a game's names start with its folder."""
    files = {file.stem: file for file in sorted(data.glob("art/*.svg"))}
    files |= {f"{file.parts[-3]}/{file.stem}": file for file in sorted(data.glob("*/art/*.svg"))}
    return {name: _read_file(file, name) for name, file in files.items()}


def _read_file(file: Path, name: str) -> ArtFile:
    source = file.read_text(encoding="utf-8")
    size = _SIZE.search(source)
    if size is None:
        raise BrokenArt(f"{name}.svg does not say how wide and how high it is.")
    unknown = {found[1] for found in _COLOUR_VARIABLE.finditer(source)} - {colour.value for colour in ColourRole}
    if unknown:
        raise BrokenArt(f"{name}.svg uses unknown colours: {', '.join(sorted(unknown))}.")
    return ArtFile(name, source, (int(size[1]), int(size[2])))
