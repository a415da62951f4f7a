"""What the host needs from outside: somewhere to keep tables."""

from collections.abc import Collection, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from datetime import datetime
from typing import Protocol

from bot.tables.model import AsideTable, Entry, Header, Occupant, PublishedRevision, Result, StoredTable, TableId
from bot.tables.notifications import Announcement, Invitation, Reminder
from bot.tables.refusals import HostReason


class ChannelTaken(Exception):
    """The place already has an open table."""

    def __init__(self, table_id: TableId) -> None:
        super().__init__(table_id)
        self.table_id = table_id


class AlreadyContinued(Exception):
    """The series has a table of this part already."""

    def __init__(self, table_id: TableId) -> None:
        super().__init__(table_id)
        self.table_id = table_id


class TooManyTables(Exception):
    """The opener has as many open tables there as one person may have."""


class AlreadyInvited(Exception):
    """The person was invited to the table before."""

    def __init__(self, click_id: int) -> None:
        super().__init__(click_id)
        self.click_id = click_id
        """The interaction that did so."""


class NotInvitable(Exception):
    """The person is not to be invited, for a reason that the store knows."""

    def __init__(self, reason: HostReason) -> None:
        super().__init__(reason)
        self.reason = reason


class Conflict(Exception):
    """Somebody else changed the table first; load it again."""


class StoreUnavailable(Exception):
    """Nothing was written or read: the disk is full, read-only, locked or gone."""


class OutcomeUnknown(StoreUnavailable):
    """A write was given up on that may have been committed all the same, or may yet be; only the store can tell."""


class TableStore(Protocol):
    """Keeps tables durably; every method is one transaction and raises StoreUnavailable when it can't be done.

    No method waits forever. One that writes raises OutcomeUnknown where nobody can tell whether it was done.
    """

    async def open_table(self, header: Header, seats: Sequence[Occupant], most: int | None = None) -> Header:
        """Keep a new table and return its header with the id it got; raises ChannelTaken and AlreadyContinued.

        A part of a series has one table at most, unless it was cancelled or has expired. Raises TooManyTables where the
        opener would have more than so many open tables in the server, or in direct messages; None is any number.
        """
        ...

    async def load(self, table_id: TableId) -> StoredTable | None:
        """Return a table with its seats and moves."""
        ...

    async def find_open(self, channel_id: int, solo_id: int = 0) -> TableId | None:
        """Return the open table of a channel, or a person's solo game in it."""
        ...

    async def find_newest(self, channel_id: int, solo_id: int = 0) -> TableId | None:
        """Return the newest table of a channel, or a person's newer solo game in it, be it open or over."""
        ...

    async def list_aside_tables(self, channel_id: int, limit: int) -> Sequence[AsideTable]:
        """Return the tables of a channel that were put aside; the newest first."""
        ...

    async def list_open_tables(self, scope_id: int, limit: int) -> Sequence[TableId]:
        """Return the open tables of a server, or of a direct message's channel; the newest first."""
        ...

    async def save(
        self,
        header: Header,
        seats: Sequence[Occupant] | None,
        entry: Entry | None,
        results: Sequence[Result] = (),
    ) -> None:
        """Write a changed header, perhaps with new seats, one more move, or the results of a table just finished.

        Raises:
            Conflict: The stored revision is not the header's less one.
            ChannelTaken: There is another table in the place that this one takes up again.
        """
        ...

    def saving(
        self,
        header: Header,
        seats: Sequence[Occupant] | None,
        entry: Entry | None,
        results: Sequence[Result] = (),
    ) -> AbstractAsyncContextManager[bool]:
        """Save, and run the block while the commit is under way; when the block is left, the change is on disk.

        Returns:
            A context manager that yields whether the commit is still under way.
        """
        ...

    async def add_invitation(self, invitation: Invitation, since: datetime, most: int) -> None:
        """Note an invitation; raises AlreadyInvited where there is one for the same person and table.

        Raises NotInvitable where the server or the person wants no invitations, where so many were made to the table,
        or where the same person has invited them since a moment, whatever the table.
        """
        ...

    async def withdraw_invitation(self, invitation: Invitation) -> None:
        """Take back what was noted of an invitation."""
        ...

    async def mark_published(self, shown: Sequence[PublishedRevision]) -> None:
        """Note what is shown; never moves a table's published revision back."""
        ...

    async def idle_lobbies(self, since: datetime, after_id: TableId, limit: int) -> Sequence[TableId]:
        """Return tables that have not started and that nobody has changed since a moment: a page by their numbers."""
        ...

    async def list_pending_tables(self, games: Collection[str], after_id: TableId, limit: int) -> Sequence[TableId]:
        """Return tables of some games not shown as they are, or where a computer player is to move: a page likewise."""
        ...

    async def count_open_tables(self) -> Mapping[str, int]:
        """Return how many open tables each game has."""
        ...


