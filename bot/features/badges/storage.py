"""Queries for badges: who has earned which, and which ones people's results earn."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Connection,
    Select,
    bindparam,
    func,
    insert,
    literal,
    select,
    union_all,
)

from bot.features.badges.model import PlayRecord, ShownAward
from bot.platform.places import Location
from bot.tables.model import Company
from bot.tables.results import COUNTS_FOR_BADGES, UNAIDED, results
from bot.tables.schema import badges_earned, tables
from bot.tables.storage import award_of

INSERT: Final = insert(badges_earned).returning(badges_earned.c.badge)
_OF_PEOPLE: Final = bindparam("people", expanding=True, type_=BigInteger)
SELECT_KNOWN: Final = select(badges_earned).where(badges_earned.c.user_id.in_(_OF_PEOPLE))


def _select_records(*more: ColumnElement[bool]) -> Select[Any]:
    """Build the query for a person's finished games, which jumps from game to game in the index.

    Adding up all results of a very active person would take too long in the transaction that ends a table.
    """
    counting: tuple[Any, ...] = (COUNTS_FOR_BADGES, results.c.user_id == bindparam("user_id"), *more)
    first = select(func.min(results.c.game).label("game")).where(*counting).cte("games", recursive=True)
    later = select(func.min(results.c.game)).where(*counting, results.c.game > first.c.game).correlate(first)
    games = first.union_all(select(later.scalar_subquery()).select_from(first).where(first.c.game.is_not(None)))
    companies = union_all(*(select(literal(company.value).label("company")) for company in Company)).subquery(
        "companies"
    )
    alike = (*counting, results.c.game == games.c.game, results.c.company == companies.c.company)

    def probe(what: ColumnElement[Any], *conditions: ColumnElement[bool]) -> ColumnElement[Any]:
        return select(what).where(*alike, *conditions).correlate(games, companies).limit(1).scalar_subquery()

    return select(
        games.c.game,
        companies.c.company,
        probe(literal(1), results.c.place == 1, ~results.c.used_hints).is_not(None).label("has_won"),
        probe(func.min(results.c.finished_at)).label("first_at"),
        probe(func.max(results.c.finished_at)).label("last_at"),
    ).select_from(games.join(companies, games.c.game.is_not(None)))


SELECT_RECORDS: Final = _select_records()
SELECT_RECORDS_HERE: Final = _select_records(results.c.guild_id == bindparam("guild_id"))
"""Run at tables only for people who have just earned an overall badge, at most five times each."""


def records_of(connection: Connection, user_id: int, guild_id: int | None = None) -> Sequence[PlayRecord]:
    """Return the totals of a person's finished games in a server, or everywhere if it is None."""
    statement = SELECT_RECORDS if guild_id is None else SELECT_RECORDS_HERE
    return [
        PlayRecord(row.game, Company(row.company), bool(row.has_won), row.first_at, row.last_at)
        for row in connection.execute(statement, {"user_id": user_id, "guild_id": guild_id})
        if row.first_at is not None
    ]


SELECT_BEST: Final = (
    select(results.c.game, func.max(results.c.score).label("best"))
    .where(COUNTS_FOR_BADGES, UNAIDED, results.c.user_id == bindparam("user_id"))
    .group_by(results.c.game)
)


def best_scores_of(connection: Connection, user_id: int) -> Mapping[str, int]:
    """Return a person's highest score in each game without hints."""
    return {row.game: row.best for row in connection.execute(SELECT_BEST, {"user_id": user_id})}


_OF_TABLE: Final = (
    tables.c.guild_id.label("found_in"),
    tables.c.channel_id,
    tables.c.message_id,
    tables.c.is_outside,
    tables.c.id.label("found_id"),
)
SELECT_OF_PERSON: Final = (
    select(badges_earned, *_OF_TABLE)
    .outerjoin(tables, tables.c.id == badges_earned.c.table_id)
    .where(badges_earned.c.user_id == bindparam("user_id"))
    .order_by(badges_earned.c.earned_at, badges_earned.c.badge)
)
SELECT_OF_PERSON_HERE: Final = SELECT_OF_PERSON.where(badges_earned.c.guild_id == bindparam("guild_id"))
"""The badges of a person that everyone in a server may see."""


def badges_of(connection: Connection, user_id: int, guild_id: int | None = None) -> Sequence[ShownAward]:
    """Return the badges that a person earned in a server or (None) anywhere, with the places of their tables."""
    statement = SELECT_OF_PERSON if guild_id is None else SELECT_OF_PERSON_HERE
    return [
        ShownAward(
            award_of(row),
            None if row.found_id is None else Location(row.found_in, row.channel_id, is_outside=row.is_outside),
            row.message_id,
        )
        for row in connection.execute(statement, {"user_id": user_id, "guild_id": guild_id})
    ]
