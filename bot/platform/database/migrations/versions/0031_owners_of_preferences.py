"""Note whose the preferences of direct messages are."""

import sqlalchemy as sa
from alembic import op

revision = "0031"
down_revision = "0030"


def upgrade() -> None:
    op.add_column("preferences", sa.Column("owner_id", sa.BigInteger))
    # Who played there. Other preferences of direct messages look like those of a server without the bot.
    op.execute("""
        UPDATE preferences SET owner_id = (
            SELECT MAX(seats.user_id) FROM seats JOIN tables ON tables.id = seats.table_id
            WHERE tables.guild_id IS NULL AND tables.channel_id = preferences.scope_id AND seats.user_id > 0
        )
    """)
    has_owner = sa.text("owner_id IS NOT NULL")
    op.create_index("preferences_of", "preferences", ["owner_id"], sqlite_where=has_owner, postgresql_where=has_owner)
