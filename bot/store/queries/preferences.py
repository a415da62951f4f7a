"""Queries for preferences."""

from sqlalchemy import Connection, bindparam, insert, select, update
from sqlalchemy.exc import IntegrityError

from bot.rules.picture import Theme
from bot.store.rows import Values
from bot.store.schema import preferences
from bot.tables.model import Preferences

_SELECT = select(preferences).where(preferences.c.scope_id == bindparam("scope"))
_UPDATE = update(preferences).where(preferences.c.scope_id == bindparam("scope"))
_INSERT = insert(preferences)


def find(connection: Connection, scope_id: int) -> Preferences:
    """Return the preferences of a scope, or the defaults."""
    row = connection.execute(_SELECT, {"scope": scope_id}).one_or_none()
    if row is None:
        return Preferences()
    theme = None if row.theme is None else Theme(row.theme)
    return Preferences(theme=theme, reminds=row.reminds, invites=row.invites)


def save(connection: Connection, scope_id: int, chosen: Preferences) -> None:
    """Store the preferences of a scope."""
    values: Values = {
        "theme": chosen.theme and chosen.theme.value,
        "reminds": chosen.reminds,
        "invites": chosen.invites,
    }
    if _update(connection, scope_id, values):
        return
    try:
        with connection.begin_nested():
            connection.execute(_INSERT, {"scope_id": scope_id, **values})
    except IntegrityError:
        # Another process was faster.
        _update(connection, scope_id, values)


def _update(connection: Connection, scope_id: int, values: Values) -> bool:
    return connection.execute(_UPDATE, {"scope": scope_id, **values}).rowcount > 0
