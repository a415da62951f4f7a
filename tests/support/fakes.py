"""Stand-ins for what the host needs from outside, and tables to try it on."""

import asyncio
from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence
from contextlib import asynccontextmanager
from copy import copy
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from enum import Enum
from itertools import count
from typing import TypeVar

from bot.games.magpie import PACKAGE as MAGPIE
from bot.games.magpie.pieces import MagpieOptions
from bot.tables.actions import lobby as lobby_actions
from bot.tables.clock import Clock as AnyClock, utc_now
from bot.tables.model import (
    AsideTable,
    Entry,
    Header,
    Occupant,
    Person,
    Place,
    Preferences,
    PublishedRevision,
    Result,
    Status,
    StoredTable,
    TableId,
    build_lobby_header,
)
from bot.tables.notifications import Announcement, Invitation, Reminder
from bot.tables.ports import OutcomeUnknown, StoreUnavailable
from bot.tables.registry import AnyPackage, GameRegistry
from bot.tables.runtime.delivery import MessageGone, ShowTable
from bot.tables.runtime.repository import TableListener
from bot.tables.runtime.service import TableService
from bot.tables.table import Table
from tests.support.fake_announcements import FakeAnnouncements
from tests.support.fake_invitations import FakeInvitations
from tests.support.fake_reminders import FakeReminders
from tests.support.in_memory_tables import InMemoryTables

T = TypeVar("T")

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
HERE = Place(guild_id=3, channel_id=70)
GAMES = GameRegistry([MAGPIE])

ROBIN, WREN, JAY, LINNET = PEOPLE = tuple(
    Person(11 + at, name) for at, name in enumerate(("Robin", "Wren", "Jay", "Linnet"))
)
STRANGER = Person(99, "Stranger")

ALL_FIVE = "roll 1 2 3 4 5"

START_CLICK = 599

NEW_CLICKS = count(7000)
"""Unused ids of clicks."""


class FakeClock:
    """A clock that shows the time it was set to."""

    def __init__(self, now: datetime = NOON) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now

    def ago(self, span: timedelta) -> datetime:
        return self() - span

    def tick(self, seconds: float = 1) -> None:
        self.now += timedelta(seconds=seconds)


class FakeClockAhead(FakeClock):
    """Goes like the clock of this machine, but so much ahead of it as a test says."""

    def __init__(self, by: timedelta = timedelta()) -> None:
        super().__init__()
        self.by = by

    def __call__(self) -> datetime:
        return utc_now() + self.by


def fixed_entropy(count: int) -> bytes:
    """Return the same bytes every time."""
    return bytes(range(count))


class Gate:
    """Blocks callers until it is opened."""

    def __init__(self) -> None:
        self.reached = asyncio.Event()
        self._opened = asyncio.Event()

    async def wait(self) -> None:
        self.reached.set()
        await self._opened.wait()

    def open(self) -> None:
        self._opened.set()


