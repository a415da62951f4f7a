"""Letters as people see them: Unicode's grapheme clusters, between which texts may be cut.

The rules are those of UAX #29, by the categories that Python knows: a flag, a family of emoji and an Indian syllable
are one letter each.
"""

from itertools import takewhile
from typing import Final
from unicodedata import category

MOST_MARKS: Final = 4
"""How many marks a letter may have in names; in no language it has more, and towers of them cover the lines around."""

_JOINER: Final = "\N{ZERO WIDTH JOINER}"
_LINKERS: Final = frozenset("\u094d\u09cd\u0acd\u0b4d\u0c4d\u0d4d\u1039\u17d2")
"""The signs that join two letters of an Indian script, or of Burmese or Khmer, into one."""

_STACKED: Final = frozenset({"Mn", "Me"})
"""The categories of marks above, below and around a letter."""


def split_letters(text: str) -> list[str]:
    """Return the letters of a text, each with its marks."""
    letters: list[str] = []
    for character in text:
        if letters and _belongs_to(letters[-1], character):
            letters[-1] += character
        else:
            letters.append(character)
    return letters


def whole_letters(text: str, length: int) -> str:
    """Return as many whole letters as fit into a number of characters; of one that is longer, the beginning."""
    if len(text) <= length:
        return text
    beginning = ""
    for letter in split_letters(text[: length + 1])[:-1]:
        beginning += letter
    return beginning or text[:length]


def limit_marks(text: str) -> str:
    """Return a text without the marks that a letter has beyond a few."""
    kept: list[str] = []
    marks = 0
    for character in text:
        marks = marks + 1 if category(character) in _STACKED else 0
        if marks <= MOST_MARKS:
            kept.append(character)
    return "".join(kept)


def _belongs_to(letter: str, character: str) -> bool:
    """Return whether a character goes on with a letter."""
    last = letter[-1]
    if _extends(character):
        return category(last) not in {"Cc", "Zl", "Zp"}
    if last == _JOINER and category(character) == "So":
        return True
    if _is_regional(character):
        return len(letter) == 1 and _is_regional(letter)
    if category(character) == "Lo":
        return _is_joined(letter) or _is_syllable(last, character)
    return letter + character == "\r\n"


def _extends(character: str) -> bool:
    """Return whether a character is a mark, a joiner, a colour of skin, or a part of the name of a flag."""
    return (
        category(character)[0] == "M"
        or character in "\u200c\u200d\u0e33\u0eb3\uff9e\uff9f"
        or "\U0001f3fb" <= character <= "\U0001f3ff"
        or "\U000e0020" <= character <= "\U000e007f"
    )


def _is_regional(character: str) -> bool:
    """Return whether a character is one of the two that make a flag."""
    return "\U0001f1e6" <= character <= "\U0001f1ff"


def _is_joined(letter: str) -> bool:
    """Return whether a letter ends with a sign that joins it to the next."""
    return any(mark in _LINKERS for mark in takewhile(_extends, reversed(letter)))


def _is_syllable(last: str, character: str) -> bool:
    """Return whether two characters are parts of a Korean syllable."""
    if "\u1160" <= character <= "\u11ff":
        return "\u1100" <= last <= "\u11ff" or "\uac00" <= last <= "\ud7a3"
    return "\u1100" <= last <= "\u115f" and ("\u1100" <= character <= "\u115f" or "\uac00" <= character <= "\ud7a3")
