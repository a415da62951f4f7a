"""Queries for preferences."""

from sqlalchemy import Connection, bindparam, select

from bot.rules.picture import Theme
from bot.store.schema import preferences
from bot.store.writing import upsert
from bot.tables.preferences import Preferences

_SELECT = select(preferences).where(preferences.c.scope_id == bindparam("scope"))


def find(connection: Connection, scope_id: int) -> Preferences:
    """Return the preferences of a scope, or the defaults."""
    row = connection.execute(_SELECT, {"scope": scope_id}).one_or_none()
    if row is None:
        return Preferences()
    theme = None if row.theme is None else Theme(row.theme)
    return Preferences(theme=theme, reminds=row.reminds, invites=row.invites, tips=row.tips)


def save(connection: Connection, scope_id: int, chosen: Preferences) -> None:
    """Store the preferences of a scope."""
    theme = chosen.theme and chosen.theme.value
    values = {"theme": theme, "reminds": chosen.reminds, "invites": chosen.invites, "tips": chosen.tips}
    upsert(connection, preferences.c.scope_id, scope_id, values)
