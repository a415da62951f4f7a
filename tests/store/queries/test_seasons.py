"""Seasons end with their month, quarter or year, once, with the numbers of the season."""

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

import pytest

from bot.features.boards import storage as board_storage
from bot.features.boards.model import BoardKey, BoardOrder
from bot.features.seasons.model import CHAMPION_GAMES
from bot.features.seasons.service import SEASON_JOB, Seasons
from bot.features.settings.choices import SeasonLength
from bot.platform.database.database import Database, open_database
from bot.platform.jobs.jobs import JobRunner
from bot.platform.jobs.storage import Job
from bot.tables.model import Company
from tests.store.samples import end_table
from tests.support.databases import Databases
from tests.support.games import load_games_once
from tests.support.sample_results import ELSEWHERE, HERE

MARCH, APRIL, MAY = (datetime(2026, month, 20, 12, tzinfo=UTC) for month in (3, 4, 5))
LAST_MOMENT = datetime(2026, 3, 31, 23, 59, 59, 999_999, tzinfo=UTC)
AFTER_QUARTER = datetime(2026, 4, 1, 0, 5, tzinfo=UTC)
DAY = timedelta(days=1)
ALONE: dict[str, Any] = {"game": "magic_bag", "company": Company.ALONE}


class Process:
    """A process of the bot, as far as seasons go."""

    def __init__(self, db: Database, lengths: dict[int, SeasonLength]) -> None:
        self.now = MARCH
        self.db = db
        self.lengths = lengths
        self.seasons = Seasons(db, load_games_once(), lambda: self.now, self.length_of)
        self.runner = JobRunner(db, lambda: self.now, {SEASON_JOB: self.seasons.end_due})

    async def length_of(self, guild_id: int) -> SeasonLength:
        return self.lengths.get(guild_id, SeasonLength.QUARTER)

    async def check(self, now: datetime) -> None:
        self.now = now
        await self.seasons.check()
        await self.runner.check()
        await self.runner.finish()

    async def past(self, guild_id: int = HERE) -> list[str]:
        return [season.period for season in await self.seasons.past(guild_id)]


@pytest.fixture
async def processes(databases: Databases) -> AsyncIterator[tuple[Process, Process]]:
    """Two processes over one database."""
    address, lengths = databases.migrated(), dict[int, SeasonLength]()
    stores = open_database(address), open_database(address)
    yield Process(stores[0], lengths), Process(stores[1], lengths)
    for db in stores:
        await db.close()


@pytest.fixture
async def process(processes: tuple[Process, Process]) -> Process:
    """A process that has begun in March."""
    await processes[0].check(MARCH)
    return processes[0]


async def play(db: Database, *people: int, games: int = CHAMPION_GAMES, begin: datetime = MARCH, **more: Any) -> None:
    """End tables, one a day; the first person wins."""
    for day in range(games):
        await end_table(db, *people, finished_at=begin + day * DAY, **more)


async def test_a_season_ends_with_the_best_rated_who_played_enough(process: Process) -> None:
    await play(process.db, 1, 2)
    await play(process.db, 3, 4, games=CHAMPION_GAMES - 1, name="Newcomer")
    await play(process.db, 5, 6, guild_id=ELSEWHERE, name="Wren")
    await process.check(AFTER_QUARTER - timedelta(seconds=1))
    assert await process.past() == []
    await process.check(AFTER_QUARTER)
    (here,), (there,) = await process.seasons.past(HERE), await process.seasons.past(ELSEWHERE)
    assert (here.period, here.ended_at) == ("2026-Q1", datetime(2026, 4, 1, tzinfo=UTC))
    assert [(each.game, each.user_id, each.by) for each in here.champions] == [("magpie", 1, BoardOrder.RATING)]
    assert [each.name for each in there.champions] == ["Wren"]


@pytest.mark.every_database
async def test_after_downtime_a_season_ends_with_its_own_numbers(process: Process) -> None:
    await play(process.db, 1, 2)
    await end_table(process.db, 7, score=80, finished_at=LAST_MOMENT, **ALONE)
    board = BoardKey(HERE, "magpie", Company.PEOPLE, BoardOrder.RATING, "2026-Q1")
    before = await process.db.read(board_storage.standings, board, 2, 0, 9)
    # Of the next season, but before the job runs.
    await play(process.db, 2, 1, games=9, begin=APRIL)
    await end_table(process.db, 8, score=99, finished_at=LAST_MOMENT + timedelta(microseconds=1), **ALONE)
    await process.check(MAY)
    (season,) = await process.seasons.past(HERE)
    assert [(each.game, each.user_id) for each in season.champions] == [("magic_bag", 7), ("magpie", 1)]
    assert before.rows[0].rating is not None
    assert [each.value for each in season.champions] == [80, before.rows[0].rating.shown]
    # The board of the season stays readable.
    after = await process.db.read(board_storage.standings, board, 2, 0, 9)
    assert [(row.user_id, row.stats) for row in after.rows] == [(row.user_id, row.stats) for row in before.rows]


