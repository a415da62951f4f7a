"""Queries for how much the bot is used, week by week."""

from collections import defaultdict
from datetime import date, datetime, timedelta
from typing import Final

from sqlalchemy import Connection, bindparam, func, select

from bot.tables.model import TableId
from bot.tables.schema import IS_LESSON, IS_OPEN, seats, tables
from bot.tables.usage import Usage, UsagePage, Week

_SELECT_STRETCH: Final = (
    select(tables.c.id, tables.c.created_at, tables.c.guild_id, tables.c.step)
    .where(tables.c.id < bindparam("before"))
    .order_by(tables.c.id.desc())
    .limit(bindparam("most"))
)
_COUNT_OPEN: Final = select(func.count()).select_from(tables).where(IS_OPEN, ~IS_LESSON)


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
    """Return what was played at a stretch of tables, newest first, by the weeks in which they were opened."""
    found = connection.execute(_SELECT_STRETCH, {"before": before, "most": limit}).all()
    if not found:
        return UsagePage(None, {})
    weeks: defaultdict[date, Week] = defaultdict(Week)
    week_of = {row.id: _monday(row.created_at) for row in found}
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


def _monday(at: datetime) -> date:
    return (at - timedelta(days=at.weekday())).date()
