"""Words for the turn clock of a table."""

from collections.abc import Mapping
from typing import Final

from discord.utils import format_dt

from bot.tables.model import TurnClock
from bot.tables.shown.links import escaped_seat_names
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
