"""How Alembic runs the migrations: on the connection it is handed, in the transaction that is begun there."""

from alembic import context

context.configure(connection=context.config.attributes["connection"])
context.run_migrations()
