"""Queries for preferences."""

from collections.abc import Callable
from dataclasses import asdict

from sqlalchemy import Connection, bindparam, select

from bot.rules.picture import Theme
from bot.store import rows
from bot.store.schema import preferences
from bot.store.writing import change_row
from bot.tables.preferences import Preferences

_SELECT = select(preferences).where(preferences.c.scope_id == bindparam("scope"))


def find(connection: Connection, scope_id: int) -> Preferences:
    """Return the preferences of a scope, or the defaults."""
    row = connection.execute(_SELECT, {"scope": scope_id}).one_or_none()
    if row is None:
        return Preferences()
    theme = None if row.theme is None else Theme(row.theme)
    return Preferences(theme=theme, reminds=row.reminds, invites=row.invites, tips=row.tips, hints=row.hints)


def change(connection: Connection, scope_id: int, choose: Callable[[Preferences], Preferences]) -> Preferences:
    """Change the preferences of a scope."""
    before = find(connection, scope_id)
    change_row(connection, preferences.c.scope_id, scope_id, _values(before), _values(choose(before)))
    return find(connection, scope_id)


def _values(chosen: Preferences) -> rows.Values:
    return {**asdict(chosen), "theme": chosen.theme and chosen.theme.value}
