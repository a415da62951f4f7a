"""The store that this package needs."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Protocol

from bot.features.privacy.model import ErasedTables, Erasure, ExportedPage, Key, PersonRows, RetentionLimits, TableWalk
from bot.features.tournaments.model import TournamentId
from bot.platform.jobs.jobs import Job, JobStore
from bot.tables.model import TableId


class PrivacyStore(JobStore, Protocol):
    """Exports and deletes what is kept about people and servers. Each method is one short transaction.

    Every method may raise StoreUnavailable.
    """

    @property
    def exported_tables(self) -> Sequence[str]:
        """The names of the tables that an export is made of."""

    async def ask_erasure(self, erasure: Erasure, job: Job) -> None:
        """Store an erasure with its job, unless the person has one."""

    async def find_erasure(self, pseudonym: int) -> Erasure | None:
        """Return an erasure that is not done yet."""

    async def find_unfinished_tables(self, user_id: int) -> Sequence[TableId]:
        """Return the tables where a person has a seat, or which they opened, that are not over."""

    async def find_open_tournaments(self, user_id: int) -> Sequence[TournamentId]:
        """Return the tournaments that a person takes part in or has opened and that are not over."""

    async def erase_from_tables(self, erasure: Erasure, limit: int) -> ErasedTables:
        """Make some seats of a person anonymous, with all that their tables hold about them."""

    async def find_rows(self, user_id: int, limit: int) -> PersonRows | None:
        """Return some other rows of a person, or None if there are no more."""

    async def erase_rows(self, erasure: Erasure, rows: PersonRows) -> None:
        """Delete rows of a person or make them anonymous."""

    async def erase_openers(self, erasure: Erasure, after_id: TableId, limit: int) -> TableId | None:
        """Make a person anonymous in a stretch of tables where they have no seat; return its end, None after all."""

    async def finish_erasure(self, erasure: Erasure) -> None:
        """Forget who was erased, and tell all processes to clear their caches."""

    async def count_erasures(self) -> int:
        """Return how often processes were told to clear their caches."""

    async def clear_caches(self) -> None:
        """Tell all processes to clear their caches."""

    async def export_rows(self, user_id: int, table: str, after: Key | None, limit: int) -> ExportedPage | None:
        """Return some rows about a person, after the one with a primary key; None if there are no more."""

    async def find_servers(self) -> Sequence[int]:
        """Return the servers that anything is stored of."""

    async def forget_server_pings(self, guild_id: int) -> None:
        """Note that the reminders in a server, which nobody can answer there any more, do not stand."""

    async def find_server_tables(self, guild_id: int) -> Sequence[TableId]:
        """Return the open tables of a server."""

    async def find_server_tournaments(self, guild_id: int) -> Sequence[TournamentId]:
        """Return the tournaments of a server that are not over."""

    async def erase_server_tables(self, guild_id: int, limit: int) -> bool:
        """Delete some tables of a server with all that belongs to them; return whether there were any."""

    async def erase_server_rows(self, guild_id: int, limit: int) -> bool:
        """Delete some other rows of a server, or what they say about it; return whether there were any."""

    async def finish_server_erasure(self, guild_id: int, kinds: Collection[str]) -> None:
        """Delete notes and jobs that name a server, except jobs of some kinds; tell all processes to clear caches."""

    async def walk_tables(self, after_id: TableId, limits: RetentionLimits, limit: int) -> TableWalk:
        """Look at a stretch of tables for what is kept too long."""

    async def find_quiet_people(self, since: datetime, until: datetime, limit: int) -> Sequence[int]:
        """Return people whom other rows than those of tables saw in a stretch of time."""

    async def clear_click_ids(self, table_ids: Sequence[TableId], before: datetime) -> None:
        """Delete the ids of clicks at tables before a time."""

    async def delete_tables(self, table_ids: Sequence[TableId]) -> None:
        """Delete tables with all that belongs to them."""

    async def forget_name(self, user_id: int, unless_seen_since: datetime, limit: int) -> bool:
        """Replace some of the stored names of a person who was not seen; return whether there may be more."""

    async def get_value(self, key: str) -> str | None:
        """Return the value of a note, or None."""

    async def set_value(self, key: str, value: str) -> None:
        """Set the value of a note."""
