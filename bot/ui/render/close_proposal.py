"""How a table shows a proposal to close it."""

from dataclasses import replace

from bot.rules.screen import Field, Screen
from bot.tables.model import Status
from bot.tables.table import Table
from bot.ui.render.absences import seat_names
from bot.words import gettext as _, seat_emoji


def with_close_proposal(table: Table, screen: Screen) -> Screen:
    """Add a field with the players who have agreed to close the table and those who have not."""
    # A computer player's move leaves a proposal as it is, even if it ends the game.
    if not table.closers or table.header.status is not Status.PLAYING:
        return screen
    names = seat_names(table)
    lines = [
        f"{'✅' if seat in table.closers else '⏳'} {seat_emoji(seat)} {names[seat]}"
        for seat in sorted(table.remaining_players)
    ]
    title = _("Close without a result? Making a move means no.")
    return replace(screen, fields=(*screen.fields, Field(title, "\n".join(lines))))
