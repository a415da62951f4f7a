"""Shows every game in a language without Latin letters, and prints what is left in them."""

import re
from argparse import ArgumentParser
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any

from babel.dates import format_date

from bot.features.help.messages import render_guide_page
from bot.languages import speak
from bot.platform.catalogues import LOCALES, Catalogues
from bot.platform.discord.content import MessageContent
from bot.rules.picture import Label
from bot.rules.screen import EMPTY_DRAFT
from bot.tables.registry import AnyPackage
from bot.tables.shown.lobby import render_lobby
from bot.tables.shown.message import render_hand
from bot.tables.shown.story import describe_what_happened, seat_names
from bot.tools.showcases import list_showcases
from bot.words import gettext as _
from tests.pictures.golden import find_moments_once
from tests.support.fakes import NOON, make_table
from tests.support.games import load_games_once
from tests.support.moments import longest_tip, table_at
from tests.support.rendering import render_game

_NAMES = ("Robin", "Wren", "Jay", "Linnet", "Heron", "Siskin")
_OF_PARLOUR = ("Parlour", "Rusty", "Vesper", "Pip", "Onyx")
"""Its name, and those of computer players."""

_LOCALE = ("and", format_date(NOON, "LLLL", "en"))
"""What the locale puts into lists, and the month of dates."""


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


def main() -> None:
    """Show everything, and print what is not translated."""
    parser = ArgumentParser(prog="python -m tests.ui.untranslated", description="Print what is left in Latin letters.")
    parser.add_argument("code", help="a language with other letters")
    parser.add_argument("--folder", type=Path, default=LOCALES, help="the folder of its catalogue")
    wanted = parser.parse_args()
    speak(Catalogues(wanted.folder).find(wanted.code))
    packages = list(load_games_once().values())
    # A title may stay as it is printed on the box, and names of authors stay.
    kept = " ".join(_(text) for package in packages for text in (package.game.info.title, package.game.info.credits))
    known = {*_NAMES, *_LOCALE, *_OF_PARLOUR, *re.findall(r"\w+", kept)}
    for package in packages:
        texts = chain.from_iterable(map(shown_texts, contents_of(package)))
        report(chain(texts, spoken_texts(package)), known)


def report(texts: Iterable[str], known: set[str]) -> None:
    """Print the texts with ordinary letters that are neither a name nor a command."""
    for text in sorted(set(texts)):
        if left := set(re.findall(r"\b[A-Za-z]{2,}\b", re.sub("`[^`]*`", "", text))) - known:
            print(sorted(left), repr(text))  # noqa: T201 - what the test reads


if __name__ == "__main__":
    main()
