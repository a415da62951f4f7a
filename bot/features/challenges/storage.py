"""Queries for challenges: seeds, attempts, boards and streaks."""

from collections.abc import Mapping, Sequence
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

from bot.features.challenges.model import (
    LEAST_PEOPLE,
    AlreadyAttempted,
    Attempt,
    AttemptEnd,
    Board,
    BoardKey,
    BoardRow,
    Menu,
    Placing,
    Standing,
    Streak,
    attempt_end_of,
    current_editions,
    find_streak,
    percent_better,
)
from bot.platform.database.sql import AnyRow, UtcDateTime, Values, lock, partial_index, rowless_table, try_insert
from bot.platform.jobs import downtimes
from bot.platform.places import Day, Person
from bot.tables.events import TableEvent
from bot.tables.kinds import TIME_LIMIT, Cadence, Edition, SharedSeed
from bot.tables.model import Header
from bot.tables.schema import DELETED_NAME, read_row
from bot.tables.table import Table

# SQLite uses a partial index only for a condition with exactly the same text.
IS_ATTEMPT_OPEN: Final = text("ended_at IS NULL")
HAS_SCORE: Final = text("score IS NOT NULL")
IS_SHOWN_EVERYWHERE: Final = text("score IS NOT NULL AND is_shown")

shared_seeds = rowless_table(
    "shared_seeds",
    Column("cadence", Text, primary_key=True),
    # The first day of the edition: days since 1970-01-01, UTC.
    Column("day", Integer, primary_key=True, autoincrement=False),
    Column("seed", LargeBinary, nullable=False),
    # The SHA-256 of the seed, in hexadecimal digits.
    Column("commitment", Text, nullable=False),
    Column("committed_at", UtcDateTime, nullable=False),
    Column("published_at", UtcDateTime),
)

# The primary key allows only one attempt at an edition.
attempts = rowless_table(
    "attempts",
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    Column("cadence", Text, primary_key=True),
    Column("day", Integer, primary_key=True, autoincrement=False),
    Column("table_id", BigInteger, nullable=False),
    Column("guild_id", BigInteger),
    Column("name", Text, nullable=False),
    Column("started_at", UtcDateTime, nullable=False),
    Column("ended_at", UtcDateTime),
    # Null before the end, and for an attempt without a result.
    Column("score", Integer),
    # The day of the streak to which the score belongs.
    Column("counted_on", Integer),
    # Whether the person consents to be shown across servers; a copy for the index.
    Column("is_shown", Boolean, nullable=False),
    Index("attempts_at", "table_id", unique=True),
    # Finds the attempts that delay the publication of a seed.
    partial_index("attempts_open", "cadence", "day", "started_at", where=IS_ATTEMPT_OPEN),
    # For the boards of a server, and across servers.
    partial_index("attempts_in", "guild_id", "cadence", "day", "score", "user_id", where=HAS_SCORE),
    # Contains the column of its condition; otherwise SQLite would look up every row for it.
    partial_index("attempts_shown", "cadence", "day", "score", "user_id", "is_shown", where=IS_SHOWN_EVERYWHERE),
    # Counts all who did worse.
    partial_index("attempts_scored", "cadence", "day", "score", where=HAS_SCORE),
)

# The days on which someone in a server finished a challenge, for the server's streak.
streak_days = rowless_table(
    "streak_days",
    Column("guild_id", BigInteger, primary_key=True, autoincrement=False),
    Column("day", Integer, primary_key=True, autoincrement=False),
)

# The people who consent to be shown on the boards across servers.
board_consents = rowless_table(
    "board_consents",
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    # The name of the account; names used in a server are not shown elsewhere.
    Column("name", Text, nullable=False),
    Column("given_at", UtcDateTime, nullable=False),
)


_LONGEST_WAIT: Final = timedelta(days=7)
"""The longest wait for servers that no process serves; perhaps none ever will."""

