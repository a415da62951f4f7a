"""Links into Discord."""

from discord.utils import escape_markdown, escape_mentions

from bot.tables.table import Table


def jump_link(table: Table) -> str:
    """Return the address of a table's message, or of its channel when it has none."""
    place = table.header.place
    channel = f"https://discord.com/channels/{place.guild_id or '@me'}/{place.channel_id}"
    return channel if table.header.message_id is None else f"{channel}/{table.header.message_id}"


def safe(name: str) -> str:
    """Write a name so that it is shown as typed and pings nobody."""
    return escape_mentions(escape_markdown(name))


def safe_names(table: Table) -> tuple[str, ...]:
    """Return the names of a table's seats, safe to show."""
    return tuple(safe(who.name) for who in table.seats)
