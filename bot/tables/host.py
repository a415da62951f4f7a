"""The host: the table service and everything that maintains tables in the background."""

import asyncio
import logging
import random
import threading
import time
from collections.abc import Awaitable, Callable, Sequence
from datetime import timedelta
from typing import Final

from bot.platform.clock import Clock
from bot.platform.database.database import Database
from bot.platform.database.errors import StoreUnavailable
from bot.platform.registration import FINISH_SECONDS, SHOW_SECONDS, WRITE_SECONDS
from bot.platform.tasks import TaskSet
from bot.rules.chance import FastChance
from bot.rules.refusals import Refusal
from bot.tables import sweep
from bot.tables.aside import expire_orphan
from bot.tables.computer_players import ComputerPlayers
from bot.tables.lobby import LOBBY_EXPIRES_AFTER
from bot.tables.model import TableId
from bot.tables.publisher import Publisher, TableMessages
from bot.tables.refusals import Stale
from bot.tables.registry import GameRegistry
from bot.tables.service import HostSettings, TableService
from bot.tables.table import Table
from bot.tables.thinker import Thinker

log = logging.getLogger(__name__)

PAGE_SIZE = 500


class TablePager:
    """Runs a chore for tables, one page at a time.

    It remembers its position, so that failing tables do not hold up later ones.
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
        """Process the next page; return whether another one follows. After the last page, start over."""
        found = await self._fetch_page(self._last_id, PAGE_SIZE)
        for table_id in found:
            # The chore still runs for the other tables.
            try:
                await self._work(table_id)
            except (Stale, Refusal) as fault:
                log.debug("table %s has changed meanwhile: %s", table_id, fault)
            except StoreUnavailable:
                raise
            except Exception:
                log.exception("a chore for table %s failed", table_id)
        is_full = len(found) == PAGE_SIZE
        self._last_id = found[-1] if is_full else 0
        return is_full


SWEEP_SECONDS = 60.0
FOLLOWING_SWEEP_SECONDS = 5.0
"""The interval of sweeps while another process leaves work."""
FOLLOW_SECONDS: Final = 15.0
"""A process ends within this time of handing over its servers."""
_REFRESH_LIMIT = 10_000
"""The most tables refreshed at once; no server has more open."""
_POSTED_WITHIN: Final = timedelta(seconds=5)
"""A process posts a new table within this time, unless it dies."""


class Host:
    """Owns the table service, the publisher and the computer players, and sweeps tables."""

    def __init__(
        self,
        db: Database,
        games: GameRegistry,
        table_messages: TableMessages,
        settings: HostSettings = HostSettings(),
        *,
        thinker: Thinker | None = None,
        clock: Clock | None = None,
    ) -> None:
        self.service = TableService(db, games, settings, clock=clock)
        self.publisher = Publisher(self.service, table_messages)
        chance = FastChance(random.SystemRandom())
        self.thinker = thinker or Thinker(games)
        self.computer_players = ComputerPlayers(
            self.service,
            self.thinker,
            chance,
            self.publisher.show_step,
            table_messages.rolling_seconds,
            pause=settings.computer_pause,
        )
        self._db = db
        self._table_messages = table_messages
        self._lobby_pager = TablePager(self._idle_lobbies, self._expire)
        self._pending_pager = TablePager(self._find_pending, self._wake_table)
        self._mark_closed_tasks = TaskSet("closed table")
        self._swept_at = self.service.clock()
        """When the latest sweep began."""
        self._has_logged_orphans = False
        """Whether open tables of missing games have been logged."""
        self._next_sweep = 0.0
        self._follows_until = 0.0
        self._prepared_games: set[str] = set()
        self.service.add_listener(self._on_table_changed)

    def follow(self) -> None:
        """Sweep more often for a while, because the process that served these servers before leaves work.

        It may end while a computer player thinks, or before it has stored the ids of its last messages.
        """
        self._follows_until = time.monotonic() + FOLLOW_SECONDS
        self._next_sweep = min(self._next_sweep, time.monotonic() + FOLLOWING_SWEEP_SECONDS)

    async def close(self, *others: Callable[[float], Awaitable[None]]) -> None:
        """Finish running changes, show them, and store the published revisions.

        Args:
            others: Functions that close other followers of the tables, within some seconds and after the last change.
        """
        await self.computer_players.close()
        # Changes continue after their callers are cancelled, and must still be shown.
        await self.service.finish_changes(FINISH_SECONDS)
        ending = (self.publisher.close, self._mark_closed_tasks.close, *others)
        await asyncio.gather(*(close(SHOW_SECONDS) for close in ending))
        # The others may have woken the publisher after it closed; the next start shows those tables.
        await self.publisher.tasks.cancel_all()
        try:
            async with asyncio.timeout(WRITE_SECONDS):
                await self.service.flush()
        except (StoreUnavailable, TimeoutError) as fault:
            reason = str(fault) or "the database did not answer in time"
            log.warning("what is shown could not be stored; the next start refreshes those tables: %s", reason)

    async def keep_up(self) -> None:
        """Sweep if a sweep is due, and store the published revisions."""
        if time.monotonic() >= self._next_sweep or self.service.has_unknown_outcome:
            self.service.has_unknown_outcome = False
            follows = time.monotonic() < self._follows_until
            self._next_sweep = time.monotonic() + (FOLLOWING_SWEEP_SECONDS if follows else SWEEP_SECONDS)
            if await self.sweep():
                self.sweep_soon()
        await self.service.flush()

    def sweep_soon(self) -> None:
        """Sweep as soon as possible: tables may have been saved without an answer."""
        self._next_sweep = 0.0

    async def sweep(self) -> bool:
        """Close idle lobbies, show outdated tables and wake computer players: a page of tables each.

        Returns:
            Whether another page follows.
        """
        self._swept_at = self.service.clock()
        await self.service.flush()
        if not self._has_logged_orphans:
            for game, count in (await self._db.read(sweep.count_open_by_game)).items():
                if game not in self.service.games:
                    log.warning("the game %s is not here; its %d open tables are left alone", game, count)
            self._has_logged_orphans = True
        return any([await self._lobby_pager.process_next_page(), await self._pending_pager.process_next_page()])

    async def refresh_open_tables(self, scope_id: int) -> int:
        """Refresh the open tables of a server or direct message, and return their number."""
        table_ids = await self._db.read(sweep.find_open_in_scope, scope_id, _REFRESH_LIMIT)
        self.publisher.refresh(table_ids)
        return len(table_ids)

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
            # The table's game is not installed.
            header = await expire_orphan(self.service, table_id, self.service.clock.ago(LOBBY_EXPIRES_AFTER))
            self._mark_closed_tasks.start(table_id, self._table_messages.mark_closed(header))

    async def _wake_table(self, table_id: TableId) -> None:
        table = await self.service.table(table_id)
        is_done = table.header.published >= table.header.revision and not table.header.awaits_computer
        if is_done and table.header.updated_at <= self._swept_at:
            # The cache is outdated: an unknown outcome was a commit after all, or another process changed the table.
            table = await self.service.reload(table_id)
        # The process that served the table before may be posting it in its answer right now.
        is_new = table.header.message_id is None and self.service.clock() - table.header.updated_at < _POSTED_WITHIN
        if not (is_new and time.monotonic() < self._follows_until):
            self._on_table_changed(table)

    def _on_table_changed(self, table: Table) -> None:
        package, key = table.package, table.header.game
        # Prepare a game only when its first table is loaded, because it may never be played.
        if package.mind.prepare is not None and key not in self._prepared_games:
            self._prepared_games.add(key)
            # A daemon thread does not delay the process's exit.
            threading.Thread(target=package.mind.prepare, name=f"prepare {key}", daemon=True).start()
        self.publisher.wake(table.id)
        self.computer_players.wake(table)
