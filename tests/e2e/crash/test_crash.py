"""The bot in its own process, killed without warning at random moments of many games.

A test's name holds the seed of its moments: run again, it makes the same choices, though the instants differ. One
window can't be closed: a table is posted before the id of its message can be written down, and a bot that is killed in
between posts it once more. So many messages are allowed, and no more.
"""

import logging
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bot.sandbox import Sandbox
from bot.tables.model import Status, TableId
from bot.tables.table import Table
from tests.e2e.crash.crash_runner import CrashRunner

pytestmark = pytest.mark.slow

log = logging.getLogger(__name__)

SHORT_KILLS = (1, 2)
"""How many evenings there are, and how many kills in each."""
LONG_KILLS = (10, 20)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    evenings, kills = LONG_KILLS if metafunc.config.getoption("--long") else SHORT_KILLS
    metafunc.parametrize("kills", [kills], ids=[f"{kills}-kills"])
    metafunc.parametrize("seed", range(evenings), ids=lambda seed: f"seed-{seed}")


async def test_nothing_shown_is_lost_when_the_bot_is_killed(
    busy: Sandbox, tmp_path: Path, kills: int, seed: int
) -> None:
    killer = CrashRunner(busy, tmp_path, seed)
    answers, tables = 0, dict[TableId, Table]()
    for _ in range(kills):
        await killer.kill_once()
        answers += sum(heard.was_granted for heard in killer.observer.answers)
        tables = await killer.check_disk()
    await killer.check_after_restart()
    with closing(sqlite3.connect(tmp_path / "parlour.sqlite3")) as database:
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    log.info(
        "seed %s: %s kills, %s answers kept, %s moves, %s tables (%s finished), %s messages posted twice",
        seed,
        kills,
        answers,
        sum(table.header.step for table in tables.values()),
        len(tables),
        sum(table.header.status is Status.FINISHED for table in tables.values()),
        sum(len(killer.observer.undeleted_posts(table_id)) - 1 for table_id in killer.observer.posts),
    )
