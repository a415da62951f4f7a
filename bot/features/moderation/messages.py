"""Renders the lists of bans and of open tables, and the questions about them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import discord
from discord.utils import format_dt

from bot.features.moderation.model import Ban, OpenTable
from bot.features.settings.kinds import SettingsSection
from bot.features.settings.messages import SECTION_TITLES, pages_menu
from bot.platform.discord.content import (
    Button,
    MessageContent,
    drop_empty_rows,
    join_lines,
    page_buttons,
    page_note,
)
from bot.platform.discord.ids import CustomId
from bot.platform.discord.limits import MAX_DESCRIPTION, MAX_LINE
from bot.platform.discord.menus import SelectMenu, SelectOption
from bot.platform.paging import clamp_page
from bot.platform.places import Location
from bot.tables.handlers.closing import ARRANGED, with_reason
from bot.tables.model import Status
from bot.tables.registry import AnyPackage
from bot.tables.shown.embeds import PLAIN_COLOUR
from bot.tables.shown.links import escape_name, message_link, sanitize_name
from bot.tables.shown.words import title_of
from bot.words import format_number, gettext as _, join_items, ngettext, truncate

PAGE_SIZE: Final = 10


@dataclass(frozen=True)
class BansId(CustomId, prefix="BN"):
    """A page of the list of bans."""

    page: int


@dataclass(frozen=True)
class LiftBanId(CustomId, prefix="BL"):
    """The menu that lifts a ban of a page; its values are user ids."""

    page: int


@dataclass(frozen=True)
class OpenTablesId(CustomId, prefix="VT"):
    """A page of the list of open tables, and the reason for which the moderator will close some."""

    page: int
    reason: str = ""


@dataclass(frozen=True)
class PickTableId(CustomId, prefix="VK"):
    """The menu of tables to close; its values are ids of tables."""

    page: int
    reason: str = ""


@dataclass(frozen=True)
class CloseTableId(CustomId, prefix="VC"):
    """The button that closes a table of the server."""

    table_id: int
    reason: str = ""


class CloseAll(StrEnum):
    """The steps of closing all tables."""

    ASK = "ask"
    REALLY = "really"


@dataclass(frozen=True)
class CloseAllId(CustomId, prefix="VA"):
    """The buttons that ask whether to close all listed tables of the server, and close them."""

    stage: CloseAll
    table_id: int
    """The newest listed table; later ones stay open."""
    reason: str = ""


def render_bans(bans: Sequence[Ban], page: int, news: str, *, in_settings: bool) -> MessageContent:
    """Render a page of the bans in a server, with a menu to lift them; for managers as a page of the settings."""
    nearest = clamp_page(page, len(bans), PAGE_SIZE)
    first = (nearest.number - 1) * PAGE_SIZE
    shown = list(enumerate(bans, 1))[first : first + PAGE_SIZE]
    empty = _("No one is banned here. `/server ban` keeps a member from playing in this server.")
    room = (MAX_DESCRIPTION - len(news) - 2) // PAGE_SIZE - 1
    lines = "\n".join(_describe(number, ban, room) for number, ban in shown) or empty
    title = _("Members who may not play here")
    if in_settings:
        title = _("Server settings · {page}").format(page=_(SECTION_TITLES[SettingsSection.BANS]))
    embed = discord.Embed(title=title, description="\n\n".join(filter(None, (news, lines))), colour=PLAIN_COLOUR)
    if note := page_note(nearest):
        embed.set_footer(text=note)
    options = tuple(
        SelectOption(_("Lift ban {number}").format(number=format_number(number)), str(ban.user_id))
        for number, ban in shown
    )
    menus = (SelectMenu(_("Lift a ban …"), str(LiftBanId(nearest.number)), options),) if options else ()
    pages = (pages_menu(SettingsSection.BANS),) if in_settings else ()
    return MessageContent(embed.to_dict(), drop_empty_rows(page_buttons(nearest, BansId)), (*menus, *pages))


def _describe(number: int, ban: Ban, room: int) -> str:
    """Return a line about a ban, with as much of the reason as there is room for. The text must notify no one."""
    text = _("{number}. {who}, since {since}, without an end")
    if ban.ends_at is not None:
        text = _("{number}. {who}, since {since}, until {end}")
    end = "" if ban.ends_at is None else format_dt(ban.ends_at)
    since = format_dt(ban.banned_at, "d")
    parts = [text.format(number=format_number(number), who=f"<@{ban.user_id}>", since=since, end=end)]
    if ban.by_id is not None:
        parts.append(_("banned by {moderator}").format(moderator=f"<@{ban.by_id}>"))
    if ban.reason:
        reason = _("reason, which they read: {reason}") if ban.tells_reason else _("reason: {reason}")
        room -= len(" · ".join((*parts, reason.format(reason=""))))
        parts.append(reason.format(reason=_escape_some(ban.reason, room)))
    return " · ".join(parts)


def _escape_some(text: str, room: int) -> str:
    """Return the escaped form of a text, cut so that it has at most `room` characters."""
    shortened = (escape_name(truncate(text, length)) for length in range(len(text), 0, -1))
    return next((each for each in shortened if len(each) <= room), "…")


def render_tables(
    tables: Sequence[OpenTable], hidden: int, games: Mapping[str, AnyPackage], listed: OpenTablesId, news: str
) -> MessageContent:
    """Render a page of the open tables of a server, with a menu to close them.

    Args:
        tables: The tables that the moderator sees.
        hidden: The number of the others.
        games: The games.
        listed: The page, and the reason for closing tables.
        news: What the last click has done.
    """
    nearest = clamp_page(listed.page, len(tables), PAGE_SIZE)
    shown = tables[(nearest.number - 1) * PAGE_SIZE :][:PAGE_SIZE]
    count = len(tables)
    title = ngettext("{count} open table", "{count} open tables", count).format(count=format_number(count))
    more = "" if tables else _("No table is open in this server.")
    if hidden:
        more = ngettext(
            "{count} more table is open in a channel that you can't see.",
            "{count} more tables are open in channels that you can't see.",
            hidden,
        ).format(count=format_number(hidden))
    room = MAX_DESCRIPTION - len(news) - len(more) - 4
    lines = join_lines((_describe_table(table, games) for table in shown), room)
    text = "\n\n".join(filter(None, (news, lines, more)))
    embed = discord.Embed(title=title, description=text, colour=PLAIN_COLOUR)
    if note := page_note(nearest):
        embed.set_footer(text=note)
    options = tuple(
        SelectOption(
            truncate(
                _("{game}: {players}").format(
                    game=title_of(games, table.game), players=join_items([sanitize_name(name) for name in table.names])
                ),
                MAX_LINE,
            ),
            str(table.table_id),
        )
        for table in shown
    )
    if not tables:
        return MessageContent(embed.to_dict())
    menu = SelectMenu(_("Close a table …"), str(PickTableId(nearest.number, listed.reason)), options)
    close_all = CloseAllId(CloseAll.ASK, tables[-1].table_id, listed.reason)
    buttons = (Button(_("Close all …"), str(close_all), discord.ButtonStyle.danger),)
    pages = page_buttons(nearest, lambda page: OpenTablesId(page, listed.reason))
    return MessageContent(embed.to_dict(), drop_empty_rows(pages, buttons), (menu,))


def _describe_table(table: OpenTable, games: Mapping[str, AnyPackage]) -> str:
    """Return a line about an open table: the game, the players, the place, and its age. The text must notify no one."""
    text = _("[{game}]({link}) in {place}: {names}, opened {since}")
    if table.status is Status.LOBBY:
        text = _("[{game}]({link}) in {place}: {names}, opened {since}, not started")
    return text.format(
        game=title_of(games, table.game),
        link=message_link(Location(table.guild_id, table.channel_id), table.message_id),
        place=f"<#{table.channel_id}>",
        names=join_items([escape_name(name) for name in table.names]),
        since=format_dt(table.opened_at, "R"),
    )


def render_question(text: str, label: str, confirm: CloseTableId | CloseAllId) -> MessageContent:
    """Render a question with the reason, the button that confirms it, and one that leads back to the tables."""
    embed = discord.Embed(description=with_reason(text, confirm.reason), colour=PLAIN_COLOUR)
    buttons = (
        Button(label, str(confirm), discord.ButtonStyle.danger),
        Button(_("◀ Open tables"), str(OpenTablesId(1, confirm.reason))),
    )
    return MessageContent(embed.to_dict(), (buttons,))


def close_all_question(tables: Sequence[OpenTable], reason: str) -> MessageContent:
    """Render the question whether to close all of some tables."""
    count = len(tables)
    text = ngettext(
        "Close {count} open table? Its game doesn't count.",
        "Close {count} open tables? Their games don't count.",
        count,
    ).format(count=format_number(count))
    if any(table.is_arranged for table in tables):
        text = " ".join((text, _(ARRANGED)))
    confirm = CloseAllId(CloseAll.REALLY, tables[-1].table_id, reason)
    return render_question(text, _("Close all"), confirm)
