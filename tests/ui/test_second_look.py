"""What can't be undone is not done if the clock was wrong and has been set right."""

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta

import pytest

from bot.community.jobs import DowntimeListener, Job, JobHandler, JobRunner, JobStore
from bot.community.privacy.retention import RETENTION
from bot.community.seasons.service import SEASON_JOB
from tests.support.fake_store import FakeStore
from tests.support.fake_table_messages import FakeTableMessages
from tests.ui.adapter import Adapter


@pytest.mark.parametrize("kind", [SEASON_JOB, RETENTION])
async def test_the_end_of_a_season_and_the_deletion_of_names_look_at_the_clock_again(
    monkeypatch: pytest.MonkeyPatch, store: FakeStore, shown: FakeTableMessages, kind: str
) -> None:
    found = dict[str, JobHandler]()

    def make_runner(
        jobs: JobStore, clock: Callable[[], datetime], handlers: Mapping[str, JobHandler], listener: DowntimeListener
    ) -> JobRunner:
        found.update(handlers)
        return JobRunner(jobs, clock, handlers, listener)

    monkeypatch.setattr("bot.wiring.JobRunner", make_runner)
    adapter = Adapter(store, shown)
    job = Job(kind, "", adapter.clock() + timedelta(days=2))
    assert await found[kind](job) == job.due_at
    await adapter.host.close()
