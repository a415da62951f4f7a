"""Components for games that are no race."""

from bot.rules.components import (
    SEAT_ROW_HEIGHT,
    TRACK_HEADING_HEIGHT,
    Badge,
    SeatRow,
    column_headings,
    die_sprite,
    face_down_marks,
    seat_row_marks,
    seat_row_room,
)
from bot.rules.outcome import places_by_elimination
from bot.rules.picture import Box, ColourRole, Label, Mark, Picture, Rect
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
    dice = [die_sprite(face, Rect(room.x + 60 * face, room.y, 48, 48)) for face in range(1, 7)]
    assert flaws(*marks, *dice) == []
    beside = [mark for mark in marks if not (isinstance(mark, Box) and mark.at == ROW)]
    assert all(not _meet(covered_area(mark), room) for mark in beside)
    assert room.width > 600


def _meet(one: Rect, other: Rect) -> bool:
    return one.x < other.right and other.x < one.right and one.y < other.bottom and other.y < one.bottom


def test_a_seat_row_shows_only_given_parts() -> None:
    assert len(seat_row_marks(SeatRow(0), ROW)) == 2
    to_move, crown = (
        seat_row_marks(row, ROW)[0] for row in (SeatRow(0, is_to_move=True), SeatRow(0, badge=Badge.CROWN))
    )
    assert isinstance(to_move, Box)
    assert isinstance(crown, Box)
    assert (to_move.border, crown.border) == (ColourRole.MARK, ColourRole.GOLD)


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
    marks = face_down_marks(at)
    assert flaws(*marks) == []
    assert [mark.text for mark in marks if isinstance(mark, Label)] == ["?"]


def test_headings_are_above_their_columns() -> None:
    columns = [("seat", Rect(30, 60, 200, 300)), ("dice", Rect(240, 60, 400, 300)), ("place", Rect(650, 60, 160, 300))]
    headings = column_headings(columns)
    assert flaws(*headings) == []
    assert [heading.text for heading in headings] == ["seat", "dice", "place"]
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
