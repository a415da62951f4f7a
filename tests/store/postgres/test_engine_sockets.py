"""The sockets of an engine that is shut down."""

from collections.abc import Iterator

import psycopg
import pytest
from sqlalchemy import Engine, create_engine, event
from sqlalchemy.exc import OperationalError

from bot.platform.database.postgres.engine_sockets import EngineSockets
from bot.tables.ports import StoreUnavailable
from tests.store.postgres.connections import NAME
from tests.support.postgres import PostgresServer

NOWHERE = "postgresql+psycopg://robin@127.0.0.1:1/parlour"


@pytest.fixture
def engine() -> Iterator[Engine]:
    made = create_engine(NOWHERE)
    yield made
    made.dispose()


def test_after_shutdown_no_connection_is_attempted(engine: Engine) -> None:
    sockets = EngineSockets(engine)
    with pytest.raises(OperationalError):
        engine.connect()
    sockets.shut_down()
    with pytest.raises(StoreUnavailable, match="the store is closed"):
        engine.connect()


@pytest.mark.postgres
def test_a_connection_opened_during_shutdown_is_closed(postgres: PostgresServer) -> None:
    engine = create_engine(postgres.empty_database(NAME).replace("+asyncpg", "+psycopg"))
    opened: list[object] = []
    event.listen(engine, "connect", lambda connection, _: opened.append(connection))
    sockets = EngineSockets(engine)
    made: list[psycopg.Connection[object]] = []
    event.listen(engine, "connect", lambda connection, _: made.append(connection), insert=True)
    event.listen(engine, "do_connect", lambda *_: sockets.shut_down())
    with pytest.raises(StoreUnavailable, match="the store is closed"):
        engine.connect()
    assert opened == [], "its session is not set up"
    assert [connection.closed for connection in made] == [True]
    engine.dispose()
