"""Statistics of the bot's use."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Final

from sqlalchemy import Connection, bindparam, func, select

from bot.platform.database.database import Database
from bot.platform.jobs.storage import jobs
from bot.platform.observability.metrics import DatabaseStats
from bot.tables.model import TableId
from bot.tables.schema import IS_OPEN, IS_UNSHOWN, seats, tables


@dataclass(frozen=True, slots=True)
class Usage:
    """The totals of everything stored."""

    servers: int
    tables: int
    open_tables: int
    people: int


@dataclass(slots=True)
class Week:
    """The play at tables opened in a week."""

    tables: int = 0
    moves: int = 0
    servers: set[int] = field(default_factory=set)
    people: set[int] = field(default_factory=set)

    def add(self, other: "Week") -> None:
        """Add the counts of more tables of the same week."""
        self.tables += other.tables
        self.moves += other.moves
        self.servers |= other.servers
        self.people |= other.people


@dataclass(frozen=True, slots=True)
class UsagePage:
    """The play at a page of tables, newest first."""

    last_id: TableId | None
    """The last table of the page; None if no more follow."""
    weeks: Mapping[date, Week]
    """The weeks by their Mondays."""


_SELECT_STRETCH: Final = (
    select(tables.c.id, tables.c.created_at, tables.c.guild_id, tables.c.step)
    .where(tables.c.id < bindparam("before"))
    .order_by(tables.c.id.desc())
    .limit(bindparam("most"))
)
_COUNT_OPEN: Final = select(func.count()).select_from(tables).where(IS_OPEN)
_COUNT_BY_STATUS = select(tables.c.status, func.count()).where(IS_OPEN).group_by(tables.c.status)
_COUNT_UNSHOWN = select(func.count(), func.min(tables.c.updated_at)).where(IS_UNSHOWN)
_FIND_NEXT_JOB = select(func.min(jobs.c.due_at))
_PAGE: Final = 2000
_BEYOND_ALL: Final = 2**62


def count_all(connection: Connection) -> Usage:
    """Return the totals."""
    return Usage(
        servers=connection.execute(select(func.count(tables.c.guild_id.distinct()))).scalar_one(),
        tables=connection.execute(select(func.count()).select_from(tables)).scalar_one(),
        open_tables=connection.execute(_COUNT_OPEN).scalar_one(),
        people=connection.execute(
            select(func.count(seats.c.user_id.distinct())).where(seats.c.user_id > 0)
        ).scalar_one(),
    )


def read_page(connection: Connection, before: TableId, limit: int) -> UsagePage:
    """Return the play at a page of tables, newest first, by the weeks in which they were opened."""
    found = connection.execute(_SELECT_STRETCH, {"before": before, "most": limit}).all()
    if not found:
        return UsagePage(None, {})
    weeks: defaultdict[date, Week] = defaultdict(Week)
    week_of = {row.id: (row.created_at - timedelta(days=row.created_at.weekday())).date() for row in found}
    for row in found:
        week = weeks[week_of[row.id]]
        week.tables += 1
        week.moves += row.step
        if row.guild_id is not None:
            week.servers.add(row.guild_id)
    sat = select(seats.c.table_id, seats.c.user_id).where(
        seats.c.table_id >= found[-1].id, seats.c.table_id < before, seats.c.user_id > 0
    )
    for table_id, user_id in connection.execute(sat):
        if table_id in week_of:
            weeks[week_of[table_id]].people.add(user_id)
    return UsagePage(found[-1].id, dict(weeks))


def read_stats(connection: Connection) -> DatabaseStats:
    """Return the numbers of open and of outdated tables, and the time of the next job."""
    open_tables = {str(status): int(count) for status, count in connection.execute(_COUNT_BY_STATUS)}
    unshown, since = connection.execute(_COUNT_UNSHOWN).one()
    return DatabaseStats(open_tables, unshown, since, connection.execute(_FIND_NEXT_JOB).scalar_one())


async def count_weeks(db: Database, since: date) -> Mapping[date, Week]:
    """Return the weeks from a Monday on, newest first. Ids grow in the order of opening."""
    weeks: dict[date, Week] = {}
    before: TableId | None = _BEYOND_ALL
    while before is not None:
        page = await db.read(read_page, before, _PAGE)
        for monday, week in page.weeks.items():
            if monday >= since:
                weeks.setdefault(monday, Week()).add(week)
        before = page.last_id if not page.weeks or min(page.weeks) >= since else None
    return dict(sorted(weeks.items(), reverse=True))
