"""Where tables are kept: SQLAlchemy Core over an SQLite file or PostgreSQL, with Alembic migrations."""
