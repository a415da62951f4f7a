"""Awards the badges that moves and results have earned, in the transaction of the move that earned them."""

from collections.abc import Sequence
from dataclasses import asdict, replace

from sqlalchemy import Connection

from bot.features.badges.model import OVERALL, RULES, earned_overall
from bot.features.badges.storage import INSERT, SELECT_KNOWN, records_of
from bot.platform.database.sql import try_insert
from bot.tables.control_entries import TableEndReason
from bot.tables.events import TableEvent
from bot.tables.model import Award, Header, Result
from bot.tables.results import awards_of, results_of
from bot.tables.table import Table


def award_badges(connection: Connection, event: TableEvent) -> Table:
    """Award the badges that a move has earned, and at the end those of results that count."""
    table = event.after
    new = award(connection, table.header, results_of(table), awards_of(table))
    return replace(table, awards=(*table.awards, *new)) if new else table


def award(
    connection: Connection, header: Header, results: Sequence[Result], earned: Sequence[Award]
) -> tuple[Award, ...]:
    """Award the badges earned by the results and moves of a table; return the new ones."""
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
    return tuple(new_award for new_award in awards if try_insert(connection, INSERT, asdict(new_award)))


def _counts(result: Result) -> bool:
    """Return whether a result counts for overall badges: the same rule as `COUNTS_FOR_BADGES` in SQL."""
    return result.reason != TableEndReason.RESIGNED.value and result.departure is None


def _is_overall(badge: str) -> bool:
    return badge.startswith(f"{OVERALL}/")


def _earned_by_results(connection: Connection, user_id: int, guild_id: int | None = None) -> set[tuple[int, str]]:
    """Return the overall badges that the results of a person earn, in a server or (None) anywhere."""
    return {(user_id, badge) for badge in earned_overall(records_of(connection, user_id, guild_id))}
