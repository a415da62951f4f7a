"""Daily bags day by day: one seed, one attempt that counts, no seed too early, and what counts of the results."""

import asyncio
import secrets
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import Connection

from bot.features.boards import storage as board_storage
from bot.features.boards.model import BoardKey as ResultBoard, BoardOrder
from bot.features.daily_bag import storage as daily_bag_storage
from bot.features.daily_bag.model import (
    AlreadyAttempted,
    Attempt,
    Board,
    BoardKey,
    BoardRow,
    DailyEnd,
    DailyStreak,
    Placing,
    find_streak,
)
from bot.features.daily_bag.service import COMMIT_KIND, PUBLISH_KIND, DailyBagService, open_daily
from bot.features.profiles import storage as profile_storage
from bot.features.results.rebuild import rebuild
from bot.features.seasons.service import GRACE, SEASON_JOB, Seasons
from bot.features.settings.all_settings import SeasonLength
from bot.platform.database.database import Database
from bot.platform.jobs import downtimes
from bot.platform.jobs.downtimes import MAX_PAUSE
from bot.platform.jobs.jobs import JobRunner
from bot.platform.jobs.storage import Job
from bot.platform.places import Day, Location, Person, ShardRange, day_of, start_of_day
from bot.tables import storage as table_storage, sweep
from bot.tables.kinds import DailyBag
from bot.tables.model import Company, Occupant, Status, TableUpdate
from bot.tables.service import TableService
from bot.tables.table import Table
from tests.store.samples import Connect, make_header
from tests.support.apps import shared_app
from tests.support.daily_games import finish_daily
from tests.support.fakes import ROBIN, WREN, FakeClock
from tests.support.games import load_games_once

NOON = datetime(2027, 3, 10, 12, tzinfo=UTC)
TODAY = day_of(NOON)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
HERE, THERE = Location(3, 70), Location(4, 80)


class Process:
    """A process of the bot at a time."""

    def __init__(self, db: Database, now: datetime) -> None:
        self.db = db
        self.clock = FakeClock(now)
        self.service = TableService(db, load_games_once(), clock=self.clock)
        self.service.hooks = shared_app().tables.hooks
        self.bags = DailyBagService(db, self.clock, secrets.token_bytes)
        self._jobs = JobRunner(db, self.clock, {COMMIT_KIND: self.bags.commit, PUBLISH_KIND: self.bags.publish})

    async def run(self, now: datetime | None = None, *, was_down: bool = False) -> None:
        """Let it be a time, until which the bot ran or did not, and do what is due."""
        self.clock.now = now or self.clock.now
        if not was_down:
            await self.db.maintain(downtimes.note_alive, self.db.shards, self.clock.now, timedelta.max)
        await self.bags.begin()
        await self._jobs.check()
        await self._jobs.finish()

    async def begin(self, person: Person, location: Location = HERE, *, is_practice: bool = False) -> Table:
        bag = await self.bags.todays_bag()
        click = secrets.randbits(60)
        return await open_daily(self.service, bag, "magic_bag", person, location, click, is_practice=is_practice)

    async def play(self, person: Person, location: Location = HERE) -> Table:
        return await finish_daily(self.service, (await self.begin(person, location)).id, person)


@pytest.fixture
async def process(db: Database) -> Process:
    process = Process(db, NOON)
    await process.run()
    return process


async def bag_of(process: Process, day: Day) -> DailyBag:
    bag = await process.bags.bag(day)
    assert bag is not None
    return bag


async def attempt_of(process: Process) -> Attempt:
    """Return Robin's attempt of today."""
    attempt = await process.bags.attempt(ROBIN.id, TODAY)
    assert attempt is not None
    return attempt


async def test_each_day_has_the_seed_that_was_promised_before_whatever_restarts(connect: Connect) -> None:
    promised: dict[Day, str] = {}
    for day in range(TODAY, TODAY + 4):
        # A new process on each day, which also runs over midnight.
        process = Process(await connect(), start_of_day(day) + 12 * HOUR)
        await process.run()
        today, tomorrow = await bag_of(process, day), await bag_of(process, day + 1)
        assert promised.setdefault(day, today.commitment) == today.commitment
        promised[day + 1] = tomorrow.commitment
        assert (today.is_late, tomorrow.is_late) == (day == TODAY, False)
        await process.run(start_of_day(day + 1) + HOUR)
        assert (await bag_of(process, day)).published_at is not None
        assert (await bag_of(process, day + 1)).published_at is None
    bags = await (await connect()).read(daily_bag_storage.find_bags, TODAY, TODAY + 4)
    seeds = {bag.seed for bag in bags.values()}
    assert len(seeds) == 5
    assert all(len(seed) == 32 for seed in seeds)