_OF_SEED: Final = (
    shared_seeds.c.cadence == bindparam("of_cadence"),
    shared_seeds.c.day == bindparam("on_day", type_=Integer),
)
_OF_EDITION: Final = and_(
    attempts.c.cadence == bindparam("of_cadence"), attempts.c.day == bindparam("on_day", type_=Integer)
)
_OF_PERSON: Final = attempts.c.user_id == bindparam("person")
_IN_SERVER: Final = and_(HAS_SCORE, attempts.c.guild_id == bindparam("server"), _OF_EDITION)
_SHOWN_EVERYWHERE: Final = and_(IS_SHOWN_EVERYWHERE, _OF_EDITION)

_INSERT_SEED: Final = insert(shared_seeds).returning(shared_seeds.c.day)
_SELECT_SEED: Final = select(shared_seeds).where(*_OF_SEED)
_SELECT_SEEDS: Final = (
    select(shared_seeds)
    .where(shared_seeds.c.day.between(bindparam("first"), bindparam("last")))
    .order_by(shared_seeds.c.cadence, shared_seeds.c.day)
)
_PUBLISH: Final = (
    update(shared_seeds).where(*_OF_SEED, shared_seeds.c.published_at.is_(None)).values(published_at=bindparam("at"))
)
SELECT_OPEN_ATTEMPT: Final = select(
    exists().where(IS_ATTEMPT_OPEN, _OF_EDITION, attempts.c.started_at > bindparam("since"))
)
SELECT_ATTEMPT: Final = select(attempts).where(_OF_PERSON, _OF_EDITION)
SELECT_OWN_DAYS: Final = (
    select(attempts.c.counted_on).where(_OF_PERSON, HAS_SCORE).distinct().order_by(attempts.c.counted_on)
)
# `+ 0` keeps PostgreSQL from reading all attempts of the server.
SELECT_OWN_DAYS_HERE: Final = SELECT_OWN_DAYS.where(attempts.c.guild_id + 0 == bindparam("server", type_=BigInteger))
SELECT_SERVER_DAYS: Final = (
    select(streak_days.c.day).where(streak_days.c.guild_id == bindparam("server")).order_by(streak_days.c.day)
)
COUNT_PEOPLE: Final = select(func.count(attempts.c.user_id.distinct())).where(
    HAS_SCORE,
    attempts.c.guild_id == bindparam("server"),
    attempts.c.cadence.in_([cadence.value for cadence in Cadence]),
    attempts.c.day.between(bindparam("first"), bindparam("last")),
)
SELECT_BEST: Final = select(func.max(attempts.c.score)).where(
    _OF_PERSON,
    HAS_SCORE,
    attempts.c.cadence == bindparam("of_cadence"),
    attempts.c.day != bindparam("on_day", type_=Integer),
)


def _placing(condition: ColumnElement[bool]) -> Select[Any]:
    """Build the query that counts all scores, and the better ones. Counting twice is faster than reading them."""
    everyone = select(func.count()).select_from(attempts).where(condition)
    better = everyone.where(attempts.c.score > bindparam("than"))
    return select(everyone.scalar_subquery().label("people"), better.scalar_subquery().label("better"))


_NAMED: Final = attempts.alias("named")
_NAMED_ON_DAY: Final = (
    _NAMED.c.cadence == bindparam("of_cadence"),
    _NAMED.c.day == bindparam("on_day", type_=Integer),
)


def _page(condition: ColumnElement[bool], name: Column[Any], *names: ColumnElement[bool]) -> Select[Any]:
    """Build the query for a page of scores, best first. Both sort orders descend, to match the index.

    The index lacks the names, which are read for the rows of the page only.

    Args:
        condition: Selects the attempts on the board.
        name: The column with people's names for this board.
        names: Selects the row with a person's name.
    """
    found = select(attempts.c.user_id, attempts.c.score).where(condition)
    found = found.order_by(attempts.c.score.desc(), attempts.c.user_id.desc())
    page = found.offset(bindparam("skipped")).limit(bindparam("most")).subquery("page")
    named = select(name).where(name.table.c.user_id == page.c.user_id, *names)
    # A person whose data is being deleted may have no name left, but still a row.
    shown = func.coalesce(named.scalar_subquery(), DELETED_NAME).label("name")
    at_table = select(_NAMED.c.table_id).where(_NAMED.c.user_id == page.c.user_id, *_NAMED_ON_DAY)
    return select(page.c.user_id, shown, page.c.score, at_table.scalar_subquery().label("table_id")).order_by(
        page.c.score.desc(), page.c.user_id.desc()
    )


