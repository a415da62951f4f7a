"""Components for games that are no race."""

from bot.rules.components import Nameplate, Species, face_down_marks
from bot.rules.game import places_by_elimination
from bot.rules.picture import Box, ColourRole, Label, Mark, Picture, Rect, Sprite
from bot.rules.seat_rows import (
    RowFormat,
    SeatRow,
    SeatSign,
    place_rows,
    row_pieces_area,
    seat_rows_marks,
)
from bot.tools.contract.picture_checks import find_illegible_labels
from tests.support.each_case import each_case
from tests.support.picture_checks import find_flaws


def flaws(*marks: Mark) -> list[str]:
    return list(find_flaws(Picture((1000, 400), (), marks, "a test")))


@each_case("right, down", [(40, 0), (-40, 0), (0, 30), (0, -30)])
def test_rectangles_that_touch_share_no_pixel(right: int, down: int) -> None:
    room = Rect(100, 100, 40, 30)
    assert not room.overlaps(room.shift(right, down))
    assert room.overlaps(room.shift(right - (right > 0) + (right < 0), down - (down > 0) + (down < 0)))


SHAPE = RowFormat(100, lambda score: f"{score:,}", piece_width=200, gain_width=160)
ROWS = (
    SeatRow(0, 37, 14, is_to_move=True),
    SeatRow(1, 112, 110, sign=SeatSign.CROWN),
    SeatRow(2, 0, 0, sign=SeatSign.FLAG),
    SeatRow(3, -60, -20),
    SeatRow(4, 60, lost=600),
    SeatRow(5, 1),
)
NAMES = ("Robin", "Maximilian Pfau", "Wren", "शिरा", "J", "W" * 32)
NAMEPLATES = tuple(map(Nameplate, NAMES, (None, Species.OWL, Species.FOX, None, Species.MOUSE, None)))


@each_case("seats", [2, 3, 4, 6])
def test_seat_rows_are_legible_and_leave_room_for_pieces(seats: int) -> None:
    areas = place_rows(seats, Rect(24, 20, 952, 0))
    marks = seat_rows_marks(ROWS[:seats], NAMEPLATES, SHAPE, areas)
    pieces = [Box(row_pieces_area(SHAPE, at), ColourRole.PAPER) for at in areas]
    drawn = Picture((1000, areas[-1].bottom + 20), (), (*marks, *pieces), "rows")
    assert list(find_flaws(drawn)) == []
    assert list(find_illegible_labels(drawn, NAMES)) == []


@each_case("row, shown", zip(ROWS, ("+14", "+110", "+0", "-20", "600", None), strict=True))
def test_a_row_shows_what_the_last_move_brought_and_strikes_out_what_was_lost(row: SeatRow, shown: str | None) -> None:
    marks = seat_rows_marks([row], (), SHAPE, [Rect(24, 20, 952, 92)])
    *gains, score, token = (mark.text for mark in marks if isinstance(mark, Label))
    assert (token, gains, score) == (str(row.seat + 1), [shown] if shown else [], str(row.score))
    assert any(isinstance(mark, Sprite) and mark.name == "strike" for mark in marks) == bool(row.lost)


def test_a_full_bar_is_the_goal_or_the_highest_score_beyond_it() -> None:
    def length(score: int, *others: int) -> int:
        areas = place_rows(1 + len(others), Rect(24, 20, 952, 0))
        rows = [SeatRow(seat, each) for seat, each in enumerate((score, *others))]
        marks = seat_rows_marks(rows, (), SHAPE, areas)
        return next(mark.at.width for mark in marks if isinstance(mark, Box) and mark.fill is ColourRole.SEAT_1)

    assert length(50) * 2 == length(100) == length(110)
    assert length(100, 200) == length(50)
    assert length(200, 50) == length(100)


@each_case("at", [Rect(10, 10, 44, 44), Rect(10, 10, 144, 144), Rect(10, 10, 120, 180)])
def test_a_face_down_die_or_card_is_sound_and_shows_nothing(at: Rect) -> None:
    back, sign = face_down_marks(at)
    assert flaws(back, sign) == []
    assert back == Box(at, ColourRole.VIOLET, ColourRole.PAPER, radius=14, border_width=4)
    assert sign == Label("?", at.inset(6), ColourRole.WHITE, max(26, at.height // 2), bold=True)


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
