"""Tiles: marks are grouped by straight cuts, and composing cached tiles equals drawing."""

from collections.abc import Iterable
from functools import cache

import pytest
from PIL import Image

from bot.pictures import tile_cache as tile_cache_module
from bot.pictures.encoding import FILTER_BYTE_WIDTH, Indices, add_filter_bytes, remove_filter_bytes, to_indices
from bot.pictures.painter import Painter, area_of
from bot.pictures.tile_cache import MarkInfo, TileCache, group_areas
from bot.rules.picture import FELT, Box, ColourRole, Mark, Picture, Rect, Sprite, Surface, Theme
from tests.pictures.golden import make_painter, make_sprite_cache
from tests.support.each_case import each_case

SIZE = (400, 200)


@cache
def make_mark_info(mark: Mark) -> MarkInfo:
    return MarkInfo(mark, area_of(mark), slice(0, 1))


def box(x: int, y: int, width: int, height: int) -> Box:
    return Box(Rect(x, y, width, height), ColourRole.PAPER)


@each_case(
    "areas, parted",
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
)
def test_areas_are_split_along_straight_lines_that_cross_none(
    areas: tuple[tuple[int, int, int, int], ...], parted: list[tuple[int, ...]]
) -> None:
    found = group_areas(tuple(Rect(*area) for area in areas), Rect(0, 0, *SIZE))
    assert sorted(places for _, places in found) == parted


def test_a_group_is_cut_to_the_visible_part() -> None:
    areas = (Rect(10, 10, 30, 30), Rect(30, 30, 40, 40), Rect(90, 0, 20, 20), Rect(0, 80, 9, 9), Rect(100, 20, 9, 9))
    assert group_areas(areas, Rect(0, 20, 100, 30)) == ((Rect(10, 20, 60, 30), (0, 1)),)
    assert sorted(group_areas(areas, Rect(20, 0, 80, 100))) == [
        (Rect(20, 10, 50, 60), (0, 1)),
        (Rect(90, 0, 10, 20), (2,)),
    ]


class RecordingPainter(Painter):
    """Records which areas it paints."""

    def __init__(self) -> None:
        super().__init__(Theme.STANDARD, make_sprite_cache(Theme.STANDARD))
        self.painted: list[Rect] = []

    def paint_backdrop(self, picture: Picture) -> Image.Image:
        self.painted.append(Rect(0, 0, *picture.size))
        return super().paint_backdrop(picture)

    def paint_area(self, ground: Image.Image, marks: Iterable[Mark], at: Rect, surface: Surface = FELT) -> Image.Image:
        self.painted.append(at)
        return super().paint_area(ground, marks, at, surface)


DIE = Sprite("die", Rect(20, 20, 50, 50))
OTHER = DIE._replace(at=Rect(120, 40, 50, 50))
PLATE = box(110, 30, 70, 70)
OVERLAPPING_EDGE = box(380, 10, 100, 300)
OUTSIDE = box(500, 10, 20, 20)


def compose(tiles: TileCache, *marks: Mark, lines: tuple[int, int] = (0, SIZE[1])) -> Indices:
    laid = [make_mark_info(mark) for mark in marks]
    return tiles.compose_strip(Picture(SIZE, (), marks, "a test"), 1, laid, lines)


def draw(*marks: Mark, lines: tuple[int, int] = (0, SIZE[1])) -> Indices:
    """Draw the same from nothing, with filter bytes."""
    whole = make_painter(Theme.STANDARD).paint(Picture(SIZE, (), marks, "a test"))
    return add_filter_bytes(to_indices(whole.crop((0, lines[0], SIZE[0], lines[1])), Theme.STANDARD))


def assert_same(one: Indices, other: Indices) -> None:
    assert one.shape == other.shape
    assert one.tobytes() == other.tobytes()