PLACE_IN_SERVER: Final = _placing(_IN_SERVER)
PLACE_SHOWN: Final = _placing(_SHOWN_EVERYWHERE)
PAGE_IN_SERVER: Final = _page(_IN_SERVER, _NAMED.c.name, *_NAMED_ON_DAY)
# Names used in a server are not shown elsewhere.
PAGE_EVERYWHERE: Final = _page(_SHOWN_EVERYWHERE, board_consents.c.name)

COUNT_WORSE: Final = select(
    *(
        select(func.count()).select_from(attempts).where(HAS_SCORE, _OF_EDITION, *worse).scalar_subquery().label(name)
        for name, worse in (("people", ()), ("worse", (attempts.c.score < bindparam("than"),)))
    )
)

_INSERT_ATTEMPT: Final = insert(attempts).returning(attempts.c.day)
_END_ATTEMPT: Final = (
    update(attempts)
    .where(attempts.c.table_id == bindparam("of_table"), attempts.c.ended_at.is_(None))
    .values(ended_at=bindparam("at"), score=bindparam("points"), counted_on=bindparam("counts_on"))
)
_INSERT_STREAK_DAY: Final = insert(streak_days).returning(streak_days.c.day)
_SELECT_CONSENT: Final = select(board_consents.c.name).where(board_consents.c.user_id == bindparam("person"))
_DELETE_CONSENT: Final = delete(board_consents).where(board_consents.c.user_id == bindparam("person"))
_SHOW: Final = update(attempts).where(_OF_PERSON).values(is_shown=bindparam("shows"))


def _key_of(edition: Edition) -> Values:
    return {"of_cadence": edition.cadence.value, "on_day": edition.day}


def _edition_of(row: AnyRow) -> Edition:
    return Edition(Cadence(row.cadence), row.day)


def commit_seed(connection: Connection, shared: SharedSeed) -> SharedSeed:
    """Store the seed of an edition unless one exists, and return the stored one."""
    row = {
        "cadence": shared.edition.cadence.value,
        "day": shared.edition.day,
        "seed": shared.seed,
        "commitment": shared.commitment,
        "committed_at": shared.committed_at,
        "published_at": shared.published_at,
    }
    if try_insert(connection, _INSERT_SEED, row):
        return shared
    # Seeds are never deleted.
    return find_seed(connection, shared.edition) or shared


def find_seed(connection: Connection, edition: Edition) -> SharedSeed | None:
    """Return the seed of an edition, or None."""
    row = connection.execute(_SELECT_SEED, _key_of(edition)).one_or_none()
    return None if row is None else read_row(SharedSeed, row, edition=edition)


def find_seeds(connection: Connection, first: Day, last: Day) -> Mapping[Edition, SharedSeed]:
    """Return the seeds of the editions that begin from one day to another."""
    found = connection.execute(_SELECT_SEEDS, {"first": first, "last": last})
    return {edition: read_row(SharedSeed, row, edition=edition) for row in found for edition in [_edition_of(row)]}


def publish_seed(connection: Connection, edition: Edition, at: datetime) -> None:
    """Store the time at which the seed of an edition became public, unless there is one."""
    connection.execute(_PUBLISH, {**_key_of(edition), "at": at})


def has_open_attempt(connection: Connection, edition: Edition, now: datetime) -> bool:
    """Return whether an unfinished attempt at an edition still keeps its seed secret."""
    # Simple, and at worst too generous: some of the downtime may have passed before the attempt began.
    last_day = edition.ends_at - TIME_LIMIT
    since = now - TIME_LIMIT - downtimes.sum_up(connection, last_day, now, _LONGEST_WAIT)
    return bool(connection.execute(SELECT_OPEN_ATTEMPT, {**_key_of(edition), "since": since}).scalar_one())


