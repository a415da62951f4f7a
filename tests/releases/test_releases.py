"""Every version goes on with what each release has left: its database, the ids of its buttons, its records."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import Connection, create_engine, inspect, select
from sqlalchemy.pool import NullPool

from bot import __version__
from bot.app.databases import migrate
from bot.features.fairness.records import read_record
from bot.features.fairness.verification import verify_record
from bot.platform.database.database import open_database
from bot.platform.database.migrate import newest_version
from bot.platform.discord.ids import parse_id
from bot.platform.places import Person
from bot.tables.host import Host
from bot.tables.model import Status
from bot.tables.schema import tables
from tests.fairdice import checker
from tests.golden.files import custom_ids
from tests.releases.folders import FOLDER, RELEASES, restore, schema_version, used_schema
from tests.releases.scenario import CHANNELS
from tests.releases.schema_breaks import can_use, find_breaks
from tests.support.each_case import each_case
from tests.support.fakes import FakeClock
from tests.support.games import load_games_once
from tests.support.parlour import run_parlour, run_sandbox

LATER = datetime(2027, 3, 20, 12, tzinfo=UTC)
"""Some days after the releases were played."""

each_release = pytest.mark.parametrize("release", RELEASES)


def make_schema(*statements: str) -> Connection:
    connection = create_engine("sqlite://", poolclass=NullPool).connect()
    for statement in statements:
        connection.exec_driver_sql(statement)
    return connection


def test_a_release_keeps_what_it_has_written_and_the_next_one_is_up_to_date() -> None:
    version, _, number_of_development = __version__.partition(".dev")
    assert version in RELEASES or number_of_development, "write it with `python -m tests.releases` before the release"
    if number_of_development and version in RELEASES:
        written = ((FOLDER / version / name).read_text(encoding="utf-8") for name in ("custom_ids.txt", "schema.sql"))
        assert list(written) == [custom_ids(), used_schema()], "write them again with `python -m tests.releases`"


@each_release
def test_its_buttons_mean_the_same(release: str) -> None:
    for line in (FOLDER / release / "custom_ids.txt").read_text(encoding="utf-8").splitlines():
        assert str(parse_id(line)) == line


@each_release
def test_its_records_are_verified(release: str) -> None:
    files = sorted((FOLDER / release).glob("record_*.json"))
    assert len(files) >= len(load_games_once())
    for file in files:
        record = read_record(file.read_bytes())
        assert verify_record(record, load_games_once()).moves == len(record.moves)
        assert checker.find_flaws(json.loads(file.read_bytes())) == []


@each_release
async def test_its_code_can_use_the_newest_schema_unless_that_says_otherwise(release: str, tmp_path: Path) -> None:
    if not can_use(schema_version(release), newest_version()):
        return
    file = restore(release, tmp_path / "parlour.sqlite3")
    db = open_database(f"sqlite+aiosqlite:///{file}")
    await migrate(db)
    await db.close()
    there = create_engine(f"sqlite:///{file}", poolclass=NullPool)
    with make_schema(*(FOLDER / release / "schema.sql").read_text(encoding="utf-8").split(";\n")[:-1]) as used:
        assert find_breaks(inspect(used), inspect(there)) == []


def test_the_newest_schema_lets_the_last_release_go_on() -> None:
    """It takes away only what that release no longer uses: first expand, then contract."""
    developed, _, _number = __version__.partition(".dev")
    last = [release for release in RELEASES if release != developed] or RELEASES
    assert can_use(schema_version(last[-1]), newest_version())


@each_case(
    "known, version, expected",
    [
        ("0001", "0001", True),
        ("0001", "0002_since_0001", True),
        ("0001", "0003_since_0001", True),
        ("0001", "0002", False),
        ("0001", "0003_since_0002", False),
        ("0002_since_0001", "0003_since_0002", True),
    ],
)
def test_the_name_of_a_schema_says_whose_code_can_use_it(known: str, version: str, *, expected: bool) -> None:
    assert can_use(known, version) is expected


USED = (
    "CREATE TABLE jobs (id INTEGER NOT NULL PRIMARY KEY, due TEXT NOT NULL, note TEXT)",
    "CREATE INDEX by_due ON jobs (due)",
)
STRICTER = "CREATE TABLE jobs (id INTEGER NOT NULL PRIMARY KEY, due TEXT NOT NULL, note TEXT, kind TEXT NOT NULL)"
OTHER = "CREATE TABLE jobs (id INTEGER NOT NULL PRIMARY KEY, due TEXT, note TEXT REFERENCES notes (id))"


@each_case(
    "changes, breaks",
    [
        (["ALTER TABLE jobs ADD COLUMN kind INTEGER"], []),
        (["ALTER TABLE jobs ADD COLUMN kind INTEGER NOT NULL DEFAULT 0"], []),
        (["CREATE TABLE later (id INTEGER NOT NULL PRIMARY KEY)", "DROP INDEX by_due"], []),
        (["ALTER TABLE jobs DROP COLUMN note"], ["jobs.note is gone"]),
        (["ALTER TABLE jobs RENAME TO tasks"], ["jobs is gone"]),
        (["CREATE UNIQUE INDEX one ON jobs (note) WHERE due > 0"], ["jobs: note due > 0 must be unique"]),
        (["DROP TABLE jobs", STRICTER], ["jobs.kind needs a value"]),
        (
            ["DROP TABLE jobs", OTHER],
            ["jobs.due is TEXT or NULL, not TEXT without NULL", "jobs: note in notes must exist"],
        ),
    ],
)
def test_what_would_break_the_version_before_is_found(changes: list[str], breaks: list[str]) -> None:
    with make_schema(*USED) as used, make_schema(*USED, *changes) as there:
        assert find_breaks(inspect(used), inspect(there)) == breaks


@pytest.mark.slow
@each_release
async def test_its_games_go_on_where_they_stood(release: str, tmp_path: Path) -> None:
    file = restore(release, tmp_path / "parlour.sqlite3")
    async with run_sandbox() as sandbox:
        for name in CHANNELS:
            sandbox.world.add_channel(sandbox.world.server, name)
        async with run_parlour(sandbox, file, clock=FakeClock(LATER)) as parlour:
            service = parlour.client.app.service(Host).service
            playing = select(tables.c.id).where(tables.c.status == Status.PLAYING)
            ids = await parlour.db.read(lambda connection: list(connection.scalars(playing)))
            assert {(await service.table(table_id)).header.game for table_id in ids} == load_games_once().keys()
            for table_id in ids:
                table = await service.table(table_id)
                mover, step = table.mover, table.header.step
                assert mover is not None
                assert mover.user_id is not None
                move = service.games[table.header.game].game.legal_moves(table.state)[0]
                await service.play(table_id, Person(mover.user_id, mover.name), step, str(move), table_id)
            for command, options in (
                ("leaderboard", {"game": "magpie"}),
                *((command, {}) for command in ("profile", "history", "badges", "daily", "puzzle", "tournament list")),
                ("settings changes", {}),
                ("server bans", {}),
                ("privacy", {}),
            ):
                answer = await parlour.robin.slash(parlour.here, command, **options)
                await answer.wait_for_text()
                assert "Something went wrong" not in answer.text
