"""Links into Discord."""

import re
from unicodedata import bidirectional

from discord.utils import escape_mentions

from bot.tables.model import Place
from bot.tables.table import Table

_SPECIAL = re.compile(r"[\\*_~`|<>\[\]()#:-]")

_LEFTWARD = frozenset({"R", "AL", "AN"})
_TURNING = frozenset({"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"})
"""Kinds of signs that are written from right to left, and of invisible ones that turn what follows around."""


def jump_link(table: Table) -> str:
    """Return the address of a table's message, or of its channel when it has none."""
    return link_to(table.header.place, table.header.message_id)


def link_to(place: Place, message_id: int | None) -> str:
    """Return the address of a message, or of its channel when it is not known."""
    channel = f"https://discord.com/channels/{place.guild_id or '@me'}/{place.channel_id}"
    return channel if message_id is None else f"{channel}/{message_id}"


def safe(name: str) -> str:
    """Write a name so that it is shown as typed: no Markdown, no link, no mention, nothing around it turned."""
    name = "".join(sign for sign in name if bidirectional(sign) not in _TURNING)
    escaped = escape_mentions(_SPECIAL.sub(r"\\\g<0>", name))
    # In a name from right to left the figures after it would take its side; an isolate keeps them where they are.
    return f"\u2068{escaped}\u2069" if any(bidirectional(sign) in _LEFTWARD for sign in name) else escaped


def safe_names(table: Table) -> tuple[str, ...]:
    """Return the names of a table's seats, safe to show."""
    return tuple(safe(who.name) for who in table.seats)
