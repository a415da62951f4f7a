"""The database: SQLAlchemy Core over SQLite or PostgreSQL, with Alembic migrations."""
