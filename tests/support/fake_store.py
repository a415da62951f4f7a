"""A store in memory that fails or waits where a test says so."""

import asyncio
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import fields
from datetime import datetime, timedelta
from typing import TypeVar

from bot.features.blocks.model import people_in
from bot.features.my_tables.model import MyTable
from bot.features.profiles.model import PersonalPreferences, PersonFacts
from bot.features.reminders.pings import PersonPings, PingChoice, QuietHours
from bot.features.settings.preferences import Preferences, SettingsAuthor, SettingsChange
from bot.platform.days import Day
from bot.platform.jobs.due_work import DueWork
from bot.platform.jobs.jobs import Job
from bot.platform.jobs.shard_ranges import ShardRange
from bot.tables.clock_state import HALF_TIME, TIME_UP
from bot.tables.model import AsideTable, Award, Header, Occupant, PublishedRevision, StoredTable, TableId, TableUpdate
from bot.tables.notifications import Announcement, Invitation, Reminder
from bot.tables.ports import OutcomeUnknown, StoreUnavailable
from tests.support.fake_announcements import FakeAnnouncements
from tests.support.fake_blocks import FakeBlocks
from tests.support.fake_daily_bags import FakeDailyBags
from tests.support.fake_invitations import FakeInvitations
from tests.support.fake_pings import FakePings
from tests.support.fake_privacy import FakePrivacy
from tests.support.fake_puzzle_answers import FakePuzzleAnswers
from tests.support.fake_reminders import FakeReminders
from tests.support.fake_seasons import FakeSeasons
from tests.support.fake_tournaments import FakeTournaments
from tests.support.in_memory_tables import InMemoryTables
from tests.support.waiting import Gate

T = TypeVar("T")


