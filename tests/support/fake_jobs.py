"""Jobs in memory, as the port promises."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from bot.platform.clock import Downtime
from bot.platform.jobs.jobs import Job
from bot.tables.ports import StoreUnavailable


class FakeJobs:
    """Keeps jobs of one process, in which there is no downtime."""

    def __init__(self) -> None:
        self.jobs: dict[tuple[str, str], Job] = {}
        self.claimed_until: dict[tuple[str, str], datetime] = {}
        self.is_away = False
        """Whether nothing can be claimed and no claim be prolonged for now."""

    async def schedule_job(self, job: Job) -> None:
        self.put_job(job)

    def put_job(self, job: Job) -> None:
        self.jobs[job.kind, job.key] = job
        self.claimed_until.pop((job.kind, job.key), None)

    async def reschedule_job(self, job: Job, now: datetime) -> None:
        if self.claimed_until.get((job.kind, job.key), now) <= now:
            self.put_job(job)

    async def add_job(self, job: Job) -> bool:
        is_new = (job.kind, job.key) not in self.jobs
        self.jobs.setdefault((job.kind, job.key), job)
        return is_new

    async def cancel_jobs(self, kind: str, keys: Collection[str]) -> None:
        for key in keys:
            self.jobs.pop((kind, key), None)
            self.claimed_until.pop((kind, key), None)

    async def claim_jobs(self, kinds: Collection[str], now: datetime, until: datetime, limit: int) -> Sequence[Job]:
        self._require_here()
        due = [job for job in self.due_jobs(now) if job.kind in kinds]
        claimed = sorted(due, key=lambda job: job.due_at)[:limit]
        self.claimed_until |= {(job.kind, job.key): until for job in claimed}
        return claimed

    def due_jobs(self, now: datetime) -> Sequence[Job]:
        unclaimed = [job for at, job in self.jobs.items() if self.claimed_until.get(at, now) <= now]
        return [job for job in unclaimed if job.due_at <= now]

    async def prolong_claim(self, job: Job, since: Collection[datetime], until: datetime) -> bool:
        self._require_here()
        key = job.kind, job.key
        if self.jobs.get(key) != job or self.claimed_until.get(key) not in since:
            return False
        self.claimed_until[key] = until
        return True

    async def finish_job(self, job: Job, next_due: datetime | None) -> None:
        if self.jobs.get((job.kind, job.key)) != job:
            return
        await self.cancel_jobs(job.kind, [job.key])
        if next_due is not None:
            await self.schedule_job(replace(job, due_at=next_due))

    async def note_alive(self, now: datetime, max_pause: timedelta, *, starts: bool = False) -> Sequence[Downtime]:
        self._require_here()
        return ()

    def _require_here(self) -> None:
        if self.is_away:
            raise StoreUnavailable("away")

    async def load_downtimes(self) -> Sequence[Downtime]:
        return ()
