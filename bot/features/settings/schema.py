"""What servers and people have chosen."""

from sqlalchemy import BigInteger, Boolean, Column, Index, Integer, Text, false, text, true

from bot.platform.database.columns import UtcDateTime, partial_index, rowless_table

HAS_AUTHOR = text("user_id IS NOT NULL")
HAS_OWNER = text("owner_id IS NOT NULL")

# Whom people do not want to share a table with.
blocks = rowless_table(
    "blocks",
    Column("blocker_id", BigInteger, primary_key=True, autoincrement=False),
    Column("blocked_id", BigInteger, primary_key=True, autoincrement=False),
    Column("blocked_at", UtcDateTime, nullable=False),
    # To erase a person.
    Index("blocks_of", "blocked_id"),
)

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
