"""What is laid out from left to right can be mirrored; art and texts themselves are not."""

from bot.rules.components import Nameplate
from bot.rules.direction import mirror_marks
from bot.rules.picture import Align, Box, ColourRole, Label, Rect, Sprite
from bot.rules.seat_rows import RowFormat, SeatRow, row_pieces_area, seat_rows_marks

ROW = Rect(20, 100, 960, 92)


def test_a_mirrored_mark_is_as_far_from_the_other_side_and_its_text_begins_there() -> None:
    box = Box(Rect(30, 100, 100, 40), ColourRole.PAPER)
    label = Label("12", Rect(900, 100, 60, 40), ColourRole.TEXT, align=Align.RIGHT)
    sprite = Sprite("crown", Rect(480, 100, 40, 30), rotation=10)
    assert mirror_marks((box, label, sprite), ROW) == (
        box._replace(at=Rect(870, 100, 100, 40)),
        label._replace(at=Rect(40, 100, 60, 40), align=Align.LEFT),
        sprite,
    )


def test_rows_of_seats_are_mirrored_with_their_room_for_pieces() -> None:
    shape, rows = RowFormat(100, piece_width=200), (SeatRow(0, 12, 3),)
    turned = shape._replace(runs_left=True)
    nameplates = (Nameplate("Robin", None),)
    marks = seat_rows_marks(rows, nameplates, shape, (ROW,))
    assert seat_rows_marks(rows, nameplates, turned, (ROW,)) == mirror_marks(marks, ROW)
    left, right = row_pieces_area(shape, ROW), row_pieces_area(turned, ROW)
    assert left.x - ROW.x == ROW.right - right.right
    assert left.width == right.width
