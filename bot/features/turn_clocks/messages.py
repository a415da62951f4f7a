"""Words for the question to the other players when the time of a turn is up."""

from collections.abc import Collection

import discord

from bot.features.reminders.ids import TimeUpButton, TimeUpId
from bot.platform.discord.content import Button
from bot.tables.clocks import period_of
from bot.tables.shown.links import escape_name, table_link
from bot.tables.table import Table
from bot.words import gettext as _


def time_up_text(table: Table, user_ids: Collection[int]) -> str:
    """Return the question to the others, which mentions some of them."""
    name = escape_name(table.mover.name) if table.mover is not None else ""
    text = _(
        "**{name}**'s time in {game} is up: {link}\n"
        "Any other player decides: wait as long again, or let a computer player stand in until {name} is back."
    ).format(name=name, game=table.package.game.info.title, link=table_link(table))
    mentions = " ".join(f"<@{user_id}>" for user_id in user_ids)
    return f"{mentions} {text}" if mentions else text


def time_up_buttons(table: Table) -> tuple[Button, ...]:
    """Return what the others can decide."""
    period = period_of(table)
    return (
        Button(_("Wait"), str(TimeUpId(table.id, period, TimeUpButton.WAIT)), discord.ButtonStyle.primary),
        Button(_("Let a computer player stand in"), str(TimeUpId(table.id, period, TimeUpButton.COMPUTER))),
    )