async def test_after_days_without_the_bot_it_commits_late_and_says_so(connect: Connect) -> None:
    await Process(await connect(), NOON).run()
    later = Process(await connect(), NOON + 5 * DAY)
    await later.run()
    assert (await bag_of(later, TODAY + 1)).published_at == NOON + 5 * DAY
    assert await later.bags.bag(TODAY + 3) is None
    assert (await bag_of(later, TODAY + 5)).is_late
    assert not (await bag_of(later, TODAY + 6)).is_late


async def test_a_clock_that_is_set_back_changes_no_seed(process: Process) -> None:
    await process.run(NOON + 3 * DAY)
    ahead = await bag_of(process, TODAY + 3)
    today = await bag_of(process, TODAY)
    await process.run(NOON)
    assert (await bag_of(process, TODAY)) == today
    await process.run(NOON + 3 * DAY)
    assert (await bag_of(process, TODAY + 3)) == ahead


async def test_two_processes_make_one_seed(connect: Connect) -> None:
    one, other = Process(await connect(), NOON), Process(await connect(), NOON)
    for day in range(TODAY, TODAY + 5):
        moment = start_of_day(day) + HOUR
        one.clock.now = other.clock.now = moment
        bags = await asyncio.gather(one.bags.todays_bag(), other.bags.todays_bag())
        assert bags[0].seed == bags[1].seed
        await asyncio.gather(one.run(), other.run())
        assert (await bag_of(one, day + 1)) == (await bag_of(other, day + 1))


async def test_everyone_has_the_same_dice_for_the_same_decisions(process: Process) -> None:
    mine, theirs = await process.play(ROBIN), await process.play(WREN, Location(None, 90))
    assert mine.state == theirs.state
    records = [await process.service.load_stored(table.id) for table in (mine, theirs)]
    assert [entry.digest for entry in records[0].entries] == [entry.digest for entry in records[1].entries]
    practice = await process.begin(ROBIN, THERE, is_practice=True)
    again = await process.begin(Person(77, "Jay"), Location(None, 91))
    assert again.header.seed == mine.header.seed
    assert again.state == practice.state


@pytest.mark.parametrize("comes_back", [True, False])
async def test_the_seed_waits_for_servers_that_are_not_served_for_a_week_at_most(
    connect: Connect, *, comes_back: bool
) -> None:
    lower, upper = [Process(await connect(), NOON) for _ in range(2)]
    lower.db.shards, upper.db.shards = ShardRange(0, 0, 2), ShardRange(1, 1, 2)
    for process in (lower, upper):
        await process.run()
    begun = await lower.begin(ROBIN, HERE)
    # From now on only the other half is served.
    for now in (NOON + 25 * HOUR, NOON + 8 * DAY - HOUR):
        await upper.run(now)
        assert (await bag_of(upper, TODAY)).published_at is None
    if comes_back:
        lower.clock.now = NOON + 8 * DAY
        await lower.db.maintain(downtimes.note_alive, lower.db.shards, lower.clock.now, MAX_PAUSE, starts=True)
        await upper.run(NOON + 8 * DAY + 23 * HOUR)
        assert (await bag_of(upper, TODAY)).published_at is None
        await finish_daily(lower.service, begun.id, ROBIN)
        assert (await attempt_of(lower)).score is not None
    end = NOON + 9 * DAY
    await upper.run(end)
    assert (await bag_of(upper, TODAY)).published_at == end


async def test_of_attempts_in_several_servers_at_once_one_counts(connect: Connect) -> None:
    processes = [Process(await connect(), NOON) for _ in range(2)]
    await processes[0].run()
    places = [Location(3, 70), Location(4, 80), Location(5, 90), Location(None, 100)]
    begun = await asyncio.gather(
        *(processes[at % 2].begin(ROBIN, place) for at, place in enumerate(places)), return_exceptions=True
    )
    tables = [each for each in begun if isinstance(each, Table)]
    assert len(tables) == 1
    assert all(isinstance(each, AlreadyAttempted) for each in begun if not isinstance(each, Table))
    assert (await attempt_of(processes[0])).table_id == tables[0].id
    # Those that did not count left no table.
    left = [
        table for place in places for table in await processes[0].db.read(sweep.find_open_in_scope, place.scope_id, 9)
    ]
    assert left == [tables[0].id]


