"""Challenges day by day: one seed, one attempt, no seed too early, and what counts of the results."""

import asyncio
import secrets
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import Connection, select

from bot.features.challenges import storage as challenge_storage
from bot.features.challenges.model import (
    AlreadyAttempted,
    Attempt,
    AttemptEnd,
    Board,
    BoardKey,
    BoardRow,
    Menu,
    Placing,
    Streak,
)
from bot.features.challenges.service import COMMIT_KIND, PUBLISH_KIND, ChallengeService, open_challenge
from bot.features.profiles import storage as profile_storage
from bot.platform.database.database import Database
from bot.platform.jobs import downtimes
from bot.platform.jobs.downtimes import MAX_PAUSE
from bot.platform.jobs.jobs import JobRunner
from bot.platform.places import Day, Location, Person, ShardRange, day_of, start_of_day
from bot.tables import storage as table_storage
from bot.tables.kinds import Cadence, Edition, SharedSeed, edition_on
from bot.tables.model import Occupant, Status, TableUpdate
from bot.tables.schema import tables
from bot.tables.service import TableService
from bot.tables.table import Table
from tests.store.samples import Connect, make_header
from tests.support.apps import shared_app
from tests.support.challenge_games import finish_challenge
from tests.support.fakes import ROBIN, WREN, FakeClock
from tests.support.games import load_games_once

NOON = datetime(2027, 3, 10, 12, tzinfo=UTC)
"""A Wednesday."""
TODAY = day_of(NOON)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
HERE, THERE = Location(3, 70), Location(4, 80)


def daily(day: Day) -> Edition:
    return edition_on(Cadence.DAILY, day)


THIS_DAY = daily(TODAY)
THIS_WEEK = edition_on(Cadence.WEEKLY, TODAY)


class Process:
    """A process of the bot at a time."""

    def __init__(self, db: Database, now: datetime) -> None:
        self.db = db
        self.clock = FakeClock(now)
        self.service = TableService(db, load_games_once(), clock=self.clock)
        self.service.hooks = shared_app().tables.hooks
        self.challenges = ChallengeService(db, self.clock, secrets.token_bytes)
        self._jobs = JobRunner(
            db, self.clock, {COMMIT_KIND: self.challenges.commit, PUBLISH_KIND: self.challenges.publish}
        )

    async def run(self, now: datetime | None = None, *, was_down: bool = False) -> None:
        """Let it be a time, until which the bot ran or did not, and do what is due."""
        self.clock.now = now or self.clock.now
        if not was_down:
            await self.db.maintain(downtimes.note_alive, self.db.shards, self.clock.now, timedelta.max)
        await self.challenges.begin()
        await self._jobs.check()
        await self._jobs.finish()

    async def begin(self, person: Person, location: Location = HERE, cadence: Cadence = Cadence.DAILY) -> Table:
        shared = await self.challenges.playable_seed(edition_on(cadence, self.challenges.today))
        return await open_challenge(self.service, shared, person, location, secrets.randbits(60))

    async def play(self, person: Person, location: Location = HERE, cadence: Cadence = Cadence.DAILY) -> Table:
        return await finish_challenge(self.service, (await self.begin(person, location, cadence)).id, person)


@pytest.fixture
async def process(db: Database) -> Process:
    process = Process(db, NOON)
    await process.run()
    return process


async def seed_of(process: Process, edition: Edition) -> SharedSeed:
    shared = await process.challenges.seed(edition)
    assert shared is not None
    return shared


async def attempt_of(process: Process) -> Attempt:
    """Return Robin's attempt of today."""
    attempt = await process.challenges.attempt(ROBIN.id, daily(TODAY))
    assert attempt is not None
    return attempt


async def test_each_day_has_the_seed_that_was_promised_before_whatever_restarts(connect: Connect) -> None:
    promised: dict[Day, str] = {}
    for day in range(TODAY, TODAY + 4):
        # A new process on each day, which also runs over midnight.
        process = Process(await connect(), start_of_day(day) + 12 * HOUR)
        await process.run()
        today, tomorrow = await seed_of(process, daily(day)), await seed_of(process, daily(day + 1))
        assert promised.setdefault(day, today.commitment) == today.commitment
        promised[day + 1] = tomorrow.commitment
        assert (today.is_late, tomorrow.is_late) == (day == TODAY, False)
        await process.run(start_of_day(day + 1) + HOUR)
        assert (await seed_of(process, daily(day))).published_at is not None
        assert (await seed_of(process, daily(day + 1))).published_at is None
    found = await (await connect()).read(challenge_storage.find_seeds, THIS_WEEK.day, TODAY + 9)
    # Those of six days, and of two weeks.
    seeds = {shared.seed for shared in found.values()}
    assert len(seeds) == len(found) == 8
    assert all(len(seed) == 32 for seed in seeds)