def find_attempt(connection: Connection, user_id: int, edition: Edition) -> Attempt | None:
    """Return a person's attempt at an edition, or None."""
    row = connection.execute(SELECT_ATTEMPT, {"person": user_id, **_key_of(edition)}).one_or_none()
    return None if row is None else read_row(Attempt, row, edition=edition)


def is_open_to(connection: Connection, edition: Edition, user_id: int) -> bool:
    """Return whether a person may see what others did in an edition: it is over, or their own attempt is."""
    shared, attempt = find_seed(connection, edition), find_attempt(connection, user_id, edition)
    # Without a seed nobody has played.
    is_secret = shared is not None and shared.published_at is None
    return not is_secret or (attempt is not None and attempt.ended_at is not None)


def load_menu(connection: Connection, user_id: int, guild_id: int | None, today: Day) -> Menu:
    """Return the stored data of a person and a server behind the menu of a day."""
    attempts_now: dict[Cadence, Attempt] = {}
    late: list[Attempt] = []
    for edition in current_editions(today):
        if attempt := find_attempt(connection, user_id, edition):
            attempts_now[edition.cadence] = attempt
        before = find_attempt(connection, user_id, edition.previous)
        if before is not None and before.ended_at is None and not is_open_to(connection, edition.previous, user_id):
            late.append(before)
    excused = downtimes.find_excused_days(connection)
    own = find_streak(_find_own_days(connection, user_id), today, excused)
    return Menu(attempts_now, tuple(late), own, _find_server_streak(connection, guild_id, today))


def _find_own_days(connection: Connection, user_id: int, guild_id: int | None = None) -> Sequence[Day]:
    """Return the days of a person's streak in a server, or (None) across servers."""
    statement = SELECT_OWN_DAYS if guild_id is None else SELECT_OWN_DAYS_HERE
    return connection.execute(statement, {"person": user_id, "server": guild_id}).scalars().all()


def _find_server_streak(connection: Connection, guild_id: int | None, today: Day) -> Streak | None:
    if guild_id is None:
        return None
    key = {"server": guild_id, "first": today - Cadence.WEEKLY.days, "last": today}
    if connection.execute(COUNT_PEOPLE, key).scalar_one() < LEAST_PEOPLE:
        return None
    days = connection.execute(SELECT_SERVER_DAYS, key).scalars().all()
    return find_streak(days, today, downtimes.find_excused_days(connection))


def load_standing(connection: Connection, attempt: Attempt, score: int) -> Standing:
    """Return what a finished attempt is compared with."""
    key = {"person": attempt.user_id, "server": attempt.guild_id, "than": score, **_key_of(attempt.edition)}
    best = connection.execute(SELECT_BEST, key).scalar_one()
    here = None
    if attempt.guild_id is not None:
        counted = connection.execute(PLACE_IN_SERVER, key).one()
        here = Placing(1 + counted.better, counted.people)
    everyone = connection.execute(COUNT_WORSE, key).one()
    percent = percent_better(everyone.worse, everyone.people - 1)
    return Standing(best, here, percent, find_streak_at(connection, attempt, None))


def find_streak_at(connection: Connection, attempt: Attempt, guild_id: int | None) -> Streak:
    """Return a person's streak with an ended attempt: of the attempts in a server, or (None) of all."""
    day = attempt.edition.day if attempt.counted_on is None else attempt.counted_on
    days = [each for each in _find_own_days(connection, attempt.user_id, guild_id) if each <= day]
    return find_streak(days, day, downtimes.find_excused_days(connection))


