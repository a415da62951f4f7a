"""What can't be undone is marked for a second look at the clock."""

from collections.abc import Callable, Collection, Mapping
from datetime import datetime

import pytest

from bot.features.privacy.retention import RETENTION
from bot.features.privacy.servers import LEFT_SERVER
from bot.features.seasons.service import SEASON_JOB
from bot.platform.database.database import Database
from bot.platform.jobs.jobs import DowntimeListener, JobHandler, JobRunner
from tests.support.fake_table_messages import FakeTableMessages
from tests.support.memory_database import MemoryDatabase
from tests.ui.adapter import Adapter


async def test_ends_of_seasons_and_deletions_look_at_the_clock_again(
    monkeypatch: pytest.MonkeyPatch, db: MemoryDatabase, shown: FakeTableMessages
) -> None:
    found = set[str]()

    def make_runner(
        jobs: Database,
        clock: Callable[[], datetime],
        handlers: Mapping[str, JobHandler],
        listener: DowntimeListener,
        *,
        irrevocable: Collection[str],
    ) -> JobRunner:
        found.update(irrevocable)
        return JobRunner(jobs, clock, handlers, listener, irrevocable=irrevocable)

    monkeypatch.setattr("bot.app.wiring.JobRunner", make_runner)
    adapter = Adapter(db, shown)
    await adapter.host.close()
    assert found == {SEASON_JOB, RETENTION, LEFT_SERVER}
