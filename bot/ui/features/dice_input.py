"""What people type where dice are asked for."""

from bot.rules.refusals import unreadable

_SEPARATORS = ",;+.&"


def parse_digits(text: str) -> list[int]:
    """Read dice by their places as people write them: `1 3 5`, `1,3,5` or `135`; refuses anything else."""
    digits = [character for character in text if not character.isspace() and character not in _SEPARATORS]
    if not digits or not all(digit.isascii() and digit.isdecimal() for digit in digits):
        raise unreadable(text)
    return [int(digit) for digit in digits]


def matches_word(text: str, word: str) -> bool:
    """Tell whether somebody typed the word, however they write it."""
    return text.strip().casefold() == word
