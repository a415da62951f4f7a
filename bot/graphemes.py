"""Letters as people see them: Unicode's grapheme clusters (UAX #29), between which texts may be cut.

A flag, a family of emoji and an Indian syllable are one letter each.
"""

from typing import Final
from unicodedata import category

import regex

MOST_MARKS: Final = 4
"""How many marks a letter may have in names; in no language it has more, and towers of them cover the lines around."""

_LETTER: Final = regex.compile(r"\X")

_STACKED: Final = frozenset({"Mn", "Me"})
"""The categories of marks above, below and around a letter."""


def split_letters(text: str) -> list[str]:
    """Return the letters of a text, each with its marks."""
    return _LETTER.findall(text)


def whole_letters(text: str, length: int) -> str:
    """Return as many whole letters as fit into a number of characters; of one that is longer, the beginning."""
    if len(text) <= length:
        return text
    beginning = "".join(split_letters(text[: length + 1])[:-1])
    return beginning or text[: max(length, 0)]


def limit_marks(text: str) -> str:
    """Return a text without the marks that a letter has beyond a few."""
    return "".join(map(_limit_marks, split_letters(text)))


def _limit_marks(letter: str) -> str:
    marks = 0
    kept = ""
    for character in letter:
        marks += category(character) in _STACKED
        if marks <= MOST_MARKS or category(character) not in _STACKED:
            kept += character
    return kept
