"""The art and the font of pictures, as the checks of pictures look them up."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from bot.pictures import fonts
from bot.pictures.art import ArtFile, read_art
from bot.rules.picture import Label, Rect


@dataclass(frozen=True, slots=True, eq=False)
class DataAssets:
    """The art of a content folder, and the one font."""

    art: dict[str, ArtFile]

    def find_art(self, name: str) -> ArtFile | None:
        """Return a piece of art; None if there is none of that name."""
        return self.art.get(name)

    def has_glyph(self, character: str) -> bool:
        """Tell whether the font has a character."""
        return fonts.has_glyph(character)

    def text_bounds_of(self, label: Label) -> Rect:
        """Return the pixels that a label's text covers."""
        return fonts.text_bounds_of(label)


@cache
def load_assets(data: Path) -> DataAssets:
    """Return the assets of a content folder, read once."""
    return DataAssets(read_art(data))
