"""Queries for the daily bag: seeds, attempts, boards and streaks."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ColumnElement,
    Connection,
    Index,
    Integer,
    LargeBinary,
    Select,
    Text,
    and_,
    bindparam,
    delete,
    exists,
    func,
    insert,
    select,
    text,
    update,
)

from bot.features.daily_bag.model import (
    AlreadyAttempted,
    Attempt,
    Board,
    BoardKey,
    BoardRow,
    DailyEnd,
    DailyFacts,
    DailyScores,
    Placing,
    daily_end_of,
)
from bot.platform.database.sql import UtcDateTime, Values, lock, partial_index, rowless_table, try_insert
from bot.platform.jobs import downtimes
from bot.platform.places import Day, Person, start_of_day
from bot.tables.events import TableEvent
from bot.tables.kinds import TIME_LIMIT, DailyBag
from bot.tables.model import Header
from bot.tables.schema import DELETED_NAME, read_row, tables
from bot.tables.table import Table

# SQLite uses a partial index only for a condition with exactly the same text, so these contain no parameters.
IS_ATTEMPT_OPEN = text("ended_at IS NULL")
HAS_SCORE = text("score IS NOT NULL")
IS_SHOWN_EVERYWHERE = text("score IS NOT NULL AND is_shown")

# The primary key allows one seed per day, whichever process commits first.
daily_bags = rowless_table(
    "daily_bags",
    # Days since 1970-01-01, UTC.
    Column("day", Integer, primary_key=True, autoincrement=False),
    Column("seed", LargeBinary, nullable=False),
    # The SHA-256 of the seed, in hexadecimal digits.
    Column("commitment", Text, nullable=False),
    Column("committed_at", UtcDateTime, nullable=False),
    Column("published_at", UtcDateTime),
)

# The attempts that count; the primary key allows only the first of a day.
daily_attempts = rowless_table(
    "daily_attempts",
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    Column("day", Integer, primary_key=True, autoincrement=False),
    Column("table_id", BigInteger, nullable=False),
    Column("guild_id", BigInteger),
    Column("channel_id", BigInteger, nullable=False),
    Column("name", Text, nullable=False),
    Column("started_at", UtcDateTime, nullable=False),
    Column("ended_at", UtcDateTime),
    # Null before the end, and for an attempt without a result.
    Column("score", Integer),
    # Whether the person consents to be shown across servers; a copy for the index.
    Column("is_shown", Boolean, nullable=False),
    Index("daily_attempts_at", "table_id", unique=True),
    # Finds the attempts that delay the publication of a seed.
    partial_index("daily_attempts_open", "day", "started_at", where=IS_ATTEMPT_OPEN),
    # For the boards of a server, and across servers.
    partial_index("daily_attempts_in", "guild_id", "day", "score", "user_id", where=HAS_SCORE),
    # Contains the column of its condition; otherwise SQLite would look up every row for it.
    partial_index("daily_attempts_shown", "day", "score", "user_id", "is_shown", where=IS_SHOWN_EVERYWHERE),
)

# The days on which someone in a server finished the bag, for the server's streak.
daily_servers = rowless_table(
    "daily_servers",
    Column("guild_id", BigInteger, primary_key=True, autoincrement=False),
    Column("day", Integer, primary_key=True, autoincrement=False),
)

# The people who consent to be shown on the board across servers.
daily_consents = rowless_table(
    "daily_consents",
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    # The name of the account; names used in a server are not shown elsewhere.
    Column("name", Text, nullable=False),
    Column("given_at", UtcDateTime, nullable=False),
)


_LONGEST_WAIT: Final = timedelta(days=7)
"""The longest wait for servers that no process serves; perhaps none ever will."""

_DAY: Final = bindparam("on_day", type_=Integer)
_OF_PERSON: Final = daily_attempts.c.user_id == bindparam("person")
_IN_SERVER: Final = and_(HAS_SCORE, daily_attempts.c.guild_id == bindparam("server"), daily_attempts.c.day == _DAY)
_EVERYWHERE: Final = and_(IS_SHOWN_EVERYWHERE, daily_attempts.c.day == _DAY)

_INSERT_BAG: Final = insert(daily_bags).returning(daily_bags.c.day)
_SELECT_BAGS: Final = select(daily_bags).where(daily_bags.c.day.between(bindparam("first"), bindparam("last")))
_PUBLISH: Final = (
    update(daily_bags)
    .where(daily_bags.c.day == _DAY, daily_bags.c.published_at.is_(None))
    .values(published_at=bindparam("at"))
)
SELECT_OPEN_ATTEMPT: Final = select(
    exists().where(IS_ATTEMPT_OPEN, daily_attempts.c.day == _DAY, daily_attempts.c.started_at > bindparam("since"))
)
SELECT_ATTEMPTS: Final = select(daily_attempts).where(
    _OF_PERSON, daily_attempts.c.day.between(bindparam("first"), bindparam("last"))
)
SELECT_OWN_DAYS: Final = select(daily_attempts.c.day).where(_OF_PERSON, HAS_SCORE).order_by(daily_attempts.c.day)
SELECT_OWN_DAYS_HERE: Final = SELECT_OWN_DAYS.where(daily_attempts.c.guild_id == bindparam("server"))
SELECT_SERVER_DAYS: Final = (
    select(daily_servers.c.day).where(daily_servers.c.guild_id == bindparam("server")).order_by(daily_servers.c.day)
)
COUNT_SCORES: Final = (
    select(daily_attempts.c.score, func.count().label("people"))
    .where(_IN_SERVER, daily_attempts.c.user_id != bindparam("person"))
    .group_by(daily_attempts.c.score)
)


def _placing(condition: ColumnElement[bool]) -> Select[Any]:
    """Build the query that counts all scores, and the better ones. Counting twice is faster than reading them."""
    everyone = select(func.count()).select_from(daily_attempts).where(condition)
    better = everyone.where(daily_attempts.c.score > bindparam("than"))
    return select(everyone.scalar_subquery().label("people"), better.scalar_subquery().label("better"))


def _page(condition: ColumnElement[bool], name: Column[Any], *names: ColumnElement[bool]) -> Select[Any]:
    """Build the query for a page of scores, best first. Both sort orders descend, to match the index.

    The index lacks the names, which are read for the rows of the page only.

    Args:
        condition: Selects the attempts on the board.
        name: The column with people's names for this board.
        names: Selects the row with a person's name.
    """
    found = select(daily_attempts.c.user_id, daily_attempts.c.score).where(condition)
    found = found.order_by(daily_attempts.c.score.desc(), daily_attempts.c.user_id.desc())
    page = found.offset(bindparam("skipped")).limit(bindparam("most")).subquery("page")
    named = select(name).where(name.table.c.user_id == page.c.user_id, *names)
    # A person whose data is being deleted may have no name left, but still a row.
    shown = func.coalesce(named.scalar_subquery(), DELETED_NAME).label("name")
    return select(page.c.user_id, shown, page.c.score).order_by(page.c.score.desc(), page.c.user_id.desc())


PLACE_IN_SERVER: Final = _placing(_IN_SERVER)
PLACE_EVERYWHERE: Final = _placing(_EVERYWHERE)
_NAMED: Final = daily_attempts.alias("named")
PAGE_IN_SERVER: Final = _page(_IN_SERVER, _NAMED.c.name, _NAMED.c.day == _DAY)
# Names used in a server are not shown elsewhere.
PAGE_EVERYWHERE: Final = _page(_EVERYWHERE, daily_consents.c.name)

_INSERT_ATTEMPT: Final = insert(daily_attempts).returning(daily_attempts.c.day)
_END_ATTEMPT: Final = (
    update(daily_attempts)
    .where(daily_attempts.c.table_id == bindparam("of_table"), daily_attempts.c.ended_at.is_(None))
    .values(ended_at=bindparam("at"), score=bindparam("points"))
)
_INSERT_SERVER_DAY: Final = insert(daily_servers).returning(daily_servers.c.day)
_MAKE_PRACTICE: Final = update(tables).where(tables.c.id == bindparam("of_table")).values(is_practice=True)
_SELECT_CONSENT: Final = select(daily_consents.c.name).where(daily_consents.c.user_id == bindparam("person"))
_DELETE_CONSENT: Final = delete(daily_consents).where(daily_consents.c.user_id == bindparam("person"))
_SHOW: Final = update(daily_attempts).where(_OF_PERSON).values(is_shown=bindparam("shows"))


def commit_bag(connection: Connection, bag: DailyBag) -> DailyBag:
    """Store the bag of a day unless one exists, and return the stored one."""
    if try_insert(connection, _INSERT_BAG, asdict(bag) | {"commitment": bag.commitment}):
        return bag
    return find_bags(connection, bag.day, bag.day)[bag.day]


def find_bags(connection: Connection, first: Day, last: Day) -> Mapping[Day, DailyBag]:
    """Return the daily bags from one day to another."""
    found = connection.execute(_SELECT_BAGS, {"first": first, "last": last})
    return {row.day: read_row(DailyBag, row) for row in found}


def publish_bag(connection: Connection, day: Day, at: datetime) -> None:
    """Store the time at which a day's seed became public, unless there is one."""
    connection.execute(_PUBLISH, {"on_day": day, "at": at})