class FakeStore(InMemoryTables):
    """Keeps tables in memory as the port promises, and fails or waits where a test says so.

    Like any store it lets others run before a transaction and after it, never in the middle of one.
    """

    def __init__(self) -> None:
        super().__init__()
        self.chosen: dict[int, Preferences] = {}
        """Preferences by scope."""
        self.reminders = FakeReminders(self.records, self.chosen)
        self.invitations = FakeInvitations(self.records, self.chosen)
        self.announcements = FakeAnnouncements(self.records)
        self.facts: dict[str, str] = {}
        self.calls: list[str] = []
        self.broken: set[str] = set()
        """Methods that do nothing and say so."""
        self.unanswered_methods: set[str] = set()
        """Methods that do their work but whose answer gets lost."""
        self.shares_commits = False
        """Whether every change is on disk by the time that something could be got ready."""
        self.before: dict[str, Gate] = {}
        self.after: dict[str, Gate] = {}

    async def open_table(self, header: Header, seats: Sequence[Occupant], most: int | None = None) -> Header:
        return await self._transact("open", lambda: self._open(header, seats, most))

    async def load(self, table_id: TableId) -> StoredTable | None:
        return await self._transact("load", lambda: self.records.get(table_id))

    async def find_open(self, channel_id: int, solo_id: int = 0) -> TableId | None:
        return await self._transact("find_open", lambda: self._open_in(channel_id, solo_id))

    async def find_newest(self, channel_id: int, solo_id: int = 0) -> TableId | None:
        return await self._transact("find_newest", lambda: self._newest_in(channel_id, {0, solo_id}))

    async def save(
        self, header: Header, seats: Sequence[Occupant] | None, entry: Entry | None, results: Sequence[Result] = ()
    ) -> None:
        async with self.saving(header, seats, entry, results):
            pass

    @asynccontextmanager
    async def saving(
        self, header: Header, seats: Sequence[Occupant] | None, entry: Entry | None, results: Sequence[Result] = ()
    ) -> AsyncIterator[bool]:
        await self._transact("save", lambda: self._save(header, seats, entry, results))
        yield not self.shares_commits

    async def add_invitation(self, invitation: Invitation, since: datetime, most: int) -> None:
        await self._transact("add_invitation", lambda: self.invitations.invite(invitation, since, most))

    async def withdraw_invitation(self, invitation: Invitation) -> None:
        await self._transact("withdraw", lambda: self.invitations.withdraw(invitation))

    async def set_invitation_message(self, invitation: Invitation) -> bool:
        return await self._transact("set_invitation_message", lambda: self.invitations.keep(invitation))

    async def lapsed_invitations(self, limit: int) -> Sequence[Invitation]:
        return await self._transact("lapsed_invitations", lambda: self.invitations.lapsed()[:limit])

    async def mark_invitation_removed(self, invitation: Invitation) -> None:
        await self._transact("close_invitation", lambda: self.invitations.close(invitation))

    async def prune_invitations(self, since: datetime) -> None:
        await self._transact("prune_invitations", lambda: self.invitations.prune(since))

    async def refuses_invitations(self, user_id: int) -> bool:
        return await self._transact("refuses_invitations", lambda: user_id in self.invitations.refusers)

    async def set_refuses_invitations(self, user_id: int, *, refuses: bool) -> None:
        await self._transact("refuse_invitations", lambda: self.invitations.refuse(user_id, refuses=refuses))

    async def mark_published(self, shown: Sequence[PublishedRevision]) -> None:
        await self._transact("mark_published", lambda: self._mark_published(shown))

    async def idle_lobbies(self, since: datetime, after_id: TableId, limit: int) -> Sequence[TableId]:
        return await self._transact("idle_lobbies", lambda: self._idle_lobbies(since, after_id)[:limit])

    async def list_pending_tables(self, games: Collection[str], after_id: TableId, limit: int) -> Sequence[TableId]:
        return await self._transact("unsettled", lambda: self._unsettled(games, after_id)[:limit])

    async def count_open_tables(self) -> Mapping[str, int]:
        return await self._transact("open_games", self._open_games)

    async def due_reminders(
        self, games: Collection[str], after: datetime, until: datetime, limit: int
    ) -> Sequence[Reminder]:
        return await self._transact("unreminded", lambda: self.reminders.unreminded(games, after, until)[:limit])

    async def claim_reminder(self, reminder: Reminder) -> bool:
        return await self._transact("claim_reminder", lambda: self.reminders.note(reminder))

    async def set_reminder_message(self, reminder: Reminder) -> bool:
        return await self._transact("set_reminder_message", lambda: self.reminders.keep(reminder))

    async def lapsed_reminders(self, limit: int) -> Sequence[Reminder]:
        return await self._transact("lapsed_reminders", lambda: self.reminders.lapsed()[:limit])

    async def mark_reminder_removed(self, reminder: Reminder) -> None:
        await self._transact("close_reminder", lambda: self.reminders.close(reminder))

    async def list_aside_tables(self, channel_id: int, limit: int) -> Sequence[AsideTable]:
        return await self._transact("aside_in", lambda: self._aside_in(channel_id)[:limit])

    async def tables_to_announce(self, games: Collection[str], since: datetime, limit: int) -> Sequence[TableId]:
        return await self._transact("unannounced", lambda: self.announcements.unannounced(games, since)[:limit])

    async def claim_announcement(self, announcement: Announcement) -> bool:
        return await self._transact("claim_announcement", lambda: self.announcements.note(announcement))

    async def set_announcement_message(self, announcement: Announcement) -> bool:
        return await self._transact("set_announcement_message", lambda: self.announcements.keep(announcement))

    async def delete_announcement(self, announcement: Announcement) -> None:
        await self._transact("forget_announcement", lambda: self.announcements.forget(announcement))

    async def tables_to_abandon(
        self, games: Collection[str], since: datetime, noted_until: datetime, limit: int
    ) -> Sequence[TableId]:
        found = self.announcements.announced
        return await self._transact("announced", lambda: found(games, since, noted_until)[:limit])

    async def lapsed_announcements(self, limit: int) -> Sequence[Announcement]:
        return await self._transact("lapsed_announcements", lambda: self.announcements.lapsed()[:limit])

    async def list_open_tables(self, scope_id: int, limit: int) -> Sequence[TableId]:
        return await self._transact("open_at", lambda: self._open_at(scope_id)[:limit])

    async def load_preferences(self, scope_id: int) -> Preferences:
        return await self._transact("preferences", lambda: self.chosen.get(scope_id, Preferences()))

    async def save_preferences(self, scope_id: int, preferred: Preferences) -> None:
        await self._transact("prefer", lambda: self.chosen.update({scope_id: preferred}))

    async def get_value(self, key: str) -> str | None:
        return await self._transact("recall", lambda: self.facts.get(key))

    async def set_value(self, key: str, value: str) -> None:
        await self._transact("remember", lambda: self.facts.update({key: value}))

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