async def test_after_days_without_the_bot_it_commits_late_and_says_so(connect: Connect) -> None:
    await Process(await connect(), NOON).run()
    later = Process(await connect(), NOON + 5 * DAY)
    await later.run()
    assert (await seed_of(later, daily(TODAY + 1))).published_at == NOON + 5 * DAY
    assert await later.challenges.seed(daily(TODAY + 3)) is None
    assert (await seed_of(later, daily(TODAY + 5))).is_late
    assert not (await seed_of(later, daily(TODAY + 6))).is_late


async def test_a_clock_that_is_set_back_changes_no_seed(process: Process) -> None:
    await process.run(NOON + 3 * DAY)
    ahead = await seed_of(process, daily(TODAY + 3))
    today = await seed_of(process, daily(TODAY))
    await process.run(NOON)
    assert (await seed_of(process, daily(TODAY))) == today
    await process.run(NOON + 3 * DAY)
    assert (await seed_of(process, daily(TODAY + 3))) == ahead


async def test_two_processes_make_one_seed(connect: Connect) -> None:
    one, other = Process(await connect(), NOON), Process(await connect(), NOON)
    for day in range(TODAY, TODAY + 5):
        moment = start_of_day(day) + HOUR
        one.clock.now = other.clock.now = moment
        seeds = await asyncio.gather(*(each.challenges.playable_seed(daily(day)) for each in (one, other)))
        assert seeds[0].seed == seeds[1].seed
        await asyncio.gather(one.run(), other.run())
        assert (await seed_of(one, daily(day + 1))) == (await seed_of(other, daily(day + 1)))


async def test_everyone_has_the_same_dice_for_the_same_decisions(process: Process) -> None:
    for cadence in Cadence:
        mine = await process.play(ROBIN, HERE, cadence)
        theirs = await process.play(WREN, Location(None, 90), cadence)
        assert mine.state == theirs.state
        records = [await process.service.load_stored(table.id) for table in (mine, theirs)]
        assert [entry.digest for entry in records[0].entries] == [entry.digest for entry in records[1].entries]


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
        assert (await seed_of(upper, daily(TODAY))).published_at is None
    if comes_back:
        lower.clock.now = NOON + 8 * DAY
        await lower.db.maintain(downtimes.note_alive, lower.db.shards, lower.clock.now, MAX_PAUSE, starts=True)
        await upper.run(NOON + 8 * DAY + 23 * HOUR)
        assert (await seed_of(upper, daily(TODAY))).published_at is None
        await finish_challenge(lower.service, begun.id, ROBIN)
        assert (await attempt_of(lower)).score is not None
    end = NOON + 9 * DAY
    await upper.run(end)
    assert (await seed_of(upper, daily(TODAY))).published_at == end


async def test_of_attempts_in_several_servers_at_once_one_counts(connect: Connect) -> None:
    processes = [Process(await connect(), NOON) for _ in range(2)]
    await processes[0].run()
    places = [Location(3, 70), Location(4, 80), Location(5, 90), Location(None, 100)]
    begun = await asyncio.gather(
        *(processes[at % 2].begin(ROBIN, place) for at, place in enumerate(places)), return_exceptions=True
    )
    begun_tables = [each for each in begun if isinstance(each, Table)]
    assert len(begun_tables) == 1
    assert all(isinstance(each, AlreadyAttempted) for each in begun if not isinstance(each, Table))
    assert (await attempt_of(processes[0])).table_id == begun_tables[0].id
    # The others left no table.
    left = await processes[0].db.read(lambda connection: connection.execute(select(tables.c.id)).scalars().all())
    assert left == [begun_tables[0].id]


async def test_a_challenge_has_results_on_its_own_boards_alone(process: Process) -> None:
    for cadence in Cadence:
        assert (await process.play(ROBIN, HERE, cadence)).header.status is Status.FINISHED
    assert (await process.db.read(profile_storage.person_record, ROBIN.id, HERE.guild_id)).stats == ()