def has_open_attempt(connection: Connection, day: Day, now: datetime) -> bool:
    """Return whether an unfinished attempt at a day's bag still keeps its seed secret."""
    # Simple, and at worst too generous: some of the downtime may have passed before the attempt began.
    since = now - TIME_LIMIT - downtimes.sum_up(connection, start_of_day(day), now, _LONGEST_WAIT)
    return bool(connection.execute(SELECT_OPEN_ATTEMPT, {"on_day": day, "since": since}).scalar_one())


def find_attempt(connection: Connection, user_id: int, day: Day) -> Attempt | None:
    """Return a person's attempt at a day's bag, or None."""
    return _find_attempts(connection, user_id, day, day).get(day)


def load_facts(connection: Connection, user_id: int, guild_id: int | None, today: Day) -> DailyFacts:
    """Return the stored data of a person and a server around a day."""
    attempts = _find_attempts(connection, user_id, today - 1, today)
    own, key = attempts.get(today), {"person": user_id, "server": guild_id, "on_day": today}
    score, is_here = None if own is None else own.score, own is not None and own.guild_id == guild_id is not None
    is_shown = _find_shown_name(connection, user_id) is not None
    return DailyFacts(
        find_bags(connection, today - 1, today + 1),
        attempts,
        own_days=_find_days(connection, SELECT_OWN_DAYS, key),
        server_days=() if guild_id is None else _find_days(connection, SELECT_SERVER_DAYS, key),
        excused_days=downtimes.find_excused_days(connection),
        here=_find_place(connection, PLACE_IN_SERVER, key, score) if is_here else None,
        everywhere=_find_place(connection, PLACE_EVERYWHERE, key, score) if is_shown else None,
    )


