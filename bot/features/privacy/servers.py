"""Deletes what is kept of a server: when its owner asks, or a month after the bot has left it."""

import contextlib
import logging
import time
from collections.abc import Callable, Collection, Sequence
from datetime import datetime, timedelta
from typing import Final

from bot.features.privacy import server_erasure
from bot.features.privacy.retention import pieces
from bot.features.reminders import storage as reminder_storage
from bot.features.tournaments.service import TournamentService
from bot.platform.database.database import Database
from bot.platform.jobs import storage as job_storage
from bot.platform.jobs.jobs import RUN_SECONDS
from bot.platform.jobs.storage import Job
from bot.platform.places import Person
from bot.rules.refusals import Refusal
from bot.tables.refusals import Stale
from bot.tables.service import TableService

log = logging.getLogger(__name__)

LEFT_SERVER: Final = "left server"
SERVER_ERASURE: Final = "server erasure"
"""The kinds of jobs; their keys are ids of servers."""

KEPT_AFTER_LEAVING: Final = timedelta(days=30)
_CLOSING_TIME: Final = timedelta(seconds=15)
"""How long closed tournaments and tables have to be shown as closed before they are deleted."""

_ASK_AGAIN_AFTER: Final = timedelta(minutes=1)
"""How long to wait while the bot is connecting and does not know where it is."""

_TABLES_BATCH: Final = 20
_ROWS_BATCH: Final = 200
_NOBODY: Final = Person(0, "")


class ServerDataService:
    """Deletes the data of servers."""

    def __init__(
        self,
        db: Database,
        service: TableService,
        tournaments: TournamentService,
        seconds: Callable[[], float] = time.monotonic,
    ) -> None:
        self._db = db
        self._service = service
        self._tournaments = tournaments
        self._seconds = seconds
        self.find_membership: Callable[[int], bool | None] = lambda _: None
        """Tells whether the bot is in a server, even one that is out of order; None until the client knows."""

    async def note_left(self, guild_id: int) -> None:
        """Have a server's data deleted later, because the bot has left it; its pings hold no others back."""
        await self._db.maintain(job_storage.put, self._later(guild_id))
        await self._db.maintain(reminder_storage.forget_in_server, guild_id)

    async def note_joined(self, guild_ids: Sequence[int]) -> None:
        """Keep the data of servers after all."""
        for some in pieces(guild_ids, _ROWS_BATCH):
            await self._db.maintain(job_storage.remove, LEFT_SERVER, [str(guild_id) for guild_id in some])

    async def note_present(self, guild_ids: Collection[int]) -> None:
        """Note which servers the bot has left while it was not running."""
        present = set(guild_ids)
        for guild_id in await self._db.read(server_erasure.find_servers, self._db.shards):
            if guild_id not in present:
                await self._db.write(job_storage.add, self._later(guild_id))
                await self._db.maintain(reminder_storage.forget_in_server, guild_id)

    async def ask_erasure(self, guild_id: int) -> None:
        """Have a server's data deleted now; asking twice is harmless."""
        await self._db.write(
            job_storage.add, Job(SERVER_ERASURE, str(guild_id), self._service.clock(), guild_id=guild_id)
        )

    async def erase_left(self, job: Job) -> datetime | None:
        """Delete a server's data, unless the bot is back."""
        guild_id = int(job.key)
        is_member = self.find_membership(guild_id)
        if is_member is None:
            return self._service.clock() + _ASK_AGAIN_AFTER
        return None if is_member else await self._erase(guild_id)

    async def erase_asked(self, job: Job) -> datetime | None:
        """Close a server's tournaments and tables, and delete its data once that is shown."""
        guild_id, closed = int(job.key), 0
        # Otherwise they would open their tables anew.
        for tournament_id in await self._db.read(server_erasure.find_tournaments, guild_id):
            with contextlib.suppress(Refusal):
                await self._tournaments.abandon(tournament_id)
                closed += 1
        for table_id in await self._db.read(server_erasure.find_tables, guild_id):
            with contextlib.suppress(Refusal, Stale):
                await self._service.cancel(table_id, _NOBODY, is_moderator=True)
                closed += 1
        return self._service.clock() + _CLOSING_TIME if closed else await self._erase(guild_id)

    async def _erase(self, guild_id: int) -> datetime | None:
        until = self._seconds() + RUN_SECONDS
        while await self._db.maintain(server_erasure.erase_tables, guild_id, _TABLES_BATCH) or await self._db.maintain(
            server_erasure.erase_rows, guild_id, _ROWS_BATCH
        ):
            if self._seconds() > until:
                return self._service.clock()
        await self._db.maintain(server_erasure.finish, guild_id, (LEFT_SERVER, SERVER_ERASURE))
        log.info("deleted the data of a server")
        return None

    def _later(self, guild_id: int) -> Job:
        return Job(LEFT_SERVER, str(guild_id), self._service.clock() + KEPT_AFTER_LEAVING, guild_id=guild_id)
