"""How messages are delivered: the port that posts and edits the messages of tables, and the errors of all senders."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from typing import Any, Protocol

from bot.tables.model import Header, TableId
from bot.tables.notifications import Notification
from bot.tables.table import Table

ShowTable = Callable[[Table], Awaitable[int]]
"""Shows a table and returns the message's id."""

RestoreTable = Callable[[TableId], Awaitable[Table]]
"""Shows a table again, in a new message if somebody has deleted its own, and returns it as it is then."""


class TableMessages(Protocol):
    """Posts and edits the messages of tables.

    Waiting for rate limits comes first and is separate, so that no table's lock is held meanwhile.
    """

    def reserve_post(self, table: Table) -> AbstractAsyncContextManager[ShowTable]:
        """Wait until a table may be posted, and yield a function that posts it at once.

        The function raises ChannelUnreachable and DeliveryFailed.
        """

    def reserve_edit(self, table: Table, *, is_new: bool) -> AbstractAsyncContextManager[ShowTable]:
        """Wait until a table's message may be edited, and yield a function that edits it at once.

        The function raises MessageGone, ChannelUnreachable and DeliveryFailed.

        Args:
            table: The table.
            is_new: Whether the table has just changed; such edits go before retries and refreshes.
        """

    def take_late_picture(self, table_id: TableId) -> asyncio.Future[Any] | None:
        """Return the picture that a table was last shown without, because it is still being drawn; once for each."""

    async def remove(self, table: Table, message_id: int) -> None:
        """Delete a table's former message, which a newer one has replaced.

        Raises:
            MessageGone: It was deleted.
            ChannelUnreachable: The bot can't delete there.
            DeliveryFailed: Deleting failed for now.
        """

    async def mark_closed(self, header: Header) -> None:
        """Edit an orphan's message, if possible, so that it says how the table ended."""


class MessageRemover(Protocol):
    """Deletes the messages of reminders, invitations and announcements."""

    async def remove(self, posted: Notification) -> None:
        """Delete a message, if it exists and can be deleted.

        Raises:
            DeliveryFailed: Deleting failed for now.
        """
