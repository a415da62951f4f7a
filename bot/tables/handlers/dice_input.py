"""Parses typed dice."""

from bot.rules.refusals import unreadable

_SEPARATORS = ",;+.&"


def parse_digits(text: str) -> list[int]:
    """Parse the places of dice, such as `1 3 5`, `1,3,5` or `135`.

    Raises:
        Refusal: The text is anything else.
    """
    digits = [character for character in text if not character.isspace() and character not in _SEPARATORS]
    if not digits or not all(digit.isascii() and digit.isdecimal() for digit in digits):
        raise unreadable(text)
    return [int(digit) for digit in digits]


def matches_word(text: str, word: str) -> bool:
    """Return whether a typed text is the word, ignoring case and spaces around it."""
    return text.strip().casefold() == word
