"""Images in the colours of a palette."""

from PIL import Image

from bot.pictures.encoding import to_indices
from bot.pictures.themes import colour_of, palette_colours
from bot.rules.picture import ColourRole, Theme
from tests.support.each_case import each_case


@each_case("theme", Theme)
def test_indices_are_those_of_the_colours_in_the_palette(theme: Theme) -> None:
    paper, red = colour_of(theme, ColourRole.PAPER), colour_of(theme, ColourRole.RED)
    image = Image.new("RGB", (30, 20), paper)
    image.putpixel((7, 3), red)
    indices = to_indices(image, theme)
    assert indices.shape == (20, 30)
    palette = list(palette_colours(theme))
    found = {(x, y): palette[indices[y, x]] for x in range(30) for y in range(20)}
    assert found.pop((7, 3)) == red
    assert set(found.values()) == {paper}
