"""Queries for preferences, and who changed them."""

import json
from collections.abc import Callable, Sequence
from typing import Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Connection,
    Integer,
    Text,
    bindparam,
    delete,
    false,
    func,
    insert,
    select,
    text,
    true,
)

from bot.features.settings.preferences import Preferences, SeasonLength, SettingsAuthor, SettingsChange
from bot.platform.database.sql import UtcDateTime, Values, change_row, lock, partial_index, rowless_table
from bot.rules.picture import Theme
from bot.tables.model import TurnClock

HAS_AUTHOR = text("user_id IS NOT NULL")
HAS_OWNER = text("owner_id IS NOT NULL")

# The people who refuse all invitations.
invitation_refusals = rowless_table(
    "invitation_refusals",
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
)

# Scopes with default preferences may have no row. A scope is a server, or a direct message channel.
preferences = rowless_table(
    "preferences",
    Column("scope_id", BigInteger, primary_key=True, autoincrement=False),
    # NULL means text only.
    Column("theme", Text),
    Column("reminds", Boolean, nullable=False),
    Column("invites", Boolean, nullable=False, server_default=true()),
    Column("tips", Boolean, nullable=False, server_default=true()),
    Column("hints", Boolean, nullable=False, server_default=true()),
    Column("season", Text, nullable=False, server_default="quarter"),
    Column("clock", Text, nullable=False, server_default="none"),
    Column("opens_threads", Boolean, nullable=False, server_default=false()),
    # Sets: ids, or keys of games, separated by spaces.
    Column("channels", Text, nullable=False, server_default=""),
    Column("opener_roles", Text, nullable=False, server_default=""),
    Column("moderator_roles", Text, nullable=False, server_default=""),
    Column("games_off", Text, nullable=False, server_default=""),
    # A JSON object: the options of new tables by game.
    Column("options", Text, nullable=False, server_default="{}"),
    # Whose direct messages these are; NULL for a server.
    Column("owner_id", BigInteger),
    # To erase a person.
    partial_index("preferences_of", "owner_id", where=HAS_OWNER),
)

# Who changed which setting of a server.
settings_changes = rowless_table(
    "settings_changes",
    Column("scope_id", BigInteger, primary_key=True, autoincrement=False),
    # Counted from 1 in each scope.
    Column("number", Integer, primary_key=True, autoincrement=False),
    # NULL once the person is erased.
    Column("user_id", BigInteger),
    Column("changed_at", UtcDateTime, nullable=False),
    # A column of `preferences`, and its new value.
    Column("setting", Text, nullable=False),
    Column("value", Text),
    # To erase a person.
    partial_index("settings_changes_by", "user_id", where=HAS_AUTHOR),
)

# People with default preferences may have no row.
personal_preferences = rowless_table(
    "personal_preferences",
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    Column("tips", Boolean, nullable=False),
    Column("reads_aloud", Boolean, nullable=False),
)


_SELECT = select(preferences).where(preferences.c.scope_id == bindparam("scope"))
_SELECT_LAST_NUMBER: Final = select(func.coalesce(func.max(settings_changes.c.number), 0)).where(
    settings_changes.c.scope_id == bindparam("scope")
)
_INSERT_CHANGE: Final = insert(settings_changes)
_DELETE_OLD_CHANGES: Final = delete(settings_changes).where(
    settings_changes.c.scope_id == bindparam("scope"), settings_changes.c.number <= bindparam("newest")
)
CHANGES_KEPT: Final = 100
"""How many changes of a scope are kept at least."""

SELECT_CHANGES: Final = (
    select(settings_changes)
    .where(settings_changes.c.scope_id == bindparam("scope"))
    .order_by(settings_changes.c.number.desc())
    .limit(bindparam("most"))
)


def find(connection: Connection, scope_id: int) -> Preferences:
    """Return the preferences of a scope, or the defaults."""
    row = connection.execute(_SELECT, {"scope": scope_id}).one_or_none()
    if row is None:
        return Preferences()
    return Preferences(
        theme=None if row.theme is None else Theme(row.theme),
        reminds=row.reminds,
        invites=row.invites,
        tips=row.tips,
        hints=row.hints,
        season=SeasonLength(row.season),
        clock=TurnClock(row.clock),
        opens_threads=row.opens_threads,
        channels=_ids_of(row.channels),
        opener_roles=_ids_of(row.opener_roles),
        moderator_roles=_ids_of(row.moderator_roles),
        games_off=frozenset(row.games_off.split()),
        options=json.loads(row.options),
    )


def change(
    connection: Connection,
    scope_id: int,
    choose: Callable[[Preferences], Preferences],
    author: SettingsAuthor | None = None,
    owner_id: int | None = None,
) -> Preferences:
    """Change the preferences of a scope; with an author, record what has changed.

    Args:
        connection: The connection.
        scope_id: The scope.
        choose: Returns the changed preferences.
        author: Who changes those of a server.
        owner_id: Whose direct messages the scope is, unless it is a server.
    """
    # Two processes may add to the same list.
    lock(connection, scope_id)
    chosen = find(connection, scope_id)
    before, after = _values(chosen), _values(choose(chosen))
    owned_before, owned = {"owner_id": None, **before}, {"owner_id": owner_id, **after}
    change_row(connection, preferences.c.scope_id, scope_id, owned_before, owned)
    if author is not None:
        changed = {name: new for name, new in after.items() if new != before[name]}
        _record(connection, scope_id, author, changed)
    return find(connection, scope_id)


def find_changes(connection: Connection, scope_id: int, limit: int) -> Sequence[SettingsChange]:
    """Return the newest recorded changes of a scope's preferences, newest first."""
    found = connection.execute(SELECT_CHANGES, {"scope": scope_id, "most": limit})
    return [SettingsChange(row.user_id, row.changed_at, row.setting, row.value) for row in found]


def _record(connection: Connection, scope_id: int, author: SettingsAuthor, changed: Values) -> None:
    if not changed:
        return
    last: int = connection.execute(_SELECT_LAST_NUMBER, {"scope": scope_id}).scalar_one()
    values = [
        {
            "scope_id": scope_id,
            "number": number,
            "user_id": author.user_id,
            "changed_at": author.at,
            "setting": name,
            "value": _text_of(value),
        }
        for number, (name, value) in enumerate(changed.items(), last + 1)
    ]
    connection.execute(_INSERT_CHANGE, values)
    connection.execute(_DELETE_OLD_CHANGES, {"scope": scope_id, "newest": last - CHANGES_KEPT})


def _values(chosen: Preferences) -> Values:
    return {
        "theme": chosen.theme and chosen.theme.value,
        "reminds": chosen.reminds,
        "invites": chosen.invites,
        "tips": chosen.tips,
        "hints": chosen.hints,
        "season": chosen.season.value,
        "clock": chosen.clock.value,
        "opens_threads": chosen.opens_threads,
        "channels": _set_text(chosen.channels),
        "opener_roles": _set_text(chosen.opener_roles),
        "moderator_roles": _set_text(chosen.moderator_roles),
        "games_off": _set_text(chosen.games_off),
        "options": json.dumps(dict(chosen.options), sort_keys=True),
    }


def _set_text(chosen: frozenset[int] | frozenset[str]) -> str:
    return " ".join(sorted(map(str, chosen)))


def _ids_of(text: str) -> frozenset[int]:
    return frozenset(map(int, text.split()))


def _text_of(value: object) -> str | None:
    """Return a value as it is recorded: switches as `on` and `off`."""
    if isinstance(value, bool):
        return "on" if value else "off"
    return value if value is None else str(value)
