"""The stores that the host needs, and the errors they raise."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Protocol

from bot.features.reminders.pings import PersonPings, PingChoice, QuietHours
from bot.platform.days import Day
from bot.platform.jobs.due_work import DueWorkStore
from bot.platform.jobs.shard_ranges import ShardRange
from bot.tables.daily import DailyBag
from bot.tables.model import AsideTable, Award, Header, Occupant, PublishedRevision, StoredTable, TableId, TableUpdate
from bot.tables.notifications import Announcement, Invitation, Reminder
from bot.tables.refusals import HostReason


class TableExists(Exception):
    """A table is where another one was to be opened."""

    def __init__(self, table_id: TableId) -> None:
        super().__init__(table_id)
        self.table_id = table_id


class ChannelTaken(TableExists):
    """The location has an open table."""


class AlreadyContinued(TableExists):
    """The series has a table of this part."""


class TooManyTables(Exception):
    """The opener has reached the limit of open tables in the server, or in direct messages."""


class AlreadyInvited(Exception):
    """The person was invited to the table before."""

    def __init__(self, click_id: int) -> None:
        super().__init__(click_id)
        self.click_id = click_id
        """The interaction that invited them."""


class NotInvitable(Exception):
    """A preference or a limit forbids the invitation."""

    def __init__(self, reason: HostReason) -> None:
        super().__init__(reason)
        self.reason = reason


class AlreadyAttempted(Exception):
    """The person has begun an attempt at the daily bag before."""


class Conflict(Exception):
    """Another writer changed the table first; reload it and decide again."""


class StoreUnavailable(Exception):
    """The database does not work, so nothing was read or written: a disk is full or gone, or a server is down."""

    def __init__(self, reason: str = "", advice: str = "") -> None:
        super().__init__(reason)
        self.advice = advice
        """What the host can do about it, as sentences; empty if that is not known."""


class OutcomeUnknown(StoreUnavailable):
    """A write was given up on but may have been committed, or may still be; reload to find out."""


class TableStore(Protocol):
    """Stores tables durably.

    Each method is one transaction with a time limit. Every method may raise StoreUnavailable, and those that write may
    raise OutcomeUnknown.
    """

    async def open_table(
        self, header: Header, seats: Sequence[Occupant], most: int | None = None, attempts: Day | None = None
    ) -> Header:
        """Store a new table and return its header with its id.

        Args:
            header: The header; its id is ignored.
            seats: The occupants by seat.
            most: How many open tables the opener can have in the server, or in direct messages, and how many lessons;
                None for any number.
            attempts: The day at whose bag this is the opener's attempt that counts, if it is one.

        Raises:
            AlreadyAttempted: The opener has begun an attempt at the bag of that day before.
            ChannelTaken: The location has an open table.
            AlreadyContinued: The series has a table of this part that was not cancelled and has not expired.
            TooManyTables: The opener would exceed the limit.
            SeatBlocked: Two of its people block each other, and it is no part of a series.
        """

    async def count_opened(self, opener_id: int, guild_id: int | None) -> int:
        """Return how many open tables someone has opened in a server, or in direct messages; lessons are none."""

    async def load(self, table_id: TableId) -> StoredTable | None:
        """Return a table, or None if it does not exist."""

    async def find_open(self, channel_id: int, solo_id: int = 0) -> TableId | None:
        """Return the open table of a channel, or a person's open solo game there, or None."""

    async def find_newest(self, channel_id: int, solo_id: int = 0) -> TableId | None:
        """Return the newest table of a channel, open or not; a person's solo game there if that is newer."""

    async def list_aside_tables(self, channel_id: int, limit: int) -> Sequence[AsideTable]:
        """Return the tables of a channel that were put aside, newest first."""

    async def list_open_tables(self, scope_id: int, limit: int) -> Sequence[TableId]:
        """Return the open tables of a server, or of a direct message channel, newest first."""

    async def save(self, change: TableUpdate) -> Sequence[Award]:
        """Save a change of a table. When this returns, it is on disk.

        If the change finishes the table, badges are awarded in the same transaction: those of the game that people
        did not have yet, and those that their results so far have earned.

        Returns:
            The badges that were awarded.

        Raises:
            Conflict: The stored revision is not the one before the header's.
            ChannelTaken: The table is resumed, and its location has another open table.
            SeatBlocked: A newcomer and someone who has a seat block each other.
        """

    async def add_invitation(self, invitation: Invitation, since: datetime, most: int) -> None:
        """Store an invitation.

        Args:
            invitation: The invitation.
            since: An inviter can't invite a person whom they have invited after this, to any table.
            most: How many invitations a table can have.

        Raises:
            AlreadyInvited: The person was invited to the table before.
            NotInvitable: The server or the person refuses invitations, or a limit is reached.
        """

    async def withdraw_invitation(self, invitation: Invitation) -> None:
        """Delete an invitation that was not sent."""

    async def find_bags(self, first: Day, last: Day) -> Mapping[Day, DailyBag]:
        """Return the daily bags of some days."""

    async def mark_published(self, shown: Sequence[PublishedRevision]) -> None:
        """Store published revisions, which don't decrease in a single process.

        If a table's stored revision is not the one that was replaced, another process has shown the table meanwhile.
        Which of them was the last is unknown, so the table counts as never shown until a process that has read that
        shows it; except if both have shown the same, and nothing has followed it yet.
        """

    async def idle_lobbies(self, since: datetime, after_id: TableId, limit: int) -> Sequence[TableId]:
        """Return a page of lobbies that have not changed since a time, by id."""

    async def list_pending_tables(self, games: Collection[str], after_id: TableId, limit: int) -> Sequence[TableId]:
        """Return a page of tables of some games that need showing or a computer player's move, by id."""

    async def count_open_tables(self) -> Mapping[str, int]:
        """Return the number of open tables by game, without lessons."""


