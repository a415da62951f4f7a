"""What servers and people have chosen."""

from sqlalchemy import BigInteger, Boolean, Column, Text, true

from bot.store.schema.base import rowless_table

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
)

# People with default preferences may have no row.
personal_preferences = rowless_table(
    "personal_preferences",
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    Column("tips", Boolean, nullable=False),
    Column("reads_aloud", Boolean, nullable=False),
)
