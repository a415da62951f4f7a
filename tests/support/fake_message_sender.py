"""A fake sender of reminders, invitations and announcements."""

import re
from collections.abc import Callable, Collection
from datetime import UTC, datetime

from bot.features.idle_tables.storage import Announcement
from bot.features.invitations.model import Invitation
from bot.platform.discord.content import Json
from bot.platform.discord.errors import RefusesDirectMessages
from bot.platform.notices.sending import Line
from bot.platform.notices.storage import Notice
from bot.tables.model import TableId
from bot.tables.notifications import Notification, Reminder, ReminderStage
from bot.tables.table import Table
from tests.support.waiting import Gate


class FakeMessageSender:
    """Records reminders, invitations and announcements, and which of their messages remain."""

    def __init__(self) -> None:
        self.reminded: list[tuple[TableId, int]] = []
        """The tables and the users who were reminded of them."""
        self.stages: list[ReminderStage] = []
        """What the reminders were about."""
        self.directed: list[tuple[TableId, int]] = []
        """Those of the reminders that were direct messages."""
        self.direct_refusers: set[int] = set()
        """Who accepts no direct messages."""
        self.deleted_channels: set[int] = set()
        self.called: list[tuple[TableId, tuple[int, ...]]] = []
        """The tables where time was up, and the users mentioned."""
        self.invited: list[tuple[TableId, int, int]] = []
        """The tables, the inviting users and the invited users."""
        self.announced: list[tuple[TableId, datetime]] = []
        """The tables announced to close, with their times."""
        self.messages: dict[int, TableId] = {}
        """The messages in the channels."""
        self.linked_message_ids: list[int | None] = []
        """The messages of the tables that they were called to."""
        self.looked_for: list[Reminder] = []
        self.faults: list[Exception] = []
        """The next errors to raise, in order."""
        self.gate: Gate | None = None
        """Blocks sending until it is opened."""
        self.removal_gate: Gate | None = None
        """Blocks deleting an invitation until it is opened."""

    async def send_direct(self, table: Table, stage: ReminderStage) -> tuple[int, int]:
        assert table.mover is not None
        if table.mover.user_id in self.direct_refusers:
            raise RefusesDirectMessages
        self.directed.append((table.id, table.mover.user_id or 0))
        return 900, await self.send(table, stage)

    async def call_others(self, table: Table, user_ids: Collection[int]) -> int:
        self._raise_next_fault()
        self.called.append((table.id, tuple(user_ids)))
        message_id = 7000 + len(self.called)
        self.messages[message_id] = table.id
        return message_id

    async def send(self, table: Table, stage: ReminderStage) -> int:
        self._raise_next_fault()
        self.stages.append(stage)
        if self.gate is not None:
            await self.gate.wait()
        assert table.mover is not None
        assert table.mover.user_id is not None
        self.reminded.append((table.id, table.mover.user_id))
        self.linked_message_ids.append(table.header.message_id)
        message_id = 5000 + len(self.reminded)
        self.messages[message_id] = table.id
        return message_id

    async def find_reminder(self, reminder: Reminder) -> int | None:
        self._raise_next_fault()
        self.looked_for.append(reminder)
        return next((id_ for id_, table_id in self.messages.items() if table_id == reminder.table_id), None)

    async def has_channel(self, channel_id: int) -> bool:
        self._raise_next_fault()
        return channel_id not in self.deleted_channels

    async def remove(self, posted: Notification) -> None:
        self._raise_next_fault()
        if self.removal_gate is not None:
            await self.removal_gate.wait()
        self.messages.pop(posted.message_id or 0, None)

    async def post(self, notice: Notice, line: Line) -> int:
        self._raise_next_fault()
        if self.gate is not None:
            await self.gate.wait()
        if isinstance(notice, Announcement):
            self.announced.append((notice.table_id, time_in(line.text)))
        if isinstance(notice, Invitation):
            self.invited.append((notice.table_id, notice.inviter_id, notice.user_id))
        message_id = 6000 + len(self.announced) + len(self.invited)
        self.messages[message_id] = notice.table_id
        return message_id

    async def post_direct(self, notice: Notice, line: Line) -> tuple[int, int]:
        return 900, await self.post(notice, line)

    async def find(self, notice: Notice, recognises: Callable[[Json], bool]) -> int | None:
        self._raise_next_fault()
        return next((id_ for id_, table_id in self.messages.items() if table_id == notice.table_id), None)

    async def delete(self, channel_id: int, message_id: int) -> None:
        self._raise_next_fault()
        if self.removal_gate is not None:
            await self.removal_gate.wait()
        self.messages.pop(message_id, None)

    def _raise_next_fault(self) -> None:
        if self.faults:
            raise self.faults.pop(0)


def time_in(text: str) -> datetime:
    """Return the time in a text for Discord."""
    (seconds,) = re.findall(r"<t:(\d+):R>", text)
    return datetime.fromtimestamp(int(seconds), UTC)
