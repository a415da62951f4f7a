"""Queries for settings and their recorded changes."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, TypeAlias

from sqlalchemy import (
    BigInteger,
    Column,
    ColumnElement,
    Connection,
    Integer,
    Text,
    and_,
    bindparam,
    delete,
    exists,
    func,
    insert,
    literal,
    select,
    text,
)

from bot.features.settings.kinds import Chosen, Setting, T
from bot.platform.database.sql import UtcDateTime, lock, partial_index, rowless_table

HAS_AUTHOR = text("user_id IS NOT NULL")
HAS_OWNER = text("owner_id IS NOT NULL")

# Choices that differ from the defaults. A scope is a server, a channel of direct messages, or a person.
settings = rowless_table(
    "settings",
    Column("scope_id", BigInteger, primary_key=True, autoincrement=False),
    Column("key", Text, primary_key=True),
    Column("value", Text, nullable=False),
    # The person to whom the scope belongs; NULL for a server.
    Column("owner_id", BigInteger),
    # For erasing a person.
    partial_index("settings_of", "owner_id", where=HAS_OWNER),
)

# Changes of a server's settings, and who made them.
settings_changes = rowless_table(
    "settings_changes",
    Column("scope_id", BigInteger, primary_key=True, autoincrement=False),
    # Counted from 1 in each scope.
    Column("number", Integer, primary_key=True, autoincrement=False),
    # NULL once the person is erased.
    Column("user_id", BigInteger),
    Column("changed_at", UtcDateTime, nullable=False),
    Column("key", Text, nullable=False),
    Column("value", Text, nullable=False),
    # For erasing a person.
    partial_index("settings_changes_by", "user_id", where=HAS_AUTHOR),
)

SettingHook: TypeAlias = Callable[[Connection, int, Chosen], None]
"""Is given the scope of a setting that is saved, and all choices there."""

CHANGES_KEPT: Final = 100
"""The least number of changes kept for a scope."""

_SELECT: Final = select(settings.c.key, settings.c.value).where(settings.c.scope_id == bindparam("scope"))
_INSERT: Final = insert(settings)
_DELETE: Final = delete(settings).where(
    settings.c.scope_id == bindparam("scope"), settings.c.key == bindparam("setting")
)
_SELECT_LAST_NUMBER: Final = select(func.coalesce(func.max(settings_changes.c.number), 0)).where(
    settings_changes.c.scope_id == bindparam("scope")
)
_INSERT_CHANGE: Final = insert(settings_changes)
_DELETE_OLD_CHANGES: Final = delete(settings_changes).where(
    settings_changes.c.scope_id == bindparam("scope"), settings_changes.c.number <= bindparam("newest")
)
SELECT_CHANGES: Final = (
    select(settings_changes)
    .where(settings_changes.c.scope_id == bindparam("scope"))
    .order_by(settings_changes.c.number.desc())
    .limit(bindparam("most"))
)


@dataclass(frozen=True, slots=True)
class SettingsAuthor:
    """The person, or the bot itself, who changes a server's setting, and the time."""

    user_id: int
    at: datetime


@dataclass(frozen=True, slots=True)
class SettingsChange:
    """A change of one setting, as recorded."""

    user_id: int | None
    """The person who made the change; None once erased."""
    at: datetime
    key: str
    """The key of the setting."""
    value: str
    """The new value, as stored."""

    @classmethod
    def of(cls, setting: Setting[Any], after: Chosen, author: SettingsAuthor) -> "SettingsChange":
        """Return the change that an author has made."""
        return cls(author.user_id, author.at, setting.key, setting.values.encode(after.get(setting)))


def is_changed(setting: Setting[Any], scope_id: ColumnElement[int]) -> ColumnElement[bool]:
    """Return the condition that a setting differs from its default in a scope."""
    return and_(settings.c.scope_id == scope_id, settings.c.key == literal(setting.key))


def is_off(setting: Setting[bool], scope_id: ColumnElement[int]) -> ColumnElement[bool]:
    """Return the condition that a switch is off in a scope."""
    differs = exists().where(is_changed(setting, scope_id))
    return differs if setting.default else ~differs


def find(connection: Connection, scope_id: int) -> Chosen:
    """Return the choices of a scope."""
    return Chosen({row.key: row.value for row in connection.execute(_SELECT, {"scope": scope_id})})


def change(
    connection: Connection,
    scope_id: int,
    setting: Setting[T],
    choose: Callable[[T], T],
    author: SettingsAuthor | None = None,
    owner_id: int | None = None,
    *,
    hook: SettingHook | None = None,
) -> Chosen:
    """Change a setting in a scope, and return all choices of the scope.

    Args:
        connection: The connection.
        scope_id: The scope.
        setting: The setting.
        choose: Returns the new value, given the present one.
        author: Who changes a server's setting; the change is recorded.
        owner_id: The person to whom the scope belongs, unless it is a server.
        hook: Called with the choices, even if the value stays the same.
    """
    # Two processes may add to the same list at once.
    lock(connection, scope_id)
    before = find(connection, scope_id)
    value = choose(before.get(setting))
    after = before.with_value(setting, value)
    if hook is not None:
        hook(connection, scope_id, after)
    if after == before:
        return before
    connection.execute(_DELETE, {"scope": scope_id, "setting": setting.key})
    if setting.key in after.texts:
        row = {"scope_id": scope_id, "key": setting.key, "value": after.texts[setting.key], "owner_id": owner_id}
        connection.execute(_INSERT, row)
    if author is not None:
        last: int = connection.execute(_SELECT_LAST_NUMBER, {"scope": scope_id}).scalar_one()
        recorded = {"user_id": author.user_id, "changed_at": author.at, "value": setting.values.encode(value)}
        connection.execute(_INSERT_CHANGE, {"scope_id": scope_id, "number": last + 1, "key": setting.key, **recorded})
        connection.execute(_DELETE_OLD_CHANGES, {"scope": scope_id, "newest": last - CHANGES_KEPT})
    return after


def find_changes(connection: Connection, scope_id: int, limit: int) -> Sequence[SettingsChange]:
    """Return the newest recorded changes of a scope's settings, newest first."""
    found = connection.execute(SELECT_CHANGES, {"scope": scope_id, "most": limit})
    return [SettingsChange(row.user_id, row.changed_at, row.key, row.value) for row in found]
