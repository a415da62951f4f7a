"""Messages about tables: invitations, reminders and announcements."""

from sqlalchemy import BigInteger, Boolean, Column, Index, Integer, Text, false, text

from bot.platform.database.sql import UtcDateTime, partial_index, rowless_table, table_id_column

# SQLite uses a partial index only for a condition of exactly the same text, so these contain no parameters.
STANDS = text("stands")
IS_HELD = text("send_at IS NOT NULL")

invitations = rowless_table(
    "invitations",
    table_id_column(),
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    Column("click_id", BigInteger, nullable=False),
    Column("inviter_id", BigInteger, nullable=False, server_default="0"),
    Column("most_seats", Integer, nullable=False, server_default="0"),
    Column("noted_at", UtcDateTime, nullable=False, server_default="1970-01-01 00:00:00.000000"),
    Column("message_id", BigInteger),
    # Whether the message may still be in the channel.
    Column("stands", Boolean, nullable=False, server_default=false()),
    Index("invitations_by", "inviter_id", "user_id"),
    partial_index("invitations_standing", "table_id", where=STANDS),
)

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