class ReminderStore(Protocol):
    """Keeps reminders durably, one for a table at most; every method is a transaction, as those of the store are."""

    async def due_reminders(
        self, games: Collection[str], after: datetime, until: datetime, limit: int
    ) -> Sequence[Reminder]:
        """Return the turns of people silent since a moment in this stretch, and not reminded of yet; oldest first.

        Only the tables of some games count, in channels of servers that want it: no solo games, no direct messages.
        """
        ...

    async def claim_reminder(self, reminder: Reminder) -> bool:
        """Decide to send a reminder, and tell whether that was decided here: it is not once the person has acted."""
        ...

    async def set_reminder_message(self, reminder: Reminder) -> bool:
        """Note the message of a reminder; tell whether it may stay in the channel, for it may have lapsed meanwhile."""
        ...

    async def lapsed_reminders(self, limit: int) -> Sequence[Reminder]:
        """Return reminders whose person has acted, or whose turn is over."""
        ...

    async def mark_reminder_removed(self, reminder: Reminder) -> None:
        """Note that a reminder's message is gone, and forget the reminder if its turn is over."""
        ...


class InvitationStore(Protocol):
    """Keeps the messages that invite people, and who wants none; every method is a transaction, as in the store."""

    async def set_invitation_message(self, invitation: Invitation) -> bool:
        """Note the message of an invitation; tell whether it may stay in the channel."""
        ...

    async def lapsed_invitations(self, limit: int) -> Sequence[Invitation]:
        """Return invitations whose messages stand and are of no more use.

        The table is full or no lobby any more, or whoever is invited has sat down or wants no invitations.
        """
        ...

    async def mark_invitation_removed(self, invitation: Invitation) -> None:
        """Note that the message of an invitation is gone."""
        ...

    async def prune_invitations(self, since: datetime) -> None:
        """Drop invitations noted before a moment, to tables that have started or are closed."""
        ...

    async def refuses_invitations(self, user_id: int) -> bool:
        """Tell whether somebody wants no invitations."""
        ...

    async def set_refuses_invitations(self, user_id: int, *, refuses: bool) -> None:
        """Note whether somebody wants no invitations."""
        ...


class AnnouncementStore(Protocol):
    """Keeps durably which silent tables were announced to be closed; every method is a transaction."""

    async def tables_to_announce(self, games: Collection[str], since: datetime, limit: int) -> Sequence[TableId]:
        """Return unfinished tables of some games silent since a moment and not announced yet; longest silence first."""
        ...

    async def claim_announcement(self, announcement: Announcement) -> bool:
        """Decide to announce a table, and tell whether that was decided here: it is not once the silence has ended."""
        ...

    async def set_announcement_message(self, announcement: Announcement) -> bool:
        """Note the message of an announcement; tell whether it still stands."""
        ...

    async def delete_announcement(self, announcement: Announcement) -> None:
        """Drop an announcement."""
        ...

    async def tables_to_abandon(
        self, games: Collection[str], since: datetime, noted_until: datetime, limit: int
    ) -> Sequence[TableId]:
        """Return unfinished tables silent since a moment that were announced until another; longest silence first."""
        ...

    async def lapsed_announcements(self, limit: int) -> Sequence[Announcement]:
        """Return announcements of tables whose silence has ended, or that are over."""
        ...


class HostStore(TableStore, ReminderStore, InvitationStore, AnnouncementStore, Protocol):
    """All that a host keeps."""
