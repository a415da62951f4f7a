"""The host: the table service and everything that runs in the background."""

import asyncio
import logging
import random
import threading
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import timedelta
from typing import Final, Protocol, TypeAlias

from bot.features.idle_tables.announcements import Announcements, AnnouncementSender
from bot.features.invitations.service import Invitations, InvitationSender
from bot.features.reminders.service import Reminders, ReminderSender
from bot.features.turn_clocks.service import TurnClocks
from bot.platform.clock import Clock
from bot.platform.database.database import Database
from bot.platform.database.errors import StoreUnavailable
from bot.platform.jobs import due_work_storage
from bot.platform.places import Person
from bot.platform.tasks import TaskSet
from bot.rules.chance import FastChance
from bot.rules.refusals import Refusal
from bot.tables import sweep
from bot.tables.computer_players import ComputerPlayers
from bot.tables.delivery import TableMessages
from bot.tables.host_settings import HostSettings
from bot.tables.lobby import LOBBY_EXPIRES_AFTER
from bot.tables.model import Header, TableId
from bot.tables.orphans import close_orphan, expire_orphan
from bot.tables.publisher import Publisher
from bot.tables.refusals import Stale
from bot.tables.registry import AnyPackage
from bot.tables.service import TableService
from bot.tables.table import Table
from bot.tables.thinker import Thinker

log = logging.getLogger(__name__)

PAGE_SIZE = 500


class TablePager:
    """Runs a chore for tables, one page at a time.

    It remembers its position, so that tables that fail do not hold up those behind them.
    """

    def __init__(
        self,
        fetch_page: Callable[[TableId, int], Awaitable[Sequence[TableId]]],
        work: Callable[[TableId], Awaitable[object]],
    ) -> None:
        self._fetch_page = fetch_page
        self._work = work
        self._last_id: TableId = 0

    async def process_next_page(self) -> bool:
        """Process the next page; return whether another follows. After the last page the walk starts over."""
        found = await self._fetch_page(self._last_id, PAGE_SIZE)
        for table_id in found:
            await self._run_work(table_id)
        is_full = len(found) == PAGE_SIZE
        self._last_id = found[-1] if is_full else 0
        return is_full

    async def _run_work(self, table_id: TableId) -> None:
        """Run the chore for a table, logging its errors so that it still runs for the others."""
        try:
            await self._work(table_id)
        except (Stale, Refusal) as fault:
            log.debug("table %s has changed meanwhile: %s", table_id, fault)
        except StoreUnavailable:
            raise
        except Exception:
            log.exception("a chore for table %s failed", table_id)


SWEEP_SECONDS = 60.0
_REFRESH_LIMIT = 10_000
"""More than a server ever has open."""
FLUSH_SECONDS = 2.0
CHECK_SECONDS = 5.0
FOLLOW_SECONDS: Final = 15.0
"""By when a process that has handed its servers over has ended."""
_POSTED_WITHIN: Final = timedelta(seconds=5)
"""By when a table is posted that has been opened, if its process has not died."""
FINISH_SECONDS: Final = 1.0
SHOW_SECONDS: Final = 0.5
WRITE_SECONDS: Final = 0.5

HOST_CLOSE_SECONDS: Final = FINISH_SECONDS + SHOW_SECONDS + WRITE_SECONDS
"""How long closing takes at most: finishing changes, showing them, and storing published revisions."""


Check: TypeAlias = Callable[[], Awaitable[None]]


class MessageSender(ReminderSender, InvitationSender, AnnouncementSender, Protocol):
    """Sends reminders, invitations and announcements."""


