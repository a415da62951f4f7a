"""Links into Discord."""

import re
from functools import lru_cache
from unicodedata import bidirectional, category

from discord.utils import escape_mentions

from bot.tables.model import Place
from bot.tables.table import Table
from bot.words import gettext as _

_SPECIAL = re.compile(r"[\\*_~`|<>\[\]()#:-]")

_NAME_CACHE_SIZE = 4096
"""So many names are kept as they are shown; they are the same at every click."""

_RIGHT_TO_LEFT = frozenset({"R", "AL", "AN"})
_BIDI_CONTROLS = frozenset({"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"})
"""Kinds of signs that are written from right to left, and of invisible ones that turn what follows around."""

_INVISIBLE = frozenset({"Cc", "Cf", "Mn", "Me", "Zl", "Zp", "Zs"})
_BLANK = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Kinds of signs that nobody sees by themselves, and the letters and patterns that are drawn as nothing."""


def table_link(table: Table) -> str:
    """Return the address of a table's message, or of its channel when it has none."""
    return message_link(table.header.place, table.header.message_id)


def message_link(place: Place, message_id: int | None) -> str:
    """Return the address of a message, or of its channel when it is not known."""
    channel = f"https://discord.com/channels/{place.guild_id or '@me'}/{place.channel_id}"
    return channel if message_id is None else f"{channel}/{message_id}"


def sanitize_name(name: str) -> str:
    """Write a name for where no Markdown is read: nothing around it turned, and a word where nothing is to be seen."""
    name = "".join(sign for sign in name if bidirectional(sign) not in _BIDI_CONTROLS)
    if not any(_is_visible(sign) for sign in name):
        return _("Somebody")
    # In a name from right to left the figures after it would take its side; an isolate keeps them where they are.
    return f"\u2068{name}\u2069" if any(bidirectional(sign) in _RIGHT_TO_LEFT for sign in name) else name


def _is_visible(sign: str) -> bool:
    return category(sign) not in _INVISIBLE and sign not in _BLANK


@lru_cache(_NAME_CACHE_SIZE)
def escape_name(name: str) -> str:
    """Write a name so that it is shown as typed: no Markdown, no link, no mention, nothing around it turned."""
    return escape_mentions(_SPECIAL.sub(r"\\\g<0>", sanitize_name(name)))


def escaped_seat_names(table: Table) -> tuple[str, ...]:
    """Return the names of a table's seats, safe to show."""
    return tuple(escape_name(who.name) for who in table.seats)
