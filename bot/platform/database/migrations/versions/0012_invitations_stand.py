"""Add inviters and messages to invitations, and the settings that refuse invitations."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    for column in (
        sa.Column("inviter_id", sa.BigInteger, nullable=False, server_default="0"),
        sa.Column("most_seats", sa.Integer, nullable=False, server_default="0"),
        sa.Column("noted_at", sa.DateTime(timezone=True), nullable=False, server_default="1970-01-01 00:00:00.000000"),
        sa.Column("message_id", sa.BigInteger),
        sa.Column("stands", sa.Boolean, nullable=False, server_default=sa.false()),
    ):
        op.add_column("invitations", column)
    op.create_index("invitations_by", "invitations", ["inviter_id", "user_id"])
    stands = sa.text("stands")
    op.create_index("invitations_standing", "invitations", ["table_id"], sqlite_where=stands, postgresql_where=stands)
    op.create_table(
        "invitation_refusals",
        sa.Column("user_id", sa.BigInteger, primary_key=True, autoincrement=False),
        sqlite_with_rowid=False,
    )
    op.add_column("preferences", sa.Column("invites", sa.Boolean, nullable=False, server_default=sa.true()))
