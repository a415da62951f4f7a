"""Messages about tables: invitations, reminders and announcements."""

from sqlalchemy import BigInteger, Boolean, Column, Integer, Text, text

from bot.platform.database.sql import UtcDateTime, partial_index, rowless_table, table_id_column

# SQLite uses a partial index only for a condition of exactly the same text, so these contain no parameters.
STANDS = text("stands")
IS_HELD = text("send_at IS NOT NULL")

# The primary key decides which of two processes sends a reminder.
reminders = rowless_table(
    "reminders",
    table_id_column(),
    Column("seat", Integer, nullable=False),
    Column("step", Integer, nullable=False),
    Column("since", UtcDateTime, nullable=False),
    Column("noted_at", UtcDateTime, nullable=False),
    Column("message_id", BigInteger),
    Column("stands", Boolean, nullable=False),
    Column("stage", Text, nullable=False, server_default="turn"),
    # Where the message is, if not in the table's channel.
    Column("channel_id", BigInteger),
    # When it is sent, after quiet hours.
    Column("send_at", UtcDateTime),
    # Who is to move.
    Column("user_id", BigInteger),
    partial_index("reminders_held", "send_at", where=IS_HELD),
    # Finds the ping that a person has.
    partial_index("reminders_standing", "user_id", where=STANDS),
)
