"""Renders turn clocks: the time at a table, its choice in the lobby, and the question when the time is up."""

from collections.abc import Collection, Mapping
from typing import Final

import discord
from discord.utils import format_dt

from bot.features.reminders.ids import TimeUpButton, TimeUpId
from bot.platform.discord.content import Button
from bot.tables.clocks import period_of
from bot.tables.model import TurnClock
from bot.tables.shown.links import escape_name, escaped_seat_names, table_link
from bot.tables.table import Table
from bot.words import N_, gettext as _

CLOCK_LABELS: Final[Mapping[TurnClock, str]] = {
    TurnClock.NONE: N_("none"),
    TurnClock.TEN_MINUTES: N_("10 minutes"),
    TurnClock.ONE_DAY: N_("1 day"),
    TurnClock.THREE_DAYS: N_("3 days"),
}


def clock_line(table: Table) -> str:
    """Return who has how much time; empty if no clock is running."""
    header = table.header
    if header.clock.ends_at is None or header.to_move is None:
        return ""
    name = escaped_seat_names(table)[header.to_move]
    if header.clock.is_up:
        return _("⏳ Time is up for **{name}**, who can still move.").format(name=name)
    return _("⏳ **{name}**'s time ends {when}.").format(name=name, when=format_dt(header.clock.ends_at, "R"))


def clock_option(table: Table) -> str:
    """Return the clock as an option of a lobby; empty without one."""
    limit = table.header.clock.limit
    if limit is TurnClock.NONE:
        return ""
    return _("Turn clock: {time}").format(time=f"**{_(CLOCK_LABELS[limit])}**")


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
