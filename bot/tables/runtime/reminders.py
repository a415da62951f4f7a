"""Calls people whose turn it is and who have long been silent: once a turn, and never late."""

import logging
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import timedelta
from typing import Final, Protocol

from bot.rules.refusals import Refusal
from bot.tables.actions.seats import ABSENT_AFTER
from bot.tables.model import Reminder, Status, TableId
from bot.tables.ports import ReminderBook, StoreUnavailable
from bot.tables.refusals import Stale
from bot.tables.runtime.publisher import NotShown, OutOfReach
from bot.tables.runtime.service import TableService
from bot.tables.table import Table
from bot.tables.tasks import TaskSet

log = logging.getLogger(__name__)

TOO_LATE_AFTER = timedelta(days=1)
"""Whoever has been silent for so long is not called any more: it is the bot that was away, or they have left."""

_ROUND: Final = "round"

_AT_ONCE: Final = 100
"""So many reminders are seen to at the same time: more than requests can be sent in a second."""

Work = Callable[[Reminder], Awaitable[None]]


class Bell(Protocol):
    """How people are called to their table."""

    async def ring(self, table: Table) -> int:
        """Call whoever is to move and return the id of the message; raises OutOfReach and NotShown."""
        ...

    async def find(self, reminder: Reminder) -> int | None:
        """Look for the message of a reminder whose id was lost; raises NotShown."""
        ...

    async def remove(self, reminder: Reminder) -> None:
        """Delete the message of a reminder, if it is still there and can be deleted; raises NotShown."""
        ...


class Reminders:
    """Sends reminders, and takes them away when they are of no more use.

    That a reminder is sent is written down first: whatever goes wrong in between, nobody is called twice. A message
    whose id could not be written down any more is looked for when the turn goes on.
    """

    def __init__(self, service: TableService, book: ReminderBook, bell: Bell, *, rings: bool) -> None:
        self._service = service
        self._book = book
        self._bell = bell
        self.rings = rings
        self._standing: dict[TableId, Reminder] = {}
        """The messages of this process, so that they are taken away at once; those of others wait for a check."""
        self._tasks = TaskSet("reminder")
        self._rounds = TaskSet("reminders")

    async def check(self) -> None:
        """Begin to remind whoever is due, and to take lapsed reminders away; what is too much for now follows."""
        begun = set[TableId]()
        if not self._rounds.is_busy(_ROUND) and await self._begin(begun):
            self._rounds.start(_ROUND, self._begin_others(begun))

    async def _begin_others(self, begun: set[TableId]) -> None:
        try:
            await self._tasks.room(_AT_ONCE)
            while await self._begin(begun):
                await self._tasks.room(_AT_ONCE)
        except StoreUnavailable as fault:
            log.debug("reminders wait for the database: %s", fault)

    async def _begin(self, begun: set[TableId]) -> bool:
        """Begin with some of those that were not begun yet, and tell whether there were any."""
        limit, clock = len(begun) + _AT_ONCE, self._service.clock
        found = [(reminder, self._end) for reminder in await self._book.lapsed_reminders(limit)]
        if self.rings:
            stretch = clock.ago(TOO_LATE_AFTER), clock.ago(ABSENT_AFTER)
            due = await self._book.unreminded(self._service.games.keys(), *stretch, limit)
            found += [(replace(reminder, noted_at=clock()), self._remind) for reminder in due]
        new = [(reminder, work) for reminder, work in found if reminder.table_id not in begun][:_AT_ONCE]
        for reminder, work in new:
            begun.add(reminder.table_id)
            self._start(reminder, work)
        return bool(new)

    def changed(self, table: Table) -> None:
        """Take a table's reminder away if nobody is waited for any more."""
        reminder = self._standing.get(table.id)
        if reminder is not None and not _is_awaited(table, reminder):
            self._start(reminder, self._end)

    async def close(self, seconds: float | None = None) -> None:
        """Finish what is being sent, or stop it after some seconds."""
        await (self._rounds.close() if seconds is None else self._rounds.cancel())
        await self._tasks.close(seconds)

    def _start(self, reminder: Reminder, work: Work) -> None:
        self._tasks.start(reminder.table_id, self._quietly(reminder, work))

    async def _quietly(self, reminder: Reminder, work: Work) -> None:
        """Do what can be left undone: the game goes on without it."""
        try:
            await work(reminder)
        except (OutOfReach, NotShown) as fault:
            log.info("the reminder of table %s is left as it is: %s", reminder.table_id, fault)
        except (Refusal, Stale, StoreUnavailable) as fault:
            log.debug("table %s is not reminded of: %s", reminder.table_id, fault)

    async def _remind(self, reminder: Reminder) -> None:
        # Who picks pieces for their move is heard of in memory alone, and may be called later in this turn.
        table = await self._service.table(reminder.table_id)
        is_heard = table.header.awaited_since > self._service.clock.ago(ABSENT_AFTER)
        if is_heard or not await self._book.note_reminder(reminder):
            return
        # Another process may have posted the table anew, and the message links to it.
        table = await self._service.reread(reminder.table_id)
        if _is_awaited(table, reminder):
            reminder = replace(reminder, message_id=await self._bell.ring(table))
            await self._keep(reminder)
            table = await self._service.table(reminder.table_id)
        if not _is_awaited(table, reminder):
            await self._end(reminder)

    async def _keep(self, reminder: Reminder) -> None:
        self._standing[reminder.table_id] = reminder
        if not await self._book.keep_reminder(reminder):
            await self._end(reminder)

    async def _end(self, reminder: Reminder) -> None:
        self._standing.pop(reminder.table_id, None)
        if reminder.stands:
            if reminder.message_id is None:
                reminder = replace(reminder, message_id=await self._bell.find(reminder))
            if reminder.message_id is not None:
                await self._bell.remove(reminder)
        await self._book.close_reminder(reminder)


def _is_awaited(table: Table, reminder: Reminder) -> bool:
    """Tell whether a table still waits for the one whom a reminder calls, who has not been heard of meanwhile."""
    header = table.header
    return (
        header.status is Status.PLAYING
        and header.to_move == reminder.seat
        and not header.awaits_computer
        and header.awaited_since == reminder.since
    )