def test_a_known_group_is_not_painted_again() -> None:
    painter = RecordingPainter()
    tiles = TileCache(painter, Theme.STANDARD)
    assert_same(compose(tiles, DIE, PLATE, OTHER), draw(DIE, PLATE, OTHER))
    assert painter.painted == [Rect(0, 0, *SIZE), DIE.at, PLATE.at]
    assert_same(compose(tiles, PLATE, OTHER), draw(PLATE, OTHER))
    assert_same(compose(tiles, DIE, OTHER, PLATE), draw(DIE, OTHER, PLATE))
    assert painter.painted[3:] == [PLATE.at]


@each_case("lines", [(0, 200), (0, 60), (40, 80), (64, 200)])
def test_marks_are_clipped_to_the_band_and_the_picture(lines: tuple[int, int]) -> None:
    tiles = TileCache(make_painter(Theme.STANDARD), Theme.STANDARD)
    marks = (DIE, PLATE, OTHER, OVERLAPPING_EDGE, OUTSIDE)
    for _ in range(2):
        assert_same(compose(tiles, *marks, lines=lines), draw(*marks, lines=lines))


def test_the_cache_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tile_cache_module, "MAX_PIXELS", 50 * 50)
    painter = RecordingPainter()
    tiles = TileCache(painter, Theme.STANDARD)
    for marks in ((DIE,), (OTHER,), (OTHER,), (DIE,)):
        assert_same(compose(tiles, *marks), draw(*marks))
    assert painter.painted[1:] == [DIE.at, OTHER.at, DIE.at]


def test_the_newest_backdrops_stay_cached(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tile_cache_module, "MAX_BACKDROPS", 2)
    painter = RecordingPainter()
    tiles = TileCache(painter, Theme.STANDARD)
    grounds = [Picture(SIZE, (box(0, 0, 50, high),), (), "a test") for high in (10, 20, 30)]
    for number in (0, 1, 0, 2):
        tiles.compose_strip(grounds[number], number, (), (0, SIZE[1]))
    assert [tiles.has_backdrop(number) for number in (0, 1, 2)] == [True, False, True]
    assert len(painter.painted) == 3


@each_case(
    "before, after",
    [
        ((DIE, PLATE, OTHER), (DIE, PLATE)),
        ((PLATE,), (DIE, PLATE, OTHER)),
        ((DIE, OTHER), (OTHER, box(150, 30, 70, 70))),
        ((DIE, OVERLAPPING_EDGE), (box(300, 100, 90, 90), OVERLAPPING_EDGE)),
        ((), (DIE,)),
    ],
)
def test_a_picture_is_composed_from_the_one_that_replaces_it(before: tuple[Mark, ...], after: tuple[Mark, ...]) -> None:
    painter = RecordingPainter()
    tiles, infos = TileCache(painter, Theme.STANDARD), {mark: make_mark_info(mark) for mark in (*before, *after)}
    picture, drawn = Picture(SIZE, (), before, "a test"), remove_filter_bytes(draw(*after))
    known = tiles.keep_tiles(picture, 1, [infos[mark] for mark in after], drawn)
    for _ in range(2):
        composed = tiles.recompose(picture, 1, [infos[mark] for mark in before], known, drawn)
        assert_same(composed, remove_filter_bytes(draw(*before)))
    after_it = tiles.compose_strip(picture, 1, [infos[mark] for mark in after], (0, SIZE[1]))
    assert_same(after_it, draw(*after))
    assert len(set(painter.painted)) == len(painter.painted)


def test_tiles_on_different_backdrops_differ() -> None:
    tiles = TileCache(make_painter(Theme.STANDARD), Theme.STANDARD)
    bare = compose(tiles, DIE)
    on_paper = Picture(SIZE, (box(0, 0, *SIZE),), (DIE,), "a test")
    covered = tiles.compose_strip(on_paper, 2, [make_mark_info(DIE)], (0, SIZE[1]))
    within = (22, FILTER_BYTE_WIDTH + 22)
    assert covered[within] != bare[within]
