"""Everything that runs around the tables, wired together."""

import asyncio
import logging
import random
import threading
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import Final, Protocol

from bot.rules.chance import FastChance
from bot.rules.package import GamePackage
from bot.rules.refusals import Refusal
from bot.tables.actions.idle import STANDARD_LIMITS, SilenceLimits
from bot.tables.actions.lobby import IDLE_AFTER
from bot.tables.actions.orphans import close_orphan, expire_orphan
from bot.tables.clock import Clock
from bot.tables.model import Header, Person, TableId
from bot.tables.ports import HostStore, StoreUnavailable
from bot.tables.refusals import Stale
from bot.tables.runtime.announcements import Announcements, Herald
from bot.tables.runtime.cache import CACHE_BYTES
from bot.tables.runtime.computer_players import Driver
from bot.tables.runtime.invitations import InvitationBell, Invitations
from bot.tables.runtime.paging import Pages
from bot.tables.runtime.publisher import Board, Publisher
from bot.tables.runtime.reminders import Bell, Reminders
from bot.tables.runtime.service import TableService
from bot.tables.table import Table
from bot.tables.tasks import TaskSet

log = logging.getLogger(__name__)

_SWEEP_SECONDS = 60.0
_SWEEP_LIMIT = 500
_ANEW_LIMIT = 10_000
"""More tables than a server ever has open."""
_FLUSH_SECONDS = 2.0
_CHECK_SECONDS = 5.0
_FINISH_SECONDS: Final = 1.0
_SHOW_SECONDS: Final = 0.5
_WRITE_SECONDS: Final = 0.5

HOST_CLOSE_SECONDS: Final = _FINISH_SECONDS + _SHOW_SECONDS + _WRITE_SECONDS
"""How long the end waits at most for changes that are being saved, for what is being shown, and to write that down."""


class HostBell(Bell, InvitationBell, Herald, Protocol):
    """How a host mentions people, and tells channels that a table will be closed."""


