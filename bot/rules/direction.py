"""The direction of texts. Names are isolated, so they turn nothing."""

import re
from collections.abc import Iterable
from typing import Final

from bot.rules.picture import NAME_END, NAME_START, Align, Label, Mark, Rect

NAME: Final = f"{NAME_START}[^{NAME_END}]*{NAME_END}"
LETTERS_TO_THE_LEFT: Final = r"\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc"
"""The ranges of letters that are written from right to left, and of what only their scripts have."""

LEFT_TO_RIGHT: Final = "\N{LEFT-TO-RIGHT MARK}"

_LETTER: Final = re.compile(f"[{LETTERS_TO_THE_LEFT}]")
_HAS_LETTER: Final = re.compile(f"(?:[^{NAME_START}{LETTERS_TO_THE_LEFT}]++|{NAME})*+[{LETTERS_TO_THE_LEFT}]")
_SIGN: Final = re.compile(rf"[-+−±~<>≈](?<![\w.,:{LEFT_TO_RIGHT}].)[-+−±~<>≈]*(?=\d)")


_MIRRORED: Final = {Align.LEFT: Align.RIGHT, Align.CENTRE: Align.CENTRE, Align.RIGHT: Align.LEFT}


def mirror_area(at: Rect, within: Rect) -> Rect:
    """Return where an area lies if the one around it is laid out from right to left."""
    return at._replace(x=within.x + within.right - at.right)


def mirror_marks(marks: Iterable[Mark], within: Rect) -> tuple[Mark, ...]:
    """Return marks laid out from right to left within an area; art looks as before."""
    mirrored = (mark._replace(at=mirror_area(mark.at, within)) for mark in marks)
    return tuple([mark._replace(align=_MIRRORED[mark.align]) if isinstance(mark, Label) else mark for mark in mirrored])


def runs_left(text: str) -> bool:
    """Return whether a text has letters that are written from right to left, names aside."""
    # The search alone is fast.
    return _LETTER.search(text) is not None and _HAS_LETTER.match(text) is not None


def keep_signs(text: str) -> str:
    """Return a text that runs left in which the signs of numbers stay on their left."""
    return _SIGN.sub(lambda sign: f"{LEFT_TO_RIGHT}{sign[0]}", text)
