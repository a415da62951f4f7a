"""Queries for people: what they have chosen for themselves, and the games they have finished."""

from collections.abc import Callable
from dataclasses import asdict

from sqlalchemy import Connection, bindparam, select

from bot.features.profiles.model import PersonalPreferences, PersonFacts
from bot.features.settings.storage import personal_preferences
from bot.platform.database.sql import change_row
from bot.tables.results import results

_SELECT_PREFERENCES = select(personal_preferences).where(personal_preferences.c.user_id == bindparam("user_id"))
SELECT_FINISHED_GAMES = (
    select(results.c.game).distinct().where(results.c.user_id == bindparam("user_id"), results.c.departure.is_(None))
)


def find(connection: Connection, user_id: int) -> PersonFacts:
    """Return a person's own preferences, or the defaults, and the games they have finished."""
    key = {"user_id": user_id}
    row = connection.execute(_SELECT_PREFERENCES, key).one_or_none()
    chosen = PersonalPreferences() if row is None else PersonalPreferences(row.tips, row.reads_aloud)
    return PersonFacts(chosen, frozenset(connection.execute(SELECT_FINISHED_GAMES, key).scalars()))


def change(
    connection: Connection, user_id: int, choose: Callable[[PersonalPreferences], PersonalPreferences]
) -> PersonFacts:
    """Store what a function changes of a person's own preferences, leave the rest, and return what is known."""
    before = find(connection, user_id).preferences
    change_row(connection, personal_preferences.c.user_id, user_id, asdict(before), asdict(choose(before)))
    return find(connection, user_id)
