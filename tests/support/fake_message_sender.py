"""A fake sender of reminders, invitations and announcements."""

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime

from bot.features.invitations.model import Invitation
from bot.features.reminders.model import Reminder, ReminderStage
from bot.platform.catalogues import Catalogues
from bot.platform.discord.content import Json
from bot.platform.discord.errors import RefusesDirectMessages
from bot.platform.discord.languages import Languages
from bot.platform.notices.sending import Line, MessageSender
from bot.platform.notices.storage import Notice, NoticeT
from bot.tables.model import TableId
from tests.support.waiting import Gate


class FakeMessageSender(MessageSender):
    """Records reminders, invitations and announcements, and which of their messages remain."""

    def __init__(self) -> None:
        self.languages = Languages(Catalogues())
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
        self.looked_for: list[Notice] = []
        self.faults: list[Exception] = []
        """The next errors to raise, in order."""
        self.gate: Gate | None = None
        """Blocks sending until it is opened, except of questions to the others."""
        self.removal_gate: Gate | None = None
        """Blocks deleting a message until it is opened."""
        self._last_id = 5000

    async def post(self, notice: NoticeT, line: Line) -> NoticeT:
        self._raise_next_fault()
        is_question = isinstance(notice, Reminder) and notice.stage is ReminderStage.TIME_UP
        if isinstance(notice, Reminder) and not is_question:
            self.stages.append(notice.stage)
        if self.gate is not None and not is_question:
            await self.gate.wait()
        self._record(notice, line)
        self._last_id += 1
        self.messages[self._last_id] = notice.table_id
        return replace(notice, message_id=self._last_id)

    def _record(self, notice: Notice, line: Line) -> None:
        match notice:
            case Reminder(table_id, stage=ReminderStage.TIME_UP):
                self.called.append((table_id, tuple(line.mentions)))
            case Reminder(table_id):
                self.reminded.append((table_id, line.mentions[0]))
                self.linked_message_ids.append(int(line.text.rpartition("/")[2]))
            case Invitation(table_id):
                self.invited.append((table_id, notice.inviter_id, notice.user_id))
            case _:
                (closes_at,) = re.findall(r"<t:(\d+):R>", line.text)
                self.announced.append((notice.table_id, datetime.fromtimestamp(int(closes_at), UTC)))

    async def post_direct(self, notice: NoticeT, line: Line) -> NoticeT:
        if line.mentions[0] in self.direct_refusers:
            raise RefusesDirectMessages
        self.directed.append((notice.table_id, line.mentions[0]))
        return replace(await self.post(notice, line), channel_id=900)

    async def find(self, notice: Notice, recognises: Callable[[Json], bool]) -> int | None:
        self._raise_next_fault()
        self.looked_for.append(notice)
        return next((id_ for id_, table_id in self.messages.items() if table_id == notice.table_id), None)

    async def delete(self, channel_id: int, message_id: int) -> None:
        self._raise_next_fault()
        if self.removal_gate is not None:
            await self.removal_gate.wait()
        self.messages.pop(message_id, None)

    async def has_channel(self, channel_id: int) -> bool:
        self._raise_next_fault()
        return channel_id not in self.deleted_channels

    def _raise_next_fault(self) -> None:
        if self.faults:
            raise self.faults.pop(0)
