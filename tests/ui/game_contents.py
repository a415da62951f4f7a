"""What games show, in the language that is spoken now."""

from collections.abc import Iterator
from typing import Any

from bot.features.help.messages import render_guide_page
from bot.platform.discord.content import MessageContent
from bot.rules.picture import Label
from bot.rules.screen import EMPTY_DRAFT
from bot.tables.registry import AnyPackage
from bot.tables.shown.lobby import render_lobby
from bot.tables.shown.message import render_hand
from bot.tables.shown.story import describe_what_happened, seat_names
from bot.tools.showcases import list_showcases
from tests.pictures.golden import find_moments_once
from tests.support.fakes import make_table
from tests.support.moments import longest_tip, table_at
from tests.support.rendering import render_game

_NAMES = ("Robin", "Wren", "Jay", "Linnet", "Heron", "Siskin")


def contents_of(package: AnyPackage) -> Iterator[MessageContent]:
    """Yield the messages of a game: its lobby, typical moments, hands and the pages that explain it."""
    info = package.game.info
    yield render_lobby(make_table(package=package))
    for showcase in list_showcases(package.game.info.key):
        table = table_at(package, showcase, find_moments_once(info.key)[showcase.name], _NAMES)
        if showcase.hand_seat is None:
            yield render_game(table, EMPTY_DRAFT, longest_tip(table))
        else:
            assert package.words.build_hand_screen is not None
            yield render_hand(table, showcase.hand_seat, package.words.build_hand_screen, EMPTY_DRAFT)
    for number in range(1, len(package.study.guide.build_pages(info.options())) + 1):
        yield render_guide_page(package, info.options(), number)


def spoken_texts(package: AnyPackage) -> Iterator[str]:
    """Yield what *Read the table* and *What happened* tell of typical moments."""
    for showcase in list_showcases(package.game.info.key):
        table = table_at(package, showcase, find_moments_once(package.game.info.key)[showcase.name], _NAMES)
        yield describe_what_happened(table, None)
        if package.words.build_reading is not None:
            yield package.words.build_reading(package.game.view(table.state, None), seat_names(table))


def shown_texts(content: MessageContent) -> Iterator[str]:
    """Yield everything that a message shows."""
    for embed in (content.text_embed_json, content.picture_embed_json):
        yield from _strings_in({name: part for name, part in embed.items() if name not in {"type", "image"}})
    yield from (button.label for row in content.rows for button in row)
    for menu in content.menus:
        yield menu.placeholder or ""
        for option in menu.options:
            yield from (option.label, option.description or "")
    if content.make_picture is not None:
        picture = content.make_picture()
        yield picture.description
        yield from (mark.text for mark in picture.iter_marks() if isinstance(mark, Label))


def _strings_in(part: Any) -> Iterator[str]:
    if isinstance(part, str):
        yield part
    elif isinstance(part, dict | list):
        for each in part.values() if isinstance(part, dict) else part:
            yield from _strings_in(each)
