"""Where tables are kept: SQLAlchemy Core over an SQLite file, with Alembic migrations."""