class ShowAction(Enum):
    """A way to show a table."""

    POST = "post"
    EDIT = "edit"


@dataclass(frozen=True, slots=True)
class ShownTable:
    """A table that was shown, and how."""

    action: ShowAction
    table_id: TableId
    revision: int
    message_id: int
    status: Status


class FakeTableMessages:
    """Records requested and shown tables."""

    def __init__(self) -> None:
        self.asked: list[ShownTable] = []
        self.shown: list[ShownTable] = []
        self.faults: dict[ShowAction, list[Exception]] = {ShowAction.POST: [], ShowAction.EDIT: []}
        """The next faults, in order."""
        self.deleted: set[int] = set()
        self.marked_closed: list[Header] = []
        """The tables of removed games whose messages say how they ended."""
        self.limits: dict[ShowAction, Gate] = {}
        """Blocks requests before they start."""
        self.gates: dict[ShowAction, Gate] = {}
        """Blocks requests under way."""
        self.pointers: dict[int, int | None] = {}
        """The messages that point to others."""
        self.point_faults: list[Exception] = []
        self.turns = 0
        """How often others run while something is being shown."""
        self.on_prepare: Callable[[Table], None] = lambda _: None
        self._messages = 1000

    def prepare(self, table: Table) -> None:
        self.on_prepare(table)

    @asynccontextmanager
    async def reserve_post(self, table: Table) -> AsyncIterator[ShowTable]:
        await self._start_request(ShowAction.POST, table)
        yield self._post

    @asynccontextmanager
    async def reserve_edit(self, table: Table, *, is_new: bool) -> AsyncIterator[ShowTable]:
        await self._start_request(ShowAction.EDIT, table)
        yield self._edit

    async def link_to_current(self, table: Table, message_id: int) -> None:
        if self.point_faults:
            raise self.point_faults.pop(0)
        self.pointers[message_id] = table.header.message_id

    async def _start_request(self, action: ShowAction, table: Table) -> None:
        if (limit := self.limits.get(action)) is not None:
            await limit.wait()

    async def _post(self, table: Table) -> int:
        self._messages += 1
        message_id = self._messages
        await self._show(ShowAction.POST, table, message_id)
        return message_id

    async def _edit(self, table: Table) -> int:
        assert table.header.message_id is not None
        await self._show(ShowAction.EDIT, table, table.header.message_id)
        return table.header.message_id

    async def mark_closed(self, header: Header) -> None:
        self.marked_closed.append(header)

    @property
    def revisions(self) -> list[int]:
        """The revisions that were shown, in order."""
        return [shown.revision for shown in self.shown]

    async def _show(self, action: ShowAction, table: Table, message_id: int) -> None:
        shown = ShownTable(action, table.id, table.header.revision, message_id, table.header.status)
        self.asked.append(shown)
        if gate := self.gates.get(action):
            await gate.wait()
        for _ in range(self.turns):
            await asyncio.sleep(0)
        if self.faults[action]:
            raise self.faults[action].pop(0)
        if message_id in self.deleted:
            raise MessageGone(str(message_id))
        self.shown.append(shown)


