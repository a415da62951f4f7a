"""Links to messages, and names that are safe to show."""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple
from unicodedata import bidirectional, category, east_asian_width

from discord.utils import escape_mentions

from bot.graphemes import limit_marks, split_letters
from bot.languages import Language, current_language
from bot.pictures.fonts import drawable_name
from bot.platform.places import Location
from bot.rules.components import Nameplate
from bot.rules.picture import isolate_name
from bot.tables.characters import name_seats, species_of
from bot.tables.schema import DELETED_NAME, FORMER_NAME
from bot.tables.table import Table
from bot.words import gettext as _, pgettext, unescape_name

_SPECIAL = re.compile(r"[\\*_~`|<>\[\]()#:-]")

_CACHE_SIZE = 4096
"""The size of the caches of names and texts, which are the same at most clicks."""

_MANY_NAMES = 4
_WIDEST_NAME, _WIDEST_OF_MANY, _SHORTEST_WORDS, _SHORTEST_IN_TITLE = 12, 10, 4, 6
"""The most letters of a name, of a name at a table with many seats, and the fewest of a shortened name."""

_MOST_DRAWN = 16
"""The most letters of a name in a picture, where it gets smaller before it is shortened."""

_RIGHT_TO_LEFT = frozenset({"R", "AL", "AN"})
_BIDI_CONTROLS = frozenset({"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"})
"""Bidirectional classes of right-to-left characters, and of invisible control characters that reorder text."""

_INVISIBLE = frozenset({"Cc", "Cf", "Mn", "Me", "Zl", "Zp", "Zs"})
_UNSEEN = _INVISIBLE - {"Zs"}
_BLANK = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters and symbols that are drawn blank, beside the categories of invisible characters."""

_SYMBOL = "So"
"""The category of emoji and of all symbols that the bot has emoji for."""


def table_link(table: Table) -> str:
    """Return the URL of a table's message, or of its channel; for one that only its player sees, a command."""
    if table.header.is_private:
        return "`/daily`"
    if table.header.location.is_outside:
        return "`/table show`"
    return message_link(table.header.location, table.header.message_id)


def moved_text(table: Table) -> str:
    """Return the line that takes the place of a table's former message."""
    return _("Moved down ↓ {link}").format(link=table_link(table))


def with_link(text: str, location: Location, message_id: int | None) -> str:
    """Return a text as a link to a table's message, or as it is if only the table's player could see the message."""
    return text if location.is_outside else f"[{text}]({message_link(location, message_id)})"


def message_link(location: Location, message_id: int | None) -> str:
    """Return the URL of a message, or of its channel if the id is None."""
    channel = f"https://discord.com/channels/{location.guild_id or '@me'}/{location.channel_id}"
    return channel if message_id is None else f"{channel}/{message_id}"


def sanitize_name(name: str) -> str:
    """Return a visible name for places without Markdown; neither its text direction nor its marks affect other text."""
    name = _translate_substitute(name)
    name = "".join(character for character in name if bidirectional(character) not in _BIDI_CONTROLS)
    name = limit_marks(name)
    if not _is_visible(name):
        return _("Someone")
    # Without isolation, digits next to the name would change sides, or an emoji of the bot could replace its symbol.
    needs_isolation = any(bidirectional(letter) in _RIGHT_TO_LEFT or category(letter) == _SYMBOL for letter in name)
    return isolate_name(name) if needs_isolation or current_language().runs_left else name


def _translate_substitute(name: str) -> str:
    """Return what stands for a deleted name in the language that is spoken, and every other name as it is."""
    return _(name) if name in (DELETED_NAME, FORMER_NAME) else name


def clean_line(text: str) -> str:
    """Return a text in one line, with single spaces and without letters that can't be seen."""
    words = ("".join(filter(_is_visible, split_letters(word))) for word in text.split())
    return " ".join(filter(None, words))


def _is_visible(text: str) -> bool:
    return any(category(character) not in _INVISIBLE and character not in _BLANK for character in text)


def escape_name(name: str) -> str:
    """Return a name that Discord shows as typed: no Markdown, link, mention or text direction takes effect."""
    return escape_mentions(_SPECIAL.sub(r"\\\g<0>", sanitize_name(name)))


def drawn_name(name: str) -> str:
    """Return the form of a name in a picture; empty if the font lacks one of its letters."""
    return drawable_name(sanitize_name(name))


class _SeatNames(NamedTuple):
    plain: tuple[str, ...]
    escaped: tuple[str, ...]


