"""The primary of two database servers is killed during play, and its standby promoted.

A test's name holds the seed of its moments, as in `test_crash`. The servers replicate synchronously.
"""

import logging
from pathlib import Path

import pytest

from bot.sandbox import Sandbox
from tests.e2e.crash.failover_runner import FailoverRunner
from tests.support.processes import kill_bot, spawn_bot, wait_until_online
from tests.support.replicated_postgres import run_replicated_servers

pytestmark = pytest.mark.slow

log = logging.getLogger(__name__)

SHORT_KILLS = (1, 1)
"""How many evenings there are, and how many kills in each."""
LONG_KILLS = (5, 10)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    evenings, kills = LONG_KILLS if metafunc.config.getoption("--long") else SHORT_KILLS
    metafunc.parametrize("kills", [kills], ids=[f"{kills}-kills"])
    metafunc.parametrize("seed", range(evenings), ids=lambda seed: f"seed-{seed}")


@pytest.mark.postgres
@pytest.mark.time_limit(400)
async def test_nothing_shown_is_lost_when_the_database_fails_over(
    patient: Sandbox, tmp_path: Path, kills: int, seed: int
) -> None:
    written = tmp_path / "bot.log"
    with run_replicated_servers() as servers:
        runner = FailoverRunner(patient, servers, seed)
        process = await wait_until_online(patient, await spawn_bot(patient, servers.address, written))
        try:
            for _ in range(kills):
                await runner.fail_over_once()
        finally:
            await kill_bot(patient, process)
            await runner.stop()
    log.info(
        "seed %s: %s kills, %s answers in %.1f s at most, %s refused, %s moves kept, next move after %.1f s at most, "
        "everywhere after %.1f s",
        seed,
        kills,
        runner.answers,
        runner.longest_wait,
        runner.refused,
        sum(table.header.step for table in runner.tables.values()),
        max(runner.resumed_after),
        max(runner.all_resumed_after),
    )
    errors = [line for line in written.read_text().splitlines() if " ERROR " in line]
    assert [line for line in errors if " bot.platform.database.errors: the database fails" not in line] == []
