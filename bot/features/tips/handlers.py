"""Turns tips off."""

import asyncio
from dataclasses import replace

from bot.features.help.ids import NoTipsId
from bot.features.tips.service import TipLines
from bot.platform.discord.answers import Interaction, send_ephemeral
from bot.platform.discord.content import Button
from bot.tables.handlers.answers import TableResponses
from bot.tables.table import Table
from bot.words import gettext as _


def no_tips_button(table: Table) -> Button:
    """Return the button with which a player turns tips off."""
    return Button(_("No more tips"), str(NoTipsId(table.id)))


class TipCommands:
    """Turns tips off for the player who asks for it."""

    def __init__(self, tip_lines: TipLines, table_responses: TableResponses) -> None:
        self._tip_lines = tip_lines
        self._table_responses = table_responses

    async def turn_off(self, click: Interaction, table: Table) -> None:
        """Store that a person wants no tips, and show the table without them."""
        await self._tip_lines.people.change(click.user.id, lambda chosen: replace(chosen, tips=False))
        await self._table_responses.show(click, table)
        text = _(
            "No more tips for you, in any game or server. Others here may still get them. "
            "`/settings show` in a direct message with me turns them on."
        )
        await send_ephemeral(click, text)

    async def close(self, seconds: float) -> None:
        """Finish loading what tips need, within some seconds."""
        await asyncio.gather(self._tip_lines.close(seconds), self._tip_lines.people.close(seconds))
