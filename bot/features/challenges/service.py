"""Commits to the seeds of editions, publishes them, and opens and compares the attempts of people."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from cachetools import LRUCache

from bot.features.challenges import storage
from bot.features.challenges.model import (
    UNCOUNTED,
    Attempt,
    Board,
    BoardKey,
    ChallengeReason,
    Menu,
    Standing,
    Streak,
    current_editions,
    start_challenge,
)
from bot.platform.database.database import Database
from bot.platform.database.errors import StoreUnavailable
from bot.platform.jobs import storage as job_storage
from bot.platform.jobs.storage import Job
from bot.platform.observability.metrics import Ending
from bot.platform.paging import Page, fetch_page
from bot.platform.places import Day, Location, Person, day_of, start_of_day
from bot.rules.refusals import Refusal
from bot.tables.kinds import Edition, SharedSeed, find_edition
from bot.tables.model import Status, TableId
from bot.tables.opening import new_header, open_table
from bot.tables.service import TableService
from bot.tables.table import Table

COMMIT_KIND: Final = "commit to seeds"
PUBLISH_KIND: Final = "publish seed"

ROWS_ON_PAGE: Final = 10

_RECENT_DAYS: Final = 31

_SEED_BYTES: Final = 32
_PUBLISH_AFTER: Final = timedelta(minutes=1)
"""The delay after the end of an edition: a click before midnight may still be on its way."""

_LOOK_AGAIN_AFTER: Final = timedelta(minutes=10)
"""The time between two attempts to publish a seed while people still play with it."""

_MAX_STANDINGS: Final = 256
"""How many results are remembered with what they were compared with, for their messages."""


class ChallengeService:
    """Creates the seed of each edition on the day before, and returns what is known about editions and attempts."""

    def __init__(self, db: Database, clock: Callable[[], datetime], entropy: Callable[[int], bytes]) -> None:
        self._db, self._clock, self._entropy = db, clock, entropy
        self._has_begun = False
        self._standings: LRUCache[TableId, Standing] = LRUCache(_MAX_STANDINGS)

    @property
    def now(self) -> datetime:
        """The present moment."""
        return self._clock()

    @property
    def today(self) -> Day:
        """The present day."""
        return day_of(self._clock())

    async def begin(self) -> None:
        """Commit to the missing seeds once per process; afterwards jobs do so.

        Raises:
            StoreUnavailable: The database does not respond; call the method again.
        """
        if not self._has_begun:
            await self._commit(self.today)
            self._has_begun = True

    async def commit(self, job: Job) -> datetime | None:
        """Commit to the seeds of the next editions, and to those of the present ones if missing. Handles a job."""
        today = self.today
        await self._commit(today)
        return start_of_day(today + 1)

    async def publish(self, job: Job) -> datetime | None:
        """Publish the seed of an edition once nobody can still get a result with it. Handles a job."""
        edition, now = find_edition(job.key), self._clock()
        if edition is None:
            return None
        if now < edition.ends_at + _PUBLISH_AFTER:
            return edition.ends_at + _PUBLISH_AFTER
        if await self._db.read(storage.has_open_attempt, edition, now):
            return now + _LOOK_AGAIN_AFTER
        await self._db.maintain(storage.publish_seed, edition, now)
        return None

    async def seed(self, edition: Edition) -> SharedSeed | None:
        """Return the seed of an edition, or None if there is none."""
        return await self._db.read(storage.find_seed, edition)

    async def recent_seeds(self) -> Mapping[Edition, SharedSeed]:
        """Return the seeds of the last weeks, and of the present and the next editions."""
        latest = max(edition.next.day for edition in current_editions(self.today))
        return await self._db.read(storage.find_seeds, self.today - _RECENT_DAYS, latest)

    async def playable_seed(self, edition: Edition) -> SharedSeed:
        """Return the seed of a present edition. If no process has committed to it in time, commit to it.

        Raises:
            Refusal: The seed was published too early, by a wrong clock.
        """
        shared = await self.seed(edition)
        if shared is None:
            await self._commit(self.today)
            shared = await self.seed(edition)
        if shared is None or shared.published_at is not None:
            raise Refusal(ChallengeReason.NO_CHALLENGE)
        return shared

    async def attempt(self, user_id: int, edition: Edition) -> Attempt | None:
        """Return a person's attempt at an edition, or None."""
        return await self._db.read(storage.find_attempt, user_id, edition)

    async def require_may_see(self, table: Table, user_id: int) -> None:
        """Refuse to show the table of an edition to a person who may still get a result with it.

        Raises:
            Refusal: The edition goes on, and the person neither owns the table nor has ended their own attempt.
        """
        if table.edition is not None and table.seat_of(user_id) is None:
            await self.require_open(table.edition, user_id)

    async def require_open(self, edition: Edition, user_id: int) -> None:
        """Refuse to show what others did in an edition to a person who may still get a result with it.

        Raises:
            Refusal: The edition goes on, and the person has not ended their own attempt.
        """
        if not await self._db.read(storage.is_open_to, edition, user_id):
            raise Refusal(ChallengeReason.CHALLENGE_SEALED)

    async def menu(self, user_id: int, guild_id: int | None) -> Menu:
        """Return what the menu of today shows to a person in a server or a direct message."""
        return await self._db.read(storage.load_menu, user_id, guild_id, self.today)

    async def board(self, board: BoardKey, asker_id: int, number: int) -> tuple[Page, Board]:
        """Return a page of a board, or the nearest existing one; `require_open` decides who may see it."""
        return await fetch_page(
            lambda offset, limit: self._db.read(storage.find_board, board, asker_id, offset, limit),
            number,
            ROWS_ON_PAGE,
        )

    async def set_consent(self, person: Person, *, consents: bool) -> None:
        """Show a person on the boards across servers by their account's name, or remove them from these."""
        await self._db.write(storage.set_consent, person, self._clock(), consents=consents)

    async def standing(self, attempt: Attempt) -> Standing | None:
        """Return what an ended attempt is compared with; None if it goes on."""
        if attempt.score is None:
            return None if attempt.ended_at is None else UNCOUNTED
        return await self._db.read(storage.load_standing, attempt, attempt.score)

    async def streak_at(self, attempt: Attempt, guild_id: int | None) -> Streak:
        """Return a person's streak with an ended attempt: as earned in a server, or (None) across servers."""
        return await self._db.read(storage.find_streak_at, attempt, guild_id)

    async def load_standing(self, table: Table) -> None:
        """Load what the result of a table is compared with, for its message; without the database, there is none."""
        user_id = table.seats[0].user_id if table.seats else None
        if table.edition is None or not table.header.status.is_over or user_id is None:
            return
        try:
            attempt = await self.attempt(user_id, table.edition)
            standing = None if attempt is None else await self.standing(attempt)
        except StoreUnavailable:
            return
        if standing is not None:
            self._standings[table.id] = standing

    def known_standing(self, table: Table) -> Standing | None:
        """Return what `load_standing` has found for a table."""
        return self._standings.get(table.id)

    def observe_end(self, table: Table) -> None:
        """Record in the metrics that a challenge is finished, and how long its player took."""
        if table.edition is not None and table.header.status is Status.FINISHED:
            took = table.header.updated_at - table.header.created_at
            self._db.metrics.observe_attempt(table.edition.cadence, took.total_seconds())
            self.count_ending(table.edition, Ending.FINISHED)

    def count_ending(self, edition: Edition, ending: Ending) -> None:
        """Count in the metrics what becomes of an attempt."""
        self._db.metrics.count_ending(edition.cadence, ending)

    def clear(self) -> None:
        """Forget what results were compared with."""
        self._standings.clear()

    async def _commit(self, today: Day) -> None:
        """Commit to the seeds of the present and the next editions unless they exist."""
        for edition in current_editions(today):
            for each in (edition, edition.next):
                await self._make_seed(each)
        await self._db.maintain(job_storage.put, Job(COMMIT_KIND, "", start_of_day(today + 1)))

    async def _make_seed(self, edition: Edition) -> None:
        """Draw the seed of an edition and commit to it, if it does not exist."""
        if await self.seed(edition) is not None:
            return
        # Store the job first, so that every stored seed gets published, even after a crash in between.
        job = Job(PUBLISH_KIND, str(edition), edition.ends_at + _PUBLISH_AFTER)
        await self._db.maintain(job_storage.put, job)
        shared = SharedSeed(edition, self._entropy(_SEED_BYTES), self._clock())
        await self._db.maintain(storage.commit_seed, shared)


async def open_challenge(
    service: TableService, shared: SharedSeed, person: Person, location: Location, click_id: int
) -> Table:
    """Open the private table of an edition and start it; raise what `open_table` raises.

    Raises:
        AlreadyAttempted: The person already has an attempt.
    """
    package = service.games[shared.edition.game]
    location = replace(location, solo_id=person.id)
    header = new_header(service, package, package.game.info.options(), person, location)
    # All tables have the same contributions, so the header stores the click.
    header = replace(header, lobby_click_id=click_id)
    return await open_table(service, start_challenge(header, package, shared, person))