def plain_seat_names(table: Table) -> tuple[str, ...]:
    """Return the names of a table's seats, shortened, for places without Markdown."""
    return _names_of(name_seats(table.seats), current_language()).plain


def escaped_seat_names(table: Table, most: int | None = None) -> tuple[str, ...]:
    """Return the names of a table's seats, shortened, by default to what a table has room for, and escaped."""
    return _names_of(name_seats(table.seats), current_language(), most).escaped


def opener_name(table: Table) -> str:
    """Return the escaped name of a table's opener."""
    opener = next((who.name for who in table.seats if who.user_id == table.header.opener_id), "")
    return escape_name(opener) if opener else pgettext("in place of a name", "The host")


def nameplates_of(table: Table) -> tuple[Nameplate, ...]:
    """Return who has the seats of a table, for its pictures."""
    names = map(_translate_substitute, name_seats(table.seats))
    return tuple(
        [
            Nameplate(sanitize_name(_beginning(name)), None if who.level is None else species_of(who.level))
            for name, who in zip(names, table.seats, strict=True)
        ]
    )


def _beginning(name: str) -> str:
    """Return as much of a name as a picture gets, which itself measures how wide letters are."""
    letters = split_letters(name)
    return name if len(letters) <= _MOST_DRAWN else "".join(letters[: _MOST_DRAWN - 1]).rstrip() + "…"


def clear_names() -> None:
    """Forget all names, and texts with names, that were shortened or measured."""
    for cached in (_names_of, count_letters):
        cached.cache_clear()


# Saves 40 to 140 us per click, depending on the seats, because a click needs the names seven times.
@lru_cache(_CACHE_SIZE)
def _names_of(names: tuple[str, ...], _language: Language, most: int | None = None) -> _SeatNames:
    short = shorten_names(names, most)
    return _SeatNames(tuple(map(sanitize_name, short)), tuple(map(escape_name, short)))


def shorten_names(names: Sequence[str], most: int | None = None) -> tuple[str, ...]:
    """Shorten names that leave a picture too little room, to first words with which no other name begins."""
    names = tuple(map(_translate_substitute, names))
    most = most or (_WIDEST_NAME if len(names) < _MANY_NAMES else _WIDEST_OF_MANY)
    words = [_first_words(name, most) for name in names]
    return tuple(
        [
            word if word and sum(other.startswith(word) for other in names) == 1 else _cut(name, most)
            for name, word in zip(names, words, strict=True)
        ]
    )


def _first_words(name: str, most: int) -> str:
    """Return the first words of a name that fit, or an empty text."""
    words = name.split()
    fitting = (" ".join(words[:count]) for count in range(len(words), 0, -1))
    return next((text for text in fitting if _SHORTEST_WORDS <= _name_width(text) <= most), "")


def fit_title(title: str, names: Sequence[str], most: int) -> str:
    """Shorten the name in a title, so that both fit into a line; it keeps a few letters in any case.

    Args:
        title: The title.
        names: The names of the seats, escaped.
        most: The width of a line, in letters.
    """
    excess = _name_width(unescape_name(title)) - most
    name = next((name for name in sorted(names, key=len, reverse=True) if name in title), "")
    if excess <= 0 or not name:
        return title
    plain = unescape_name(name)
    return title.replace(name, escape_name(_cut(plain, max(_SHORTEST_IN_TITLE, _name_width(plain) - excess))), 1)


def _cut(name: str, most: int) -> str:
    """Return the beginning of a name, with an ellipsis if it does not fit."""
    if _name_width(name) <= most:
        return name
    letters = split_letters(name)
    shorter = ("".join(letters[:end]) for end in range(len(letters) - 1, -1, -1))
    return next(text for text in shorter if _name_width(text) < most).rstrip() + "…"


def _name_width(name: str) -> int:
    """Return the width of a name in letters; capitals after the first one count one and a half."""
    capitals = sum(map(str.isupper, name))
    return count_letters(name) + max(0, capitals - 1) // 2


# Saves 8 us per click, because most labels stay the same.
@lru_cache(_CACHE_SIZE)
def count_letters(text: str) -> int:
    """Return the width of a text in letters; symbols and Chinese characters count two, combining characters none."""
    # Unicode calls Cyrillic and some accented letters ambiguous, because fonts for Chinese draw them wide.
    widths = [(letter, "WF" if letter.isalpha() else "WFA") for letter in text]
    return sum(0 if category(each) in _UNSEEN else 1 + (east_asian_width(each) in wide) for each, wide in widths)
