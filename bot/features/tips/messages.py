"""The button below a tip."""

from bot.features.help.ids import NoTipsId
from bot.platform.discord.content import Button
from bot.tables.table import Table
from bot.words import gettext as _


def no_tips_button(table: Table) -> Button:
    """Return the button with which a player turns tips off."""
    return Button(_("No more tips"), str(NoTipsId(table.id)))
