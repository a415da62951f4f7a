"""Tell results of daily bags from those of other games alone; what is added up of them is rebuilt after this."""

from alembic import op

revision = "0034"
down_revision = "0033"


def upgrade() -> None:
    op.execute(
        "UPDATE results SET company = 'daily' WHERE company = 'alone' "
        "AND table_id IN (SELECT table_id FROM seats WHERE seat = 0 AND contribution LIKE 'daily:%')"
    )
