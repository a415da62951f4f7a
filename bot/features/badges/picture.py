"""The picture of a person's badges: a row of medals for each game in which there are any."""

from collections.abc import Collection, Iterator, Sequence
from textwrap import wrap
from typing import Final

from bot.features.badges.book import BadgeGroup
from bot.rules.badges import MEDAL_AREA, Badge
from bot.rules.picture import MIN_TEXT_SIZE, PICTURE_WIDTH, Box, ColourRole, Label, Mark, Picture, Rect
from bot.words import gettext as _, join_items

_EDGE: Final = 20
_TITLE_HEIGHT, _NAME_HEIGHT, _GAP = 48, 34, 18
_NAME_LINES, _NAME_LENGTH = 2, 11
_COLUMNS: Final = 5
_ROW_HEIGHT: Final = _TITLE_HEIGHT + MEDAL_AREA.height + _NAME_LINES * _NAME_HEIGHT + _GAP


def badge_picture(groups: Sequence[BadgeGroup], earned: Collection[str]) -> Picture:
    """Lay out the badges of a person.

    Args:
        groups: All badges.
        earned: The full keys of those that the person has, at least one.
    """
    rows = [group for group in groups if any(f"{group.key}/{badge.key}" in earned for badge in group.badges)]
    marks = list[Mark]()
    for at, group in enumerate(rows):
        top = _EDGE + at * _ROW_HEIGHT
        title = Rect(_EDGE, top, PICTURE_WIDTH - 2 * _EDGE, _TITLE_HEIGHT)
        marks.append(Label(group.title, title, ColourRole.SURFACE_TEXT, 34, bold=True))
        cells = Rect(_EDGE, title.bottom, title.width, _ROW_HEIGHT - _TITLE_HEIGHT).split_columns(_COLUMNS)
        for badge, cell in zip(group.badges, cells, strict=False):
            marks += _cell_marks(badge, cell, is_earned=f"{group.key}/{badge.key}" in earned)
    return Picture((PICTURE_WIDTH, _EDGE + len(rows) * _ROW_HEIGHT), (), tuple(marks), _describe(rows, earned))


def _cell_marks(badge: Badge, cell: Rect, *, is_earned: bool) -> Iterator[Mark]:
    """Yield a medal with its name, or an empty place."""
    at = Rect(cell.x, cell.y, cell.width, MEDAL_AREA.height).center(*MEDAL_AREA[2:])
    if is_earned:
        yield from medal_marks(badge, at)
    else:
        yield Box(at.inset(14), None, ColourRole.SURFACE_LINE, 50, 4)
    ink = ColourRole.SURFACE_TEXT if is_earned else ColourRole.SURFACE_TEXT_FAINT
    name = Rect(cell.x, at.bottom, cell.width, _NAME_HEIGHT)
    for line in wrap(_(badge.name), _NAME_LENGTH, max_lines=_NAME_LINES):
        yield Label(line, name, ink, MIN_TEXT_SIZE, bold=is_earned)
        name = name.shift(down=name.height)


def medal_marks(badge: Badge, at: Rect) -> Iterator[Mark]:
    """Yield the medal of a badge in an area of its size."""
    for mark in badge.medal:
        yield mark._replace(at=mark.at.shift(at.x, at.y))


def _describe(rows: Sequence[BadgeGroup], earned: Collection[str]) -> str:
    """Name the badges, for those who can't see the picture."""
    lines = (
        _("{title}: {badges}.").format(
            title=group.title,
            badges=join_items([_(badge.name) for badge in group.badges if f"{group.key}/{badge.key}" in earned]),
        )
        for group in rows
    )
    return " ".join((_("Medals."), *lines))