async def test_seasons_missed_in_downtime_end_in_their_order(process: Process) -> None:
    process.lengths[HERE] = SeasonLength.MONTH
    for moment in (MARCH, APRIL, MAY):
        await end_table(process.db, 1, 2, finished_at=moment)
        await end_table(process.db, 1, 2, finished_at=moment, guild_id=ELSEWHERE)
    for _ in range(4):
        await process.check(datetime(2026, 7, 2, tzinfo=UTC))
    assert await process.past() == ["2026-05", "2026-04", "2026-03"]
    assert await process.past(ELSEWHERE) == ["2026-Q2", "2026-Q1"]


async def test_a_clock_that_is_wrong_for_a_while_ends_no_season(
    process: Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.platform.jobs.jobs.SECOND_LOOK_SECONDS", 1.0)
    looks = count()
    process.runner = JobRunner(
        process.db,
        lambda: process.now,
        {SEASON_JOB: process.seasons.end_due},
        irrevocable=[SEASON_JOB],
        seconds=lambda: next(looks),
    )
    await play(process.db, 1, 2)
    right = MARCH + CHAMPION_GAMES * DAY
    await process.check(AFTER_QUARTER + DAY)
    await process.check(right)
    assert await process.past() == []
    for loser in (4, 1):
        await play(process.db, 3, loser, begin=right)
    for now in (AFTER_QUARTER, AFTER_QUARTER + DAY):
        await process.check(now)
    (season,) = await process.seasons.past(HERE)
    assert [each.user_id for each in season.champions] == [3]


async def test_equal_people_share_a_title(process: Process) -> None:
    for person in (7, 8):
        await end_table(process.db, person, score=80, finished_at=MARCH, **ALONE)
    await process.check(AFTER_QUARTER)
    (season,) = await process.seasons.past(HERE)
    assert [each.user_id for each in season.champions] == [7, 8]


async def test_a_new_length_ends_only_what_ends_from_then_on(process: Process) -> None:
    process.lengths[HERE] = SeasonLength.YEAR
    await end_table(process.db, 1, 2, finished_at=MARCH)
    await end_table(process.db, 1, 2, finished_at=APRIL)
    await process.check(AFTER_QUARTER)
    process.lengths[HERE] = SeasonLength.MONTH
    await process.check(APRIL)
    assert await process.past() == []
    await process.check(MAY)
    assert await process.past() == ["2026-04"]
    process.lengths[HERE] = SeasonLength.OFF
    await end_table(process.db, 1, 2, finished_at=MAY)
    await process.check(MAY + 30 * DAY)
    assert await process.past() == ["2026-04"]


@pytest.mark.every_database
async def test_two_processes_end_a_season_once(processes: tuple[Process, Process]) -> None:
    await asyncio.gather(*(process.check(MARCH) for process in processes))
    await play(processes[0].db, 1, 2)
    await asyncio.gather(*(process.check(AFTER_QUARTER) for process in processes))
    first = await processes[0].seasons.past(HERE)
    # A process that died before it had finished the job leaves it to another.
    await play(processes[0].db, 3, 4, games=20)
    for process in processes:
        await process.seasons.end_due(Job(SEASON_JOB, "", AFTER_QUARTER))
    assert await processes[1].seasons.past(HERE) == first
    assert [champion.user_id for season in first for champion in season.champions] == [1]


@pytest.mark.every_database
async def test_a_restart_keeps_the_job_of_a_month_that_is_over(processes: tuple[Process, Process]) -> None:
    await processes[0].check(MARCH)
    await end_table(processes[0].db, 1, 2, finished_at=MARCH)
    await processes[1].check(MAY)
    assert await processes[1].past() == ["2026-Q1"]


@pytest.mark.every_database
async def test_totals_of_weeks_are_pruned_those_of_seasons_stay(process: Process) -> None:
    await end_table(process.db, 1, 2, finished_at=MARCH)
    week, quarter = (
        BoardKey(HERE, "magpie", Company.PEOPLE, BoardOrder.WINS, each) for each in ("2026-W12", "2026-Q1")
    )

    async def ranked() -> list[int]:
        return [(await process.db.read(board_storage.standings, board, 1, 0, 9)).total for board in (week, quarter)]

    for month, remaining in ((4, [2, 2]), (6, [0, 2])):
        # A month of the backlog each time.
        for _ in range(14):
            await process.check(datetime(2027, month, 2, tzinfo=UTC))
        assert await ranked() == remaining
