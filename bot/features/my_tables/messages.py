"""Renders the list of a person's tables."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import discord
from discord.utils import format_dt

from bot.features.my_tables.model import Awaited, MyTable, MyTables
from bot.platform.discord.content import MessageContent, drop_empty_rows, page_buttons, page_note
from bot.platform.discord.ids import CustomId
from bot.platform.places import Location
from bot.tables.model import Status
from bot.tables.registry import AnyPackage
from bot.tables.shown.embeds import SEAT_COLOURS
from bot.tables.shown.links import escape_name, with_link
from bot.tables.shown.words import title_of
from bot.words import N_, format_number, gettext as _, ngettext


@dataclass(frozen=True)
class MyTablesId(CustomId, prefix="MT"):
    """A page of the list of the user's own tables."""

    page: int


_STATES: Final[Mapping[tuple[bool, Awaited], str]] = {
    (True, Awaited.YOU): N_("▶️ **You can start it**, quiet since {since}"),
    (True, Awaited.ANOTHER): N_("{name} can start it, quiet since {since}"),
    (True, Awaited.NOBODY): N_("Not started, quiet since {since}"),
    (False, Awaited.YOU): N_("▶️ **Your turn** since {since}"),
    (False, Awaited.ANOTHER): N_("{name}'s turn since {since}"),
    (False, Awaited.NOBODY): N_("A computer player's turn since {since}"),
}
"""The text for a table, by whether it is a lobby and whom it awaits."""


def render_my_tables(
    found: MyTables, games: Mapping[str, AnyPackage], places: Mapping[Location, str]
) -> MessageContent:
    """Render a page of a person's tables; `places` has the name of each location."""
    lines = []
    for table in found.tables:
        link = with_link(title_of(games, table.game), table.location, table.message_id)
        lines.append(f"**{link}** · {places[table.location]}\n{_state_line(table)}")
    title = _("Your tables")
    if found.yours:
        title = ngettext("Your tables · {count} waits for you", "Your tables · {count} wait for you", found.yours)
        title = title.format(count=format_number(found.yours))
    empty = _("You have no unfinished tables. `/play` lists the games.")
    embed = discord.Embed(title=title, description="\n\n".join(lines) or empty, colour=SEAT_COLOURS[0])
    if note := page_note(found.page):
        embed.set_footer(text=note)
    return MessageContent(embed.to_dict(), drop_empty_rows(page_buttons(found.page, MyTablesId)))


def _state_line(table: MyTable) -> str:
    words = {"name": escape_name(table.awaited_name), "since": format_dt(table.since, "R")}
    if table.status.is_aside:
        text = _("Put aside; last played {since}")
    elif table.status is Status.HELD:
        text = _("On hold since {since}")
    else:
        text = _(_STATES[table.status is Status.LOBBY, table.awaited])
    line = text.format_map(words)
    if table.clock_ends_at is None:
        return line
    return _("{state} · time ends {when}").format(state=line, when=format_dt(table.clock_ends_at, "R"))
