"""PgBouncer in transaction mode: sessions that all clients share."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator

import psycopg
import pytest
from sqlalchemy import Connection

from bot.platform.database.database import LOCK_SECONDS, Database
from bot.tables import storage as table_storage
from tests.store.postgres.connections import NAME, open_store
from tests.store.samples import ROBIN, add_moves, load_move_texts, make_header
from tests.support.pgbouncer import PgBouncer, run_pgbouncer
from tests.support.postgres import ROLE, PostgresServer
from tests.support.waiting import DEADLINE_SECONDS

pytestmark = pytest.mark.postgres

EXPECTED = {
    "lock_timeout": f"{LOCK_SECONDS:g}s",
    "statement_timeout": f"{DEADLINE_SECONDS:g}s",
    "idle_in_transaction_session_timeout": f"{DEADLINE_SECONDS:g}s",
    "timezone": "UTC",
    "synchronous_commit": "on",
}
SERVER_DEFAULTS = {
    "lock_timeout": "0",
    "statement_timeout": "0",
    "idle_in_transaction_session_timeout": "0",
    "timezone": "Asia/Tokyo",
    "synchronous_commit": "off",
}


@pytest.fixture
def pooler(postgres: PostgresServer, address: str, altered: Callable[[str], None]) -> Iterator[PgBouncer]:  # noqa: ARG001
    """A pooler with a single session, on a server that guarantees nothing by itself."""
    for name in ("synchronous_commit", "timezone"):
        altered(f"SET {name} = '{SERVER_DEFAULTS[name]}'")
    with run_pgbouncer(postgres) as running:
        yield running


@pytest.fixture
def pooled(pooler: PgBouncer) -> str:
    """The address of the pooler."""
    return f"postgresql://{ROLE}@127.0.0.1:{pooler.port}/{NAME}"


@pytest.fixture
async def db(pooled: str) -> AsyncIterator[Database]:
    async with open_store(pooled) as made:
        yield made


def read_settings(connection: Connection) -> dict[str, str]:
    return {name: str(connection.exec_driver_sql(f"SHOW {name}").scalar_one()) for name in EXPECTED}


async def test_every_transaction_has_the_settings_and_leaves_none_behind(
    db: Database, pooled: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    found: list[dict[str, str]] = []

    def look(connection: Connection, *_: object) -> None:
        found.append(read_settings(connection))

    await db.write(look)
    await db.read(look)
    monkeypatch.setattr(table_storage, "save_move", look)
    await add_moves(db, await db.write(table_storage.open_table, make_header(), [ROBIN]), 1)
    assert found == [EXPECTED] * 3
    with psycopg.connect(pooled) as other:
        shown = {name: other.execute(f"SHOW {name}".encode()).fetchone() for name in SERVER_DEFAULTS}
    assert shown == {name: (value,) for name, value in SERVER_DEFAULTS.items()}


async def test_processes_share_a_session(db: Database, pooled: str) -> None:
    """So often that psycopg would prepare the statements in it."""
    async with open_store(pooled) as second:
        one = await db.write(table_storage.open_table, make_header(1), [ROBIN])
        other = await second.write(table_storage.open_table, make_header(2), [ROBIN])
        one, other = await asyncio.gather(add_moves(db, one, 12), add_moves(second, other, 12))
        assert [len(await load_move_texts(second, header.id)) for header in (one, other)] == [12, 12]


async def test_a_restart_of_the_pooler_causes_no_errors(db: Database, pooler: PgBouncer) -> None:
    headers = [await db.write(table_storage.open_table, make_header(number), [ROBIN]) for number in range(1, 7)]
    for _ in range(2):
        headers = await asyncio.gather(*(add_moves(db, header, 2) for header in headers))
        pooler.stop()
        pooler.start()
    headers = await asyncio.gather(*(add_moves(db, header, 1) for header in headers))
    assert [len(await load_move_texts(db, header.id)) for header in headers] == [5] * 6
