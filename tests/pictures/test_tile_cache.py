"""The mosaic: marks are parted by straight cuts, and what is laid of ready patches looks as if it had been drawn."""

from collections.abc import Iterable
from functools import cache

import pytest
from PIL import Image

from bot.pictures import tile_cache as laying
from bot.pictures.band_encoder import MARGIN
from bot.pictures.painter import Painter, area_of
from bot.pictures.palette_image import Pixels, pixels_of
from bot.pictures.tile_cache import Known, Mosaic, groups
from bot.rules.picture import Box, Ink, Mark, Picture, Rect, Sprite, Theme
from tests.pictures.golden import painter

SIZE = (400, 200)


@cache
def known(mark: Mark) -> Known:
    return Known(mark, area_of(mark), slice(0, 1))


def box(x: int, y: int, width: int, height: int) -> Box:
    return Box(Rect(x, y, width, height), Ink.PAPER)


@pytest.mark.parametrize(
    ("areas", "parted"),
    [
        ((), []),
        (((0, 0, 10, 10),), [(0,)]),
        (((0, 0, 10, 10), (10, 0, 10, 10)), [(0,), (1,)]),
        (((0, 0, 10, 10), (0, 10, 10, 10)), [(0,), (1,)]),
        (((0, 0, 11, 11), (10, 10, 10, 10)), [(0, 1)]),
        # The second is parted from the rest only after the last has been.
        (((0, 0, 10, 30), (12, 0, 10, 10), (12, 12, 10, 18), (0, 40, 22, 5)), [(0,), (1,), (2,), (3,)]),
        # A cut must be straight: these lie around one another like the sails of a mill.
        (((0, 0, 20, 10), (20, 0, 10, 20), (10, 20, 20, 10), (0, 10, 10, 20)), [(0, 1, 2, 3)]),
        # What lies within another stays with it, and above it.
        (((5, 5, 5, 5), (40, 0, 5, 5), (0, 0, 20, 20)), [(0, 2), (1,)]),
    ],
    ids=["none", "one", "beside", "below", "corner", "both ways", "mill", "within"],
)
def test_areas_are_parted_where_a_straight_cut_meets_none(
    areas: tuple[tuple[int, int, int, int], ...], parted: list[tuple[int, ...]]
) -> None:
    found = groups(tuple(Rect(*area) for area in areas), Rect(0, 0, *SIZE))
    assert sorted(places for _, places in found) == parted


def test_of_a_group_only_what_lies_within_is_covered() -> None:
    areas = (Rect(10, 10, 30, 30), Rect(30, 30, 40, 40), Rect(90, 0, 20, 20), Rect(0, 80, 9, 9))
    assert groups(areas, Rect(0, 20, 100, 30)) == ((Rect(10, 20, 60, 30), (0, 1)),)
    assert sorted(groups(areas, Rect(20, 0, 80, 100))) == [
        (Rect(20, 10, 50, 60), (0, 1)),
        (Rect(90, 0, 10, 20), (2,)),
    ]


class NotingPainter(Painter):
    """Notes which parts it paints."""

    def __init__(self) -> None:
        like = painter(Theme.STANDARD)
        super().__init__(like._theme, like._shelf)
        self.painted: list[Rect] = []

    def ground(self, picture: Picture) -> Image.Image:
        self.painted.append(Rect(0, 0, *picture.size))
        return super().ground(picture)

    def part(self, ground: Image.Image, marks: Iterable[Mark], at: Rect) -> Image.Image:
        self.painted.append(at)
        return super().part(ground, marks, at)


DIE = Sprite("die-5", Rect(20, 20, 50, 50))
OTHER = DIE._replace(at=Rect(120, 40, 50, 50))
PLATE = box(110, 30, 70, 70)
LEAVING = box(380, 10, 100, 300)
OUTSIDE = box(500, 10, 20, 20)


def laid_by(mosaic: Mosaic, *marks: Mark, lines: tuple[int, int] = (0, SIZE[1])) -> Pixels:
    laid = [known(mark) for mark in marks]
    return mosaic.strip(Picture(SIZE, (), marks, "a test"), 1, laid, lines)


def drawn(*marks: Mark, lines: tuple[int, int] = (0, SIZE[1])) -> Pixels:
    """Draw the same from nothing, with the margin of a file."""
    whole = painter(Theme.STANDARD).paint(Picture(SIZE, (), marks, "a test"))
    return pixels_of(whole.crop((0, lines[0], SIZE[0], lines[1])), Theme.STANDARD, MARGIN)


def bytes_of(pixels: Pixels) -> bytes:
    return b"".join(pixels.bands(1))


def assert_same(one: Pixels, other: Pixels) -> None:
    assert one.size == other.size
    assert bytes_of(one) == bytes_of(other)


def test_what_has_lain_there_before_is_not_painted_again() -> None:
    noting = NotingPainter()
    mosaic = Mosaic(noting, Theme.STANDARD)
    assert_same(laid_by(mosaic, DIE, PLATE, OTHER), drawn(DIE, PLATE, OTHER))
    assert noting.painted == [Rect(0, 0, *SIZE), DIE.at, PLATE.at]
    assert_same(laid_by(mosaic, PLATE, OTHER), drawn(PLATE, OTHER))
    assert_same(laid_by(mosaic, DIE, OTHER, PLATE), drawn(DIE, OTHER, PLATE))
    assert noting.painted[3:] == [PLATE.at]


@pytest.mark.parametrize("lines", [(0, 200), (0, 60), (40, 80), (64, 200)])
def test_marks_are_cut_off_where_the_lines_and_the_picture_end(lines: tuple[int, int]) -> None:
    mosaic = Mosaic(painter(Theme.STANDARD), Theme.STANDARD)
    marks = (DIE, PLATE, OTHER, LEAVING, OUTSIDE)
    for _ in range(2):
        assert_same(laid_by(mosaic, *marks, lines=lines), drawn(*marks, lines=lines))


def test_no_more_is_kept_than_there_is_room_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(laying, "MOST_PIXELS", 50 * 50)
    noting = NotingPainter()
    mosaic = Mosaic(noting, Theme.STANDARD)
    for marks in ((DIE,), (OTHER,), (OTHER,), (DIE,)):
        assert_same(laid_by(mosaic, *marks), drawn(*marks))
    assert noting.painted[1:] == [DIE.at, OTHER.at, DIE.at]


def test_the_newest_backdrops_stay_ready(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(laying, "MOST_GROUNDS", 2)
    noting = NotingPainter()
    mosaic = Mosaic(noting, Theme.STANDARD)
    grounds = [Picture(SIZE, (box(0, 0, 50, high),), (), "a test") for high in (10, 20, 30)]
    for number in (0, 1, 0, 2):
        mosaic.strip(grounds[number], number, (), (0, SIZE[1]))
    assert [mosaic.has_ground(number) for number in (0, 1, 2)] == [True, False, True]
    assert len(noting.painted) == 3


def test_a_patch_is_told_by_its_backdrop() -> None:
    mosaic = Mosaic(painter(Theme.STANDARD), Theme.STANDARD)
    bare = laid_by(mosaic, DIE)
    on_paper = Picture(SIZE, (box(0, 0, *SIZE),), (DIE,), "a test")
    covered = mosaic.strip(on_paper, 2, [known(DIE)], (0, SIZE[1]))
    within = (MARGIN + SIZE[0]) * 22 + MARGIN + 22
    assert bytes_of(covered)[within] != bytes_of(bare)[within]
