"""Looks up art and glyphs for the checks of pictures."""

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from bot.pictures import fonts
from bot.pictures.art import ArtFile, read_art
from bot.pictures.shaping import to_pixels, typeface_of
from bot.rules.picture import Label, Rect


@dataclass(frozen=True, slots=True, eq=False)
class DataAssets:
    """The art of a content folder, and the font."""

    art: dict[str, ArtFile]

    def find_art(self, name: str) -> ArtFile | None:
        """Return the art with a name, or None."""
        return self.art.get(name)

    def has_glyph(self, character: str) -> bool:
        """Return whether the font has a character."""
        return fonts.has_glyph(character)

    def text_bounds_of(self, label: Label) -> Rect:
        """Return the area that a label's text covers."""
        return fonts.text_bounds_of(label)

    def measure_text(self, text: str, size: int, *, is_bold: bool) -> int:
        """Return the width of a text in one line."""
        return to_pixels(typeface_of(size, bold=is_bold).shape(text).advance)


# 2 ms for each picture that is checked.
@lru_cache(maxsize=4)
def load_assets(data: Path) -> DataAssets:
    """Return the assets of a content folder."""
    return DataAssets(read_art(data))
