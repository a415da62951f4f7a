"""The painter: positions of marks, in the colours of the theme."""

from PIL import Image, ImageChops

from bot.pictures.fonts import has_glyph, text_bounds_of
from bot.pictures.painter import rounded_rect_mask, stripes_mask
from bot.pictures.themes import colour_of, shade_of
from bot.rules.picture import Align, Box, ColourRole, Label, Mark, Picture, Rect, Theme, text_colour_on
from tests.pictures.golden import make_painter
from tests.support.each_case import each_case

ROOM = Rect(40, 20, 200, 80)


def make_picture(*marks: Mark) -> Picture:
    return Picture((300, 120), (), marks, "a test")


def paint(*marks: Mark, theme: Theme = Theme.STANDARD) -> Image.Image:
    return make_painter(theme).paint(make_picture(*marks))


def pixel_at(image: Image.Image, x: int, y: int) -> object:
    return image.getpixel((x, y))


def test_a_box_covers_its_rectangle_and_nothing_else() -> None:
    image = paint(Box(ROOM, ColourRole.PAPER))
    surface, paper = (colour_of(Theme.STANDARD, ink) for ink in (ColourRole.SURFACE, ColourRole.PAPER))
    assert {colour: count for count, colour in image.getcolors() or ()} == {
        surface: 300 * 120 - 200 * 80,
        paper: 200 * 80,
    }
    assert (pixel_at(image, 40, 20), pixel_at(image, 239, 99), pixel_at(image, 240, 99)) == (paper, paper, surface)
    backdrop = Picture(image.size, (Box(ROOM, ColourRole.PAPER),), (), "a test")
    assert make_painter(Theme.STANDARD).paint_backdrop(backdrop).tobytes() == image.tobytes()


@each_case("width, height", [(40, 200), (200, 40)])
def test_corners_rounder_than_the_box_is_wide_or_high_leave_it_whole(width: int, height: int) -> None:
    at = Rect(20, 10, width, height)
    box = Box(at, ColourRole.PAPER, radius=30)
    image = make_painter(Theme.STANDARD).paint(Picture((240, 220), (), (box,), "a test"))
    expected = Image.new("RGB", image.size, colour_of(Theme.STANDARD, ColourRole.SURFACE))
    expected.paste(colour_of(Theme.STANDARD, ColourRole.PAPER), (at.x, at.y), rounded_rect_mask(width, height, 30))
    assert ImageChops.difference(image, expected).getbbox() is None


def test_a_box_without_fill_is_a_frame() -> None:
    image = paint(Box(ROOM, None, ColourRole.MARK, radius=20, border_width=6))
    surface, mark = (colour_of(Theme.STANDARD, ink) for ink in (ColourRole.SURFACE, ColourRole.MARK))
    assert [pixel_at(image, x, 60) for x in (40, 45, 46, 140, 239)] == [mark, mark, surface, surface, mark]


@each_case("radius", [5, 6, 7])
def test_a_frame_may_be_wider_than_its_corners_are_round(radius: int) -> None:
    image = paint(Box(ROOM, None, ColourRole.MARK, radius=radius, border_width=6))
    surface, mark = (colour_of(Theme.STANDARD, ink) for ink in (ColourRole.SURFACE, ColourRole.MARK))
    assert [pixel_at(image, 40 + inside, 20 + inside) for inside in (0, 4, 5, 7)] == [surface, mark, mark, surface]


def test_stripes_let_their_ground_show_through() -> None:
    share = sum(stripes_mask(96, 96, 0).histogram()[128:]) / (96 * 96)
    assert share == 0.5


def test_stripes_repeat_evenly() -> None:
    mask = stripes_mask(96, 96, 0)
    moved = ImageChops.offset(mask, 12, 12)
    assert ImageChops.difference(mask, moved).getbbox() is None


@each_case("theme", Theme)
@each_case("ink", ColourRole)
def test_stripes_are_visible_on_every_colour_role(ink: ColourRole, theme: Theme) -> None:
    ground, shade = colour_of(theme, ink), shade_of(theme, ink)
    assert max(abs(one - other) for one, other in zip(ground, shade, strict=True)) >= 25
    assert (sum(shade) > sum(ground)) == (text_colour_on(ink) is ColourRole.WHITE), "dark colours have lighter stripes"
    colours = {colour for _, colour in paint(Box(ROOM, ink, is_striped=True), theme=theme).getcolors() or ()}
    assert {ground, shade} <= colours


@each_case("bold", [False, True])
@each_case("align", Align)
@each_case("text", ["120", "Hg", "first to 100"])
def test_a_text_covers_its_stated_bounds(text: str, align: Align, bold: bool) -> None:
    label = Label(text, ROOM, ColourRole.SURFACE_TEXT, 32, align, bold)
    changed = ImageChops.difference(paint(label), paint()).getbbox()
    assert changed is not None
    extent = text_bounds_of(label)
    assert ROOM.contains(extent)
    assert extent.contains(Rect(changed[0], changed[1], changed[2] - changed[0], changed[3] - changed[1]))
    # Beside a sign there is some air, above and below none.
    assert changed[0] - extent.x <= 6 >= extent.right - changed[2]
    assert changed[1] - extent.y <= 2 >= extent.bottom - changed[3]


def test_the_font_has_the_characters_of_labels() -> None:
    assert all(has_glyph(sign) for sign in "abcxyzABCXYZ0123456789+-/.,:;!?()% ")
    assert not any(has_glyph(sign) for sign in "★美✓")
