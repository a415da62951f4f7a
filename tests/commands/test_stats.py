"""`stats`, by the week."""

import asyncio
import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace

import pytest

from bot.commands import stats
from bot.platform.database.database import Database, open_database
from bot.platform.places import Location
from bot.tables import storage as table_storage, usage as usage_storage
from bot.tables.model import Occupant, build_lobby_header
from bot.tables.usage import count_weeks
from tests.commands.run_command import run_command
from tests.support.databases import create_schema


async def store_table(db: Database, guild_id: int, at: datetime, *user_ids: int) -> None:
    location = Location(guild_id, int(at.timestamp()) + guild_id)
    header = build_lobby_header("magpie", 1, "{}", location=location, opener_id=user_ids[0], seed=bytes(32), at=at)
    await db.write(
        table_storage.open_table, header, [Occupant("Robin", user_id=each, contribution="1") for each in user_ids]
    )


async def test_weeks_count_servers_tables_and_people_once(tmp_path: Path) -> None:
    create_schema(file := tmp_path / "parlour.sqlite3")
    db = open_database(f"sqlite+aiosqlite:///{file}")
    sunday, monday = datetime(2026, 3, 1, 23, tzinfo=UTC), datetime(2026, 3, 2, tzinfo=UTC)
    await store_table(db, 1, sunday - timedelta(weeks=1), 11)
    await store_table(db, 1, sunday, 11, 12)
    await store_table(db, 1, monday, 11, 12)
    await store_table(db, 2, monday + timedelta(hours=1), 12, 13)
    weeks = await count_weeks(db, datetime(2026, 2, 23, tzinfo=UTC).date())
    counted = [(day.isoformat(), each.tables, len(each.servers), len(each.people)) for day, each in weeks.items()]
    assert counted == [("2026-03-02", 2, 2, 3), ("2026-02-23", 1, 1, 2)]
    total = await db.read(usage_storage.count_all)
    assert (total.servers, total.tables, total.open_tables, total.people) == (2, 4, 4, 3)
    await db.close()


def test_the_command_prints_json(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    create_schema(tmp_path / "parlour.sqlite3")
    monkeypatch.setenv("DATABASE_URL", f"sqlite+aiosqlite:///{tmp_path}/parlour.sqlite3")
    ended = run_command("stats", "--json")
    assert ended.code == 0, ended.err
    assert json.loads(ended.out) == {"servers": 0, "tables": 0, "open_tables": 0, "people": 0, "weeks": []}


async def test_the_listed_weeks_end_with_the_current_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    create_schema(file := tmp_path / "parlour.sqlite3")
    monkeypatch.setenv("DATABASE_URL", f"sqlite+aiosqlite:///{file}")
    db = open_database(f"sqlite+aiosqlite:///{file}")
    wednesday, monday_before = datetime(2026, 3, 4, 12, tzinfo=UTC), datetime(2026, 2, 23, tzinfo=UTC)
    await store_table(db, 1, monday_before - timedelta(seconds=1), 11)
    await store_table(db, 1, monday_before, 11)
    await store_table(db, 1, wednesday, 11)
    await db.close()
    monkeypatch.setattr(stats, "datetime", SimpleNamespace(now=lambda _zone: wednesday))
    ended = await asyncio.to_thread(run_command, "stats", "--json", "--weeks", "2")
    weeks = [(week["from"], week["tables"]) for week in json.loads(ended.out)["weeks"]]
    assert weeks == [("2026-03-02", 1), ("2026-02-23", 1)]
