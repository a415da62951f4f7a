"""Reads reviews as a person does who adds their figures up."""

import re
from typing import Final

from bot.words import gettext

_BEGAN, _LUCK, _ENDED = "began with {start}", "luck {luck}", "ended with {end}"
_GAVE_AWAY = ("gave away {lost}", "a computer player played part of it and gave away {lost}")
_GOT = "got {received}"
_NUMBER: Final = re.compile(r"[+−]?[0-9.]+")


def require_sums(text: str) -> None:
    """Check that each seat's figures add up to what it ended with; points are whole unless they are few."""
    lines = [line for line in text.splitlines() if _figures(_BEGAN, line)]
    assert lines
    for line in lines:
        (began,), (luck,), (end,) = (_figures(message, line) for message in (_BEGAN, _LUCK, _ENDED))
        lost = sum(sum(_figures(message, line)) for message in _GAVE_AWAY)
        assert abs(began + luck - lost + sum(_figures(_GOT, line)) - end) < 0.5, line


def _figures(message: str, line: str) -> list[float]:
    """Return the figures of a message among the parts of a line."""
    words = gettext(message).partition("{")[0]
    found = [_NUMBER.match(part.removeprefix(words)) for part in line.split(" · ") if part.startswith(words)]
    return [float(number[0].replace("−", "-")) for number in found if number]
