"""Tournaments in memory; their tables are not found, which needs a database."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from bot.features.tournaments.model import PairedTables, Tournament, TournamentId
from bot.features.tournaments.ports import TournamentConflict
from bot.platform.jobs.jobs import Job
from tests.support.fake_jobs import FakeJobs


class FakeTournaments(FakeJobs):
    """Keeps tournaments."""

    def __init__(self) -> None:
        super().__init__()
        self.tournaments: dict[TournamentId, Tournament] = {}

    async def add_tournament(self, tournament: Tournament, most: int, jobs: Sequence[Job]) -> Tournament | None:
        here = [each for each in self.tournaments.values() if each.location.guild_id == tournament.location.guild_id]
        if sum(each.stage.is_open for each in here) >= most:
            return None
        added = replace(tournament, id=len(self.tournaments) + 1)
        self.tournaments[added.id] = added
        for job in jobs:
            await self.schedule_job(replace(job, key=str(added.id)))
        return added

    async def load_tournament(self, tournament_id: TournamentId) -> Tournament | None:
        return self.tournaments.get(tournament_id)

    async def save_tournament(self, before: Tournament, after: Tournament, jobs: Sequence[Job]) -> None:
        stored = self.tournaments[before.id]
        if stored.revision != before.revision:
            raise TournamentConflict(before.id)
        self.tournaments[before.id] = replace(after, message_id=stored.message_id)
        for job in jobs:
            await self.schedule_job(job)

    async def claim_tournament(self, tournament_id: TournamentId, now: datetime, until: datetime) -> bool:
        return tournament_id in self.tournaments

    async def prolong_tournament(self, tournament_id: TournamentId, until: datetime) -> None:
        pass

    async def release_tournament(self, tournament_id: TournamentId) -> None:
        pass

    async def set_tournament_message(
        self, tournament_id: TournamentId, message_id: int | None, replaced: int | None
    ) -> bool:
        stored = self.tournaments[tournament_id]
        if stored.message_id != replaced:
            return False
        self.tournaments[tournament_id] = replace(stored, message_id=message_id)
        return True

    async def list_tournaments(self, guild_id: int, limit: int) -> Sequence[Tournament]:
        here = [each for each in self.tournaments.values() if each.location.guild_id == guild_id]
        return sorted(here, key=lambda each: (not each.stage.is_open, -each.id))[:limit]

    async def paired_tables(self, tournament_id: TournamentId) -> PairedTables:
        return {}
