"""The renderer: reused bands look as if they had been drawn for this picture."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from io import BytesIO
from itertools import islice

import pytest
from PIL import Image, ImageChops

from bot.pictures import renderer as renderer_module, tile_cache as tile_cache_module
from bot.pictures.art import BrokenArt
from bot.pictures.encoding import Indices
from bot.pictures.painter import area_of
from bot.pictures.renderer import BAND_HEIGHT, PillowRenderer, Renderer
from bot.pictures.tile_cache import MarkInfo, TileCache
from bot.rules.picture import Box, ColourRole, Label, Mark, Picture, Rect, Sprite, Theme
from bot.tables.registry import AnyPackage
from bot.tools.showcase_search import picture_of, play_through
from tests.pictures.golden import games, make_painter, make_renderer
from tests.support.each_case import each_case
from tests.support.memory import count_instances

MOMENTS = 3
SIZE = (400, 10 * BAND_HEIGHT)
BOTTOM_DIE = Sprite("token-5", Rect(20, 8 * BAND_HEIGHT + 2, 50, 50))
DICE = tuple(Sprite(f"token-{seat}", Rect(60 * seat, 2, 50, 50)) for seat in (1, 2, 3))
OVERLAPPING = tuple(die._replace(at=die.at.shift(right=-20 * place)) for place, die in enumerate(DICE))


def read(data: bytes) -> Image.Image:
    with Image.open(BytesIO(data)) as image:
        return image.convert("RGB")


def render_uncached(picture: Picture, theme: Theme, monkeypatch: pytest.MonkeyPatch) -> Image.Image:
    """Draw all of a picture at once, in one band."""
    with monkeypatch.context() as patch:
        patch.setattr(renderer_module, "BAND_HEIGHT", picture.size[1])
        return read(Renderer(make_painter(theme), theme).render(picture))


def assert_same(one: Image.Image, other: Image.Image) -> None:
    assert one.size == other.size
    assert ImageChops.difference(one, other).getbbox() is None


def pictures_of(package: AnyPackage) -> Iterator[Picture]:
    """Yield what everybody sees, and the hand of the first seat, in a game with everybody at the table."""
    info = package.game.info
    moments = play_through(package, info.options(), info.most_seats, 5)
    for moment in islice(moments, MOMENTS):
        for hand_of in (None, 0) if package.look.build_hand_picture else (None,):
            picture = picture_of(package, moment, hand_of)
            assert picture is not None
            yield picture


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int]]:
    """Record which lines are composed."""
    noted: list[tuple[int, int]] = []
    compose_strip = TileCache.compose_strip

    def note(
        self: TileCache, picture: Picture, backdrop: int, marks: Sequence[MarkInfo], lines: tuple[int, int]
    ) -> Indices:
        noted.append(lines)
        return compose_strip(self, picture, backdrop, marks, lines)

    monkeypatch.setattr(TileCache, "compose_strip", note)
    return noted


def picture(*marks: Mark, backdrop: tuple[Mark, ...] = ()) -> Picture:
    return Picture(SIZE, backdrop, marks, "a test")


@each_case("key, theme", [*((key, Theme.STANDARD) for key in games()), ("change", Theme.HIGH_CONTRAST)])
@pytest.mark.slow
def test_a_cached_rendering_looks_like_an_uncached_one(key: str, theme: Theme, monkeypatch: pytest.MonkeyPatch) -> None:
    used = Renderer(make_painter(theme), theme)
    for each in pictures_of(games()[key]):
        assert_same(read(used.render(each)), render_uncached(each, theme, monkeypatch))


@pytest.mark.parametrize("key", games())
def test_pillow_alone_renders_the_same(key: str) -> None:
    painter = make_painter(Theme.STANDARD)
    for each in islice(pictures_of(games()[key]), 2):
        assert_same(
            read(PillowRenderer(painter, Theme.STANDARD).render(each)), read(make_renderer(Theme.STANDARD).render(each))
        )


def test_only_changed_bands_are_drawn(drawn: list[tuple[int, int]]) -> None:
    used = Renderer(make_painter(Theme.STANDARD), Theme.STANDARD)
    first = used.render(picture(*DICE, BOTTOM_DIE))
    assert drawn == [(0, SIZE[1])]
    assert used.render(picture(*[die._replace() for die in (*DICE, BOTTOM_DIE)])) == first, "equal marks are shared"
    used.render(picture(*DICE, BOTTOM_DIE._replace(name="token-4")))
    assert drawn[1:] == [(8 * BAND_HEIGHT, SIZE[1])]
    used.render(picture(*DICE[:2], BOTTOM_DIE._replace(name="token-3")))
    assert drawn[2:] == [(0, 2 * BAND_HEIGHT), (8 * BAND_HEIGHT, SIZE[1])]


def test_tables_share_drawn_bands(drawn: list[tuple[int, int]]) -> None:
    used = Renderer(make_painter(Theme.STANDARD), Theme.STANDARD)
    for each in (picture(*DICE), picture(BOTTOM_DIE), picture(*DICE, BOTTOM_DIE)):
        used.render(each)
    assert drawn == [(0, SIZE[1]), (0, 2 * BAND_HEIGHT), (8 * BAND_HEIGHT, SIZE[1])]


BUSY = tuple(Box(Rect(10, band * BAND_HEIGHT + 1, 30, 20), ColourRole.PAPER) for band in range(8))
MANY = tuple(Box(Rect(10 + 12 * at, 1, 10, 10), ColourRole.PAPER) for at in range(9))


@each_case(
    "wanted, is_quick",
    [
        (picture(*DICE), True),
        (picture(*DICE, *BUSY), True),
        (picture(*DICE, BOTTOM_DIE), False),
        (picture(*DICE, *MANY[1:]), True),
        (picture(*DICE, *MANY), False),
        (picture(*DICE, backdrop=BUSY), False),
        (replace(picture(*DICE, *BUSY), size=(400, 13 * BAND_HEIGHT)), False),
    ],
)
def test_a_picture_is_quick_if_little_of_it_is_new(wanted: Picture, is_quick: bool) -> None:
    used = Renderer(make_painter(Theme.STANDARD), Theme.STANDARD)
    used.render(picture(*DICE))
    assert (used.render_if_quick(wanted) is not None) is is_quick


def test_asking_alone_makes_nothing_known() -> None:
    used = Renderer(make_painter(Theme.STANDARD), Theme.STANDARD)
    used.render(picture(*DICE))
    for _ in range(2):
        assert used.render_if_quick(picture(*DICE, BOTTOM_DIE)) is None
    used.render(picture(*DICE, BOTTOM_DIE))
    assert used.render_if_quick(picture(BOTTOM_DIE))


def test_a_picture_with_a_discarded_backdrop_is_not_quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tile_cache_module, "MAX_BACKDROPS", 1)
    used = Renderer(make_painter(Theme.STANDARD), Theme.STANDARD)
    used.render(picture(*DICE))
    assert used.render_if_quick(picture(*DICE[:2]))
    used.render(picture(*DICE, backdrop=BUSY))
    assert used.render_if_quick(picture(*DICE[:2])) is None
    assert used.render_if_quick(picture(*DICE[:2], backdrop=BUSY))


def test_a_change_in_many_bands_is_not_quick() -> None:
    used = Renderer(make_painter(Theme.STANDARD), Theme.STANDARD)
    high = replace(picture(*DICE), size=(400, 14 * BAND_HEIGHT))
    used.render(high)
    for bands, is_quick in ((9, True), (10, False)):
        column = Box(
            Rect(10, 2 * BAND_HEIGHT - 1 if bands == 10 else 2 * BAND_HEIGHT, 5, 9 * BAND_HEIGHT), ColourRole.PAPER
        )
        assert (used.render_if_quick(replace(high, marks=(*DICE, column))) is not None) is is_quick


@pytest.mark.parametrize(
    "other",
    [
        picture(*OVERLAPPING[::-1]),
        picture(*DICE, backdrop=(Box(Rect(0, 0, *SIZE), ColourRole.PAPER),)),
        replace(picture(*DICE), size=(SIZE[0], SIZE[1] + 5)),
        replace(picture(*DICE), size=(SIZE[0] + 5, SIZE[1])),
        picture(*(die._replace(at=die.at.shift(down=BAND_HEIGHT)) for die in DICE)),
        picture(*(die._replace(at=die.at.shift(right=1)) for die in DICE)),
    ],
    ids=["order", "backdrop", "height", "width", "down", "right"],
)
def test_a_similar_picture_is_drawn_again(other: Picture, monkeypatch: pytest.MonkeyPatch) -> None:
    used = Renderer(make_painter(Theme.STANDARD), Theme.STANDARD)
    for known in (picture(*OVERLAPPING), picture(*DICE)):
        used.render(known)
    assert_same(read(used.render(other)), render_uncached(other, Theme.STANDARD, monkeypatch))


def test_marks_that_leave_the_picture_are_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    leaving = picture(
        Box(Rect(-10, -10, 50, 50), ColourRole.PAPER, ColourRole.BLUE, 12, 4),
        Box(Rect(380, SIZE[1] - 9, 50, 500), ColourRole.RED, radius=9),
        Box(Rect(10, -500, 50, 100), ColourRole.RED),
        Box(Rect(10, SIZE[1] + 500, 50, 100), ColourRole.RED),
    )
    used = Renderer(make_painter(Theme.STANDARD), Theme.STANDARD)
    assert_same(read(used.render(leaving)), render_uncached(leaving, Theme.STANDARD, monkeypatch))


def test_a_limited_memory_changes_no_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(renderer_module, "MAX_BANDS", 12)
    monkeypatch.setattr(renderer_module, "MAX_MARKS", 3)
    monkeypatch.setattr(renderer_module, "MAX_BACKDROP_IDS", 2)
    used = Renderer(make_painter(Theme.STANDARD), Theme.STANDARD)
    for down in range(0, 200, 7):
        ground = Box(Rect(0, 0, 400, 20 + down % 21), ColourRole.PAPER)
        each = picture(*(die._replace(at=die.at.shift(down=down)) for die in DICE), backdrop=(ground,))
        assert_same(read(used.render(each)), render_uncached(each, Theme.STANDARD, monkeypatch))


def test_the_numbers_of_marks_and_bands_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bands hold the marks that they show."""
    monkeypatch.setattr(renderer_module, "MAX_BANDS", 12)
    monkeypatch.setattr(renderer_module, "MAX_MARKS", 3)
    monkeypatch.setattr(tile_cache_module, "MAX_PIXELS", 1)
    used = Renderer(make_painter(Theme.STANDARD), Theme.STANDARD)
    others = count_instances(MarkInfo)
    for right in range(100):
        used.render(picture(*(die._replace(at=die.at.shift(right=right)) for die in DICE)))
    assert count_instances(MarkInfo) - others <= 3 + 12 * len(DICE)


