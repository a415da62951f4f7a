"""Renders daily bags where others may still play them: a line for everyone, and the table for its player alone."""

from dataclasses import replace

import discord

from bot.features.badges.messages import award_line
from bot.features.daily_bag.result import daily_lines, daily_title
from bot.platform.discord.content import Button, MessageContent
from bot.rules.screen import Draft
from bot.tables.handlers.ids import GuideId, HandControlId, HandId, ReadOnlyId, ReadTableId, WhatHappenedId
from bot.tables.model import Status
from bot.tables.shown.button_rows import MAX_ROWS, with_buttons
from bot.tables.shown.embeds import SEAT_COLOURS
from bot.tables.shown.final_result import ResultNews
from bot.tables.shown.links import escape_name
from bot.tables.shown.message import render_position, screen_components
from bot.tables.shown.screen_cache import screen_of
from bot.tables.shown.table_buttons import finished_buttons, guide_button, read_button, seat_buttons
from bot.tables.table import Table
from bot.words import gettext as _


def render_sealed(table: Table, news: ResultNews) -> MessageContent:
    """Render what everyone may see of a table: who plays it, and once it is over the result."""
    is_over, lines = table.header.status is Status.FINISHED, [_play_line(table)]
    if is_over:
        lines = [_result_line(table), *daily_lines(table, news.daily), award_line(table, overall_only=True)]
    embed = discord.Embed(
        title=table.package.game.info.title, description="\n".join(filter(None, lines)), colour=SEAT_COLOURS[0]
    )
    embed.set_footer(text=daily_title(table))
    shown = ReadOnlyId(table.id, table.header.revision, HandId(table.id))
    my_bag = Button(_("My bag"), str(shown), discord.ButtonStyle.success)
    playing = ((my_bag, read_button(table), *seat_buttons(table), guide_button(table)),)
    return MessageContent(embed.to_dict(), finished_buttons(table) if is_over else playing)


def render_private_table(table: Table, draft: Draft) -> MessageContent:
    """Render the whole table for its player, in a message that nobody else sees."""
    content = render_position(table, draft)
    rows, menus = screen_components(screen_of(table, draft), table, draft, in_hand=True)
    others = (
        Button(_("Look again"), str(HandControlId(HandId(table.id)))),
        Button(_("Read the table"), str(ReadTableId(table.id))),
        *((Button(_("What happened"), str(WhatHappenedId(table.id))),) if table.news else ()),
        Button(_("How to play"), str(GuideId(table.header.game))),
    )
    return replace(content, rows=with_buttons(rows, *others, room=MAX_ROWS - len(menus)), menus=menus)


def _play_line(table: Table) -> str:
    line = _("🎒 **{name}** is playing. The bag is the same for everyone, so only they see it: with *My bag*.")
    return line.format(name=escape_name(table.seats[0].name))


def _result_line(table: Table) -> str:
    name, outcome = escape_name(table.seats[0].name), table.outcome
    if outcome is None:
        return _("🎒 **{name}** has finished.").format(name=name)
    score = table.package.score_kind.format_score(outcome.scores[0])
    return _("🎒 **{name}** has finished: **{score}**").format(name=name, score=score)
