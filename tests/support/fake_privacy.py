"""The part of a store that exports and deletes, for tests that do neither."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime

from bot.features.privacy.model import ErasedTables, Erasure, ExportedPage, Key, PersonRows, RetentionLimits, TableWalk
from bot.features.tournaments.model import TournamentId
from bot.platform.jobs.jobs import Job
from bot.tables.model import TableId
from tests.support.fake_jobs import FakeJobs


class FakePrivacy(FakeJobs):
    """Keeps nothing, so there is nothing to export or to delete; the real store has its own tests."""

    exported_tables: Sequence[str] = ()
    erasures = 0
    """How often other processes have deleted something."""

    async def ask_erasure(self, erasure: Erasure, job: Job) -> None:
        await self.schedule_job(job)

    async def find_erasure(self, pseudonym: int) -> Erasure | None:
        return None

    async def find_unfinished_tables(self, user_id: int) -> Sequence[TableId]:
        return ()

    async def find_open_tournaments(self, user_id: int) -> Sequence[TournamentId]:
        return ()

    async def erase_from_tables(self, erasure: Erasure, limit: int) -> ErasedTables:
        return ErasedTables(0)

    async def find_rows(self, user_id: int, limit: int) -> PersonRows | None:
        return None

    async def erase_rows(self, erasure: Erasure, rows: PersonRows) -> None:
        pass

    async def erase_openers(self, erasure: Erasure, after_id: TableId, limit: int) -> TableId | None:
        return None

    async def finish_erasure(self, erasure: Erasure) -> None:
        pass

    async def count_erasures(self) -> int:
        return self.erasures

    async def clear_caches(self) -> None:
        pass

    async def export_rows(self, user_id: int, table: str, after: Key | None, limit: int) -> ExportedPage | None:
        return None

    async def find_servers(self) -> Sequence[int]:
        return ()

    async def forget_server_pings(self, guild_id: int) -> None:
        pass

    async def find_server_tables(self, guild_id: int) -> Sequence[TableId]:
        return ()

    async def find_server_tournaments(self, guild_id: int) -> Sequence[TournamentId]:
        return ()

    async def erase_server_tables(self, guild_id: int, limit: int) -> bool:
        return False

    async def erase_server_rows(self, guild_id: int, limit: int) -> bool:
        return False

    async def finish_server_erasure(self, guild_id: int, kinds: Collection[str]) -> None:
        pass

    async def walk_tables(self, after_id: TableId, limits: RetentionLimits, limit: int) -> TableWalk:
        return TableWalk(after_id, is_done=True, changed=(), never_started=(), quiet_people=())

    async def find_quiet_people(self, since: datetime, until: datetime, limit: int) -> Sequence[int]:
        return ()

    async def clear_click_ids(self, table_ids: Sequence[TableId], before: datetime) -> None:
        pass

    async def delete_tables(self, table_ids: Sequence[TableId]) -> None:
        pass

    async def forget_name(self, user_id: int, unless_seen_since: datetime, limit: int) -> bool:
        return False

    async def compact_tables(self, after_id: TableId, over_since: datetime, limit: int) -> TableId | None:
        return None

    async def find_open_channels(self) -> Sequence[int]:
        return ()

    async def claim_note(self, key: str) -> bool:
        return True

    async def find_notes(self, prefix: str) -> Mapping[str, str]:
        return {}

    async def delete_notes(self, prefix: str) -> None:
        pass