def test_the_number_of_backdrops_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(renderer_module, "MAX_BACKDROP_IDS", 2)
    used = Renderer(make_painter(Theme.STANDARD), Theme.STANDARD)
    ids = []
    for height in (1, 2, 1, 3, 1):
        plan = used.plan(picture(backdrop=(Box(Rect(0, 0, 400, height), ColourRole.PAPER),)))
        used.execute(plan)
        ids.append(plan.backdrop_id)
    assert ids == [1, 2, 1, 3, 4], "an id is never given twice"


def test_the_smallest_picture_is_one_pixel() -> None:
    assert make_renderer(Theme.STANDARD).render(replace(picture(), size=(1, 1)))


def test_failed_pictures_are_bounded_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(renderer_module, "MAX_MARKS", 6)
    used = Renderer(make_painter(Theme.STANDARD), Theme.STANDARD)
    others = count_instances(MarkInfo)
    for down in range(20):
        broken = Sprite("nowhere", Rect(0, down, 10, 10))
        with pytest.raises(BrokenArt):
            used.render(picture(*(die._replace() for die in DICE), broken))
    assert count_instances(MarkInfo) - others <= 6


ROOM = Rect(150, 100, 90, 60)


@each_case(
    "mark",
    [
        *(Sprite("token-5", Rect(150, 100, 80, 80), rotation=turn) for turn in (0, 5, 45, 90, 137)),
        *(Sprite("flag", ROOM, ColourRole.GOLD, rotation=turn) for turn in (0, 30)),
        Box(ROOM, ColourRole.PAPER, ColourRole.BLUE, radius=20, border_width=6),
        Box(ROOM, ColourRole.PAPER, radius=40),
        Box(ROOM, None, ColourRole.MARK, radius=20, border_width=6),
        *(
            Label("Äg|Ŷ,", ROOM, ColourRole.SURFACE_TEXT, size, bold=bold)
            for size in (26, 90)
            for bold in (False, True)
        ),
    ],
)
def test_a_mark_touches_nothing_outside_its_area(mark: Mark) -> None:
    with_it, without = (make_painter(Theme.STANDARD).paint(picture(*marks)) for marks in ((mark,), ()))
    changed = ImageChops.difference(with_it, without).getbbox()
    assert changed is not None
    left, top, right, bottom = changed
    assert area_of(mark).contains(Rect(left, top, right - left, bottom - top))
    assert area_of(mark).width < 2 * (right - left), "but it is no larger than it has to be"
