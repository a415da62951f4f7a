"""What the picture shows of a seat alone, in place of the race: its score, and a square for each of its rolls."""

from typing import Final

from bot.games.magpie.facts import square_of
from bot.games.magpie.pieces import TURNS_ALONE, State
from bot.rules.components import FRAME_MARGIN, action_frame
from bot.rules.picture import Box, ColourRole, Label, Mark, Rect

HEIGHT_OF_TEN_ROLLS: Final = 204

_SCORE_WIDTH: Final = 216
_ROW: Final = TURNS_ALONE // 2
_GAP: Final = 12

_COLOURS: Final = (ColourRole.SURFACE_SHADE, ColourRole.PAPER_SHADE, ColourRole.GREEN, ColourRole.GOLD, ColourRole.NEW)
"""The colours of the squares, fewest points first: `square_of`."""


def ten_rolls_marks(view: State, at: Rect) -> tuple[Mark, ...]:
    """Return the squares in two rows, the next one framed, and the score beside them. Rule MP-S1."""
    score = Rect(at.right - _SCORE_WIDTH, at.y, _SCORE_WIDTH, at.height)
    marks: list[Mark] = [Label(str(view.scores[0]), score, ColourRole.SURFACE_TEXT, 120, bold=True)]
    rows = Rect(at.x, at.y, at.width - _SCORE_WIDTH - _GAP, at.height).split_rows(2, _GAP)
    for number in range(TURNS_ALONE):
        square = rows[number // _ROW].split_columns(_ROW, _GAP)[number % _ROW]
        if number < len(view.gains):
            grade = square_of(points := view.gains[number])
            marks.append(Box(square, _COLOURS[grade], radius=14))
            ink = ColourRole.TEXT if grade else ColourRole.SURFACE_TEXT_FAINT
            marks.append(Label(str(points), square, ink, 56, bold=True))
        elif number == len(view.gains):
            marks.append(action_frame(square.inset(FRAME_MARGIN), 14 - FRAME_MARGIN))
        else:
            marks.append(Box(square, None, ColourRole.SURFACE_LINE, 14, 4))
    return tuple(marks)
