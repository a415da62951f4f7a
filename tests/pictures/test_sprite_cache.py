"""The sprite cache: art becomes bitmaps once, which stay on disk for the next start."""

import errno
import logging
import re
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import cast

import pytest
from PIL import Image, ImageChops

from bot.pictures import sprite_cache
from bot.pictures.art import ArtFile, BrokenArt, read_art
from bot.pictures.encoding import to_indexed
from bot.pictures.sprite_cache import SpriteCache
from bot.pictures.themes import colour_of
from bot.platform.content import DATA
from bot.rules.picture import FELT, ColourRole, Rect, Sprite, Surface, Theme
from tests.support.games import load_games_once

SQUARE = """<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20" viewBox="0 0 40 20">
<rect width="20" height="20" fill="var(--gold)"/><rect x="20" width="20" height="20" fill="currentColor"/></svg>"""
PLAIN = SQUARE.replace("currentColor", "var(--red)")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    for folder, name, source in (("art", "square", SQUARE), ("art", "plain", PLAIN), ("fortune/art", "plain", PLAIN)):
        (tmp_path / "data" / folder).mkdir(parents=True, exist_ok=True)
        (tmp_path / "data" / folder / f"{name}.svg").write_text(source)
    return tmp_path / "data"


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Record the art that resvg draws."""
    noted: list[str] = []
    draw = ArtFile.draw_png

    def note(self: ArtFile, theme: Theme, ink: ColourRole | None, *, surface: Surface) -> bytes:
        noted.append(self.name)
        return draw(self, theme, ink, surface=surface)

    monkeypatch.setattr(ArtFile, "draw_png", note)
    return noted


def make_sprite(name: str, ink: ColourRole | None = None, size: tuple[int, int] = (40, 20), turn: int = 0) -> Sprite:
    return Sprite(name, Rect(0, 0, *size), ink, turn)


def pixel(image: Image.Image, x: int, y: int) -> object:
    return image.getpixel((x, y))


def test_the_name_of_art_starts_with_its_game(data: Path) -> None:
    assert sorted(read_art(data)) == ["fortune/plain", "plain", "square"]


def test_sprites_have_the_colours_of_theme_and_caller(data: Path) -> None:
    for theme in Theme:
        bitmap = SpriteCache(read_art(data), theme, None).bitmap(make_sprite("square", ColourRole.BLUE))
        assert pixel(bitmap, 10, 10) == (*colour_of(theme, ColourRole.GOLD), 255)
        assert pixel(bitmap, 30, 10) == (*colour_of(theme, ColourRole.BLUE), 255)


def test_without_a_colour_role_a_sprite_is_paper(data: Path) -> None:
    bitmap = SpriteCache(read_art(data), Theme.STANDARD, None).bitmap(make_sprite("square"))
    assert pixel(bitmap, 30, 10) == (*colour_of(Theme.STANDARD, ColourRole.PAPER), 255)


def test_sprites_are_fitted_and_turned_clockwise(data: Path) -> None:
    sprites = SpriteCache(read_art(data), Theme.STANDARD, None)
    gold, red = ((*colour_of(Theme.STANDARD, ink), 255) for ink in (ColourRole.GOLD, ColourRole.RED))
    smaller = sprites.bitmap(make_sprite("plain", size=(20, 10)))
    assert (smaller.size, pixel(smaller, 3, 5), pixel(smaller, 16, 5)) == ((20, 10), gold, red)
    upright = sprites.bitmap(make_sprite("plain", turn=90))
    assert (upright.size, pixel(upright, 10, 3), pixel(upright, 10, 36)) == ((20, 40), gold, red)
    tilted = sprites.bitmap(make_sprite("plain", turn=45))
    assert len(tilted.getcolors() or ()) > 3, "the colours blend where they meet"


def test_the_second_start_draws_no_sprites(data: Path, tmp_path: Path, drawn: list[str]) -> None:
    for _ in range(2):
        sprites = SpriteCache(read_art(data), Theme.STANDARD, tmp_path / "cache")
        sprites.prepare()
        first = sprites.bitmap(make_sprite("plain"))
        assert pixel(first, 30, 10) == (*colour_of(Theme.STANDARD, ColourRole.RED), 255)
    assert sorted(drawn) == ["fortune/plain", "plain", "square"]


def test_the_art_of_a_game_is_prepared_in_the_colours_of_its_surface(
    data: Path, tmp_path: Path, drawn: list[str]
) -> None:
    (data / "fortune" / "art" / "sea.svg").write_text(PLAIN.replace("red", "surface"))
    blue = FELT._replace(standard=FELT.standard._replace(base="#000080"))
    for _ in range(2):
        sprites = SpriteCache(read_art(data), Theme.STANDARD, tmp_path / "cache", {"fortune": blue})
        sprites.prepare()
        assert len(drawn) == 4
        assert pixel(sprites.bitmap(make_sprite("fortune/sea"), blue), 30, 10) == (0, 0, 128, 255)
        assert len(drawn) == 4
    other = SpriteCache(read_art(data), Theme.STANDARD, tmp_path / "cache", {"fortune": FELT})
    other.bitmap(make_sprite("plain"))
    assert drawn[4:] == ["plain"], "another surface, so all is drawn again; a picture waits only for its own art"
    other.prepare()
    assert sorted(drawn[4:]) == sorted(drawn[:4])


@pytest.mark.parametrize("theme", Theme)
def test_prepared_scenery_looks_like_its_pictures_and_covers_keep_all_colours(theme: Theme) -> None:
    surface = load_games_once()["fortune"].look.surface
    wanted = ("die", "fortune/scene-storm", "fortune/cover")
    art = {name: piece for name, piece in read_art(DATA).items() if name in wanted}
    cache = SpriteCache(art, theme, None, {"fortune": surface})
    cache.prepare()

    def kept_and_drawn(name: str) -> tuple[Image.Image, Image.Image]:
        kept = cache.bitmap(make_sprite(name, size=art[name].size), surface)
        return kept.convert("RGB"), art[name].draw(theme, None, surface=surface).convert("RGB")

    kept, drawn = kept_and_drawn("fortune/scene-storm")
    assert kept.getcolors() is not None, "it has the colours of a palette"
    shown = [to_indexed(each, theme, surface).convert("L") for each in (kept, drawn)]
    assert cast(tuple[int, int], ImageChops.difference(*shown).getextrema())[1] <= 4
    assert ImageChops.difference(*kept_and_drawn("fortune/cover")).getbbox() is None


def test_each_theme_has_its_own_file(data: Path, tmp_path: Path) -> None:
    for theme in Theme:
        SpriteCache(read_art(data), theme, tmp_path).prepare()
    assert sorted(path.name.split("-")[0] for path in tmp_path.glob("*.zip")) == ["dark", "high_contrast", "standard"]


def test_changed_art_is_drawn_again_and_the_old_file_deleted(data: Path, tmp_path: Path, drawn: list[str]) -> None:
    SpriteCache(read_art(data), Theme.STANDARD, tmp_path).prepare()
    (before,) = tmp_path.glob("*.zip")
    (data / "art" / "plain.svg").write_text(PLAIN.replace("red", "blue"))
    sprites = SpriteCache(read_art(data), Theme.STANDARD, tmp_path)
    assert pixel(sprites.bitmap(make_sprite("plain")), 30, 10) == (*colour_of(Theme.STANDARD, ColourRole.BLUE), 255)
    sprites.prepare()
    (after,) = tmp_path.glob("*.zip")
    assert after != before
    assert len(drawn) == 6


def test_an_old_file_that_another_process_deletes_first_is_no_problem(
    data: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    art = read_art(data)
    monkeypatch.setattr(Path, "glob", lambda folder, _pattern: [folder / "standard-gone.zip"])
    SpriteCache(art, Theme.STANDARD, tmp_path).prepare()
    assert caplog.records == []


def test_art_is_drawn_again_when_a_colour_of_its_theme_changes(
    data: Path, tmp_path: Path, drawn: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    SpriteCache(read_art(data), Theme.STANDARD, tmp_path).prepare()
    monkeypatch.setattr(sprite_cache, "hex_of", lambda *_: "#123456")
    SpriteCache(read_art(data), Theme.STANDARD, tmp_path).prepare()
    assert len(drawn) == 6


def change_byte(whole: bytes, mark: bytes, at: int, byte: int) -> bytes:
    """Return a file with one other byte after the last mark."""
    place = whole.rindex(mark) + at
    return whole[:place] + bytes([byte]) + whole[place + 1 :]


ENTRY = b"PK\x01\x02"


@pytest.mark.parametrize(
    "spoil",
    [
        lambda _: b"",
        lambda whole: whole[:-30],
        lambda _: b"no archive at all" * 20,
        lambda whole: change_byte(whole, ENTRY, 6, 255),
        lambda whole: change_byte(whole, ENTRY, 8, 1),
        lambda whole: change_byte(whole, ENTRY, 10, 99),
    ],
    ids=["empty", "cut off", "no archive", "of a later version", "encrypted", "packed otherwise"],
)
def test_a_damaged_file_is_drawn_again_and_logged_once(
    data: Path, tmp_path: Path, spoil: Callable[[bytes], bytes], caplog: pytest.LogCaptureFixture
) -> None:
    SpriteCache(read_art(data), Theme.STANDARD, tmp_path).prepare()
    (file,) = tmp_path.glob("*.zip")
    whole = file.read_bytes()
    file.write_bytes(spoil(whole))
    sprites = SpriteCache(read_art(data), Theme.STANDARD, tmp_path)
    assert sprites.bitmap(make_sprite("plain")).size == (40, 20)
    sprites.prepare()
    assert [record.levelno for record in caplog.records] == [logging.WARNING]
    assert "can't be read and is drawn again" in caplog.text
    caplog.clear()
    SpriteCache(read_art(data), Theme.STANDARD, tmp_path).prepare()
    assert caplog.records == []


def test_without_a_writable_folder_everything_is_drawn_in_memory(
    data: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "cache").write_text("a file where the folder should be")
    sprites = SpriteCache(read_art(data), Theme.STANDARD, tmp_path / "cache")
    sprites.prepare()
    assert sprites.bitmap(make_sprite("plain")).size == (40, 20)
    assert "can't be saved" in caplog.text


def test_a_full_disk_leaves_no_partial_file(
    data: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(zipfile.ZipFile, "writestr", full)
    sprites = SpriteCache(read_art(data), Theme.STANDARD, tmp_path / "cache")
    sprites.prepare()
    assert sprites.bitmap(make_sprite("plain")).size == (40, 20)
    assert list((tmp_path / "cache").iterdir()) == []
    assert "No space left" in caplog.text


def test_the_bitmaps_used_last_stay_cached(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sprite_cache, "MAX_PIXELS", 1600)
    sprites = SpriteCache(read_art(data), Theme.STANDARD, None)
    plain = sprites.bitmap(make_sprite("plain"))
    square = sprites.bitmap(make_sprite("square"))
    assert sprites.bitmap(make_sprite("plain")) is plain
    sprites.bitmap(make_sprite("fortune/plain"))
    assert sprites.bitmap(make_sprite("plain")) is plain
    assert sprites.bitmap(make_sprite("square")) is not square


@pytest.mark.parametrize(
    "other",
    [
        make_sprite("plain", ColourRole.BLUE),
        make_sprite("square", ColourRole.RED),
        make_sprite("square", ColourRole.BLUE, (39, 20)),
        make_sprite("square", ColourRole.BLUE, (40, 19)),
        make_sprite("square", ColourRole.BLUE, turn=180),
    ],
)
def test_different_sprites_never_share_a_bitmap(data: Path, other: Sprite) -> None:
    sprites = SpriteCache(read_art(data), Theme.STANDARD, None)
    first, second = sprites.bitmap(make_sprite("square", ColourRole.BLUE)), sprites.bitmap(other)
    assert (first.size, first.tobytes()) != (second.size, second.tobytes())


@pytest.mark.parametrize(
    ("source", "sentence"),
    [
        ("<svg/>", "odd.svg does not say how wide and how high it is."),
        (SQUARE.replace("--gold", "--glitter"), "odd.svg uses unknown colours: glitter."),
    ],
)
def test_broken_art_is_named(data: Path, source: str, sentence: str) -> None:
    (data / "art" / "odd.svg").write_text(source)
    with pytest.raises(BrokenArt, match=re.escape(sentence)):
        read_art(data)


def test_unknown_art_is_named(data: Path) -> None:
    with pytest.raises(BrokenArt, match="There is no art called magpie"):
        SpriteCache(read_art(data), Theme.STANDARD, None).bitmap(make_sprite("magpie"))
