"""Accepted and refused database addresses; none is repeated in an error."""

import traceback

import pytest

from bot.platform.database.address import parse_database_url
from bot.platform.database.database import open_database
from bot.platform.database.postgres import PostgresDatabase
from bot.platform.database.sqlite import SqliteDatabase
from tests.support.each_case import each_case


@each_case("driver", ["sqlite", "sqlite+aiosqlite", "sqlite+pysqlite"])
async def test_an_address_of_a_file_is_parsed(driver: str) -> None:
    database = open_database(f"{driver}:///var/parlour.db")
    assert isinstance(database, SqliteDatabase)
    assert database.url.database == "var/parlour.db"
    await database.close()


@each_case("driver", ["postgresql", "postgresql+asyncpg", "postgresql+psycopg"])
async def test_an_address_of_a_server_is_parsed(driver: str) -> None:
    database = open_database(f"{driver}://robin:sec%2Fret@db.example:5433/parlour?sslmode=require")
    assert isinstance(database, PostgresDatabase)
    url = database.url
    assert (url.username, url.password, url.host, url.port) == ("robin", "sec/ret", "db.example", 5433)
    assert (url.database, dict(url.query)) == ("parlour", {"sslmode": "require"})
    await database.close()


@each_case(
    "servers, hosts, ports",
    [
        ("robin:sec%2Fret@one:5432,two:5433/parlour", "one,two", "5432,5433"),
        ("robin:sec%2Fret@one,two:5433/parlour", "one,two", ",5433"),
        ("robin:sec%2Fret@one,two/parlour", "one,two", ","),
        ("robin:sec%2Fret@[::1]:5432,[fe80::2],three/parlour", "::1,fe80::2,three", "5432,,"),
        ("robin:sec%2Fret@/parlour?host=/run/one,/run/two&port=5432,5433", "/run/one,/run/two", "5432,5433"),
    ],
)
async def test_several_servers_are_tried_until_one_can_write(servers: str, hosts: str, ports: str) -> None:
    database = open_database(f"postgresql://{servers}")
    assert isinstance(database, PostgresDatabase)
    url = database.write_engine.url
    _, parameters = url.get_dialect()().create_connect_args(url)
    assert (parameters["host"], parameters["port"]) == (hosts, ports)
    assert (parameters["user"], parameters["password"], parameters["dbname"]) == ("robin", "sec/ret", "parlour")
    assert parameters["target_session_attrs"] == "read-write"
    await database.close()


async def test_which_of_several_servers_is_used_may_be_chosen() -> None:
    database = open_database("postgresql://robin@one,two/parlour?target_session_attrs=any")
    assert isinstance(database, PostgresDatabase)
    assert database.write_engine.url.query["target_session_attrs"] == "any"
    await database.close()


@each_case(
    "url",
    [
        "",
        "parlour.db",
        "sqlite://",
        "sqlite:///:memory:",
        "sqlite:///file:x?mode=memory&uri=true",
        "mysql://robin:secret@localhost/x",
        "postgresql+asyncpg://robin:secret@localhost",
        "postgresql://robin:secret@localhost/",
        "postgresql://robin:half a:secret/x@localhost:secret/x",
        "robin:secret",
        "postgresql://robin:secret@one:5432,two:secret/parlour",
        "postgresql://robin:secret@one,[::1/parlour",
        "postgresql://robin:secret@one,two",
        "postgresql://robin:secret@/parlour?host=one:5432&host=two:5432",
        "postgresql://robin:secret@/parlour?host=one,two&port=5432,5433,5434",
        "postgresql://robin:secret@/parlour?host=one&port=secret",
    ],
)
def test_any_other_address_is_refused_and_not_repeated(url: str) -> None:
    with pytest.raises(ValueError, match="must") as refused:
        parse_database_url(url)
    assert "secret" not in "".join(traceback.format_exception(refused.value, chain=True)[-1:])
    assert refused.value.__suppress_context__ or refused.value.__context__ is None


async def test_a_password_is_not_shown() -> None:
    database = open_database("postgresql://robin:secret@localhost/x")
    assert isinstance(database, PostgresDatabase)
    assert "secret" not in f"{database!r} {database.url} {database.url!r} {vars(database)}"
    await database.close()
