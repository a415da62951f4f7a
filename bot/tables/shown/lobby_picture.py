"""The picture of a lobby: the game's cover with its seats below, taken or free."""

from collections.abc import Iterator, Sequence
from typing import Final

from bot.rules.components import name_labels, token_marks
from bot.rules.game import Seat
from bot.rules.picture import COVER_SIZE, Box, ColourRole, Mark, Picture, Rect, Sprite, seat_colour
from bot.tables.registry import AnyPackage
from bot.words import gettext as _

_MARGIN, _GAP, _SEAT_HEIGHT = 20, 14, 68
_MAX_COLUMNS: Final = 3


def lobby_picture(package: AnyPackage, cover: str, names: Sequence[str]) -> Picture:
    """Lay out a cover with the seats.

    Args:
        package: The game.
        cover: Its cover.
        names: The names of the seats that are taken.
    """
    info, (width, height) = package.game.info, COVER_SIZE
    columns = next(count for count in (1, 2, _MAX_COLUMNS) if count == _MAX_COLUMNS or info.most_seats <= count**2)
    rows = -(-info.most_seats // columns)
    seats = Rect(_MARGIN, height + _GAP, width - 2 * _MARGIN, rows * (_SEAT_HEIGHT + _GAP) - _GAP)
    areas = [at for row in seats.split_rows(rows, _GAP) for at in row.split_columns(columns, _GAP)]
    marks = (mark for seat, at in enumerate(areas[: info.most_seats]) for mark in _seat_marks(names, seat, at))
    return Picture(
        size=(width, seats.bottom + _MARGIN),
        backdrop=(Sprite(cover, Rect(0, 0, *COVER_SIZE)),),
        marks=tuple(marks),
        description=_describe(info.title, len(names), info.most_seats),
        surface=package.surface,
    )


def _seat_marks(names: Sequence[str], seat: Seat, at: Rect) -> Iterator[Mark]:
    """Yield a seat: with its token and name if it is taken, otherwise empty."""
    if seat >= len(names):
        yield Box(at, None, ColourRole.SURFACE_LINE, 18, 2)
        return
    yield Box(at, ColourRole.SURFACE_SHADE, seat_colour(seat), 18, 4)
    token = Rect(at.x + 14, at.y + 10, _SEAT_HEIGHT - 20, _SEAT_HEIGHT - 20)
    yield from token_marks(seat, token)
    yield from name_labels(names, seat, Rect(token.right + 12, at.y + 6, at.right - token.right - 24, at.height - 12))


def _describe(title: str, taken: int, most: int) -> str:
    return _("The cover of {game}, with {taken} of {most} seats taken.").format(game=title, taken=taken, most=most)
