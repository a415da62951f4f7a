"""Calls people whose turn it is and who have long been silent: once a turn, and never late."""

import logging
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import timedelta
from typing import Final, Protocol

from bot.rules.refusals import Refusal
from bot.tables.actions.seats import ABSENT_AFTER
from bot.tables.model import Status, TableId
from bot.tables.notifications import Reminder
from bot.tables.ports import ReminderStore, StoreUnavailable
from bot.tables.refusals import Stale
from bot.tables.runtime.publisher import ChannelUnreachable, DeliveryFailed
from bot.tables.runtime.service import TableService
from bot.tables.table import Table
from bot.tables.tasks import TaskSet

log = logging.getLogger(__name__)

TOO_LATE_AFTER = timedelta(days=1)
"""Whoever has been silent for so long is not called any more: it is the bot that was away, or they have left."""

_BATCH_KEY: Final = "round"

_BATCH_SIZE: Final = 100
"""So many reminders are seen to at the same time: more than requests can be sent in a second."""

ReminderWork = Callable[[Reminder], Awaitable[None]]


class ReminderSender(Protocol):
    """How people are called to their table."""

    async def send(self, table: Table) -> int:
        """Call whoever is to move and return the id of the message; raises ChannelUnreachable and DeliveryFailed."""
        ...

    async def find_reminder(self, reminder: Reminder) -> int | None:
        """Look for the message of a reminder whose id was lost; raises DeliveryFailed."""
        ...

    async def remove_reminder(self, reminder: Reminder) -> None:
        """Delete the message of a reminder, if it is still there and can be deleted; raises DeliveryFailed."""
        ...


class Reminders:
    """Sends reminders, and takes them away when they are of no more use.

    That a reminder is sent is written down first: whatever goes wrong in between, nobody is called twice. A message
    whose id could not be written down any more is looked for when the turn goes on.
    """

    def __init__(self, service: TableService, book: ReminderStore, sender: ReminderSender, *, rings: bool) -> None:
        self._service = service
        self._store = book
        self._sender = sender
        self.is_enabled = rings
        self._sent: dict[TableId, Reminder] = {}
        """The messages of this process, so that they are taken away at once; those of others wait for a check."""
        self._tasks = TaskSet("reminder")
        self._batches = TaskSet("reminders")

    async def check(self) -> None:
        """Begin to remind whoever is due, and to take lapsed reminders away; what is too much for now follows."""
        begun = set[TableId]()
        if not self._batches.is_busy(_BATCH_KEY) and await self._start_batch(begun):
            self._batches.start(_BATCH_KEY, self._start_remaining(begun))

    async def _start_remaining(self, begun: set[TableId]) -> None:
        try:
            await self._tasks.wait_for_room(_BATCH_SIZE)
            while await self._start_batch(begun):
                await self._tasks.wait_for_room(_BATCH_SIZE)
        except StoreUnavailable as fault:
            log.debug("reminders wait for the database: %s", fault)

    async def _start_batch(self, begun: set[TableId]) -> bool:
        """Begin with some of those that were not begun yet, and tell whether there were any."""
        limit, clock = len(begun) + _BATCH_SIZE, self._service.clock
        found = [(reminder, self._remove) for reminder in await self._store.lapsed_reminders(limit)]
        if self.is_enabled:
            stretch = clock.ago(TOO_LATE_AFTER), clock.ago(ABSENT_AFTER)
            due = await self._store.due_reminders(self._service.games.keys(), *stretch, limit)
            found += [(replace(reminder, noted_at=clock()), self._remind) for reminder in due]
        new = [(reminder, work) for reminder, work in found if reminder.table_id not in begun][:_BATCH_SIZE]
        for reminder, work in new:
            begun.add(reminder.table_id)
            self._start(reminder, work)
        return bool(new)

    def on_table_changed(self, table: Table) -> None:
        """Take a table's reminder away if nobody is waited for any more."""
        reminder = self._sent.get(table.id)
        if reminder is not None and not _is_still_due(table, reminder):
            self._start(reminder, self._remove)

    async def close(self, seconds: float | None = None) -> None:
        """Finish what is being sent, or stop it after some seconds."""
        await (self._batches.close() if seconds is None else self._batches.cancel_all())
        await self._tasks.close(seconds)

    def _start(self, reminder: Reminder, work: ReminderWork) -> None:
        self._tasks.start(reminder.table_id, self._run_best_effort(reminder, work))

    async def _run_best_effort(self, reminder: Reminder, work: ReminderWork) -> None:
        """Do what can be left undone: the game goes on without it."""
        try:
            await work(reminder)
        except (ChannelUnreachable, DeliveryFailed) as fault:
            log.info("the reminder of table %s is left as it is: %s", reminder.table_id, fault)
        except (Refusal, Stale, StoreUnavailable) as fault:
            log.debug("table %s is not reminded of: %s", reminder.table_id, fault)

    async def _remind(self, reminder: Reminder) -> None:
        # Who picks pieces for their move is heard of in memory alone, and may be called later in this turn.
        table = await self._service.table(reminder.table_id)
        is_heard = table.header.awaited_since > self._service.clock.ago(ABSENT_AFTER)
        if is_heard or not await self._store.claim_reminder(reminder):
            return
        # Another process may have posted the table anew, and the message links to it.
        table = await self._service.reload(reminder.table_id)
        if _is_still_due(table, reminder):
            reminder = replace(reminder, message_id=await self._sender.send(table))
            await self._save_message(reminder)
            table = await self._service.table(reminder.table_id)
        if not _is_still_due(table, reminder):
            await self._remove(reminder)

    async def _save_message(self, reminder: Reminder) -> None:
        self._sent[reminder.table_id] = reminder
        if not await self._store.set_reminder_message(reminder):
            await self._remove(reminder)

    async def _remove(self, reminder: Reminder) -> None:
        self._sent.pop(reminder.table_id, None)
        if reminder.stands:
            if reminder.message_id is None:
                reminder = replace(reminder, message_id=await self._sender.find_reminder(reminder))
            if reminder.message_id is not None:
                await self._sender.remove_reminder(reminder)
        await self._store.mark_reminder_removed(reminder)


def _is_still_due(table: Table, reminder: Reminder) -> bool:
    """Tell whether a table still waits for the one whom a reminder calls, who has not been heard of meanwhile."""
    header = table.header
    return (
        header.status is Status.PLAYING
        and header.to_move == reminder.seat
        and not header.awaits_computer
        and header.awaited_since == reminder.since
    )
