"""Renders tables that ended without a result, or were put aside."""

import discord

from bot.platform.discord.content import Button, MessageContent
from bot.tables.handlers.ids import ResumeId
from bot.tables.shown.button_rows import check_dice_rows
from bot.tables.shown.embeds import PLAIN_COLOUR
from bot.tables.table import Table
from bot.words import gettext as _


def render_closed(table: Table, text: str) -> MessageContent:
    """Render a table that ended without a result or can't go on."""
    embed = discord.Embed(title=table.package.game.info.title, description=text, colour=PLAIN_COLOUR)
    return MessageContent(embed.to_dict(), check_dice_rows(table))


def render_put_aside(table: Table) -> MessageContent:
    """Render a table that was put aside."""
    text = _(
        "This game was put aside to make room for another table, since no one had played for a while.\n"
        "Nothing is lost. Any of its players can bring it back with *Resume* or `/table resume` once "
        "this channel is free."
    )
    resume = Button(_("Resume"), str(ResumeId(table.id)), discord.ButtonStyle.primary)
    return MessageContent(render_closed(table, text).text_embed_json, ((resume,),))
