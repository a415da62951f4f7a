"""Renders histories of finished tables."""

from collections.abc import Mapping

import discord
from discord.utils import format_dt

from bot.features.profiles.model import FinishedTable, History
from bot.features.profiles.result_text import result_line, table_title
from bot.features.results.ids import HistoryId, HistoryScope
from bot.platform.discord.content import Button, MessageContent
from bot.platform.discord.pages import drop_empty_rows, page_buttons, page_note
from bot.tables.registry import AnyPackage
from bot.tables.shown.embeds import SEAT_COLOURS
from bot.tables.shown.game_names import score_kind_of
from bot.words import N_, gettext as _

_TITLES: Mapping[HistoryScope, str] = {
    HistoryScope.HERE: N_("Played in this channel"),
    HistoryScope.SERVER: N_("Played in this server"),
    HistoryScope.MINE: N_("Your games"),
}

_LABELS: Mapping[HistoryScope, str] = {
    HistoryScope.HERE: N_("This channel"),
    HistoryScope.SERVER: N_("Whole server"),
    HistoryScope.MINE: N_("My games"),
}

_EMPTY_TEXTS: Mapping[HistoryScope, str] = {
    HistoryScope.HERE: N_("No one has finished a game in this channel yet. `/play` lists the games."),
    HistoryScope.SERVER: N_("No one has finished a game in this server yet. `/play` lists the games."),
    HistoryScope.MINE: N_("You haven't finished a game yet. `/play` lists the games."),
}


def render_history(
    history: History, games: Mapping[str, AnyPackage], scope: HistoryScope, scopes: tuple[HistoryScope, ...]
) -> MessageContent:
    """Render a page of finished tables, with buttons to the other scopes."""
    lines = (table_line(table, games) for table in history.tables)
    embed = discord.Embed(
        title=_(_TITLES[scope]),
        description="\n\n".join(lines) or _(_EMPTY_TEXTS[scope]),
        colour=SEAT_COLOURS[0],
    )
    if note := page_note(history.page):
        embed.set_footer(text=note)
    scope_buttons = tuple(Button(_(_LABELS[other]), str(HistoryId(other, 1))) for other in scopes if other is not scope)
    return MessageContent(
        embed.to_dict(), drop_empty_rows(page_buttons(history.page, lambda page: HistoryId(scope, page)), scope_buttons)
    )


def table_line(table: FinishedTable, games: Mapping[str, AnyPackage]) -> str:
    """Return a table with a link to it, and its ranking."""
    finished = format_dt(table.results[0].finished_at, "R")
    kind = score_kind_of(games, table.results[0].game)
    ranking = " · ".join(result_line(result, kind) for result in table.results)
    return f"{table_title(table, games)} · {finished}\n{ranking}"
