"""Lays out pieces that share a space."""

from math import ceil

from bot.rules.picture import Rect


def fan_out(count: int, columns: int, size: tuple[int, int], room: Rect) -> tuple[Rect, ...]:
    """Return the areas of pieces in rows, which overlap where there is no more room; the last row is centred."""
    columns = min(count, columns) or 1
    (width, height), rows = size, ceil(count / columns)
    across, down = _pitch(columns, width, room.width), _pitch(rows, height, room.height)
    indent = (columns * rows - count) * across // 2
    return tuple(
        Rect(room.x + column * across + indent * (row == rows - 1), room.y + row * down, width, height)
        for row, column in (divmod(number, columns) for number in range(count))
    )


def _pitch(count: int, size: int, length: int) -> int:
    """Return how far apart pieces begin in a row or column."""
    return min(size + 1, (length - size) // max(count - 1, 1))
