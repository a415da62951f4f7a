"""Counts the lines that buttons and texts take on a phone of 390 pixels, as the sandbox's page shows them.

A row of buttons wraps where their widths do not fit, and a wider label breaks within its button.
"""

from collections.abc import Sequence
from enum import Enum
from functools import lru_cache
from typing import Final

from bot.rules.screen import Control, Screen
from bot.tools.contract.picture_checks import PictureAssets

_ROW_WIDTH: Final = 309
_GAP: Final = 6
_LABEL_SIZE: Final = 14
_PADDING, _LEAST_WIDTH = 24, 60
_SHORT_PADDING, _LEAST_SHORT_WIDTH, _SHORT_LENGTH = 12, 48, 3
_MARK, _MARK_GAP, _MARK_LENGTH = 22, 8, 2
"""The symbol before a label: its width and distance, and the letters that it counts as."""

_EMBED_WIDTH: Final = 283
_SYMBOL_WIDTH: Final = 1.375
"""The width of a symbol in a text, in sizes of the text."""

_PRECISION: Final = 10
"""Texts are measured in so many times their size, because widths of letters are no whole pixels."""

_TICK: Final = "✓"


class Print(Enum):
    """A text of an embed: its size, and whether it is bold."""

    TITLE = 16, True
    RULE = 15, False
    TIP = 13, False


def fits_line(text: str, kind: Print, assets: PictureAssets) -> bool:
    """Return whether a text without Markdown takes one line of an embed."""
    size, is_bold = kind.value
    return _text_width(text, size, assets, is_bold=is_bold) <= _EMBED_WIDTH


def count_screen_lines(screen: Screen, assets: PictureAssets) -> int:
    """Return the lines of a screen's menus and buttons."""
    return len(screen.menus) + sum(count_row_lines(row, assets) for row in screen.rows)


def count_row_lines(row: Sequence[Control], assets: PictureAssets) -> int:
    """Return the lines of a row of buttons."""
    lines, used = 0, float(_ROW_WIDTH)
    for control in row:
        width = _button_width(control.label, assets)
        if used + _GAP + width > _ROW_WIDTH:
            lines, used = lines + 1, width
            # A label that is too wide for a line takes two.
            lines += width > _ROW_WIDTH
        else:
            used += _GAP + width
    return lines


def _button_width(label: str, assets: PictureAssets) -> float:
    """Return the width of a button, whose first symbol stands before the label as an emoji."""
    first, _space, rest = label.partition(" ")
    has_mark = not any(letter.isalnum() for letter in first) and first != _TICK
    words = rest if has_mark else label
    mark = (_MARK + (_MARK_GAP if words else 0)) if has_mark else 0
    width = mark + _text_width(words, _LABEL_SIZE, assets, is_bold=True)
    if len(words) + (_MARK_LENGTH if has_mark else 0) <= _SHORT_LENGTH:
        return max(_LEAST_SHORT_WIDTH, width + _SHORT_PADDING)
    return max(_LEAST_WIDTH, width + _PADDING)


@lru_cache(maxsize=10_000)
def _text_width(text: str, size: int, assets: PictureAssets, *, is_bold: bool) -> float:
    letters = "".join(filter(assets.has_glyph, text))
    symbols = len(text.replace("\N{VARIATION SELECTOR-16}", "")) - len(letters)
    width = assets.measure_text(letters, _PRECISION * size, is_bold=is_bold) / _PRECISION
    return width + symbols * size * _SYMBOL_WIDTH
