"""Queries for badges: who has earned which, and which ones people's results earn."""

from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Any, Final

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Connection,
    Select,
    bindparam,
    exists,
    func,
    insert,
    literal,
    or_,
    select,
    union_all,
)

from bot.features.badges.model import OVERALL, RULES, PlayRecord, ShownAward, earned_overall
from bot.features.daily_bag.storage import daily_attempts, daily_bags
from bot.platform.database.sql import try_insert
from bot.platform.places import Location
from bot.tables.control_entries import TableEndReason
from bot.tables.events import TableEvent
from bot.tables.model import Award, Company, Header, Result
from bot.tables.results import COUNTS_FOR_BADGES, awards_of, results, results_of
from bot.tables.schema import badges_earned, tables
from bot.tables.storage import award_of
from bot.tables.table import Table

_INSERT: Final = insert(badges_earned).returning(badges_earned.c.badge)
_OF_PEOPLE: Final = bindparam("people", expanding=True, type_=BigInteger)
SELECT_KNOWN: Final = select(badges_earned.c.user_id, badges_earned.c.badge).where(
    badges_earned.c.user_id.in_(_OF_PEOPLE)
)


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
        probe(literal(1), results.c.place == 1).is_not(None).label("has_won"),
        probe(func.min(results.c.finished_at)).label("first_at"),
        probe(func.max(results.c.finished_at)).label("last_at"),
    ).select_from(games.join(companies, games.c.game.is_not(None)))


SELECT_RECORDS: Final = _select_records()
SELECT_RECORDS_HERE: Final = _select_records(results.c.guild_id == bindparam("guild_id"))
"""Run only for people who have just earned an overall badge, at most five times each."""


_OF_TABLE: Final = (
    tables.c.guild_id.label("found_in"),
    tables.c.channel_id,
    tables.c.message_id,
    tables.c.id.label("found_id"),
)
SELECT_OF_PERSON: Final = (
    select(badges_earned, *_OF_TABLE)
    .outerjoin(tables, tables.c.id == badges_earned.c.table_id)
    .where(badges_earned.c.user_id == bindparam("user_id"))
    .order_by(badges_earned.c.earned_at, badges_earned.c.badge)
)
_BAG_IS_SECRET: Final = exists().where(
    daily_attempts.c.table_id == badges_earned.c.table_id,
    daily_bags.c.day == daily_attempts.c.day,
    daily_bags.c.published_at.is_(None),
)
SELECT_OF_PERSON_HERE: Final = SELECT_OF_PERSON.where(
    badges_earned.c.guild_id == bindparam("guild_id"),
    # A game's badges reveal what happened in it.
    or_(badges_earned.c.badge.startswith(f"{OVERALL}/"), ~_BAG_IS_SECRET),
)
"""The badges of a person that everyone in a server may see."""


def award_ended(connection: Connection, event: TableEvent) -> Table:
    """Award the badges earned at a table, in the transaction that ends it, to people whose results count."""
    table = event.after
    if results := results_of(table):
        return replace(table, awards=award(connection, table.header, results, awards_of(table)))
    return table


def award(
    connection: Connection, header: Header, results: Sequence[Result], earned: Sequence[Award]
) -> tuple[Award, ...]:
    """Award the badges earned by the results and moves of a finished table; return the new ones."""
    overall = sorted(result.user_id for result in results if _counts(result) and result.user_id is not None)
    people = sorted({*overall, *(of_game.user_id for of_game in earned)})
    if not people:
        return ()
    known = {(row.user_id, row.badge) for row in connection.execute(SELECT_KNOWN, {"people": people})}
    badges = {(of_game.user_id, of_game.badge) for of_game in earned}
    for user_id in overall:
        if sum(person == user_id and _is_overall(badge) for person, badge in known) < len(RULES):
            badges |= _earned_by_results(connection, user_id)
    # A fixed order keeps two tables that end at the same time from deadlocking.
    new = sorted(badges - known)
    # Badges earned only by games in several servers get no server, so that none of the servers learns of the others.
    nowhere = {(user_id, badge) for user_id, badge in new if _is_overall(badge)}
    guild_id = header.location.guild_id
    if guild_id is not None:
        for user_id in sorted({user_id for user_id, _ in nowhere}):
            nowhere -= _earned_by_results(connection, user_id, guild_id)
    awards = [Award(*key, header.id, None if key in nowhere else guild_id, header.updated_at) for key in new]
    return tuple(new_award for new_award in awards if try_insert(connection, _INSERT, asdict(new_award)))


def _counts(result: Result) -> bool:
    """Return whether a result counts for overall badges: the same rule as `COUNTS_FOR_BADGES` in SQL."""
    is_whole = result.reason != TableEndReason.RESIGNED.value
    return is_whole and result.departure is None and result.is_unaided


def _is_overall(badge: str) -> bool:
    return badge.startswith(f"{OVERALL}/")


def _earned_by_results(connection: Connection, user_id: int, guild_id: int | None = None) -> set[tuple[int, str]]:
    """Return the overall badges that the results of a person earn, in a server or (None) anywhere."""
    statement = SELECT_RECORDS if guild_id is None else SELECT_RECORDS_HERE
    found = connection.execute(statement, {"user_id": user_id, "guild_id": guild_id})
    records = [
        PlayRecord(row.game, Company(row.company), bool(row.has_won), row.first_at, row.last_at)
        for row in found
        if row.first_at is not None
    ]
    return {(user_id, badge) for badge in earned_overall(records)}


def badges_of(connection: Connection, user_id: int, guild_id: int | None = None) -> Sequence[ShownAward]:
    """Return the badges that a person earned in a server or (None) anywhere, with the places of their tables."""
    statement = SELECT_OF_PERSON if guild_id is None else SELECT_OF_PERSON_HERE
    return [
        ShownAward(
            award_of(row),
            None if row.found_id is None else Location(row.found_in, row.channel_id),
            row.message_id,
        )
        for row in connection.execute(statement, {"user_id": user_id, "guild_id": guild_id})
    ]
