"""Renders the line that helps beginners at a table."""

from bot.features.help.ids import NoTipsId
from bot.platform.discord.content import Button
from bot.rules.tips import Tip
from bot.tables.table import Table
from bot.words import gettext as _


def no_tips_buttons(table: Table, tip: Tip | None) -> tuple[Button, ...]:
    """Return the button with which a player turns tips off, if there is a tip."""
    return () if tip is None else (Button(_("No more tips"), str(NoTipsId(table.id))),)