class ReminderStore(Protocol):
    """Stores reminders durably, at most one per table; methods behave as those of `TableStore`."""

    async def due_reminders(
        self, games: Collection[str], after: datetime, until: Mapping[int, datetime], limit: int
    ) -> Sequence[Reminder]:
        """Return unsent reminders for turns that began to wait after a time, longest wait first.

        Only tables of the given games count; no solo games, no direct messages, nobody who wants no pings, and nobody
        who would be mentioned in a server that forbids reminders. Each person has one ping at a time: who has one, or
        a reminder that half their time has passed, has none due, and everyone else one at most.

        Args:
            games: The keys of the games.
            after: The wait must have begun later.
            until: By when the wait must have begun, by the delay that the player has chosen, in minutes.
            limit: How many to return at most.
        """

    async def held_reminders(self, now: datetime, limit: int) -> Sequence[Reminder]:
        """Return reminders that were held back until now."""

    async def load_reminder(self, table_id: TableId) -> Reminder | None:
        """Return the reminder of a table, or None if it has none."""

    async def claim_reminder(self, reminder: Reminder) -> bool:
        """Store a reminder before it is sent; return False if there is one, or the player has acted.

        One about a turn clock replaces any other, except a standing one of the same stage; a ping is refused, too,
        while the player has one at another table.
        """

    async def release_reminder(self, reminder: Reminder) -> bool:
        """Note before it is sent when a reminder is no longer held back; return False if it is not."""

    async def set_reminder_message(self, reminder: Reminder) -> bool:
        """Store a reminder's message id; return False if the reminder has lapsed, so that the message must go."""

    async def lapsed_reminders(self, limit: int) -> Sequence[Reminder]:
        """Return reminders whose player has acted, with a message to delete or a turn that is over."""

    async def mark_reminder_removed(self, reminder: Reminder) -> None:
        """Delete a reminder whose turn is over; otherwise note that its message is gone, if it was not replaced."""

    async def find_ping_channels(self, guild_id: int) -> Sequence[int]:
        """Return the channels of a server with tables whose reminders stand."""

    async def forget_channel_pings(self, channel_id: int) -> None:
        """Note that the reminders at the tables of a deleted channel do not stand: nobody can answer them."""


class PingStore(Protocol):
    """Stores how people want to be pinged; methods behave as those of `TableStore`."""

    async def load_pings(self, user_id: int, table_id: TableId, guild_id: int | None) -> PersonPings:
        """Return what a person has chosen that matters at a table of a server; table 0 is none."""

    async def choose_ping(self, user_id: int, table_id: TableId, choice: PingChoice | None) -> None:
        """Store a choice for a table, or (0) for all without one of their own; None deletes it.

        A choice of direct messages is a new attempt after a refusal. Choices for tables that are over are deleted.
        """

    async def choose_quiet_hours(self, user_id: int, quiet: QuietHours | None) -> None:
        """Store in which hours a person is not pinged; None for in all."""

    async def note_refused_direct(self, user_id: int) -> None:
        """Note that a person accepts no direct messages."""


class ClockStore(Protocol):
    """Finds turn clocks; methods behave as those of `TableStore`."""

    async def running_clocks(self, shards: ShardRange) -> Sequence[TableId]:
        """Return the tables of shards where a job will call the time; some may not be timed any more."""


class InvitationStore(Protocol):
    """Stores the messages of invitations, and who refuses them; methods behave as those of `TableStore`."""

    async def set_invitation_message(self, invitation: Invitation) -> bool:
        """Store an invitation's message id; return False if the message must be deleted."""

    async def lapsed_invitations(self, limit: int) -> Sequence[Invitation]:
        """Return lapsed invitations whose messages may still be in their channels.

        It lapses when the table is full or no lobby any more, or when the guest has joined or refuses invitations.
        """

    async def mark_invitation_removed(self, invitation: Invitation) -> None:
        """Note that an invitation's message is gone."""

    async def prune_invitations(self, since: datetime) -> None:
        """Delete invitations stored before a time, to tables that are no lobbies any more."""

    async def refuses_invitations(self, user_id: int) -> bool:
        """Return whether a person refuses invitations."""

    async def set_refuses_invitations(self, user_id: int, *, refuses: bool) -> None:
        """Store whether a person refuses invitations."""


class AnnouncementStore(Protocol):
    """Stores announcements durably, at most one per table; methods behave as those of `TableStore`."""

    async def tables_to_announce(self, games: Collection[str], since: datetime, limit: int) -> Sequence[TableId]:
        """Return idle tables that were not announced yet, longest idle first; lessons are closed without a word."""

    async def claim_announcement(self, announcement: Announcement) -> bool:
        """Store an announcement before it is sent; return False if there is one, or the table is no longer idle."""

    async def set_announcement_message(self, announcement: Announcement) -> bool:
        """Store an announcement's message id; return False if the announcement is gone."""

    async def delete_announcement(self, announcement: Announcement) -> None:
        """Delete an announcement."""

    async def tables_to_abandon(
        self, games: Collection[str], since: datetime, noted_until: datetime, limit: int
    ) -> Sequence[TableId]:
        """Return idle tables that were announced by `noted_until`, and idle lessons, longest idle first."""

    async def lapsed_announcements(self, limit: int) -> Sequence[Announcement]:
        """Return announcements of tables that are no longer idle, or over."""


class HostStore(
    TableStore, DueWorkStore, ReminderStore, PingStore, ClockStore, InvitationStore, AnnouncementStore, Protocol
):
    """What a host needs."""
