"""Names of people are shown as typed and do nothing; links lead to the table."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from babel import Locale

from bot.languages import ENGLISH, Language, speaking
from bot.platform.catalogues import Catalogues
from bot.platform.places import Location
from bot.rules.direction import runs_left
from bot.rules.screen import MAX_TITLE_LENGTH
from bot.tables.model import Occupant
from bot.tables.schema import DELETED_NAME, FORMER_NAME
from bot.tables.shown.links import (
    escape_name,
    escaped_seat_names,
    fit_title,
    nameplates_of,
    sanitize_name,
    shorten_names,
    table_link,
)
from bot.words import gettext
from tests.support.each_case import each_case
from tests.support.fakes import make_table
from tests.support.languages import add_languages

_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_INVISIBLE = "\u200b\u2060\ufeff\u2068\u2069"

NAMES = [
    "Robin",
    "ˢᵒᵖʰⁱᵃ 🐦",
    "*bold*",
    "**",
    "_under_",
    "__",
    "~~struck~~",
    "`code`",
    "```",
    "||spoiler||",
    "\\",
    "\\*",
    "a\\",
    "> quoted",
    ">>> quoted",
    "# heading",
    "### heading",
    "-# small",
    "- item",
    "[text](http://example.org)",
    "[*](http://x)",
    "[**](<http://x>)",
    "https://example.org/_a_*b*",
    "http://x/**",
    "<https://a/**>",
    "@everyone",
    "@here",
    "<@123456789012345678>",
    "<@!123456789012345678>",
    "<@&123456789012345678>",
    "<#123456789012345678>",
    "<:wave:123456789012345678>",
    "<a:wave:123456789012345678>",
    "<t:0:R>",
    "</help:123456789012345678>",
    "<id:customize>",
    "{name}",
    "%s {0}",
    "שלום 7",
    "*نرگس*",
]


def unescaped(text: str) -> str:
    """What is left for Discord to interpret: the text without its escaped characters."""
    return _ESCAPED.sub("", text)


def as_shown(text: str) -> str:
    """What people see."""
    shown = _ESCAPED.sub(r"\1", text)
    return "".join(sign for sign in shown if sign not in _INVISIBLE)


@each_case("name", NAMES)
def test_a_name_is_shown_as_typed(name: str) -> None:
    assert as_shown(escape_name(name)) == name


@each_case("name", NAMES)
def test_a_name_changes_no_formatting(name: str) -> None:
    left = unescaped(escape_name(name))
    assert not re.search(r"[*_~`|\\]", left)
    assert not re.search(r"\[.*\]\(", left)
    assert not re.match(r"#{1,3} |-|>", escape_name(name)), "these mean something at the start of a line"


@each_case("name", NAMES)
def test_a_name_mentions_no_user_role_or_channel(name: str) -> None:
    left = unescaped(escape_name(name))
    assert "@everyone" not in left
    assert "@here" not in left
    assert not re.search(r"<(@[!&]?\d|#\d|a?:|t:|/|id:)[^>]*>", left)


@each_case("name", NAMES)
def test_a_name_is_no_link(name: str) -> None:
    assert not re.search(r"https?://\S", unescaped(escape_name(name)))


@each_case("name", ["שלום", "نرگس 5", "Robin ש"])
def test_a_right_to_left_name_keeps_the_figures_around_it_in_place(name: str) -> None:
    assert escape_name(name) == f"\u2068{name}\u2069"


def test_every_name_is_isolated_in_a_language_that_is_written_from_right_to_left() -> None:
    table = make_table()
    assert escaped_seat_names(table)[0] == "Robin"
    with speaking(Language("he", Locale("he"), ENGLISH.catalogue)):
        assert escaped_seat_names(table)[0] == "\u2068Robin\u2069"


@each_case("name", ["★ Robin", "👑", "Wren 🏴\u200d☠️", "💀ש"])
def test_a_name_with_symbols_is_isolated_so_that_they_stay(name: str) -> None:
    assert escape_name(name) == sanitize_name(name) == f"\u2068{name}\u2069"


def test_a_deleted_name_is_replaced_in_the_language_that_is_spoken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = {DELETED_NAME: {"de": "Gelöschte Person"}, FORMER_NAME: {"de": "Frühere Person"}}
    with speaking(add_languages(monkeypatch, tmp_path, texts).find("de")):
        assert escape_name(DELETED_NAME) == "Gelöschte Person"
        assert shorten_names((FORMER_NAME, "Robin")) == ("Frühere", "Robin")
    assert escape_name(DELETED_NAME) == gettext(DELETED_NAME)


@each_case("sign", "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
def test_a_name_cannot_reverse_text(sign: str) -> None:
    assert escape_name(f"{sign}Ro{sign}bin{sign}") == "Robin"
    assert escape_name(f"{sign}ש{sign}") == "\u2068ש\u2069"


@each_case("name", ["", "   ", "\u202e\u2066\u2069", "\u200b\u200d\ufe0f", "\u3164\u2800", "\u00ad \u0301"])
def test_an_invisible_name_is_replaced_by_a_word(name: str) -> None:
    assert escape_name(name) == sanitize_name(name) == gettext("Someone")


@each_case("name", [".", "\u3164x", "נ", "🐦", "١", "\U0010ffff"])
def test_a_partly_visible_name_is_kept(name: str) -> None:
    assert name in sanitize_name(name)


def test_a_letter_of_a_name_has_a_few_marks() -> None:
    assert escape_name("Z" + "\u0300\u0489" * 40 + "oe") == sanitize_name("Z\u0300\u0489\u0300\u0489oe")
    assert sanitize_name("Trần") == "Trần"


def test_without_markdown_a_name_has_no_backslashes() -> None:
    assert sanitize_name("*Robin*") == "*Robin*"
    assert sanitize_name("\u202e*שלום*") == "\u2068*שלום*\u2069"


def test_the_names_of_a_table_are_escaped() -> None:
    table = make_table()
    table = replace(table, seats=(replace(table.seats[0], name="*Robin*"), *table.seats[1:]))
    assert escaped_seat_names(table) == (r"\*Robin\*", "Wren", "Jay")


@each_case(
    "names, shown",
    [
        ("Robin Hartley|Al", "Robin|Al"),
        ("The Great Bambino|Wren", "The Great|Wren"),
        ("Mr Maximilianson|Wren", "Mr Maximili…|Wren"),
        ("xX_DragonSlayer_Xx|Wren", "xX_DragonS…|Wren"),
        ("Robin Hartley|Robin Harper|Robin Hood", "Robin Hartl…|Robin Harper|Robin Hood"),
        ("龙猫和小魔女宅急便|Wren", "龙猫和小魔…|Wren"),
        ("Z\u0300\u0301\u0302\u0303\u0304\u0305\u0306\u0307\u0308\u0309ed|Wren",) * 2,
        ("Christopherus|Wren|Jay|Vesper", "Christoph…|Wren|Jay|Vesper"),
        ("WILHELMINA MOWBRAY|Wren|Jay|Al", "WILHEL…|Wren|Jay|Al"),
        ("WILMA MOWBRAY|Wren|Jay|Al", "WILMA|Wren|Jay|Al"),
        ("🎲🎲🎲🎲🎲🎲🎲|Wren", "🎲🎲🎲🎲🎲…|Wren"),
        ("Robin👨\u200d👩\u200d👧👨\u200d👩\u200d👧|Wren", "Robin👨\u200d👩\u200d👧…|Wren"),
        ("Christopher👍🏽x|Wren", "Christopher…|Wren"),
    ],
)
def test_long_names_are_shortened_and_stay_different(names: str, shown: str) -> None:
    assert shorten_names(tuple(names.split("|"))) == tuple(shown.split("|"))


@each_case("name", ["Wren_of_the_Hill", "Maximilian Q", "_" * 12, "🐦🐦🐦 Wren_of_the_Hill 🐦"])
def test_a_name_that_is_shortened_in_a_title_stays_isolated_and_escaped(name: str) -> None:
    for code in Catalogues().codes:
        language = Catalogues().find(code)
        with speaking(language):
            escaped = f"{escape_name(name)} 🤖"
            title = gettext("{name}, roll to beat {score}").format(name=escaped, score="1,235")
            for most in range(MAX_TITLE_LENGTH + 1):
                fitted = fit_title(title, (escaped,), most)
                assert fitted.count("\u2068") == fitted.count("\u2069")
                assert "…" in _ESCAPED.sub("", fitted) or fitted == title
                assert runs_left(fitted) == language.runs_left


def test_escapes_take_no_room_in_a_title() -> None:
    assert fit_title(r"Wren\_of\_it, roll", (r"Wren\_of\_it",), 16) == r"Wren\_of\_it, roll"
    assert fit_title(r"Wren\_of\_it, roll", (r"Wren\_of\_it",), 15) == r"Wren\_of\_…, roll"


@each_case(
    "location, message_id, link",
    [
        (Location(3, 70), 9, "https://discord.com/channels/3/70/9"),
        (Location(3, 70), None, "https://discord.com/channels/3/70"),
        (Location(None, 70), 9, "https://discord.com/channels/@me/70/9"),
        (Location(None, 70), None, "https://discord.com/channels/@me/70"),
    ],
)
def test_a_link_leads_to_the_message_or_to_its_channel(location: Location, message_id: int | None, link: str) -> None:
    assert table_link(make_table(location=location, message_id=message_id)) == link


@each_case("name, drawn", [("W" * 16, "W" * 16), ("W" * 17, "W" * 15 + "…"), ("Maximiliane Hofe", "Maximiliane Hofe")])
def test_pictures_get_names_of_16_letters_whole_however_wide(name: str, drawn: str) -> None:
    table = make_table(Occupant(name=name, user_id=1), Occupant(name="Bo", user_id=2))
    assert [each.name for each in nameplates_of(table)] == [drawn, "Bo"]
