"""Stores and sessions on a test's own database."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import quote

import psycopg
from sqlalchemy import Connection

from bot.platform.database.database import Database, open_database
from tests.support.postgres import PASSWORD, ROLE, PostgresServer

NAME = "parlour"


@asynccontextmanager
async def open_store(address: str) -> AsyncIterator[Database]:
    db = open_database(address)
    try:
        yield db
    finally:
        await db.close()


def backend_id(connection: Connection) -> int:
    return int(connection.exec_driver_sql("SELECT pg_backend_pid()").scalar_one())


def end_session(admin: psycopg.Connection[Any], process: int) -> None:
    assert admin.execute("SELECT pg_terminate_backend(%s, 5000)", [process]).fetchone() == (True,)


def over_the_network(server: PostgresServer, *, password: str = PASSWORD, port: int | None = None) -> str:
    return f"postgresql+asyncpg://{ROLE}:{quote(password, safe='')}@127.0.0.1:{port or server.port}/{NAME}"
