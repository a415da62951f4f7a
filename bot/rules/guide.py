"""How to play a game: short pages with a picture each."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Generic

from bot.rules.game import OptionsT
from bot.rules.picture import Picture

MAX_PAGE_WORDS: Final = 90
"""The most words of a page, title included: as much as a phone shows below the picture."""


@dataclass(frozen=True, slots=True)
class GuidePage:
    """A page of a guide."""

    title: str
    text: str
    """Markdown."""
    build_picture: Callable[[], Picture]
    option: str | None = None
    """The option that the page explains; the page is left out if a table does not use it."""


@dataclass(frozen=True, slots=True)
class Guide(Generic[OptionsT]):
    """The explanation of a game."""

    summary: str
    """One sentence for people who do not know the game."""
    build_pages: Callable[[OptionsT], Sequence[GuidePage]]
    """Returns the pages for a table with these options, in the order they are read."""