async def test_a_week_goes_from_monday_to_sunday_and_the_day_of_its_end_counts(process: Process) -> None:
    await process.run(start_of_day(TODAY) - HOUR)
    monday = THIS_WEEK.day
    table = await process.begin(ROBIN, HERE, Cadence.WEEKLY)
    assert table.edition == THIS_WEEK == Edition(Cadence.WEEKLY, day_of(datetime(2027, 3, 8, tzinfo=UTC)))
    await process.run(start_of_day(TODAY + 2) + HOUR)
    await finish_challenge(process.service, table.id, ROBIN)
    ended = await process.challenges.attempt(ROBIN.id, THIS_WEEK)
    assert ended is not None
    assert ended.counted_on == TODAY + 2
    # Finished after Sunday's midnight, it counts for Sunday.
    process.clock.now = start_of_day(monday + 7) - timedelta(minutes=1)
    late = await process.begin(WREN, HERE, Cadence.WEEKLY)
    await process.run(start_of_day(monday + 7) + HOUR)
    assert (await seed_of(process, THIS_WEEK)).published_at is None
    await finish_challenge(process.service, late.id, WREN)
    attempt = await process.challenges.attempt(WREN.id, THIS_WEEK)
    assert attempt is not None
    assert (attempt.score is not None, attempt.counted_on) == (True, monday + 6)
    await process.run(process.clock.now + timedelta(minutes=10))
    assert (await seed_of(process, THIS_WEEK)).published_at is not None


async def test_an_attempt_over_midnight_counts_for_its_day_and_keeps_the_seed_secret(process: Process) -> None:
    process.clock.now = start_of_day(TODAY + 1) - timedelta(minutes=1)
    table = await process.begin(ROBIN)
    await process.run(start_of_day(TODAY + 1) + 23 * HOUR)
    assert (await seed_of(process, daily(TODAY))).published_at is None
    finished = await finish_challenge(process.service, table.id, ROBIN)
    assert finished.outcome is not None
    attempt = await attempt_of(process)
    assert attempt.score == finished.outcome.scores[0]
    await process.run(process.clock.now + timedelta(minutes=10))
    assert (await seed_of(process, daily(TODAY))).published_at is not None
    assert attempt.counted_on == TODAY


async def test_an_attempt_that_takes_a_day_has_no_result_and_no_longer_hides_the_seed(process: Process) -> None:
    table = await process.begin(ROBIN)
    await process.run(NOON + DAY - timedelta(minutes=1))
    assert (await seed_of(process, daily(TODAY))).published_at is None
    await process.run(NOON + DAY + timedelta(minutes=10))
    assert (await seed_of(process, daily(TODAY))).published_at is not None
    finished = await finish_challenge(process.service, table.id, ROBIN)
    assert finished.header.status is Status.FINISHED
    attempt = await attempt_of(process)
    assert attempt.score is None
    assert attempt.counted_on is None


async def test_a_closed_attempt_has_no_result_and_is_not_tried_again(process: Process) -> None:
    table = await process.begin(ROBIN)
    await process.service.cancel(table.id, ROBIN, is_moderator=False)
    attempt = await attempt_of(process)
    assert (attempt.ended_at is None, attempt.score) == (False, None)
    with pytest.raises(AlreadyAttempted):
        await process.begin(ROBIN)
    await process.run(start_of_day(TODAY + 1) + HOUR)
    assert (await seed_of(process, daily(TODAY))).published_at is not None


async def end_attempt(
    db: Database, person: Person, score: int, edition: Edition = THIS_DAY, place: Location = HERE
) -> int:
    """Store a finished attempt with a score, and return its table's id."""
    header = replace(
        make_header(channel_id=1000 + person.id, status=Status.PLAYING, at=edition.starts_at),
        location=replace(place, channel_id=1000 + person.id, solo_id=person.id),
        opener_id=person.id,
        is_private=True,
    )

    def play(connection: Connection) -> int:
        opened = table_storage.open_table(connection, header, [Occupant(person.name, person.id)])
        assert challenge_storage.begin_attempt(connection, opened, person.name, edition)
        table_storage.save(connection, TableUpdate(replace(opened, status=Status.FINISHED, revision=2)))
        challenge_storage.end_attempt(connection, opened, AttemptEnd(edition, score, edition.starts_at))
        return opened.id

    return await db.write(play)


async def menu_of(db: Database, person: Person, day: Day, guild_id: int | None = HERE.guild_id) -> Menu:
    return await db.read(challenge_storage.load_menu, person.id, guild_id, day)