def load_scores(connection: Connection, user_id: int, guild_id: int | None, day: Day) -> DailyScores:
    """Return the results that a person's result at a day's bag is compared with."""
    key = {"person": user_id, "server": guild_id, "on_day": day}
    counted = () if guild_id is None else connection.execute(COUNT_SCORES, key)
    scores = {row.score: row.people for row in counted}
    own_days = _find_days(connection, SELECT_OWN_DAYS if guild_id is None else SELECT_OWN_DAYS_HERE, key)
    return DailyScores(own_days, downtimes.find_excused_days(connection), scores)


def find_board(connection: Connection, board: BoardKey, asker_id: int, offset: int, limit: int) -> Board:
    """Return a page of a board, with the asker's own row."""
    page, place = (PAGE_EVERYWHERE, PLACE_EVERYWHERE) if board.guild_id is None else (PAGE_IN_SERVER, PLACE_IN_SERVER)
    key = {"server": board.guild_id, "on_day": board.day}
    found = connection.execute(page, key | {"skipped": offset, "most": limit}).all()
    first = found[0].score if found else 0
    counted = connection.execute(place, key | {"than": first}).one()
    attempt = find_attempt(connection, asker_id, board.day)
    shown_name = _find_shown_name(connection, asker_id) if board.guild_id is None else None
    own = None
    if attempt is not None and attempt.score is not None:
        placing = _find_place(connection, place, key, attempt.score)
        own = BoardRow(asker_id, shown_name or attempt.name, attempt.score, placing.place if placing else 1)
    is_here = attempt is not None and attempt.guild_id == board.guild_id
    is_shown = is_here if board.guild_id is not None else shown_name is not None
    return Board(counted.people, tuple(_ranked(found, 1 + counted.better, offset)), own, is_shown)


