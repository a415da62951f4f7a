"""Links to messages, and names that are safe to show."""

import re
from functools import lru_cache
from unicodedata import bidirectional, category

from discord.utils import escape_mentions

from bot.tables.model import Location
from bot.tables.table import Table
from bot.words import gettext as _

_SPECIAL = re.compile(r"[\\*_~`|<>\[\]()#:-]")

_NAME_CACHE_SIZE = 4096
"""The same names are shown at every click."""

_RIGHT_TO_LEFT = frozenset({"R", "AL", "AN"})
_BIDI_CONTROLS = frozenset({"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"})
"""Bidirectional classes of right-to-left characters, and of invisible control characters that reorder text."""

_INVISIBLE = frozenset({"Cc", "Cf", "Mn", "Me", "Zl", "Zp", "Zs"})
_BLANK = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Categories of invisible characters, and letters and symbols that are drawn blank."""


def table_link(table: Table) -> str:
    """Return the URL of a table's message, or of its channel if it has none."""
    return message_link(table.header.location, table.header.message_id)


def message_link(location: Location, message_id: int | None) -> str:
    """Return the URL of a message, or of its channel if the id is None."""
    channel = f"https://discord.com/channels/{location.guild_id or '@me'}/{location.channel_id}"
    return channel if message_id is None else f"{channel}/{message_id}"


@lru_cache(_NAME_CACHE_SIZE)
def sanitize_name(name: str) -> str:
    """Return a name for places without Markdown: no text direction leaks out of it, and it is never invisible."""
    name = "".join(character for character in name if bidirectional(character) not in _BIDI_CONTROLS)
    if not any(category(character) not in _INVISIBLE and character not in _BLANK for character in name):
        return _("Someone")
    # Digits after a right-to-left name would move to its left; an isolate prevents that.
    return f"\u2068{name}\u2069" if any(bidirectional(character) in _RIGHT_TO_LEFT for character in name) else name


@lru_cache(_NAME_CACHE_SIZE)
def escape_name(name: str) -> str:
    """Return a name that is shown as typed: no Markdown, link or mention, and no text direction leaks out of it."""
    return escape_mentions(_SPECIAL.sub(r"\\\g<0>", sanitize_name(name)))


def escaped_seat_names(table: Table) -> tuple[str, ...]:
    """Return the names of a table's seats, escaped."""
    return tuple(escape_name(occupant.name) for occupant in table.seats)