def find_board(connection: Connection, board: BoardKey, asker_id: int, offset: int, limit: int) -> Board:
    """Return a page of a board, with the asker's own row."""
    page, place = (PAGE_EVERYWHERE, PLACE_SHOWN) if board.guild_id is None else (PAGE_IN_SERVER, PLACE_IN_SERVER)
    key = {"server": board.guild_id, **_key_of(board.edition)}
    found = connection.execute(page, key | {"skipped": offset, "most": limit}).all()
    first = found[0].score if found else 0
    counted = connection.execute(place, key | {"than": first}).one()
    attempt = find_attempt(connection, asker_id, board.edition)
    shown_name = _find_shown_name(connection, asker_id) if board.guild_id is None else None
    own = None
    if attempt is not None and attempt.score is not None:
        better = connection.execute(place, key | {"than": attempt.score}).one().better
        own = BoardRow(asker_id, shown_name or attempt.name, attempt.score, 1 + better, attempt.table_id)
    is_here = attempt is not None and attempt.guild_id == board.guild_id
    is_shown = is_here if board.guild_id is not None else shown_name is not None
    return Board(counted.people, tuple(_ranked(found, 1 + counted.better, offset)), own, is_shown)


def set_consent(connection: Connection, person: Person, at: datetime, *, consents: bool) -> None:
    """Store whether a person's results may be shown across servers, and by which name."""
    lock(connection, person.id)
    connection.execute(_DELETE_CONSENT, {"person": person.id})
    if consents:
        connection.execute(insert(board_consents), {"user_id": person.id, "name": person.name, "given_at": at})
    connection.execute(_SHOW, {"person": person.id, "shows": consents})


def begin(connection: Connection, event: TableEvent) -> Table:
    """Store a new table of a challenge as its opener's attempt.

    Raises:
        AlreadyAttempted: The opener already has an attempt at that edition.
    """
    table, edition = event.after, event.after.edition
    if edition is not None and not begin_attempt(connection, table.header, table.seats[0].name, edition):
        raise AlreadyAttempted
    return table


def end(connection: Connection, event: TableEvent) -> Table:
    """Store the end of an attempt; one that ends after its seed was published has no result."""
    table, ended = event.after, attempt_end_of(event.after)
    if ended is not None:
        shared = find_seed(connection, ended.edition)
        counts = shared is None or shared.published_at is None
        end_attempt(connection, table.header, ended if counts else AttemptEnd(ended.edition, None, ended.ended_at))
    return table


def end_attempt(connection: Connection, header: Header, ended: AttemptEnd) -> None:
    """Store the end of an attempt, and the day as one of the streak of its server."""
    day = None if ended.score is None else ended.day
    connection.execute(
        _END_ATTEMPT, {"of_table": header.id, "at": ended.ended_at, "points": ended.score, "counts_on": day}
    )
    guild_id = header.location.guild_id
    if day is not None and guild_id is not None:
        try_insert(connection, _INSERT_STREAK_DAY, {"guild_id": guild_id, "day": day})


def begin_attempt(connection: Connection, header: Header, name: str, edition: Edition) -> bool:
    """Store a new table as its opener's attempt; return False if they already have one."""
    lock(connection, header.opener_id)
    row = {
        "user_id": header.opener_id,
        "cadence": edition.cadence.value,
        "day": edition.day,
        "table_id": header.id,
        "guild_id": header.location.guild_id,
        "name": name,
        "started_at": header.created_at,
        "ended_at": None,
        "score": None,
        "counted_on": None,
        "is_shown": _find_shown_name(connection, header.opener_id) is not None,
    }
    return try_insert(connection, _INSERT_ATTEMPT, row)


def _ranked(found: Sequence[Any], place: int, offset: int) -> Sequence[BoardRow]:
    """Return rows with their places, given the first one's; equal scores share a place."""
    ranked: list[BoardRow] = []
    for at, row in enumerate(found, offset + 1):
        if ranked:
            place = ranked[-1].place if ranked[-1].score == row.score else at
        ranked.append(BoardRow(row.user_id, row.name, row.score, place, row.table_id))
    return ranked


def _find_shown_name(connection: Connection, user_id: int) -> str | None:
    """Return the name by which a person consents to be shown across servers, or None."""
    name: str | None = connection.execute(_SELECT_CONSENT, {"person": user_id}).scalar_one_or_none()
    return name
