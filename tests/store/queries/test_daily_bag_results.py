"""What counts of daily bags: not the time in which the bot did not run, and not as best scores."""

import asyncio
from datetime import UTC, datetime, timedelta

from bot.features.boards import storage as board_storage
from bot.features.boards.model import BoardKey, BoardOrder
from bot.features.daily_bag import storage as daily_bag_storage
from bot.features.daily_bag.model import DailyStreak, find_streak
from bot.features.profiles import storage as profile_storage
from bot.features.results.rebuild import rebuild
from bot.features.seasons.service import GRACE, SEASON_JOB, Seasons
from bot.features.settings.all_settings import SeasonLength
from bot.platform.jobs.storage import Job
from bot.platform.places import start_of_day
from bot.tables.model import Company
from tests.store.queries.test_daily_bag import DAY, HERE, HOUR, NOON, TODAY, Process, bag_of
from tests.store.samples import Connect
from tests.support.daily_games import finish_daily
from tests.support.fakes import ROBIN, WREN
from tests.support.games import load_games_once


async def test_daily_bags_have_totals_of_their_own_and_no_title_also_after_a_rebuild(connect: Connect) -> None:
    process = Process(await connect(), NOON)
    await process.run()
    await process.play(ROBIN)
    seasons = Seasons(process.db, load_games_once(), process.clock, always_monthly)
    for _ in range(2):
        record = await process.db.read(profile_storage.person_record, ROBIN.id, HERE.guild_id)
        assert [(each.company, each.stats.games) for each in record.stats] == [(Company.DAILY, 1)]
        assert record.solo_scores == ()
        for by in (BoardOrder.BEST, BoardOrder.POINTS):
            board = BoardKey(HERE.guild_id or 0, "magic_bag", Company.ALONE, by)
            assert (await process.db.read(board_storage.standings, board, ROBIN.id, 0, 9)).total == 0
        assert await process.db.run_exclusively(rebuild) == 1
    await seasons.end_due(Job(SEASON_JOB, "", datetime(2027, 4, 1, tzinfo=UTC) + GRACE))
    (season,) = await seasons.past(HERE.guild_id or 0)
    assert (season.period, season.champions) == ("2027-03", ())


async def always_monthly(_: int) -> SeasonLength:
    return SeasonLength.MONTH


async def test_time_in_which_the_bot_does_not_run_is_no_part_of_the_24_hours(connect: Connect) -> None:
    before = Process(await connect(), NOON)
    await before.run()
    tables = [await before.begin(person) for person in (ROBIN, WREN)]
    after = Process(await connect(), NOON + 2 * DAY)
    await after.run(was_down=True)
    assert (await bag_of(after, TODAY)).published_at is None
    await after.run(NOON + 2 * DAY + 23 * HOUR)
    finished = await finish_daily(after.service, tables[0].id, ROBIN)
    attempt = await after.bags.attempt(ROBIN.id, TODAY)
    assert finished.outcome is not None
    assert attempt is not None
    assert attempt.score == finished.outcome.scores[0]
    # The other one is abandoned, and does not keep the seed secret for ever.
    await after.run(NOON + 3 * DAY + HOUR)
    assert (await bag_of(after, TODAY)).published_at is not None


async def test_nobody_misses_a_day_on_which_the_bot_did_not_run_for_an_hour(connect: Connect) -> None:
    process = Process(await connect(), NOON)
    await process.run()
    await process.play(ROBIN)
    # Half an hour at the end of the 11th, the whole 12th, 13th and 14th, and half an hour of the 15th.
    await process.run(start_of_day(TODAY + 2) - HOUR / 2)
    process = Process(await connect(), start_of_day(TODAY + 5) + HOUR / 2)
    await process.run(was_down=True)
    await process.play(ROBIN)
    facts = await process.bags.facts(ROBIN.id, HERE.guild_id)
    assert facts.excused_days == {TODAY + 2, TODAY + 3, TODAY + 4}
    for days in (facts.own_days, facts.server_days):
        assert find_streak(days, TODAY + 5, facts.excused_days) == DailyStreak(2, 2, has_forgiveness=False)
    scores = await process.db.read(daily_bag_storage.load_scores, ROBIN.id, HERE.guild_id, TODAY + 5)
    assert scores.excused_days == facts.excused_days
    # Several short ones of a day are added up.
    for minutes in (10, 20, 30):
        await process.run(process.clock.now + timedelta(minutes=5))
        await process.run(process.clock.now + timedelta(minutes=minutes), was_down=True)
    assert TODAY + 5 in (await process.bags.facts(ROBIN.id, HERE.guild_id)).excused_days


async def test_two_processes_note_a_downtime_once(connect: Connect) -> None:
    processes = [Process(await connect(), NOON) for _ in range(2)]
    await processes[0].run()
    await asyncio.gather(*(each.run(NOON + HOUR / 2, was_down=True) for each in processes))
    await asyncio.gather(*(each.run(NOON + HOUR - timedelta(minutes=1), was_down=True) for each in processes))
    assert (await processes[0].bags.facts(ROBIN.id, None)).excused_days == frozenset()
