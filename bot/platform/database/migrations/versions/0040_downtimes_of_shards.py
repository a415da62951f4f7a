"""Note for each shard when a process last served it, and of which shards a downtime was."""

from datetime import datetime

import sqlalchemy as sa
from alembic import op

revision = "0040"
down_revision = "0039"

_KEY = "alive at"


def upgrade() -> None:
    _note_shards_of_downtimes()
    served_shards = op.create_table(
        "served_shards",
        sa.Column("shard_count", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("noted_at", sa.DateTime(timezone=True), nullable=False),
        sqlite_with_rowid=False,
    )
    notes = sa.table("notes", sa.column("key"), sa.column("value"))
    noted = op.get_bind().execute(sa.select(notes.c.value).where(notes.c.key == _KEY)).scalar_one_or_none()
    if noted is not None:
        # It stood for all servers, as a process without shards of its own serves them.
        row = {"shard_count": 1, "number": 0, "noted_at": datetime.fromisoformat(noted)}
        op.bulk_insert(served_shards, [row])
        op.execute(notes.delete().where(notes.c.key == _KEY))


def _note_shards_of_downtimes() -> None:
    times = (sa.column("began_at", sa.DateTime(timezone=True)), sa.column("ended_at", sa.DateTime(timezone=True)))
    known = op.get_bind().execute(sa.select(*times).select_from(sa.table("downtimes"))).all()
    op.drop_table("downtimes")
    downtimes = op.create_table(
        "downtimes",
        sa.Column("began_at", sa.DateTime(timezone=True), primary_key=True),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("shard_count", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("first", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("last", sa.Integer, nullable=False),
        sqlite_with_rowid=False,
    )
    op.bulk_insert(
        downtimes,
        [{"began_at": begin, "ended_at": end, "shard_count": 1, "first": 0, "last": 0} for begin, end in known],
    )