async def test_practice_counts_nowhere(process: Process) -> None:
    first = await process.play(ROBIN)
    practice = await process.begin(ROBIN, is_practice=True)
    await finish_daily(process.service, practice.id, ROBIN)
    assert (await process.service.table(practice.id)).header.status is Status.FINISHED
    assert (await process.service.reload(practice.id)).header.is_practice
    (stats,) = (await process.db.read(profile_storage.person_record, ROBIN.id, HERE.guild_id)).stats
    assert stats.stats.games == 1
    attempt = await attempt_of(process)
    assert (attempt.table_id, attempt.score) == (first.id, first.outcome.scores[0] if first.outcome else None)


async def test_an_attempt_over_midnight_counts_for_its_day_and_keeps_the_seed_secret(process: Process) -> None:
    process.clock.now = start_of_day(TODAY + 1) - timedelta(minutes=1)
    table = await process.begin(ROBIN)
    await process.run(start_of_day(TODAY + 1) + 23 * HOUR)
    assert (await bag_of(process, TODAY)).published_at is None
    finished = await finish_daily(process.service, table.id, ROBIN)
    assert finished.outcome is not None
    attempt = await attempt_of(process)
    assert attempt.score == finished.outcome.scores[0]
    await process.run(process.clock.now + timedelta(minutes=10))
    assert (await bag_of(process, TODAY)).published_at is not None
    facts = await process.bags.facts(ROBIN.id, HERE.guild_id)
    assert (facts.own_days, facts.server_days) == ((TODAY,), (TODAY,))


async def test_an_attempt_that_takes_a_day_has_no_result_and_no_longer_hides_the_seed(process: Process) -> None:
    table = await process.begin(ROBIN)
    await process.run(NOON + DAY - timedelta(minutes=1))
    assert (await bag_of(process, TODAY)).published_at is None
    await process.run(NOON + DAY + timedelta(minutes=10))
    assert (await bag_of(process, TODAY)).published_at is not None
    finished = await finish_daily(process.service, table.id, ROBIN)
    assert finished.header.status is Status.FINISHED
    attempt = await attempt_of(process)
    assert attempt.score is None
    assert (await process.service.reload(table.id)).header.is_practice
    # Who knows the seed by now could have any score.
    assert (await process.db.read(profile_storage.person_record, ROBIN.id, HERE.guild_id)).stats == ()
    assert (await process.bags.facts(ROBIN.id, HERE.guild_id)).server_days == ()


async def test_a_closed_attempt_has_no_result_and_is_not_tried_again(process: Process) -> None:
    table = await process.begin(ROBIN)
    await process.service.cancel(table.id, ROBIN, is_moderator=False)
    attempt = await attempt_of(process)
    assert (attempt.ended_at is None, attempt.score) == (False, None)
    with pytest.raises(AlreadyAttempted):
        await process.begin(ROBIN)
    await process.run(start_of_day(TODAY + 1) + HOUR)
    assert (await bag_of(process, TODAY)).published_at is not None


async def end_attempt(db: Database, person: Person, score: int, day: Day = TODAY, place: Location = HERE) -> None:
    """Store a finished attempt with a score."""
    header = replace(
        make_header(channel_id=1000 + person.id, status=Status.PLAYING, at=start_of_day(day)),
        location=replace(place, channel_id=1000 + person.id, solo_id=person.id),
        opener_id=person.id,
    )

    def play(connection: Connection) -> None:
        opened = table_storage.open_table(connection, header, [Occupant(person.name, person.id)])
        assert daily_bag_storage.begin_attempt(connection, opened, person.name, day)
        table_storage.save(connection, TableUpdate(replace(opened, status=Status.FINISHED, revision=2)))
        daily_bag_storage.end_attempt(connection, opened, DailyEnd(day, score))

    await db.write(play)


