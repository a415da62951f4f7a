"""Symbols are shown as the bot's own emoji where Discord shows emoji, and nowhere else."""

from collections.abc import Iterator
from pathlib import Path

import pytest

import bot
from bot.app.bootstrap import symbols_of
from bot.platform.discord.content import Button, MessageContent
from bot.platform.discord.emoji import OWN_EMOJI, Emoji, OwnEmoji
from bot.platform.discord.menus import SelectMenu, SelectOption
from bot.tables.registry import AnyPackage
from bot.tables.shown.links import escape_name, sanitize_name
from tests.support.each_case import each_case
from tests.support.games import load_games_once

ID = 1234567890123456789
SYMBOLS = {"⚅": "die_6", "🔴": "red", "▲": "triangle", "🔴▲": "red_triangle", "⚔️": "sword"}
EMOJI = {symbol: Emoji(name, ID) for symbol, name in SYMBOLS.items()}

HOST = [Path(bot.__file__).parent / room for room in ("features", "platform", "tables")]
ALL_SYMBOLS = [symbol.text for symbol in symbols_of(load_games_once())]
PERSON = sanitize_name(" ⚔️ Max`⚅`🔴▲")

EMBED = {
    "title": "⚅ a title",
    "description": "rolled ⚅",
    "fields": [{"name": "⚅ a name", "value": "has ⚅", "inline": False}],
    "footer": {"text": "⚅ a footer"},
}


def mark(name: str) -> str:
    return f"<:{name}:{ID}>"


@pytest.fixture
def own() -> OwnEmoji:
    emoji = OwnEmoji()
    emoji.use(EMOJI)
    return emoji


@pytest.fixture
def in_use() -> Iterator[None]:
    OWN_EMOJI.use(EMOJI)
    yield
    OWN_EMOJI.forget()


@each_case(
    "text, shown",
    [
        ("no symbols", "no symbols"),
        ("⚅⚅ twice", f"{mark('die_6')}{mark('die_6')} twice"),
        ("🔴▲ is one, 🔴 ▲ are two", f"{mark('red_triangle')} is one, {mark('red')} {mark('triangle')} are two"),
        ("with ⚔️ and without ⚔ variation", f"with {mark('sword')} and without {mark('sword')} variation"),
        ("others stay: 🎲 → ▶", "others stay: 🎲 → ▶"),
        ("`⚅` is code, ⚅ is not", f"`⚅` is code, {mark('die_6')} is not"),
        (r"a \` that someone typed, ⚅, another \`", rf"a \` that someone typed, {mark('die_6')}, another \`"),
        (f"{PERSON} rolled ⚅, {PERSON} ⚔️", f"{PERSON} rolled {mark('die_6')}, {PERSON} {mark('sword')}"),
        (f"⚅ {PERSON[:-2]}…\n⚅", f"{mark('die_6')} {PERSON[:-2]}…\n{mark('die_6')}"),
        ("first line\n```\n⚅\n```", "first line\n```\n⚅\n```"),
        ("two lines: ⚅\n⚅", f"two lines: {mark('die_6')}\n{mark('die_6')}"),
    ],
)
def test_texts_of_embeds_show_emoji(own: OwnEmoji, text: str, shown: str) -> None:
    assert own.in_embed({"description": text})["description"] == shown


@each_case("symbol", ALL_SYMBOLS)
def test_every_symbol_stays_in_a_name(symbol: str) -> None:
    emoji = OwnEmoji()
    emoji.use({each: Emoji("own", ID) for each in ALL_SYMBOLS})
    name = escape_name(f"{symbol} Robin {symbol}")
    assert emoji.in_text(f"**{name}** has {symbol}") == f"**{name}** has {mark('own')}"


@each_case("package", load_games_once().values())
def test_symbols_of_a_game_are_in_no_text_of_the_host(package: AnyPackage) -> None:
    texts = "".join(path.read_text(encoding="utf-8") for room in HOST for path in room.rglob("*.py"))
    assert not [symbol.text for symbol in package.look.symbols if symbol.text in texts]


@each_case(
    "label, words, emoji",
    [
        ("⚅ 6", "6", "die_6"),
        ("🔴▲ red triangle", "red triangle", "red_triangle"),
        ("⚔ 4", "4", "sword"),
        ("✓ ⚔️ 4", "✓ 4", "sword"),
        ("⚅ Keep ⚅", "⚅ Keep ⚅", None),
        ("Keep ⚅", "Keep ⚅", None),
        ("Roll", "Roll", None),
        (f"{PERSON} wins", f"{PERSON} wins", None),
        (f"⚅ {PERSON}", PERSON, "die_6"),
        (f"⚅ {PERSON} ⚅", f"⚅ {PERSON} ⚅", None),
    ],
)
def test_the_leading_symbol_of_a_label_is_its_emoji(own: OwnEmoji, label: str, words: str, emoji: str | None) -> None:
    picture = {} if emoji is None else {"emoji": {"id": str(ID), "name": emoji}}
    assert own.in_label(label) == {"label": words, **picture}


def test_a_label_that_is_a_symbol_is_an_emoji_alone_on_a_button(own: OwnEmoji) -> None:
    assert own.in_label("⚅") == {"emoji": {"id": str(ID), "name": "die_6"}}


@each_case(
    "embed",
    [
        {"description": "⚅" * 200},
        {"description": "x", "fields": [{"name": "n", "value": "⚅" * 40}]},
        {"description": "x", "fields": [{"name": "n", "value": "⚅" * 30}] * 8},
    ],
)
def test_an_embed_that_would_be_too_long_keeps_its_symbols(own: OwnEmoji, embed: dict[str, object]) -> None:
    assert own.in_embed(embed) == embed


@pytest.mark.usefixtures("in_use")
def test_titles_names_footers_and_placeholders_stay_as_they_are() -> None:
    content = MessageContent(EMBED, menus=(SelectMenu("⚅ choose", "c:1", (SelectOption("⚅ 6", "6", "⚅ text"),)),))
    shown = content.embed_json()
    assert (shown["title"], shown["footer"]) == (EMBED["title"], EMBED["footer"])
    assert shown["description"] == f"rolled {mark('die_6')}"
    assert shown["fields"] == [{"name": "⚅ a name", "value": f"has {mark('die_6')}", "inline": False}]
    ((menu,),) = (row["components"] for row in content.components())
    picture = {"id": str(ID), "name": "die_6"}
    option = {"label": "6", "value": "6", "description": "⚅ text", "default": False, "emoji": picture}
    assert (menu["placeholder"], menu["options"]) == ("⚅ choose", [option])


def test_without_emoji_everything_stays_as_it_is() -> None:
    content = MessageContent(EMBED, ((Button("⚅ 6", "c:1"),),))
    assert content.embed_json() == EMBED
    assert content.components()[0]["components"] == [{"type": 2, "style": 2, "label": "⚅ 6", "custom_id": "c:1"}]


def test_forgotten_emoji_are_not_shown_any_more(own: OwnEmoji) -> None:
    assert own.in_label("⚅ 6") != {"label": "⚅ 6"}
    assert own.forget()
    assert (own.in_label("⚅ 6"), own.in_embed(EMBED)) == ({"label": "⚅ 6"}, EMBED)
    assert not own.forget()
