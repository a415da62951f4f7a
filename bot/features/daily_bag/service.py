"""Commits to the seeds of daily bags, publishes them, and loads people's and servers' results."""

import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from typing import Final

from bot.features.daily_bag import storage
from bot.features.daily_bag.model import Attempt, Board, BoardKey, DailyBagReason, DailyFacts, DailyScores, start_daily
from bot.platform.database.database import Database
from bot.platform.jobs import storage as job_storage
from bot.platform.jobs.storage import Job
from bot.platform.paging import Page, fetch_page
from bot.platform.places import Day, Location, Person, day_of, start_of_day
from bot.platform.tasks import BackgroundCache
from bot.rules.refusals import Refusal
from bot.tables.kinds import DailyBag
from bot.tables.model import Status, TableId
from bot.tables.opening import new_header, open_table
from bot.tables.service import TableService
from bot.tables.table import Table

COMMIT_KIND: Final = "commit to daily bag"
PUBLISH_KIND: Final = "publish daily bag"

ROWS_ON_PAGE: Final = 10

_RECENT_DAYS: Final = 31

_SEED_BYTES: Final = 32
_PUBLISH_AFTER: Final = timedelta(minutes=1)
"""The delay after the end of the day: a click before midnight may still be on its way."""

_LOOK_AGAIN_AFTER: Final = timedelta(minutes=10)
"""The time between two attempts to publish a seed while people still play with it."""


class DailyBagService:
    """Creates the bag of each day on the day before, and returns what is known about it."""

    def __init__(self, db: Database, clock: Callable[[], datetime], entropy: Callable[[int], bytes]) -> None:
        self._db, self._clock, self._entropy = db, clock, entropy
        self._has_begun = False

    @property
    def now(self) -> datetime:
        """The present moment."""
        return self._clock()

    @property
    def today(self) -> Day:
        """The present day."""
        return day_of(self._clock())

    async def begin(self) -> None:
        """Commit to the missing bags once per process; afterwards jobs do so.

        Raises:
            StoreUnavailable: The database does not respond; call the method again.
        """
        if not self._has_begun:
            await self._commit(self.today)
            self._has_begun = True

    async def commit(self, job: Job) -> datetime | None:
        """Commit to tomorrow's bag, and to today's if it is missing. Handles a job."""
        today = self.today
        await self._commit(today)
        return start_of_day(today + 1)

    async def publish(self, job: Job) -> datetime | None:
        """Publish a day's seed once nobody can still get a result with it. Handles a job."""
        day, now = int(job.key), self._clock()
        if now < _publication_of(day):
            return _publication_of(day)
        if await self._db.read(storage.has_open_attempt, day, now):
            return now + _LOOK_AGAIN_AFTER
        await self._db.maintain(storage.publish_bag, day, now)
        return None

    async def bag(self, day: Day) -> DailyBag | None:
        """Return the bag of a day, or None if there is none."""
        return (await self._db.read(storage.find_bags, day, day)).get(day)

    async def recent_bags(self) -> Mapping[Day, DailyBag]:
        """Return the bags of the last weeks, today and tomorrow."""
        today = self.today
        return await self._db.read(storage.find_bags, today - _RECENT_DAYS, today + 1)

    async def todays_bag(self) -> DailyBag:
        """Return today's bag. If no process has committed to it in time, commit to it and to tomorrow's."""
        today = self.today
        found = await self._db.read(storage.find_bags, today, today + 1)
        return found[today] if found.keys() == {today, today + 1} else await self._commit(today)

    async def attempt(self, user_id: int, day: Day) -> Attempt | None:
        """Return a person's attempt at a day's bag, or None."""
        return await self._db.read(storage.find_attempt, user_id, day)

    async def require_may_see(self, table: Table, user_id: int) -> None:
        """Refuse to show a daily bag's table to a person who may still get a result with that bag.

        Raises:
            Refusal: The seed is secret, and the person neither owns the table nor has finished the bag.
        """
        day = table.daily_day
        if day is None or table.seat_of(user_id) is not None:
            return
        bag = await self.bag(day)
        if bag is not None and bag.published_at is not None:
            return
        attempt = await self.attempt(user_id, day)
        if attempt is None or attempt.ended_at is None:
            raise Refusal(DailyBagReason.DAILY_BAG_SEALED)

    async def facts(self, user_id: int, guild_id: int | None) -> DailyFacts:
        """Return today's facts about a person and a server."""
        return await self._db.read(storage.load_facts, user_id, guild_id, self.today)

    async def board(self, board: BoardKey, asker_id: int, number: int) -> tuple[Page, Board]:
        """Return a page of a board, or the nearest existing one."""
        return await fetch_page(
            lambda offset, limit: self._db.read(storage.find_board, board, asker_id, offset, limit),
            number,
            ROWS_ON_PAGE,
        )

    async def set_consent(self, person: Person, *, consents: bool) -> None:
        """Show a person on the board across servers by their account's name, or remove them from it."""
        await self._db.write(storage.set_consent, person, self._clock(), consents=consents)

    async def _commit(self, today: Day) -> DailyBag:
        """Commit to the bags of today and tomorrow unless they exist, and return today's."""
        bags = [await self._make_seed(day) for day in (today, today + 1)]
        await self._db.maintain(job_storage.put, Job(COMMIT_KIND, "", start_of_day(today + 1)))
        return bags[0]

    async def _make_seed(self, day: Day) -> DailyBag:
        """Return the bag of a day; if it does not exist, draw its seed and commit to it."""
        if found := await self.bag(day):
            return found
        # Store the job first, so that every stored bag gets published, even after a crash in between.
        await self._db.maintain(job_storage.put, Job(PUBLISH_KIND, str(day), _publication_of(day)))
        return await self._db.maintain(storage.commit_bag, DailyBag(day, self._entropy(_SEED_BYTES), self._clock()))


def _publication_of(day: Day) -> datetime:
    return start_of_day(day + 1) + _PUBLISH_AFTER


async def open_daily(
    service: TableService,
    bag: DailyBag,
    game: str,
    person: Person,
    location: Location,
    click_id: int,
    *,
    is_practice: bool,
) -> Table:
    """Open a table with the bag of a day and start it; raise what `open_table` raises.

    Raises:
        AlreadyAttempted: The table was to count, but the person already has an attempt.
    """
    package = service.games[game]
    location = replace(location, solo_id=person.id)
    header = new_header(service, package, package.game.info.options(), person, location)
    # As in a lesson, all tables have the same contributions, so the header stores the click.
    header = replace(header, lobby_click_id=click_id, is_practice=is_practice)
    table = start_daily(header, package, bag, person)
    return await open_table(service, table)


class DailyStandings(BackgroundCache[TableId, DailyScores]):
    """Caches other people's scores at a running daily bag, so that the end of a game need not wait for them."""

    def __init__(self, db: Database, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__("daily scores", clock)
        self._db = db

    def on_table_changed(self, table: Table) -> None:
        """Load other people's scores for a running daily bag, at most once a minute."""
        header, day = table.header, table.daily_day
        if header.status is not Status.PLAYING or header.is_practice or day is None:
            return
        user_id = table.seats[0].user_id
        if user_id is not None:
            guild_id = header.location.guild_id
            self.refresh(table.id, partial(self._db.read, storage.load_scores, user_id, guild_id, day))
