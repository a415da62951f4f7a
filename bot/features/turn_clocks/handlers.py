"""The buttons with which the other players decide about a player whose time is up."""

from functools import partial

from bot.features.reminders.messages import TimeUpButton, TimeUpId
from bot.platform.discord.answers import Interaction, acknowledge, send_ephemeral
from bot.platform.discord.context import person_of
from bot.tables.clocks import let_computer_play
from bot.tables.handlers.readings import Readings
from bot.tables.refusals import Stale
from bot.tables.service import TableService
from bot.tables.shown.links import escape_name, table_link
from bot.tables.shown.words import clock_line
from bot.tables.table import Table
from bot.words import gettext as _


class TurnClockCommands:
    """Gives more time to a player whose time is up, or lets a computer player stand in."""

    def __init__(self, service: TableService, readings: Readings) -> None:
        self._service = service
        self._readings = readings

    async def press(self, click: Interaction, table: Table, pressed: TimeUpId) -> None:
        """Carry out a decision; a late one does nothing, because its message is about to be deleted."""
        decide = self._wait if pressed.button is TimeUpButton.WAIT else self._substitute
        try:
            await decide(click, table, pressed.period)
        except Stale:
            await acknowledge(click)

    async def _wait(self, click: Interaction, table: Table, period: int) -> None:
        after = await self._service.wait_longer(table.id, person_of(click), period)
        await send_ephemeral(click, "\n".join((clock_line(after), table_link(after))))

    async def _substitute(self, click: Interaction, table: Table, period: int) -> None:
        action = partial(let_computer_play, period=period)
        after = await self._service.apply_seat_action(table.id, person_of(click), action, click.id)
        name = escape_name(after.mover.name) if after.mover else ""
        done = _("A computer player stands in for {name} until they're back: {link}")
        await send_ephemeral(click, done.format(name=name, link=table_link(after)))
        self._readings.after_action(click, after)
