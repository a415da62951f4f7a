"""Images in the colours of a palette; PNG files in bands, read strictly, chunk by chunk, and as Pillow reads them."""

import runpy
import struct
import sys
import zlib
from collections.abc import Iterator
from io import BytesIO

import pytest
from PIL import Image, ImageDraw

from bot.pictures import encoding
from bot.pictures.encoding import Band, add_filter_bytes, assemble_png, encode_bands, to_indices
from bot.pictures.themes import colour_of, palette_colours
from bot.rules.picture import ColourRole, Theme
from tests.support.each_case import each_case

COLOURS = (ColourRole.PAPER, ColourRole.RED, ColourRole.MARK)


def draw(size: tuple[int, int], theme: Theme) -> Image.Image:
    """Draw something that looks different in every line and column."""
    image = Image.new("RGB", size, colour_of(theme, ColourRole.SURFACE))
    pen = ImageDraw.Draw(image)
    for place in range(0, max(size), 3):
        ink = COLOURS[place % len(COLOURS)]
        pen.line((place, 0, 0, 2 * place), fill=colour_of(theme, ink))
    return image


def encode(image: Image.Image, height: int, theme: Theme) -> list[Band]:
    return list(encode_bands(add_filter_bytes(to_indices(image, theme)), height))


def encode_in_bands(image: Image.Image, height: int, theme: Theme) -> bytes:
    return assemble_png(image.size, encode(image, height, theme), theme)


def chunks(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Yield the kinds and contents of all chunks; fail where the format is not kept."""
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at = 8
    while at < len(data):
        length, kind = struct.unpack_from(">I4s", data, at)
        content, (checksum,) = data[at + 8 : at + 8 + length], struct.unpack_from(">I", data, at + 8 + length)
        assert checksum == zlib.crc32(kind + content)
        yield kind, content
        at += 12 + length
    assert at == len(data)


def decode_lines(data: bytes, size: tuple[int, int]) -> bytes:
    """Return the lines in a file, which holds nothing but them and what must stand before and after."""
    found = list(chunks(data))
    kinds = [kind for kind, _ in found]
    assert kinds == [b"IHDR", b"PLTE", *[b"IDAT"] * (len(found) - 3), b"IEND"]
    assert found[0][1] == struct.pack(">IIBBBBB", *size, 8, 3, 0, 0, 0)
    assert found[-1][1] == b""
    unpacking = zlib.decompressobj()
    # It compares the checksum at the end.
    lines = unpacking.decompress(b"".join(content for kind, content in found if kind == b"IDAT"))
    assert unpacking.eof
    assert unpacking.unused_data == b""
    return lines


@each_case("theme", Theme)
@each_case("size, height", [((90, 64), 32), ((90, 70), 32), ((90, 7), 32), ((1, 1), 1), ((1000, 700), 7)])
def test_a_file_in_bands_is_valid_and_shows_the_image(size: tuple[int, int], height: int, theme: Theme) -> None:
    image = draw(size, theme)
    data = encode_in_bands(image, height, theme)
    lines = decode_lines(data, size)
    assert len(lines) == size[1] * (size[0] + 1)
    assert set(lines[:: size[0] + 1]) == {0}
    with Image.open(BytesIO(data)) as whole:
        whole.verify()
    with Image.open(BytesIO(data)) as read:
        assert (read.mode, read.size) == ("P", size)
        assert read.convert("RGB").tobytes() == image.tobytes()


@each_case("theme", Theme)
def test_the_palette_is_that_of_the_theme(theme: Theme) -> None:
    palette = dict(chunks(encode_in_bands(draw((40, 40), theme), 32, theme)))[b"PLTE"]
    assert palette == bytes(part for colour in palette_colours(theme) for part in colour)


def test_bands_can_be_in_any_place() -> None:
    image = draw((90, 96), Theme.STANDARD)
    one, two, three = encode(image, 32, Theme.STANDARD)
    with Image.open(BytesIO(assemble_png((90, 128), (three, one, one, two), Theme.STANDARD))) as read:
        shown = read.convert("RGB")
    for place, top in enumerate((64, 0, 0, 32)):
        band = shown.crop((0, 32 * place, 90, 32 * place + 32))
        assert band.tobytes() == image.crop((0, top, 90, top + 32)).tobytes()


def test_the_module_loads_without_isa_l(monkeypatch: pytest.MonkeyPatch) -> None:
    assert encoding.is_available()
    monkeypatch.setitem(sys.modules, "isal", None)
    assert runpy.run_path(encoding.__file__)["is_available"]() is False


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
