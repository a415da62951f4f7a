"""Ends the seasons of servers.

Every season ends with a month, so a job runs after each month and ends the seasons that are over by the length that
their server has chosen. The job knows its month: after downtime it catches up month by month. It uses the length chosen
at that time: choosing another length ends no season at once, and a period already over never becomes a season.
"""

import logging
from collections.abc import Awaitable, Callable, Mapping
from datetime import datetime, timedelta
from typing import Final

from bot.features.boards.model import BoardKey, BoardOrder
from bot.features.results.model import bounds_of, next_month, season_of, week_of
from bot.features.seasons import storage
from bot.features.seasons.messages import change_text
from bot.features.seasons.model import EndedSeason, Season
from bot.features.settings.choices import SeasonLength
from bot.platform.database.database import Database
from bot.platform.jobs import storage as job_storage
from bot.platform.jobs.storage import Job
from bot.tables.model import Company
from bot.tables.registry import AnyPackage

log = logging.getLogger(__name__)

SEASON_JOB: Final = "season"
"""The kind of the only job."""

GRACE: Final = timedelta(minutes=5)
"""The time from the end of a month to its job; by then, every game that ended in the month has been saved."""

_WEEKS_KEPT: Final = timedelta(days=400)
_BATCH_SIZE: Final = 100
_ROWS_PER_DELETE: Final = 5000


class Seasons:
    """Ends seasons, and loads past ones."""

    def __init__(
        self,
        db: Database,
        games: Mapping[str, AnyPackage],
        clock: Callable[[], datetime],
        length_of: Callable[[int], Awaitable[SeasonLength]],
    ) -> None:
        self._db = db
        self._games = games
        self._clock = clock
        self.length_of = length_of
        self._is_scheduled = False

    async def check(self) -> None:
        """Schedule the present month's job, unless this or an earlier month's job is scheduled."""
        if not self._is_scheduled:
            await self._db.write(job_storage.add, Job(SEASON_JOB, "", next_month(self._clock()) + GRACE))
            self._is_scheduled = True

    async def past(self, guild_id: int, limit: int = 25) -> tuple[Season, ...]:
        """Return a server's past seasons, newest first."""
        return tuple(await self._db.read(storage.past_seasons, guild_id, limit))

    async def preview_change(self, guild_id: int, length: SeasonLength) -> str:
        """Return a sentence on what another length makes of a server's running season; empty for the same length."""
        now = self._clock()
        running, following = season_of(await self.length_of(guild_id), now), season_of(length, now)
        return "" if running == following else change_text(running, following)

    async def end_due(self, job: Job) -> datetime:
        """Handle a month's job: end the seasons that ended with it; return when the next month's job is due."""
        month_end = job.due_at - GRACE
        for length in (SeasonLength.MONTH, SeasonLength.QUARTER, SeasonLength.YEAR):
            period = season_of(length, month_end - timedelta(seconds=1))
            if period is not None and bounds_of(period)[1] == month_end:
                await self._end_period(period, length, month_end)
        oldest_kept = week_of(month_end - _WEEKS_KEPT)
        while await self._db.maintain(storage.prune_totals, oldest_kept, _ROWS_PER_DELETE):
            pass
        return next_month(month_end) + GRACE

    async def _end_period(self, period: str, length: SeasonLength, ended_at: datetime) -> None:
        last, is_full = 0, True
        while is_full:
            servers = await self._db.read(storage.servers_of_season, period, last, _BATCH_SIZE)
            for guild_id in servers:
                if await self.length_of(guild_id) is not length:
                    continue
                season = EndedSeason(guild_id, period, ended_at, self._title_boards(guild_id, period))
                if await self._db.maintain(storage.end_season, season):
                    log.info("season %s of server %s is over", period, guild_id)
            last, is_full = max(servers, default=last), len(servers) == _BATCH_SIZE

    def _title_boards(self, guild_id: int, period: str) -> tuple[BoardKey, ...]:
        """Return the boards whose first places win titles: by rating or, in solo games, by best score."""
        boards = []
        for game, package in sorted(self._games.items()):
            company, by = Company.PEOPLE, BoardOrder.RATING
            if package.game.info.is_solo:
                company, by = Company.ALONE, BoardOrder.BEST
            boards.append(BoardKey(guild_id, game, company, by, period, package.results.score_kind.lower_is_better))
        return tuple(boards)
