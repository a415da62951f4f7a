"""Queries that find and delete what was kept long enough."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from sqlalchemy import Column, Connection, FromClause, and_, bindparam, delete, func, select, update

from bot.features.privacy.data_kinds import Kind, Leaving
from bot.features.privacy.erasure import change_rows, find_keys
from bot.features.privacy.model import FORMER_NAME, RetentionLimits, TableWalk
from bot.features.privacy.personal_data import PERSONAL_DATA
from bot.features.results.schema import animations
from bot.features.tournaments.schema import tournament_players, tournaments
from bot.platform.notices.schema import invitations
from bot.tables.model import FORGOTTEN_CLICK, Status, TableId
from bot.tables.schema import moves, seats, tables

_SELECT_STRETCH: Final = (
    select(tables.c.id, tables.c.status, tables.c.salt, tables.c.updated_at)
    .where(tables.c.id > bindparam("after"))
    .order_by(tables.c.id)
    .limit(bindparam("most"))
)
_NEVER: Final = datetime.min.replace(tzinfo=UTC)
_SELECT_LAST_TABLE: Final = (
    select(func.max(tables.c.updated_at))
    .select_from(seats.join(tables, seats.c.table_id == tables.c.id))
    .where(seats.c.user_id == bindparam("user_id"))
)


@dataclass(frozen=True, slots=True)
class _Sign:
    """Where it is stored that people were there at some time."""

    rows: FromClause
    person: Column[Any]
    at: Column[Any]


def _find_signs() -> Iterator[_Sign]:
    """Yield all signs of people but their tables, which are looked through anyway, and what goes with these."""
    for data in PERSONAL_DATA.values():
        if data.seen_at is not None and data.leaving is not Leaving.WITH_TABLE:
            (person,) = data.columns(Kind.PERSON)
            yield _Sign(data.table, person, data.table.c[data.seen_at])
    joined = tournament_players.join(tournaments, tournament_players.c.tournament_id == tournaments.c.id)
    yield _Sign(joined, tournament_players.c.user_id, tournaments.c.opened_at)


_SIGNS: Final = tuple(_find_signs())


def walk_tables(connection: Connection, after_id: TableId, limits: RetentionLimits, limit: int) -> TableWalk:
    """Look at a stretch of tables for what is kept too long."""
    found = connection.execute(_SELECT_STRETCH, {"after": after_id, "most": limit}).all()
    quiet = [row.id for row in found if limits.quiet_since <= row.updated_at < limits.quiet_until]
    people = select(seats.c.user_id).where(seats.c.table_id.in_(quiet), seats.c.user_id > 0).distinct()
    return TableWalk(
        last_id=found[-1].id if found else after_id,
        is_done=len(found) < limit,
        changed=[row.id for row in found if row.updated_at >= limits.clicks_since],
        never_started=[
            row.id
            for row in found
            if row.updated_at < limits.lobbies_until and _was_never_started(row.status, row.salt)
        ],
        quiet_people=sorted(connection.execute(people).scalars()) if quiet else (),
    )


def _was_never_started(status: str, salt: str) -> bool:
    """Return whether a table is a lobby that was closed: the salt is made at the start."""
    return status in (Status.EXPIRED, Status.CANCELLED) and not salt


def clear_click_ids(connection: Connection, table_ids: Sequence[TableId], before: datetime) -> None:
    """Delete the ids of clicks at tables before a time."""
    has_click = and_(moves.c.table_id.in_(table_ids), moves.c.click_id != FORGOTTEN_CLICK, moves.c.at < before)
    connection.execute(update(moves).where(has_click).values(click_id=FORGOTTEN_CLICK))
    of_lobby = and_(tables.c.id.in_(table_ids), tables.c.lobby_click_id.isnot(None), tables.c.updated_at < before)
    connection.execute(update(tables).where(of_lobby).values(lobby_click_id=None))
    of_invitation = and_(
        invitations.c.table_id.in_(table_ids), invitations.c.click_id != 0, invitations.c.noted_at < before
    )
    connection.execute(update(invitations).where(of_invitation).values(click_id=0))


def find_quiet_people(connection: Connection, since: datetime, until: datetime, limit: int) -> Sequence[int]:
    """Return people who were last seen elsewhere than at a table in a stretch of time, as far as that says."""
    people: set[int] = set()
    for sign in _SIGNS:
        if len(people) < limit:
            seen = (sign.at >= since, sign.at < until, sign.person > 0)
            query = select(sign.person).select_from(sign.rows).where(*seen).distinct().limit(limit)
            people.update(connection.execute(query).scalars())
    return sorted(people)


def forget_name(connection: Connection, user_id: int, unless_seen_since: datetime, limit: int) -> bool:
    """Replace some of the stored names of a person who was not seen; return whether there may be more."""
    if _last_seen(connection, user_id) >= unless_seen_since:
        return False
    for data in PERSONAL_DATA.values():
        for name in data.columns(Kind.NAME):
            (person,) = data.columns(Kind.PERSON)
            keys = find_keys(connection, data.table, and_(person == user_id, name != FORMER_NAME), limit)
            if keys:
                change_rows(connection, data.table, keys, {name.name: FORMER_NAME})
                if data.table is seats:
                    # The name is in their pictures.
                    shown = [key["key_table_id"] for key in keys]
                    connection.execute(delete(animations).where(animations.c.table_id.in_(shown)))
                return True
    return False


def _last_seen(connection: Connection, user_id: int) -> datetime:
    """Return when a person was last seen, as far as anything stored says."""
    times = [connection.execute(_SELECT_LAST_TABLE, {"user_id": user_id}).scalar()]
    for sign in _SIGNS:
        newest = select(func.max(sign.at)).select_from(sign.rows).where(sign.person == user_id)
        times.append(connection.execute(newest).scalar())
    return max((time for time in times if time is not None), default=_NEVER)
