"""Commands and buttons about the seats of a game that is being played."""

from collections.abc import Sequence
from datetime import datetime
from functools import partial

from bot.platform.discord.answers import Interaction, acknowledge, deferred_if_slow, finish, send_ephemeral
from bot.platform.discord.context import person_of
from bot.platform.observability.trace import set_table
from bot.platform.places import Person
from bot.rules.refusals import Refusal
from bot.tables.closing import agree_to_close
from bot.tables.handlers.answers import TableResponses
from bot.tables.handlers.closing import LogAction, log_closing, resign_question
from bot.tables.handlers.commands import TableCommands
from bot.tables.handlers.ids import SeatButton, SeatId
from bot.tables.handlers.readings import Readings
from bot.tables.host import Host
from bot.tables.refusals import HostReason, Stale, TableFacts
from bot.tables.seats import (
    ABSENT_AFTER,
    SeatAction,
    SeatControlEntry,
    come_back,
    resign_seat,
    substitute_absent,
    take_back,
)
from bot.tables.shown.links import escape_name, table_link
from bot.tables.table import Table
from bot.words import gettext as _

_OUTDATED_REASONS = (HostReason.OWN_TURN, HostReason.NOBODY_AWAITED, HostReason.NOT_ABSENT, HostReason.TABLE_OVER)
"""Refusals of an outdated reminder's button: the player has moved or has a substitute."""


class SeatCommands:
    """Resigns, substitutes absent players, brings players back and takes back moves."""

    def __init__(
        self,
        host: Host,
        table_commands: TableCommands,
        table_responses: TableResponses,
        readings: Readings,
        log_action: LogAction,
    ) -> None:
        self._log_action = log_action
        self._host = host
        self._table_commands = table_commands
        self._table_responses = table_responses
        self._readings = readings

    async def press(self, click: Interaction, table: Table, seat_id: SeatId) -> None:
        """Apply a button about a seat."""
        match seat_id.button:
            case SeatButton.ASK_TO_RESIGN:
                question, view = resign_question(table, person_of(click))
                await finish(click, question, view)
            case SeatButton.RESIGN:
                await self._resign(click, table)
            case SeatButton.SUBSTITUTE:
                await self._substitute_from_reminder(click, table, seat_id.step)
            case SeatButton.COME_BACK:
                await self._apply_and_show(click, table, seat_id.step, come_back)
            case SeatButton.TAKE_BACK:
                await self._apply_and_show(click, table, seat_id.step, partial(take_back, step=seat_id.step))
            case SeatButton.CLOSE:
                await self._apply_and_show(click, table, seat_id.step, agree_to_close)

    async def _apply_and_show(self, click: Interaction, table: Table, step: int, action: SeatAction) -> None:
        """Apply an action that the table's message offered at a step; a player's late click only shows the table."""
        person, after = person_of(click), None
        with self._host.publisher.claim(table.id):
            try:
                after = await self._host.service.apply_seat_action(table.id, person, action, click.id)
            except Stale:
                pass
            except Refusal:
                now = await self._host.service.table(table.id)
                if now.seat_of(person.id) is None or now.header.step == step:
                    raise
            await self._table_responses.show(click, table if after is None else after)
        if after is not None:
            log_closing(self._log_action, after, person.id)
            self._readings.after_action(click, after)

    @deferred_if_slow
    async def ask_to_resign(self, command: Interaction) -> None:
        """Ask a player to confirm that they resign."""
        person, tables = person_of(command), await self._table_commands.tables_here(command)
        table = next((table for table in tables if _may(resign_seat, table, person)), tables[0])
        set_table(table.id, table.header.game)
        question, view = resign_question(table, person)
        await send_ephemeral(command, question, view=view)

    async def _resign(self, click: Interaction, table: Table) -> None:
        """Resign; a second click gets the same confirmation."""
        person, after = person_of(click), None
        try:
            after = await self._host.service.apply_seat_action(table.id, person, resign_seat, click.id)
        except Refusal:
            now = await self._host.service.table(table.id)
            if now.seat_of(person.id) not in now.seat_status.resigned:
                raise
        await finish(click, _("You resigned."))
        if after is not None:
            self._readings.after_action(click, after)

    @deferred_if_slow
    async def substitute(self, command: Interaction) -> None:
        """Substitute a computer player for the absent player to move, or record the vote for it."""
        table = await self._table_commands.common_table(command)
        await self._apply_substitution(command, table, partial(substitute_absent, since=self._absent_since()))

    async def _apply_substitution(self, interaction: Interaction, table: Table, action: SeatAction) -> None:
        table_after = await self._host.service.apply_seat_action(
            table.id, person_of(interaction), action, interaction.id
        )
        if table_after.seat_status.askers:
            await send_ephemeral(
                interaction, _("You asked for a computer player. It takes over once another player asks, too.")
            )
            return
        done = _("A computer player stands in for {name} until they're back: {link}")
        mover = table_after.mover.name if table_after.mover else ""
        await send_ephemeral(interaction, done.format(name=escape_name(mover), link=table_link(table_after)))
        self._readings.after_action(interaction, table_after)

    def _absent_since(self) -> datetime:
        return self._host.service.clock.ago(ABSENT_AFTER)

    async def _substitute_from_reminder(self, click: Interaction, table: Table, step: int) -> None:
        """Handle the button of a reminder sent at a step; ignore an outdated click."""
        mentioned = click.message.raw_mentions if click.message is not None else []
        try:
            await self._apply_substitution(
                click, table, partial(_substitute_mentioned, mentioned=mentioned, since=self._absent_since())
            )
        except Refusal as refusal:
            now = await self._host.service.table(table.id)
            if refusal.reason not in _OUTDATED_REASONS or now.header.step == step:
                raise
            await acknowledge(click)

    @deferred_if_slow
    async def come_back(self, command: Interaction) -> None:
        """Give a substituted player their seat back."""
        table = await self._table_commands.common_table(command)
        after = await self._host.service.apply_seat_action(table.id, person_of(command), come_back, command.id)
        await send_ephemeral(command, _("Welcome back! The seat is yours again: {link}").format(link=table_link(after)))
        self._readings.after_action(command, after)

    @deferred_if_slow
    async def take_back(self, command: Interaction) -> None:
        """Take back the newest move of the user."""
        person, tables = person_of(command), await self._table_commands.tables_here(command)
        candidates = (table for table in tables if table.click_id == command.id or _may(take_back, table, person))
        table = next(candidates, tables[0])
        set_table(table.id, table.header.game)
        after = await self._host.service.apply_seat_action(table.id, person, take_back, command.id)
        await send_ephemeral(command, _("You took back your move: {link}").format(link=table_link(after)))
        self._readings.after_action(command, after)


def _substitute_mentioned(
    table: Table, person: Person, *, mentioned: Sequence[int], since: datetime
) -> SeatControlEntry:
    """Substitute the player whom a reminder mentions; raise a Refusal if another player is to move now."""
    control_entry = substitute_absent(table, person, since)
    if table.mover is None or table.mover.user_id not in mentioned:
        raise Refusal(HostReason.NOBODY_AWAITED, TableFacts(table))
    return control_entry


def _may(action: SeatAction, table: Table, person: Person) -> bool:
    try:
        action(table, person)
    except Refusal:
        return False
    return True
