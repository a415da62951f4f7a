"""The art of symbols, as Discord takes it for emoji."""

from collections.abc import Callable
from io import BytesIO

import pytest
from PIL import Image

from bot.app.bootstrap import symbols_of
from bot.pictures.symbols import SymbolPainter
from bot.platform.content import DATA
from bot.rules.picture import SYMBOL_AREA, SYMBOL_NAME, Label
from tests.support.each_case import each_case
from tests.support.games import load_games_once

SYMBOLS = symbols_of(load_games_once())
MAX_BYTES = 256 * 1024


def test_names_and_texts_are_unique_among_all_games() -> None:
    assert all(SYMBOL_NAME.fullmatch(each.name) for each in SYMBOLS)
    assert len({each.name for each in SYMBOLS}) == len({each.text for each in SYMBOLS}) == len(SYMBOLS)


def test_every_symbol_is_drawn_in_a_square_with_a_transparent_ground() -> None:
    painter, files = SymbolPainter(DATA), set()
    for symbol in SYMBOLS:
        file = painter.draw(symbol)
        files.add(file)
        with Image.open(BytesIO(file)) as image:
            assert image.size == SYMBOL_AREA[2:], symbol.name
            least, most = image.convert("RGBA").getchannel("A").getextrema()
            assert getattr(image, "n_frames", 1) == 1 + len(symbol.more_looks)
            assert (least, most) == (0, 255), symbol.name
        assert len(file) <= MAX_BYTES
    assert len(files) == len(SYMBOLS), "no two look alike"


def test_a_digest_depends_on_the_art_and_the_layout() -> None:
    painter, other = SymbolPainter(DATA), SymbolPainter(DATA)
    digests = [painter.digest(each) for each in SYMBOLS]
    assert len(set(digests)) == len(SYMBOLS)
    assert digests == [other.digest(each) for each in SYMBOLS]


@each_case("what, other", [("colour_of", lambda _theme, _role: (1, 2, 3)), ("font_file", lambda bold: b"%d" % bold)])
def test_a_digest_depends_on_the_colour_and_the_font_of_a_number(what: str, other: Callable[..., object]) -> None:
    painter = SymbolPainter(DATA)
    numbered = [each for each in SYMBOLS if any(isinstance(mark, Label) for mark in each.marks)]
    before = [painter.digest(each) for each in numbered]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(f"bot.pictures.symbols.{what}", other)
        after = [painter.digest(each) for each in numbered]
    assert before
    assert not set(before) & set(after)
