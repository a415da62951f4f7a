"""The ratings of people, and how they changed."""

from sqlalchemy import BigInteger, Column, Double, Index, Integer, Text

from bot.platform.database.columns import UtcDateTime, rowless_table, table_id_column

ratings = rowless_table(
    "ratings",
    Column("guild_id", BigInteger, primary_key=True, autoincrement=False),
    Column("game", Text, primary_key=True),
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    Column("mu", Double, nullable=False),
    Column("sigma", Double, nullable=False),
    Column("games", Integer, nullable=False),
    # When the newest game that counts was counted: later than the time at which the one before it was.
    Column("counted_at", UtcDateTime),
)

# What a table did to the rating of a seat's person.
rating_changes = rowless_table(
    "rating_changes",
    table_id_column(),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("guild_id", BigInteger, nullable=False),
    Column("game", Text, nullable=False),
    Column("user_id", BigInteger, nullable=False),
    # Which of the person's rated games it was.
    Column("number", Integer, nullable=False),
    Column("mu_before", Double, nullable=False),
    Column("sigma_before", Double, nullable=False),
    Column("mu", Double, nullable=False),
    Column("sigma", Double, nullable=False),
    Column("finished_at", UtcDateTime, nullable=False),
    # For curves, and for the games of two people in a day.
    Index("rating_changes_of_people", "user_id", "guild_id", "game", "finished_at", "table_id", "number"),
)