async def wait_until(condition: Callable[[], object], seconds: float = 30) -> None:
    """Wait until something holds that other tasks bring about."""
    async with asyncio.timeout(seconds):
        while not condition():  # noqa: ASYNC110 - the condition may be about anything
            await asyncio.sleep(0.001)


def make_service(
    store: FakeStore,
    games: Mapping[str, AnyPackage] = GAMES,
    clock: AnyClock | None = None,
    prepare: TableListener | None = None,
) -> TableService:
    """Make a service with fixed entropy."""
    return TableService(store, games, clock=clock or FakeClock(), prepare=prepare, entropy=fixed_entropy)


async def open_lobby(
    service: TableService,
    *people: Person,
    computers: int = 0,
    place: Place = HERE,
    options: MagpieOptions | None = None,
) -> Table:
    """Open a table of Magpie and seat everyone; the first person opens it."""
    opener, *others = people or (ROBIN,)
    chosen = options or MagpieOptions()
    table = await service.open("magpie", chosen, opener, place, click_id=500, computers=computers)
    for at, person in enumerate(others, 501):
        table = await service.join(table.id, person, at)
    return table


async def start_game(
    service: TableService,
    *people: Person,
    computers: int = 0,
    place: Place = HERE,
    options: MagpieOptions | None = None,
) -> Table:
    """Start a table of Magpie, of three people unless others are named."""
    people = people or (ROBIN, WREN, JAY)
    table = await open_lobby(service, *people, computers=computers, place=place, options=options)
    return await service.start(table.id, people[0], START_CLICK)


def mover_of(table: Table) -> Person:
    """Return the person whose turn it is."""
    assert table.mover is not None
    assert table.mover.user_id is not None
    return Person(table.mover.user_id, table.mover.name)


async def roll(service: TableService, table: Table, text: str = ALL_FIVE) -> Table:
    """Make the move of the person whose turn it is."""
    step = table.header.step
    return await service.play(table.id, mover_of(table), step, text, 9000 + step)


def make_table(
    *seats: Occupant, status: Status = Status.LOBBY, package: AnyPackage = MAGPIE, **header: object
) -> Table:
    """Make a table without any store; the first seat's person has opened it."""
    seats = seats or tuple(
        lobby_actions.make_occupant(person, 500 + at) for at, person in enumerate((ROBIN, WREN, JAY))
    )
    opener_id = next(who.user_id for who in seats if who.user_id is not None)
    info = package.game.info
    lobby = build_lobby_header(
        info.key, info.version, "{}", place=HERE, opener_id=opener_id, seed=fixed_entropy(32), at=NOON
    )
    table = Table(replace(lobby, **{"id": 1, **header}), seats, package)  # type: ignore[arg-type]
    if status is Status.LOBBY:
        return table
    if status in (Status.CANCELLED, Status.EXPIRED):
        return replace(table, header=replace(table.header, status=status))
    table = lobby_actions.start(table, Person(opener_id, "Opener"), START_CLICK)
    if status is Status.PLAYING:
        return table
    over = replace(table, header=replace(table.header, status=status, to_move=None))
    return replace(over, state=None) if status in (Status.HELD, Status.HELD_ASIDE) else over


def as_solo(table: Table) -> Table:
    """Return a table as it would be if its game were for one."""
    game = copy(table.package.game)
    # Games are plain objects whose facts belong to their class.
    game.info = replace(game.info, least_seats=1, most_seats=1)  # type: ignore[misc]
    header = replace(table.header, to_move=table.header.to_move and 0)
    return replace(table, header=header, seats=table.seats[:1], package=replace(table.package, game=game))
