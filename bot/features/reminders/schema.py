"""How people want to be told that it is their turn."""

from sqlalchemy import BigInteger, Boolean, Column, Integer, Text, false

from bot.platform.database.columns import rowless_table

# What a person has chosen for a table, or for all others (table 0).
pings = rowless_table(
    "pings",
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    Column("table_id", BigInteger, primary_key=True, autoincrement=False),
    Column("mode", Text, nullable=False),
    # In minutes of silence.
    Column("delay", Integer, nullable=False),
)

# Quiet hours, and who accepts no direct messages. People without either may have no row.
ping_people = rowless_table(
    "ping_people",
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    Column("zone", Text),
    Column("quiet_from", Integer),
    Column("quiet_until", Integer),
    Column("refuses_direct", Boolean, nullable=False, server_default=false()),
)
