"""Components for games that are no race."""

from bot.rules.components import die_marks, face_down_marks
from bot.rules.game import places_by_elimination
from bot.rules.picture import Align, Box, ColourRole, Label, Mark, Picture, Rect, Sprite
from bot.rules.seat_rows import (
    SEAT_ROW_HEIGHT,
    TRACK_HEADING_HEIGHT,
    Badge,
    ScoreRow,
    SeatRow,
    column_headings,
    score_track_marks,
    seat_row_marks,
    seat_row_room,
)
from tests.support.each_case import each_case
from tests.support.picture_checks import covered_area, find_flaws

ROW = Rect(30, 50, 940, SEAT_ROW_HEIGHT)


def flaws(*marks: Mark) -> list[str]:
    return list(find_flaws(Picture((1000, 400), (), marks, "a test")))


@each_case(
    "row",
    [
        SeatRow(0),
        SeatRow(1, "3 dice", is_to_move=True),
        SeatRow(2, "4th", is_out=True),
        SeatRow(5, "1st", badge=Badge.CROWN),
        SeatRow(3, "-12,300", is_to_move=True, badge=Badge.FLAG),
    ],
)
def test_a_seat_row_is_sound_and_leaves_room_for_pieces(row: SeatRow) -> None:
    marks, room = seat_row_marks(row, ROW), seat_row_room(ROW)
    dice = [mark for face in range(1, 7) for mark in die_marks(face, Rect(room.x + 60 * face, room.y, 48, 48))]
    assert flaws(*marks, *dice) == []
    beside = [mark for mark in marks if not (isinstance(mark, Box) and mark.at == ROW)]
    assert all(not covered_area(mark).overlaps(room) for mark in beside)
    assert room.width > 600


@each_case("right, down", [(40, 0), (-40, 0), (0, 30), (0, -30)])
def test_rectangles_that_touch_share_no_pixel(right: int, down: int) -> None:
    room = Rect(100, 100, 40, 30)
    assert not room.overlaps(room.shift(right, down))
    assert room.overlaps(room.shift(right - (right > 0) + (right < 0), down - (down > 0) + (down < 0)))


def test_a_seat_row_shows_only_given_parts() -> None:
    assert len(seat_row_marks(SeatRow(0), ROW)) == 2
    to_move, crown = (
        seat_row_marks(row, ROW)[0] for row in (SeatRow(0, is_to_move=True), SeatRow(0, badge=Badge.CROWN))
    )
    assert isinstance(to_move, Box)
    assert isinstance(crown, Box)
    assert (to_move.border, crown.border) == (ColourRole.MARK, ColourRole.GOLD)


def test_the_parts_of_a_seat_row_have_their_places() -> None:
    assert seat_row_room(ROW) == Rect(108, 58, 670, 48)
    marks = seat_row_marks(SeatRow(3, "1st", is_to_move=True, badge=Badge.CROWN), ROW)
    frame, token, number, badge, tag, note = marks
    assert frame == Box(ROW, ColourRole.SURFACE_SHADE, ColourRole.MARK, radius=14, border_width=6)
    assert token == Sprite("token-4", Rect(46, 60, 44, 44))
    assert number == Label("4", token.at, ColourRole.TEXT, 26, bold=True)
    assert badge == Sprite("crown", Rect(788, 62, 54, 40))
    assert tag == Box(Rect(852, 64, 108, 36), ColourRole.GOLD, radius=18)
    assert note == Label("1st", Rect(854, 66, 104, 32), ColourRole.TEXT, 28, bold=True)
    assert seat_row_marks(SeatRow(3, badge=Badge.CROWN), ROW)[0] == Box(
        ROW, ColourRole.SURFACE_SHADE, ColourRole.GOLD, radius=14, border_width=3
    )


def test_the_note_of_a_seat_that_is_out_is_grey() -> None:
    fills = [
        mark.fill
        for is_out in (False, True)
        for mark in seat_row_marks(SeatRow(0, "2nd", is_out=is_out), ROW)
        if isinstance(mark, Box)
    ]
    assert fills == [ColourRole.GOLD, ColourRole.PAPER_SHADE]


@each_case("at", [Rect(10, 10, 44, 44), Rect(10, 10, 144, 144), Rect(10, 10, 120, 180)])
def test_a_face_down_die_or_card_is_sound_and_shows_nothing(at: Rect) -> None:
    back, sign = face_down_marks(at)
    assert flaws(back, sign) == []
    assert back == Box(at, ColourRole.VIOLET, ColourRole.PAPER, radius=14, border_width=4)
    assert sign == Label("?", at.inset(6), ColourRole.WHITE, max(26, at.height // 2), bold=True)


@each_case(
    "target, room, align",
    [(100, Rect(30, 20, 626, 30), Align.RIGHT), (40, Rect(327, 20, 643, 30), Align.LEFT)],
)
def test_the_heading_of_a_score_track_is_on_the_wider_side_of_its_line(target: int, room: Rect, align: Align) -> None:
    heading, *_, line = score_track_marks([ScoreRow(0, 100)], target, "the target", Rect(30, 20, 940, 88))
    assert heading == Label("the target", room, ColourRole.SURFACE_TEXT_FAINT, 26, align)
    assert isinstance(line, Box)
    assert line.at.x + line.at.width // 2 == (room.right if align is Align.RIGHT else room.x)


def test_a_score_track_names_its_seats_beside_their_tokens() -> None:
    rows = [ScoreRow(seat, 10 * seat, gained=5) for seat in range(3)]
    marks = score_track_marks(rows, 100, "first to 100", Rect(30, 20, 940, 300), names=("Robin", "Wren", "Jay"))
    assert flaws(*marks) == []
    named = {mark.text: mark.at for mark in marks if isinstance(mark, Label) and mark.is_name}
    tokens = {mark.name: mark.at for mark in marks if isinstance(mark, Sprite)}
    for seat, name in enumerate(("Robin", "Wren", "Jay")):
        token = tokens[f"token-{seat + 1}"]
        assert token.right <= named[name].x <= token.right + 12
        assert named[name].y <= token.y
        assert token.bottom <= named[name].bottom
    unnamed = score_track_marks(rows, 100, "first to 100", Rect(30, 20, 940, 300))
    assert not any(isinstance(mark, Label) and mark.is_name for mark in unnamed)


def test_headings_are_above_their_columns() -> None:
    columns = [("seat", Rect(30, 60, 200, 300)), ("dice", Rect(240, 60, 400, 300)), ("place", Rect(650, 60, 160, 300))]
    headings = column_headings(columns)
    assert flaws(*headings) == []
    assert [(heading.text, heading.size) for heading in headings] == [("seat", 26), ("dice", 26), ("place", 26)]
    for heading, (_, column) in zip(headings, columns, strict=True):
        assert (heading.at.x, heading.at.right) == (column.x, column.right)
        assert (heading.at.y, heading.at.bottom) == (column.y - TRACK_HEADING_HEIGHT, column.y - 4)


@each_case(
    "eliminated, places",
    [
        ([], (1, 1, 1, 1)),
        ([[2]], (1, 1, 4, 1)),
        ([[2], [0], [3]], (3, 1, 4, 2)),
        ([[2, 0], [3]], (3, 1, 3, 2)),
        ([[2], [0], [1, 3]], (3, 1, 4, 1)),
        ([[0, 1, 2, 3]], (1, 1, 1, 1)),
    ],
)
def test_places_by_elimination(eliminated: list[list[int]], places: tuple[int, ...]) -> None:
    assert places_by_elimination(eliminated, 4) == places
