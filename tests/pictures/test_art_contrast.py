"""Art contrasts with what it lies on: with most of itself, or with an outline."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import reduce
from itertools import compress

from PIL import Image, ImageChops

from bot.pictures.themes import Colour, colour_of
from bot.rules.picture import COVER_SIZE, ColourRole, Rect, Sprite, Theme
from tests.pictures.golden import games, make_painter, make_picture
from tests.pictures.test_themes import VISIBLE, contrast
from tests.support.each_case import each_case
from tests.support.picture_checks import load_art

MOST, OUTLINE = 0.5, 0.1
"""Shares of a piece."""

HALF_COVER = COVER_SIZE[0] // 2, COVER_SIZE[1] // 2

CHANGED = 24
"""By how much a pixel of 255 differs where a piece covers it, not only its smooth edge."""

CHANGE_ICONS = ("change/space-", "change/corner-")

PIECES = [f"token-{seat}" for seat in range(1, 7)] + [f"change/marker-{seat}" for seat in range(1, 7)]


def visible_share(under: Image.Image, over: Image.Image) -> float:
    """Return the share of a piece that contrasts with what it covers."""
    assert under.size == over.size
    covered = ImageChops.difference(under.convert("RGB"), over.convert("RGB")).split()
    where = reduce(ImageChops.lighter, covered).point(lambda changed: 255 if changed > CHANGED else 0)
    pairs = Counter(zip(pixels(under, where), pixels(over, where), strict=True))
    return sum(pairs[below, above] for below, above in pairs if contrast(below, above) >= VISIBLE) / max(
        1, pairs.total()
    )


def pixels(image: Image.Image, where: Image.Image) -> Iterator[Colour]:
    """Return the colours of the pixels that a mask shows."""
    channels = (compress(channel.tobytes(), where.tobytes()) for channel in image.convert("RGB").split())
    return zip(*channels, strict=True)


@each_case("theme", Theme)
def test_the_icons_of_the_spaces_of_change_are_visible(theme: Theme) -> None:
    picture = replace(make_picture("change", "start"), marks=())
    icons = [mark for mark in picture.backdrop if isinstance(mark, Sprite) and mark.name.startswith(CHANGE_ICONS)]
    without = replace(picture, backdrop=tuple(mark for mark in picture.backdrop if mark not in icons))
    over, under = make_painter(theme).paint(picture), make_painter(theme).paint(without)
    shares = {icon.name: visible_share(under.crop(corners(icon.at)), over.crop(corners(icon.at))) for icon in icons}
    assert len(shares) > 20
    assert {name: share for name, share in shares.items() if share < MOST} == {}


def corners(at: Rect) -> tuple[int, int, int, int]:
    return at.x, at.y, at.right, at.bottom


@each_case("theme", Theme)
@each_case("piece", ["sun", "moon", "arms"])
def test_the_artifacts_on_the_cover_of_the_magic_bag_are_visible(piece: str, theme: Theme) -> None:
    cover, surface = load_art()["magic_bag/cover"], games()["magic_bag"].look.surface
    without, count = re.subn(rf'<g id="{piece}".*', "", cover.source)
    assert count == 1
    under, over = (
        replace(cover, source=source).draw(theme, None, HALF_COVER, surface) for source in (without, cover.source)
    )
    assert visible_share(under, over) >= OUTLINE


@each_case("theme", Theme)
@each_case("name", PIECES)
def test_the_pieces_of_seats_are_visible_on_paper_and_on_all_surfaces(name: str, theme: Theme) -> None:
    piece = load_art()[name].draw(theme, None, (32, 32))
    for package in games().values():
        for role in (ColourRole.PAPER, ColourRole.PAPER_SHADE, ColourRole.SURFACE, ColourRole.SURFACE_SHADE):
            under = Image.new("RGB", piece.size, colour_of(theme, role, package.look.surface))
            over = under.copy()
            over.paste(piece, (0, 0), piece)
            assert visible_share(under, over) >= OUTLINE, (role, package.game.info.key)