class FakeStore(
    InMemoryTables, FakePuzzleAnswers, FakeBlocks, FakeDailyBags, FakeTournaments, FakePrivacy, FakeSeasons
):
    """Keeps tables in memory as the port promises, and fails or waits where a test says so.

    Like any store it lets others run before a transaction and after it, never in the middle of one.
    """

    def __init__(self) -> None:
        InMemoryTables.__init__(self)
        FakePuzzleAnswers.__init__(self)
        FakeBlocks.__init__(self)
        FakeDailyBags.__init__(self)
        FakeTournaments.__init__(self)
        FakePrivacy.__init__(self)
        self.chosen: dict[int, Preferences] = {}
        """Preferences by scope."""
        self.settings_changes: defaultdict[int, list[SettingsChange]] = defaultdict(list)
        """By scope, newest first; values of other types than texts are not as a database stores them."""
        self.people: dict[int, PersonalPreferences] = {}
        self.pings = FakePings(self.chosen)
        self.reminders = FakeReminders(self.records, self.pings)
        self.invitations = FakeInvitations(self.records, self.chosen, self.blocks)
        self.announcements = FakeAnnouncements(self.records)
        self.facts: dict[str, str] = {}
        self.animations: dict[TableId, bytes] = {}
        self.reviews: dict[TableId, str] = {}
        self.listed_tables: list[MyTable] = []
        """What anyone's list of tables has."""
        self.calls: list[str] = []
        self.broken: set[str] = set()
        """Methods that do nothing and say so."""
        self.unanswered_methods: set[str] = set()
        """Methods that do their work but whose answer gets lost."""
        self.before: dict[str, Gate] = {}
        self.after: dict[str, Gate] = {}

    async def reserve_identify(self, bucket: int, every: timedelta, most: timedelta) -> timedelta:
        return timedelta()

    async def open_table(
        self, header: Header, seats: Sequence[Occupant], most: int | None = None, attempts: Day | None = None
    ) -> Header:
        def work() -> Header:
            if header.link is None:
                self.require_unblocked(people_in(seats), people_in(seats))
            return self._open(header, seats, most)

        return await self._transact("open_table", work)

    async def count_opened(self, opener_id: int, guild_id: int | None) -> int:
        return await self._transact("count_opened", lambda: self._count_opened(opener_id, guild_id))

    async def load(self, table_id: TableId) -> StoredTable | None:
        return await self._transact("load", lambda: self.records.get(table_id))

    async def find_open(self, channel_id: int, solo_id: int = 0) -> TableId | None:
        return await self._transact("find_open", lambda: self._open_in(channel_id, solo_id))

    async def find_newest(self, channel_id: int, solo_id: int = 0) -> TableId | None:
        return await self._transact("find_newest", lambda: self._newest_in(channel_id, {0, solo_id}))

    async def save(self, change: TableUpdate) -> Sequence[Award]:
        def work() -> Sequence[Award]:
            self.require_unblocked(people_in(change.seats or ()), change.newcomers)
            return self._save_with_clock(change)

        return await self._transact("save", work)

    def _save_with_clock(self, change: TableUpdate) -> Sequence[Award]:
        awards = self._save(change)
        clock = change.header.clock
        if change.starts_clock and clock.ends_at is not None and clock.limit.time is not None:
            for kind, due_at in ((HALF_TIME, clock.ends_at - clock.limit.time / 2), (TIME_UP, clock.ends_at)):
                self.put_job(Job(kind, str(change.header.id), due_at, counts_from=clock.ends_at - clock.limit.time))
        return awards

    async def add_invitation(self, invitation: Invitation, since: datetime, most: int) -> None:
        await self._transact("add_invitation", lambda: self.invitations.invite(invitation, since, most))

    async def withdraw_invitation(self, invitation: Invitation) -> None:
        await self._transact("withdraw_invitation", lambda: self.invitations.withdraw(invitation))

    async def set_invitation_message(self, invitation: Invitation) -> bool:
        return await self._transact("set_invitation_message", lambda: self.invitations.keep(invitation))

    async def lapsed_invitations(self, limit: int) -> Sequence[Invitation]:
        return await self._transact("lapsed_invitations", lambda: self.invitations.lapsed()[:limit])

    async def mark_invitation_removed(self, invitation: Invitation) -> None:
        await self._transact("mark_invitation_removed", lambda: self.invitations.close(invitation))

    async def prune_invitations(self, since: datetime) -> None:
        await self._transact("prune_invitations", lambda: self.invitations.prune(since))

    async def refuses_invitations(self, user_id: int) -> bool:
        return await self._transact("refuses_invitations", lambda: user_id in self.invitations.refusers)

    async def set_refuses_invitations(self, user_id: int, *, refuses: bool) -> None:
        await self._transact("set_refuses_invitations", lambda: self.invitations.refuse(user_id, refuses=refuses))

    async def mark_published(self, shown: Sequence[PublishedRevision]) -> None:
        await self._transact("mark_published", lambda: self._mark_published(shown))

    async def idle_lobbies(self, since: datetime, after_id: TableId, limit: int) -> Sequence[TableId]:
        return await self._transact("idle_lobbies", lambda: self._idle_lobbies(since, after_id)[:limit])

    async def list_pending_tables(self, games: Collection[str], after_id: TableId, limit: int) -> Sequence[TableId]:
        return await self._transact("list_pending_tables", lambda: self._unsettled(games, after_id)[:limit])

    async def count_open_tables(self) -> Mapping[str, int]:
        return await self._transact("count_open_tables", self._open_games)

    async def look_for_work(
        self, games: Collection[str], after: datetime, until: Mapping[int, datetime], now: datetime
    ) -> DueWork:
        def look() -> DueWork:
            found = (self.reminders.lapsed(), self.reminders.unreminded(games, after, until), self.reminders.held(now))
            return DueWork(any(found), bool(self.invitations.lapsed()), bool(self.due_jobs(now)), self.erasures)

        return await self._transact("look_for_work", look)

    async def due_reminders(
        self, games: Collection[str], after: datetime, until: Mapping[int, datetime], limit: int
    ) -> Sequence[Reminder]:
        return await self._transact("due_reminders", lambda: self.reminders.unreminded(games, after, until)[:limit])

    async def held_reminders(self, now: datetime, limit: int) -> Sequence[Reminder]:
        return await self._transact("held_reminders", lambda: self.reminders.held(now)[:limit])

    async def load_reminder(self, table_id: TableId) -> Reminder | None:
        return await self._transact("load_reminder", lambda: self.reminders.stored.get(table_id))

    async def release_reminder(self, reminder: Reminder) -> bool:
        return await self._transact("release_reminder", lambda: self.reminders.release(reminder))

    async def load_pings(self, user_id: int, table_id: TableId, guild_id: int | None) -> PersonPings:
        return await self._transact("load_pings", lambda: self.pings.load(user_id, table_id, guild_id))

    async def choose_ping(self, user_id: int, table_id: TableId, choice: PingChoice | None) -> None:
        await self._transact("choose_ping", lambda: self.pings.choose(user_id, table_id, choice))

    async def choose_quiet_hours(self, user_id: int, quiet: QuietHours | None) -> None:
        await self._transact("choose_quiet_hours", lambda: self.pings.quiet.update({user_id: quiet}))

    async def note_refused_direct(self, user_id: int) -> None:
        await self._transact("note_refused_direct", lambda: self.pings.refusers.add(user_id))

    async def running_clocks(self, shards: ShardRange) -> Sequence[TableId]:
        return await self._transact("running_clocks", lambda: [int(key) for kind, key in self.jobs if kind == TIME_UP])

    async def my_tables(self, user_id: int, limit: int) -> Sequence[MyTable]:
        return await self._transact("my_tables", lambda: self.listed_tables[:limit])

    async def claim_reminder(self, reminder: Reminder) -> bool:
        return await self._transact("claim_reminder", lambda: self.reminders.note(reminder))

    async def set_reminder_message(self, reminder: Reminder) -> bool:
        return await self._transact("set_reminder_message", lambda: self.reminders.keep(reminder))

    async def lapsed_reminders(self, limit: int) -> Sequence[Reminder]:
        return await self._transact("lapsed_reminders", lambda: self.reminders.lapsed()[:limit])

    async def mark_reminder_removed(self, reminder: Reminder) -> None:
        await self._transact("mark_reminder_removed", lambda: self.reminders.close(reminder))

    async def find_ping_channels(self, guild_id: int) -> Sequence[int]:
        return await self._transact("find_ping_channels", lambda: self.reminders.channels(guild_id))

    async def forget_channel_pings(self, channel_id: int) -> None:
        await self._transact("forget_channel_pings", lambda: self.reminders.forget(channel_id))

    async def list_aside_tables(self, channel_id: int, limit: int) -> Sequence[AsideTable]:
        return await self._transact("list_aside_tables", lambda: self._aside_in(channel_id)[:limit])

    async def tables_to_announce(self, games: Collection[str], since: datetime, limit: int) -> Sequence[TableId]:
        return await self._transact("tables_to_announce", lambda: self.announcements.unannounced(games, since)[:limit])

    async def claim_announcement(self, announcement: Announcement) -> bool:
        return await self._transact("claim_announcement", lambda: self.announcements.note(announcement))

    async def set_announcement_message(self, announcement: Announcement) -> bool:
        return await self._transact("set_announcement_message", lambda: self.announcements.keep(announcement))

    async def delete_announcement(self, announcement: Announcement) -> None:
        await self._transact("delete_announcement", lambda: self.announcements.forget(announcement))

    async def tables_to_abandon(
        self, games: Collection[str], since: datetime, noted_until: datetime, limit: int
    ) -> Sequence[TableId]:
        found = self.announcements.announced
        return await self._transact("tables_to_abandon", lambda: found(games, since, noted_until)[:limit])

    async def lapsed_announcements(self, limit: int) -> Sequence[Announcement]:
        return await self._transact("lapsed_announcements", lambda: self.announcements.lapsed()[:limit])

    async def list_open_tables(self, scope_id: int, limit: int) -> Sequence[TableId]:
        return await self._transact("list_open_tables", lambda: self._open_at(scope_id)[:limit])

    async def load_review(self, table_id: TableId) -> str | None:
        return await self._transact("load_review", lambda: self.reviews.get(table_id))

    async def save_review(self, table_id: TableId, review: str) -> None:
        await self._transact("save_review", lambda: self.reviews.update({table_id: review}))

    async def load_animation(self, table_id: TableId) -> bytes | None:
        return await self._transact("load_animation", lambda: self.animations.get(table_id))

    async def save_animation(self, table_id: TableId, file: bytes, shown: Sequence[Occupant]) -> bool:
        def save() -> bool:
            is_current = tuple(self.records[table_id].seats) == tuple(shown)
            if is_current:
                self.animations[table_id] = file
            return is_current

        return await self._transact("save_animation", save)

    async def load_preferences(self, scope_id: int) -> Preferences:
        return await self._transact("load_preferences", lambda: self.chosen.get(scope_id, Preferences()))

    async def change_preferences(
        self,
        scope_id: int,
        choose: Callable[[Preferences], Preferences],
        author: SettingsAuthor | None = None,
        owner_id: int | None = None,
    ) -> Preferences:
        def change() -> Preferences:
            before = self.chosen.get(scope_id, Preferences())
            self.chosen[scope_id] = after = choose(before)
            if author is not None:
                self.settings_changes[scope_id][:0] = [
                    SettingsChange(author.user_id, author.at, each.name, str(getattr(after, each.name)))
                    for each in fields(after)
                    if getattr(after, each.name) != getattr(before, each.name)
                ]
            return after

        return await self._transact("change_preferences", change)

    async def list_settings_changes(self, scope_id: int, limit: int) -> Sequence[SettingsChange]:
        return await self._transact("list_settings_changes", lambda: self.settings_changes[scope_id][:limit])

    async def load_person(self, user_id: int) -> PersonFacts:
        return await self._transact("load_person", lambda: self._person(user_id))

    async def change_personal_preferences(
        self, user_id: int, choose: Callable[[PersonalPreferences], PersonalPreferences]
    ) -> PersonFacts:
        def change() -> PersonFacts:
            self.people[user_id] = choose(self._person(user_id).preferences)
            return self._person(user_id)

        return await self._transact("change_personal_preferences", change)

    def _person(self, user_id: int) -> PersonFacts:
        finished = (each for each in self.results if each.user_id == user_id)
        games = frozenset(each.game for each in finished if each.departure is None)
        return PersonFacts(self.people.get(user_id, PersonalPreferences()), games)

    async def get_value(self, key: str) -> str | None:
        return await self._transact("get_value", lambda: self.facts.get(key))

    async def set_value(self, key: str, value: str) -> None:
        await self._transact("set_value", lambda: self.facts.update({key: value}))

    async def _transact(self, method: str, work: Callable[[], T]) -> T:
        self.calls.append(method)
        await asyncio.sleep(0)
        if gate := self.before.get(method):
            await gate.wait()
        if method in self.broken:
            raise StoreUnavailable(f"{method} is broken")
        result = work()
        if gate := self.after.get(method):
            await gate.wait()
        await asyncio.sleep(0)
        if method in self.unanswered_methods:
            raise OutcomeUnknown(f"the answer of {method} got lost")
        return result
