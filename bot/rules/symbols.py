"""The symbols of a game's texts, with the art that shows the same in pictures.

Texts are written with Unicode. A client may show the art instead.
"""

from dataclasses import dataclass
from typing import Final

from bot.rules.picture import Mark, Rect

SYMBOL_AREA: Final = Rect(0, 0, 128, 128)
"""The area of a symbol's art."""


@dataclass(frozen=True, slots=True)
class Symbol:
    """A symbol and its art."""

    name: str
    """What it shows, in lower-case letters, digits and underscores; no two symbols of all games share a name."""
    text: str
    """How texts write it; no two symbols of all games are written the same."""
    marks: tuple[Mark, ...]
    """Its art within `SYMBOL_AREA`: sprites, which keep their proportions, and labels."""