class Host:
    """Tables, their publisher, their computer players and their reminders; started once the board can be reached."""

    def __init__(
        self,
        store: HostStore,
        games: Mapping[str, GamePackage],
        board: Board,
        bell: HostBell,
        *,
        pause: float,
        clock: Clock | None = None,
        reminds: bool = True,
        cache_bytes: int = CACHE_BYTES,
        most_open: int | None = None,
        limits: SilenceLimits = STANDARD_LIMITS,
    ) -> None:
        self.service = TableService(
            store, games, clock=clock, cache_bytes=cache_bytes, most_open=most_open, limits=limits
        )
        self.publisher = Publisher(self.service, board)
        self._driver = Driver(self.service, FastChance(random.SystemRandom()), pause=pause)
        self.announcements = Announcements(self.service, store, bell)
        self.reminders = Reminders(self.service, store, bell, rings=reminds)
        self.invitations = Invitations(self.service, store, bell)
        self._store = store
        self._board = board
        self._lobbies = Pages(self._idle_lobbies)
        self._unsettled = Pages(partial(store.unsettled, games.keys()))
        self._strikes = TaskSet("strike")
        self._has_told = False
        """Whether the log tells of tables whose games are not here."""
        self._chores: asyncio.Task[None] | None = None
        self._prepared: set[str] = set()
        self.service.listen(self._changed)

    def start(self) -> None:
        """Take up what an earlier run left open, and keep doing so; starting twice does no harm."""
        if self._chores is None:
            self._chores = asyncio.create_task(self._do_chores(), name="chores")

    async def close(self) -> None:
        """Finish what was begun and write down what is shown."""
        if self._chores is not None:
            self._chores.cancel()
            await asyncio.gather(self._chores, return_exceptions=True)
        await self._driver.close()
        # A change goes on when whoever asked for it is stopped; what comes of it is still to be shown.
        await self.service.finish(_FINISH_SECONDS)
        ending = (self.reminders, self.invitations, self.announcements, self.publisher, self._strikes)
        await asyncio.gather(*(each.close(_SHOW_SECONDS) for each in ending))
        try:
            async with asyncio.timeout(_WRITE_SECONDS):
                await self.service.flush()
        except (StoreUnavailable, TimeoutError) as fault:
            log.warning("what is shown could not be written down; the next start shows it once more: %s", fault)

    async def sweep(self) -> bool:
        """Close idle lobbies, show what lags behind and wake computer players: a page of each at a time.

        Tell whether there is another page.
        """
        await self.service.flush()
        await self.invitations.prune()
        await self._tell_of_orphans()
        follows = [
            await self._lobbies.see_to_next(partial(self._see_to, work=self._expire), _SWEEP_LIMIT),
            await self._unsettled.see_to_next(partial(self._see_to, work=self._take_up), _SWEEP_LIMIT),
        ]
        await self.announcements.check()
        return any(follows)

    @property
    def reminds(self) -> bool:
        """Whether anybody is reminded at all."""
        return self.reminders.rings

    async def show_anew(self, scope_id: int) -> int:
        """Show the open tables of a server or a direct message once more, and return how many they are."""
        table_ids = await self._store.open_at(scope_id, _ANEW_LIMIT)
        self.publisher.show_anew(table_ids)
        return len(table_ids)

    async def close_orphan(self, table_id: TableId, person: Person, *, is_moderator: bool) -> Header:
        """Let the opener or a moderator close a table whose game is not here."""
        return await close_orphan(self._store, table_id, person, self.service.clock(), is_moderator=is_moderator)

    async def _idle_lobbies(self, after_id: TableId, limit: int) -> Sequence[TableId]:
        return await self._store.idle_lobbies(self.service.clock.ago(IDLE_AFTER), after_id, limit)

    async def _expire(self, table_id: TableId) -> None:
        try:
            await self.service.expire(table_id)
        except Refusal:
            # Its game is not here, and nobody can ever start it.
            clock = self.service.clock
            header = await expire_orphan(self._store, table_id, clock.ago(IDLE_AFTER), clock())
            self._strikes.start(table_id, self._board.strike(header))

    async def _tell_of_orphans(self) -> None:
        """Log once which open tables nobody can play because their game is not here."""
        if self._has_told:
            return
        for game, count in (await self._store.open_games()).items():
            if game not in self.service.games:
                log.warning("the game %s is not here; its %d open tables are left alone", game, count)
        self._has_told = True

    async def _take_up(self, table_id: TableId) -> None:
        table = await self.service.table(table_id)
        if table.header.published >= table.header.revision and not table.header.awaits_computer:
            # The disk says otherwise: what was given up on was saved after all, or another process has saved it.
            table = await self.service.reread(table_id)
        self._changed(table)

    async def _see_to(self, table_id: TableId, work: Callable[[TableId], Awaitable[object]]) -> None:
        """Do a chore for one table, whose faults must not keep it from the others."""
        try:
            await work(table_id)
        except (Stale, Refusal) as fault:
            log.debug("table %s has changed meanwhile: %s", table_id, fault)
        except StoreUnavailable:
            raise
        except Exception:
            log.exception("table %s can't be taken up; the others are", table_id)

    def _changed(self, table: Table) -> None:
        self._prepare(table.package)
        self.publisher.wake(table.id)
        self._driver.wake(table)
        self.reminders.changed(table)
        self.invitations.changed(table)

    def _prepare(self, package: GamePackage) -> None:
        """Prepare a game when its first table is seen: a process that hosts none of it spares itself the work."""
        key = package.game.info.key
        if package.prepare is not None and key not in self._prepared:
            self._prepared.add(key)
            # A daemon, so that the end need not wait for it.
            threading.Thread(target=package.prepare, name=f"prepare {key}", daemon=True).start()

    async def _do_chores(self) -> None:
        next_sweep = next_check = 0.0
        while True:
            # A clock that is read often tells a leap from time that has passed.
            self.service.clock()
            try:
                if time.monotonic() >= next_sweep:
                    next_sweep = time.monotonic() + _SWEEP_SECONDS
                    if await self.sweep():
                        next_sweep = time.monotonic()
                if time.monotonic() >= next_check:
                    next_check = time.monotonic() + _CHECK_SECONDS
                    await self.reminders.check()
                    await self.invitations.check()
                await self.service.flush()
            except StoreUnavailable as fault:
                log.debug("the chores wait for the database: %s", fault)
            except Exception:
                # These chores serve every table, so nothing may end them.
                log.exception("the chores failed; trying again")
            await asyncio.sleep(_FLUSH_SECONDS)