async def test_many_finish_at_once(connect: Connect) -> None:
    stores = [await connect(), await connect()]
    people = [Person(number, f"P{number}") for number in range(1, 25)]
    await asyncio.gather(*(end_attempt(stores[who.id % 2], who, who.id // 2) for who in people))
    attempt = await stores[0].read(challenge_storage.find_attempt, 24, daily(TODAY))
    assert attempt is not None
    standing = await stores[0].read(challenge_storage.load_standing, attempt, 12)
    assert standing.here == Placing(1, 24)
    assert (await menu_of(stores[0], people[0], TODAY)).server == Streak(1, 1)
    key = BoardKey(daily(TODAY), HERE.guild_id)
    board = await stores[1].read(challenge_storage.find_board, key, 1, 20, 10)
    assert len(board.rows) == 4
    assert (board.rows[-1].score, board.rows[-1].place) == (0, 24)


async def test_equal_scores_share_a_place_and_your_own_row_is_always_known(db: Database) -> None:
    scores = {1: 50, 2: 70, 3: 50, 4: 20, 5: 10}
    ids = {number: await end_attempt(db, Person(number, f"P{number}"), score) for number, score in scores.items()}
    ids[9] = await end_attempt(db, Person(9, "P9"), 99, place=THERE)

    def row(number: int, score: int, place: int) -> BoardRow:
        return BoardRow(number, f"P{number}", score, place, ids[number])

    key = BoardKey(daily(TODAY), HERE.guild_id)
    board = await db.read(challenge_storage.find_board, key, 5, 0, 2)
    assert board == Board(5, (row(2, 70, 1), row(3, 50, 2)), row(5, 10, 5), is_shown=True)
    second = await db.read(challenge_storage.find_board, key, 5, 2, 2)
    assert second.rows == (row(1, 50, 2), row(4, 20, 4))
    # Who played in another server is on its board only, and so is another challenge.
    elsewhere = await db.read(challenge_storage.find_board, key, 9, 0, 9)
    assert (elsewhere.total, elsewhere.own, elsewhere.is_shown) == (5, row(9, 99, 1), False)
    weekly = await db.read(challenge_storage.find_board, BoardKey(THIS_WEEK, HERE.guild_id), 5, 0, 9)
    assert (weekly.total, weekly.own) == (0, None)


async def test_only_people_who_agreed_are_shown_across_servers_until_they_withdraw(db: Database) -> None:
    key = BoardKey(daily(TODAY), None)
    mine = await end_attempt(db, ROBIN, 30)
    theirs = await end_attempt(db, WREN, 40, place=THERE)
    assert (await db.read(challenge_storage.find_board, key, ROBIN.id, 0, 9)).rows == ()
    await db.write(challenge_storage.set_consent, Person(ROBIN.id, "robin"), NOON, consents=True)
    await db.write(challenge_storage.set_consent, Person(ROBIN.id, "robin.b"), NOON, consents=True)
    board = await db.read(challenge_storage.find_board, key, WREN.id, 0, 9)
    assert board.rows == (BoardRow(ROBIN.id, "robin.b", 30, 1, mine),), "what a server calls them stays there"
    own = (await db.read(challenge_storage.find_board, key, ROBIN.id, 0, 9)).own
    assert own is not None
    assert own.name == "robin.b"
    assert (board.own, board.is_shown) == (BoardRow(WREN.id, WREN.name, 40, 1, theirs), False)
    # It holds for later days as well.
    await end_attempt(db, ROBIN, 30, daily(TODAY + 1))
    tomorrow = BoardKey(daily(TODAY + 1), None)
    assert (await db.read(challenge_storage.find_board, tomorrow, WREN.id, 0, 9)).total == 1
    await db.write(challenge_storage.set_consent, ROBIN, NOON, consents=False)
    for each in (key, tomorrow):
        assert (await db.read(challenge_storage.find_board, each, WREN.id, 0, 9)).rows == ()


async def test_a_person_and_a_server_have_streaks_of_their_own_on_days_with_either_challenge(db: Database) -> None:
    last = edition_on(Cadence.WEEKLY, day_of(datetime(2027, 3, 1, tzinfo=UTC))).day - 1
    for edition in (daily(last - 1), Edition(Cadence.WEEKLY, last + 1), daily(last + 1), daily(last + 2)):
        await end_attempt(db, ROBIN, 30, edition)
    assert (await menu_of(db, ROBIN, last + 4)).own == Streak(3, 3, has_forgiveness=False)
    assert (await menu_of(db, ROBIN, last + 5)).own.current == 0
    for who in (WREN, Person(77, "Jay")):
        # Of two people nothing is shown.
        assert (await menu_of(db, ROBIN, last + 2)).server is None
        await end_attempt(db, who, 30, daily(last + 3))
    assert (await menu_of(db, ROBIN, last + 3)).server == Streak(4, 4, has_forgiveness=True)
    assert (await menu_of(db, ROBIN, last + 3, None)).server is None


async def test_a_result_is_compared_with_own_earlier_ones_the_server_and_all_players(db: Database) -> None:
    for number, score in ((1, 50), (2, 70), (3, 50)):
        await end_attempt(db, Person(number, f"P{number}"), score)
    await end_attempt(db, Person(1, "P1"), 80, daily(TODAY - 1), THERE)
    await end_attempt(db, Person(1, "P1"), 90, THIS_WEEK, THERE)
    attempt = await db.read(challenge_storage.find_attempt, 1, daily(TODAY))
    assert attempt is not None
    standing = await db.read(challenge_storage.load_standing, attempt, 50)
    assert (standing.best, standing.here, standing.percent) == (80, Placing(2, 3), None)
    # Players elsewhere count, from ten players on.
    for number in range(4, 11):
        await end_attempt(db, Person(number, f"P{number}"), 40 if number < 9 else 50, place=THERE)
    assert (await db.read(challenge_storage.load_standing, attempt, 50)).percent == 55
    worse = await db.read(challenge_storage.find_attempt, 4, daily(TODAY))
    assert worse is not None
    assert (await db.read(challenge_storage.load_standing, worse, 40)).percent is None
    # A streak across servers is the person's alone: a server is shown the days on which they finished there.
    streaks = [(await db.read(challenge_storage.find_streak_at, attempt, place)).current for place in (None, 3, 4, 5)]
    assert streaks == [3, 1, 2, 0]


async def test_time_in_which_the_bot_does_not_run_is_no_part_of_the_24_hours(connect: Connect) -> None:
    before = Process(await connect(), NOON)
    await before.run()
    begun = [await before.begin(person) for person in (ROBIN, WREN)]
    after = Process(await connect(), NOON + 2 * DAY)
    await after.run(was_down=True)
    assert (await seed_of(after, daily(TODAY))).published_at is None
    await after.run(NOON + 2 * DAY + 23 * HOUR)
    finished = await finish_challenge(after.service, begun[0].id, ROBIN)
    assert finished.outcome is not None
    assert (await attempt_of(after)).score == finished.outcome.scores[0]
    # The other one is abandoned, and does not keep the seed secret for ever.
    await after.run(NOON + 3 * DAY + HOUR)
    assert (await seed_of(after, daily(TODAY))).published_at is not None


async def excused_days(process: Process) -> frozenset[Day]:
    return await process.db.read(downtimes.find_excused_days)


async def test_nobody_misses_a_day_on_which_the_bot_did_not_run_for_an_hour(connect: Connect) -> None:
    process = Process(await connect(), NOON)
    await process.run()
    await process.play(ROBIN)
    # Half an hour at the end of the 11th, the whole 12th, 13th and 14th, and half an hour of the 15th.
    await process.run(start_of_day(TODAY + 2) - HOUR / 2)
    process = Process(await connect(), start_of_day(TODAY + 5) + HOUR / 2)
    await process.run(was_down=True)
    await process.play(ROBIN)
    assert await excused_days(process) == {TODAY + 2, TODAY + 3, TODAY + 4}
    menu = await menu_of(process.db, ROBIN, TODAY + 5)
    assert menu.own == Streak(2, 2, has_forgiveness=False)
    # Several short ones of a day are added up.
    for minutes in (10, 20, 30):
        await process.run(process.clock.now + timedelta(minutes=5))
        await process.run(process.clock.now + timedelta(minutes=minutes), was_down=True)
    assert TODAY + 5 in await excused_days(process)


async def test_two_processes_note_a_downtime_once(connect: Connect) -> None:
    processes = [Process(await connect(), NOON) for _ in range(2)]
    await processes[0].run()
    await asyncio.gather(*(each.run(NOON + HOUR / 2, was_down=True) for each in processes))
    await asyncio.gather(*(each.run(NOON + HOUR - timedelta(minutes=1), was_down=True) for each in processes))
    assert await excused_days(processes[0]) == frozenset()