def set_consent(connection: Connection, person: Person, at: datetime, *, consents: bool) -> None:
    """Store whether a person's results of all days may be shown across servers, and by which name."""
    lock(connection, person.id)
    connection.execute(_DELETE_CONSENT, {"person": person.id})
    if consents:
        connection.execute(insert(daily_consents), {"user_id": person.id, "name": person.name, "given_at": at})
    connection.execute(_SHOW, {"person": person.id, "shows": consents})


def begin(connection: Connection, event: TableEvent) -> Table:
    """Store a new table as an attempt if it counts.

    Raises:
        AlreadyAttempted: The opener already has an attempt at that day's bag.
    """
    table, day = event.after, event.after.daily_day
    if day is None or table.header.is_practice:
        return table
    if not begin_attempt(connection, table.header, table.seats[0].name, day):
        raise AlreadyAttempted
    return table


def end(connection: Connection, event: TableEvent) -> Table:
    """Store the end of an attempt; one that ends after its seed was published becomes practice."""
    table, ended = event.after, daily_end_of(event.after)
    if ended is None:
        return table
    bag = find_bags(connection, ended.day, ended.day).get(ended.day)
    if bag is not None and bag.published_at is not None:
        connection.execute(_MAKE_PRACTICE, {"of_table": table.id})
        return replace(table, header=replace(table.header, is_practice=True))
    end_attempt(connection, table.header, ended)
    return table


def end_attempt(connection: Connection, header: Header, ended: DailyEnd) -> None:
    """Store the end of an attempt, and the day as finished for its server."""
    connection.execute(_END_ATTEMPT, {"of_table": header.id, "at": header.updated_at, "points": ended.score})
    guild_id = header.location.guild_id
    if ended.score is not None and guild_id is not None:
        try_insert(connection, _INSERT_SERVER_DAY, {"guild_id": guild_id, "day": ended.day})


def begin_attempt(connection: Connection, header: Header, name: str, day: Day) -> bool:
    """Store a new table as its opener's attempt that counts; return False if they already have one."""
    lock(connection, header.opener_id)
    location = header.location
    attempt = Attempt(header.opener_id, day, header.id, location.guild_id, location.channel_id, name, header.created_at)
    is_shown = _find_shown_name(connection, header.opener_id) is not None
    return try_insert(connection, _INSERT_ATTEMPT, asdict(attempt) | {"is_shown": is_shown})


def _find_attempts(connection: Connection, user_id: int, first: Day, last: Day) -> dict[Day, Attempt]:
    found = connection.execute(SELECT_ATTEMPTS, {"person": user_id, "first": first, "last": last})
    return {row.day: read_row(Attempt, row) for row in found}


def _find_days(connection: Connection, statement: Select[Any], key: Values) -> tuple[Day, ...]:
    return tuple(connection.execute(statement, key).scalars())


def _find_place(connection: Connection, statement: Select[Any], key: Values, score: int | None) -> Placing | None:
    if score is None:
        return None
    counted = connection.execute(statement, key | {"than": score}).one()
    return Placing(1 + counted.better, counted.people)


def _ranked(found: Sequence[Any], place: int, offset: int) -> Sequence[BoardRow]:
    """Return rows with their places, given the first one's; equal scores share a place."""
    ranked: list[BoardRow] = []
    for at, row in enumerate(found, offset + 1):
        if ranked:
            place = ranked[-1].place if ranked[-1].score == row.score else at
        ranked.append(BoardRow(row.user_id, row.name, row.score, place))
    return ranked


def _find_shown_name(connection: Connection, user_id: int) -> str | None:
    """Return the name by which a person consents to be shown across servers, or None."""
    name: str | None = connection.execute(_SELECT_CONSENT, {"person": user_id}).scalar_one_or_none()
    return name
