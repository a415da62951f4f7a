"""The games in several languages at once: no text of one reaches another, and longer texts still fit."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel import Locale

from bot.languages import ENGLISH, EnglishTexts, Language, speaking
from bot.pictures.assets import load_assets
from bot.platform.catalogues import Catalogues
from bot.platform.content import DATA
from bot.platform.discord.content import MessageContent
from bot.rules.picture import Label
from bot.tables.registry import AnyPackage
from tests.support.each_case import each_case
from tests.support.games import load_games_once
from tests.ui.game_contents import contents_of, shown_texts, spoken_texts

_HERES, _THERES = "\N{INVISIBLE SEPARATOR}", "\N{INVISIBLE PLUS}"
_ENGLISH_THOUSANDS = re.compile(r"(?<![\d,])\d{1,3},\d{3}(?!\d)")

_MOST_GROWTH = 1.35
_LEAST_SIZE = 0.6
"""How small a label may become for its room."""


class _MarkedTexts(EnglishTexts):
    """English with a mark before each text."""

    def __init__(self, mark: str) -> None:
        super().__init__()
        self._mark = mark

    def gettext(self, message: str) -> str:
        return self._mark + super().gettext(message)


class _LongTexts(EnglishTexts):
    """English in which every text is a third longer: it has more letters at its end, as other languages have."""

    def gettext(self, message: str) -> str:
        text = super().gettext(message)
        return text + "n" * round(len(text) * (_MOST_GROWTH - 1))


_HERE = Language("xa", Locale("en"), _MarkedTexts(_HERES))
_THERE = Language("xb", Locale("de"), _MarkedTexts(_THERES))
_LONG = Language("xl", Locale("en"), _LongTexts())


def _everything_of(package: AnyPackage) -> tuple[str, str]:
    """Return what a game says, and what is written in its pictures."""
    contents = list(contents_of(package))
    pictures = [content.make_picture() for content in contents if content.make_picture is not None]
    drawn = [mark.text for picture in pictures for mark in picture.iter_marks() if isinstance(mark, Label)]
    said = [text for content in contents for text in shown_texts(content)]
    return "\n".join((*said, *spoken_texts(package))), "\n".join(drawn)


@pytest.mark.slow
@pytest.mark.parametrize("key", load_games_once())
def test_two_servers_read_a_game_in_two_languages(key: str) -> None:
    """Whatever is cached, each reads its own texts, and in pictures its own numbers: 1,600 and 1.600."""
    package = load_games_once()[key]
    with speaking(_HERE):
        here, drawn_here = _everything_of(package)
    with speaking(_THERE):
        there, drawn_there = _everything_of(package)
    assert _THERES not in here
    assert _HERES not in there
    assert not _ENGLISH_THOUSANDS.search(drawn_there)
    assert bool(_ENGLISH_THOUSANDS.search(drawn_here)) == (key == "fortune")


@pytest.mark.parametrize("key", load_games_once())
def test_texts_that_are_a_third_longer_fit(key: str) -> None:
    """Discord takes them, and what is written in pictures becomes smaller, but not too small."""
    package, assets, unfit = load_games_once()[key], load_assets(DATA), list[object]()
    with speaking(_LONG):
        for content in contents_of(package):
            unfit += find_excess_of(content)
            picture = None if content.make_picture is None else content.make_picture()
            labels = [mark for mark in (picture.iter_marks() if picture else ()) if isinstance(mark, Label)]
            unfit += [
                label
                for label in labels
                if not label.is_name and assets.text_bounds_of(label).width * _LEAST_SIZE > label.at.width
            ]
    assert unfit == []


def find_excess_of(content: MessageContent) -> Iterator[object]:
    """Yield the texts of a message that are longer than Discord allows."""
    embed = content.text_embed_json
    fields = embed.get("fields") or ()
    for text, most in (
        (embed.get("title"), 256),
        (embed.get("description"), 4096),
        *((field["name"], 256) for field in fields),
        *((field["value"], 1024) for field in fields),
        *((button.label, 80) for row in content.rows for button in row),
        *((menu.placeholder, 150) for menu in content.menus),
        *((option.label, 100) for menu in content.menus for option in menu.options),
        *((option.description, 100) for menu in content.menus for option in menu.options),
    ):
        if len(text or "") > most:
            yield most, text


_HEADER = 'msgid ""\nmsgstr "Plural-Forms: nplurals=3; plural=(n == 1 ? 0 : n < 5 ? 1 : 2);\\n"\n\n'
_POINTS = (
    'msgid "{count} point"\nmsgid_plural "{count} points"\nmsgstr[0] "очко"\nmsgstr[1] "очка"\nmsgstr[2] "очков"\n'
)


@each_case(
    "broken",
    [b'msgid "Play"\nmsgstr "', b'<<<<<<< HEAD\nmsgid "Play"', 'msgid "Ж"'.encode("cp1251")],
)
def test_a_catalogue_that_can_not_be_read_is_left_out(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, broken: bytes
) -> None:
    file = tmp_path / f"{len(broken)}" / "ru.po"
    file.parent.mkdir()
    file.write_bytes(_HEADER.encode() + broken)
    assert Catalogues(file.parent).find("ru") is ENGLISH
    assert "ru.po" in caplog.text


def test_a_file_that_names_no_language_is_left_out(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "xx-yy.po").write_text(_HEADER, encoding="utf-8")
    assert Catalogues(tmp_path).codes == (ENGLISH.code,)
    assert "xx-yy.po" in caplog.text


@each_case("header", [_HEADER, "\ufeff" + _HEADER, "#, fuzzy\n" + _HEADER])
def test_forms_follow_the_header_of_a_catalogue(tmp_path: Path, header: str) -> None:
    folder = tmp_path / str(len(header))
    folder.mkdir()
    (folder / "ru.po").write_text(header + _POINTS, encoding="utf-8")
    texts = Catalogues(folder).find("ru").catalogue
    assert [texts.ngettext("{count} point", "{count} points", number) for number in (1, 2, 5)] == [
        "очко",
        "очка",
        "очков",
    ]


def test_a_form_that_a_catalogue_lacks_is_english(tmp_path: Path) -> None:
    (tmp_path / "ru.po").write_text(_HEADER + _POINTS.replace("msgstr[2]", "#"), encoding="utf-8")
    texts = Catalogues(tmp_path).find("ru").catalogue
    assert texts.ngettext("{count} point", "{count} points", 5) == "{count} points"