async def test_many_finish_at_once(connect: Connect) -> None:
    stores = [await connect(), await connect()]
    people = [Person(number, f"P{number}") for number in range(1, 25)]
    await asyncio.gather(*(end_attempt(stores[who.id % 2], who, who.id // 2) for who in people))
    facts = await stores[0].read(daily_bag_storage.load_facts, 24, HERE.guild_id, TODAY)
    assert facts.here == Placing(1, 24)
    assert facts.server_days == (TODAY,)
    board = await stores[1].read(daily_bag_storage.find_board, BoardKey(TODAY, HERE.guild_id), 1, 20, 10)
    assert len(board.rows) == 4
    assert (board.rows[-1].score, board.rows[-1].place) == (0, 24)


async def test_equal_scores_share_a_place_and_your_own_row_is_always_known(db: Database) -> None:
    scores = {1: 50, 2: 70, 3: 50, 4: 20, 5: 10}
    for number, score in scores.items():
        await end_attempt(db, Person(number, f"P{number}"), score)
    await end_attempt(db, Person(9, "P9"), 99, place=THERE)
    key = BoardKey(TODAY, HERE.guild_id)
    board = await db.read(daily_bag_storage.find_board, key, 5, 0, 2)
    own = BoardRow(5, "P5", 10, 5)
    assert board == Board(5, (BoardRow(2, "P2", 70, 1), BoardRow(3, "P3", 50, 2)), own, is_shown=True)
    second = await db.read(daily_bag_storage.find_board, key, 5, 2, 2)
    assert second.rows == (BoardRow(1, "P1", 50, 2), BoardRow(4, "P4", 20, 4))
    # Who played in another server is on its board only.
    elsewhere = await db.read(daily_bag_storage.find_board, key, 9, 0, 9)
    assert (elsewhere.total, elsewhere.own, elsewhere.is_shown) == (5, BoardRow(9, "P9", 99, 1), False)


async def test_only_people_who_agreed_are_shown_across_servers_until_they_withdraw(db: Database) -> None:
    key = BoardKey(TODAY, None)
    await end_attempt(db, ROBIN, 30)
    await end_attempt(db, WREN, 40, place=THERE)
    assert (await db.read(daily_bag_storage.find_board, key, ROBIN.id, 0, 9)).rows == ()
    await db.write(daily_bag_storage.set_consent, Person(ROBIN.id, "robin"), NOON, consents=True)
    await db.write(daily_bag_storage.set_consent, Person(ROBIN.id, "robin.b"), NOON, consents=True)
    assert (await db.read(daily_bag_storage.load_facts, ROBIN.id, None, TODAY)).everywhere == Placing(1, 1)
    board = await db.read(daily_bag_storage.find_board, key, WREN.id, 0, 9)
    assert board.rows == (BoardRow(ROBIN.id, "robin.b", 30, 1),), "what a server calls them stays there"
    own = (await db.read(daily_bag_storage.find_board, key, ROBIN.id, 0, 9)).own
    assert own is not None
    assert own.name == "robin.b"
    assert (board.own, board.is_shown) == (BoardRow(WREN.id, WREN.name, 40, 1), False)
    # It holds for later days as well.
    await end_attempt(db, ROBIN, 30, TODAY + 1)
    tomorrow = BoardKey(TODAY + 1, None)
    assert (await db.read(daily_bag_storage.find_board, tomorrow, WREN.id, 0, 9)).total == 1
    await db.write(daily_bag_storage.set_consent, ROBIN, NOON, consents=False)
    for each in (key, tomorrow):
        assert (await db.read(daily_bag_storage.find_board, each, WREN.id, 0, 9)).rows == ()
    assert (await db.read(daily_bag_storage.load_facts, ROBIN.id, None, TODAY)).everywhere is None


async def test_a_person_and_a_server_have_streaks_of_their_own(db: Database) -> None:
    last = day_of(datetime(2027, 2, 28, tzinfo=UTC))
    for day in (last - 1, last + 2, last + 3):
        await end_attempt(db, ROBIN, 30, day)
    await end_attempt(db, WREN, 30, last + 5)
    facts = await db.read(daily_bag_storage.load_facts, ROBIN.id, HERE.guild_id, last + 5)
    assert find_streak(facts.own_days, last + 5).current == 0
    assert find_streak(facts.own_days, last + 3).current == 3
    assert facts.server_days == (last - 1, last + 2, last + 3, last + 5)


async def test_a_result_is_compared_with_those_of_others_and_with_days_in_the_same_server(db: Database) -> None:
    for number, score in ((1, 50), (2, 70), (3, 50)):
        await end_attempt(db, Person(number, f"P{number}"), score)
    await end_attempt(db, Person(1, "P1"), 10, TODAY - 1, THERE)
    await end_attempt(db, Person(1, "P1"), 10, TODAY - 2)
    for guild_id, days, others in (
        (HERE.guild_id, (TODAY - 2, TODAY), {50: 1, 70: 1}),
        (THERE.guild_id, (TODAY - 1,), {}),
        (None, (TODAY - 2, TODAY - 1, TODAY), {}),
    ):
        scores = await db.read(daily_bag_storage.load_scores, 1, guild_id, TODAY)
        assert (scores.own_days, scores.scores) == (days, others)


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
            board = ResultBoard(HERE.guild_id or 0, "magic_bag", Company.ALONE, by)
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
    assert finished.outcome is not None
    assert (await attempt_of(after)).score == finished.outcome.scores[0]
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
