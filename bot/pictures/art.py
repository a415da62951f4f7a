"""Art: the SVG files of `data/`, and the bitmaps that resvg makes of them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

import resvg_py
from PIL import Image

from bot.pictures.themes import hex_of
from bot.rules.picture import ColourRole, Theme

_SIZE = re.compile(r'<svg[^>]*\bwidth="(\d+)"[^>]*\bheight="(\d+)"')
_COLOUR_VARIABLE = re.compile(r"var\(--([a-z0-9-]+)\)")
_TINT_KEYWORD = "currentColor"


class BrokenArt(Exception):
    """Art that can't be used, with a sentence that says why."""


@dataclass(frozen=True, slots=True)
class ArtFile:
    """One file of art."""

    name: str
    source: str
    size: tuple[int, int]
    """As large as it is drawn at most."""

    @property
    def is_tinted(self) -> bool:
        """Whether whoever uses it says in what ink."""
        return _TINT_KEYWORD in self.source

    def svg_in_theme(self, theme: Theme, ink: ColourRole | None) -> str:
        """Return the file with its inks filled in; where nobody says which, it is paper."""
        source = _COLOUR_VARIABLE.sub(lambda found: hex_of(theme, ColourRole(found[1])), self.source)
        return source.replace(_TINT_KEYWORD, hex_of(theme, ink or ColourRole.PAPER))

    def drawn(self, theme: Theme, ink: ColourRole | None) -> Image.Image:
        """Return its bitmap at its own size."""
        width, height = self.size
        # Art has no letters, so nobody needs to look for fonts.
        png = resvg_py.svg_to_bytes(
            svg_string=self.svg_in_theme(theme, ink), skip_system_fonts=True, width=width, height=height
        )
        return Image.open(BytesIO(png)).convert("RGBA")


def read_art(data: Path) -> dict[str, ArtFile]:
    """Read all art below the folder of content; a game's has the name of its folder before it."""
    return {piece.name: piece for piece in _read_files(data)}


def _read_files(data: Path) -> Iterator[ArtFile]:
    for file in sorted(data.glob("art/*.svg")):
        yield _read_file(file, file.stem)
    for file in sorted(data.glob("*/art/*.svg")):
        yield _read_file(file, f"{file.parts[-3]}/{file.stem}")


def _read_file(file: Path, name: str) -> ArtFile:
    source = file.read_text(encoding="utf-8")
    size = _SIZE.search(source)
    if size is None:
        raise BrokenArt(f"{name}.svg does not say how wide and how high it is.")
    unknown = {found[1] for found in _COLOUR_VARIABLE.finditer(source)} - {ink.value for ink in ColourRole}
    if unknown:
        raise BrokenArt(f"{name}.svg uses inks that there are not: {', '.join(sorted(unknown))}.")
    return ArtFile(name, source, (int(size[1]), int(size[2])))
