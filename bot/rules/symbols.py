"""The symbols of a game's texts, with the art that shows the same in pictures.

Texts are written with Unicode. A client may show the art instead.
"""

import re
from dataclasses import dataclass
from typing import Final

from bot.rules.picture import Mark, Rect

SYMBOL_NAME: Final = re.compile("[a-z][a-z0-9_]{1,16}")
"""Names of symbols. They are short because names of emoji, which contain them, are limited to 32 characters."""

SYMBOL_AREA: Final = Rect(0, 0, 128, 128)
"""The area of a symbol's art."""


@dataclass(frozen=True, slots=True)
class Symbol:
    """A symbol and its art."""

    name: str
    """What it shows, by `SYMBOL_NAME`; no two symbols of all games share a name."""
    text: str
    """How texts write it; no two symbols of all games are written the same."""
    marks: tuple[Mark, ...]
    """Its art within `SYMBOL_AREA`: sprites, which keep their proportions, and labels."""
