"""Awards the badges that moves and results have earned, in the transaction of the move that earned them."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from types import MappingProxyType

from sqlalchemy import Connection

from bot.features.badges.model import OVERALL, RULES, earned_overall, step_key
from bot.features.badges.storage import INSERT, SELECT_KNOWN, records_of
from bot.platform.database.sql import AnyRow, try_insert
from bot.tables.control_entries import TableEndReason
from bot.tables.events import TableEvent
from bot.tables.model import Award, Header, Result
from bot.tables.results import awards_of, results_of
from bot.tables.table import Table


def award_badges(connection: Connection, event: TableEvent) -> Table:
    """Award the badges that a move has earned, and at the end those of results that count."""
    table = event.after
    goals = {f"{table.header.game}/{badge.key}": badge.games for badge in table.package.results.badges}
    new = award(connection, table.header, results_of(table), awards_of(table), goals)
    return replace(table, awards=(*table.awards, *new)) if new else table


def award(
    connection: Connection,
    header: Header,
    results: Sequence[Result],
    earned: Sequence[Award],
    goals: Mapping[str, int] = MappingProxyType({}),
) -> tuple[Award, ...]:
    """Award the badges earned by the results and moves of a table; return the new ones.

    Args:
        connection: The transaction.
        header: The table.
        results: The results of the table, if it is over.
        earned: The badges that its moves have earned.
        goals: The number of games in which a badge has to be earned, if it is more than one.
    """
    overall = sorted(result.user_id for result in results if _counts(result) and result.user_id is not None)
    people = sorted({*overall, *(of_game.user_id for of_game in earned)})
    if not people:
        return ()
    rows = connection.execute(SELECT_KNOWN, {"people": people}).all()
    known = {(row.user_id, row.badge) for row in rows}
    of_moves = _count_games(header, earned, goals, rows)
    badges = set(of_moves)
    for user_id in overall:
        if sum(person == user_id and _is_overall(badge) for person, badge in known) < len(RULES):
            badges |= _earned_by_results(connection, user_id)
    # A fixed order keeps two tables that end at the same time from deadlocking.
    new = sorted(badges - known)
    # Badges earned only by games in several servers get no server, so that none of the servers learns of the others.
    nowhere = {(user_id, badge) for user_id, badge in new if _is_overall(badge)}
    nowhere |= {key for key, servers in of_moves.items() if len(servers) > 1}
    guild_id = header.location.guild_id
    if guild_id is not None:
        for user_id in sorted({user_id for user_id, _ in nowhere}):
            nowhere -= _earned_by_results(connection, user_id, guild_id)
    awards = [Award(*key, header.id, None if key in nowhere else guild_id, header.updated_at) for key in new]
    return tuple(new_award for new_award in awards if try_insert(connection, INSERT, asdict(new_award)))


def _count_games(
    header: Header, earned: Sequence[Award], goals: Mapping[str, int], known: Sequence[AnyRow]
) -> Mapping[tuple[int, str], frozenset[int | None]]:
    """Return the badges that moves have earned, or else the next steps to them, with the servers of the games counted.

    A table is one step, however often its badges are awarded.
    """
    found = {}
    for user_id, badge in {(of_game.user_id, of_game.badge) for of_game in earned}:
        steps = [row for row in known if row.user_id == user_id and row.badge.startswith(step_key(badge))]
        if all(step.table_id != header.id for step in steps):
            number = len(steps) + 1
            key = badge if number >= goals.get(badge, 1) else step_key(badge, number)
            found[user_id, key] = frozenset((header.location.guild_id, *(step.guild_id for step in steps)))
    return found


def _counts(result: Result) -> bool:
    """Return whether a result counts for overall badges: the same rule as `COUNTS_FOR_BADGES` in SQL."""
    return result.reason != TableEndReason.RESIGNED.value and result.departure is None


def _is_overall(badge: str) -> bool:
    return badge.startswith(f"{OVERALL}/")


def _earned_by_results(connection: Connection, user_id: int, guild_id: int | None = None) -> set[tuple[int, str]]:
    """Return the overall badges that the results of a person earn, in a server or (None) anywhere."""
    return {(user_id, badge) for badge in earned_overall(records_of(connection, user_id, guild_id))}