class Host:
    """Owns the table service, publisher, computer players, reminders, invitations, announcements and chores."""

    def __init__(
        self,
        db: Database,
        games: Mapping[str, AnyPackage],
        table_messages: TableMessages,
        sender: MessageSender,
        settings: HostSettings = HostSettings(),
        *,
        thinker: Thinker | None = None,
        clock: Clock | None = None,
    ) -> None:
        self.service = TableService(db, games, settings, clock=clock)
        self.publisher = Publisher(self.service, table_messages)
        chance = FastChance(random.SystemRandom())
        self.thinker = thinker or Thinker(games)
        self.computer_players = ComputerPlayers(self.service, self.thinker, chance, pause=settings.computer_pause)
        self.announcements = Announcements(self.service, db, sender, self.publisher.restore)
        self.reminders = Reminders(self.service, db, sender, is_enabled=settings.reminders)
        self.invitations = Invitations(self.service, db, sender, self.publisher.restore)
        self.clocks = TurnClocks(self.service, db, self.reminders)
        self._db = db
        self._table_messages = table_messages
        self._lobby_pager = TablePager(self._idle_lobbies, self._expire)
        self._pending_pager = TablePager(self._find_pending, self._wake_table)
        self._mark_closed_tasks = TaskSet("closed table")
        self._swept_at = self.service.clock()
        """When the latest sweep began."""
        self._has_logged_orphans = False
        """Whether open tables of missing games have been logged."""
        self._chores = TaskSet("chores")
        self._follows_until = 0.0
        self._checks: list[Check] = []
        self._note_alive: Check | None = None
        self._start_jobs: Check | None = None
        self._note_deletions: Callable[[int], None] = lambda _count: None
        self._prepared_games: set[str] = set()
        self.service.add_listener(self._on_table_changed)

    def start(self) -> None:
        """Start the chores, which also take up what an earlier run left. Starting twice is harmless."""
        self._chores.start("all", self._run_chores())

    def follow(self) -> None:
        """Sweep with every check for a while: the process that has served these servers until now leaves work.

        It may end while a computer player thinks, and what it has posted last may not be noted.
        """
        self._follows_until = time.monotonic() + FOLLOW_SECONDS

    def add_check(self, check: Check) -> None:
        """Run a function once a minute, too; it may raise StoreUnavailable."""
        self._checks.append(check)

    def begin_checks_with(self, note_alive: Check) -> None:
        """Run a function before everything else, again and again: it may find out that time does not count."""
        self._note_alive = note_alive

    def start_jobs_with(self, start_jobs: Check) -> None:
        """Run a function whenever jobs are due; it may raise StoreUnavailable."""
        self._start_jobs = start_jobs

    def follow_deletions_with(self, note: Callable[[int], None]) -> None:
        """Call a function again and again with the number of deletions: what was deleted may be in memory."""
        self._note_deletions = note

    async def close(self) -> None:
        """Finish running changes, show them, and store the published revisions."""
        await self._chores.cancel_all()
        await self.computer_players.close()
        # Changes continue after their callers are cancelled, and are still to be shown.
        await self.service.finish_changes(FINISH_SECONDS)
        ending = (self.reminders, self.invitations, self.announcements, self.publisher, self._mark_closed_tasks)
        await asyncio.gather(*(each.close(SHOW_SECONDS) for each in ending))
        try:
            async with asyncio.timeout(WRITE_SECONDS):
                await self.service.flush()
        except (StoreUnavailable, TimeoutError) as fault:
            reason = str(fault) or "the database did not answer in time"
            log.warning("what is shown could not be stored; the next start refreshes those tables: %s", reason)

    async def sweep(self) -> bool:
        """Close idle lobbies, show outdated tables and wake computer players: a page of tables each.

        Returns:
            Whether another page follows.
        """
        self._swept_at = self.service.clock()
        await self.service.flush()
        await self.invitations.prune()
        await self._log_orphans()
        follows = [await self._lobby_pager.process_next_page(), await self._pending_pager.process_next_page()]
        await self.announcements.check()
        return any(follows)

    async def check(self) -> None:
        """Ask once whether anything is due, and start it."""
        due = await self._db.read(
            due_work_storage.look, self._db.shards, *self.reminders.due_turns(), self.service.clock()
        )
        self._note_deletions(due.deletions)
        if due.reminders:
            await _run_check(self.reminders.check)
        if due.invitations:
            await _run_check(self.invitations.check)
        if due.jobs and self._start_jobs is not None:
            await _run_check(self._start_jobs)

    async def refresh_open_tables(self, scope_id: int) -> int:
        """Refresh the open tables of a server or direct message, and return their number."""
        table_ids = await self._db.read(sweep.find_open_in_scope, scope_id, _REFRESH_LIMIT)
        self.publisher.refresh(table_ids)
        return len(table_ids)

    async def close_orphan(self, table_id: TableId, person: Person, *, is_moderator: bool) -> Header:
        """Close an orphan, for its opener or a moderator."""
        return await close_orphan(self._db, table_id, person, self.service.clock(), is_moderator=is_moderator)

    async def _find_pending(self, after_id: TableId, limit: int) -> Sequence[TableId]:
        games = self.service.games.keys()
        return await self._db.read(sweep.find_pending, self._db.shards, games, after_id, limit)

    async def _idle_lobbies(self, after_id: TableId, limit: int) -> Sequence[TableId]:
        return await self._db.read(
            sweep.idle_lobbies, self._db.shards, self.service.clock.ago(LOBBY_EXPIRES_AFTER), after_id, limit
        )

    async def _expire(self, table_id: TableId) -> None:
        try:
            await self.service.expire(table_id)
        except Refusal:
            # Its game is not installed.
            clock = self.service.clock
            header = await expire_orphan(self._db, table_id, clock.ago(LOBBY_EXPIRES_AFTER), clock())
            self._mark_closed_tasks.start(table_id, self._table_messages.mark_closed(header))

    async def _log_orphans(self) -> None:
        """Log once which games are missing for open tables."""
        if self._has_logged_orphans:
            return
        for game, count in (await self._db.read(sweep.count_open_by_game)).items():
            if game not in self.service.games:
                log.warning("the game %s is not here; its %d open tables are left alone", game, count)
        self._has_logged_orphans = True

    async def _wake_table(self, table_id: TableId) -> None:
        table = await self.service.table(table_id)
        is_done = table.header.published >= table.header.revision and not table.header.awaits_computer
        if is_done and table.header.updated_at <= self._swept_at:
            # The cache is outdated: an unknown outcome was a commit after all, or another process changed the table.
            table = await self.service.reload(table_id)
        if not self._is_being_posted(table.header):
            self._on_table_changed(table)

    def _is_being_posted(self, header: Header) -> bool:
        """Return whether the process that has served the table until now may just be posting it in its answer."""
        age = self.service.clock() - header.updated_at
        return header.message_id is None and age < _POSTED_WITHIN and time.monotonic() < self._follows_until

    def _on_table_changed(self, table: Table) -> None:
        self._prepare_game(table.package)
        self.publisher.wake(table.id)
        self.computer_players.wake(table)
        self.reminders.on_table_changed(table)
        self.invitations.on_table_changed(table)

    def _prepare_game(self, package: AnyPackage) -> None:
        """Prepare a game in the background when its first table is loaded, not before: it may not be played at all."""
        key = package.game.info.key
        if package.prepare is not None and key not in self._prepared_games:
            self._prepared_games.add(key)
            # A daemon thread does not delay the process's exit.
            threading.Thread(target=package.prepare, name=f"prepare {key}", daemon=True).start()

    async def _run_rare_checks(self) -> None:
        for check in self._checks:
            await _run_check(check)

    async def _run_chores(self) -> None:
        next_sweep = next_check = next_rare_checks = 0.0
        while True:
            # The clock must be read regularly to recognise jumps.
            self.service.clock()
            try:
                if self._note_alive is not None:
                    await _run_check(self._note_alive)
                if time.monotonic() >= next_sweep or self.service.has_unknown_outcome:
                    self.service.has_unknown_outcome = False
                    next_sweep = time.monotonic() + SWEEP_SECONDS
                    if await self.sweep():
                        next_sweep = time.monotonic()
                if time.monotonic() >= next_check:
                    next_check = time.monotonic() + CHECK_SECONDS
                    await self.check()
                    if time.monotonic() < self._follows_until:
                        next_sweep = 0.0
                if time.monotonic() >= next_rare_checks:
                    next_rare_checks = time.monotonic() + SWEEP_SECONDS
                    await self._run_rare_checks()
                await self.service.flush()
            except StoreUnavailable as fault:
                log.debug("the chores wait for the database: %s", fault)
                # What was saved without an answer is to be shown as soon as the database is back.
                next_sweep = 0.0
            except Exception:
                # The chores serve all tables, so no error may end them.
                log.exception("the chores failed; trying again")
            await asyncio.sleep(FLUSH_SECONDS)


async def _run_check(check: Check) -> None:
    """Run a check, logging its errors so that those after it still run."""
    try:
        await check()
    except StoreUnavailable:
        raise
    except Exception:
        log.exception("a check failed; it is done again")
