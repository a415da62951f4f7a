"""Migrations keep the data of older versions: invitations, preferences, results and idle tables."""

import shutil
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import pytest
from sqlalchemy import Connection, create_engine, text
from sqlalchemy.pool import NullPool

from bot.app.store import SqlStore
from bot.features.profiles.model import PersonFilter
from bot.features.settings.preferences import Preferences
from bot.features.tournaments.model import Stage, Tournament
from bot.features.tournaments.schedule import FORGOTTEN_KIND
from bot.platform.clock import Downtime
from bot.platform.database import migrate
from bot.platform.database.urls import parse_database_url
from bot.rules.picture import Theme
from bot.tables.model import Location, Person, Status, TableUpdate
from bot.tables.notifications import Invitation
from bot.tables.ports import AlreadyInvited
from bot.tables.seat_result import Company
from tests.store.samples import NOON, end_table, load_header, revise
from tests.support.sample_results import HERE

AT_0009 = (
    """INSERT INTO tables (id, game, version, options, guild_id, channel_id, solo_id, opener_id, seed, salt, created_at,
        status, step, to_move, revision, published, updated_at, first_id, link_kind, part, carried)
        VALUES (1, 'magpie', 1, '{}', 3, 7, 0, 11, '', '', '2026-03-01 12:00:00.000000', 'lobby', 0, NULL, 1, 1,
                '2026-03-01 12:00:00.000000', NULL, NULL, NULL, NULL),
            (2, 'fortune', 1, '{}', 3, 8, 0, 11, '', 'ab', '2026-03-01 12:00:00.000000', 'playing', 0, 0, 1, 1,
                '2026-03-01 12:00:00.000000', 4, 'tournament', 2, '5 9'),
            (3, 'magpie', 1, '{}', 3, 9, 0, 11, '', 'ab', '2026-03-01 12:00:00.000000', 'held', 0, NULL, 1, 1,
                '2026-03-01 12:00:00.000000', NULL, NULL, NULL, NULL),
            (4, 'magpie', 1, '{}', NULL, 77, 0, 11, '', 'ab', '2026-03-01 12:00:00.000000', 'finished', 0, NULL, 1, 1,
                '2026-03-01 12:00:00.000000', NULL, NULL, NULL, NULL)""",
    """INSERT INTO seats VALUES (1, 0, 'Robin', 11, NULL, '501'), (2, 0, 'Robin', 11, NULL, '501'),
        (4, 0, 'Robin', 11, NULL, '501'), (4, 1, 'Computer', NULL, 'easy', 'computer')""",
    "INSERT INTO invitations VALUES (1, 12, 601)",
    """INSERT INTO preferences VALUES (3, 'high_contrast', FALSE), (77, 'dark', TRUE)""",
    """INSERT INTO results VALUES (3, 0, 'magpie', 'people', 3, 9, 11, 'Robin', NULL, 1, FALSE, 100, 2, 9,
        '2026-03-01 12:00:00.000000', '2026-03-01 12:00:00.000000', 'target')""",
)
"""What stood in a database before invitations knew who asked, and before tables were put aside."""


MOVES_BEFORE_RATINGS = {
    1: ("0:roll", "1:!resign", "0:roll"),
    2: ("0:roll", "1:roll", "0:!resign"),
    3: ("0:roll", "1:roll"),
}
"""What was played at the tables of a database before ratings, by seat."""


async def test_ratings_are_made_from_the_results_of_an_older_version(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, new_address: Callable[[], str]
) -> None:
    folder = tmp_path / "first migrations"
    shutil.copytree(migrate.MIGRATIONS, folder, ignore=lambda _, names: [n for n in names if "0025" <= n[:4] <= "9999"])
    monkeypatch.setattr(migrate, "MIGRATIONS", folder)
    store = SqlStore(new_address())
    try:
        await store.database.run_exclusively(migrate.run_migrations)
        await store.database.run_exclusively(fill_before_ratings)
        monkeypatch.undo()
        await store.upgrade()
        # Table 1 ended by a resignation before both had moved, table 3 with a substitute.
        assert [len(await store.rating_changes(table_id)) for table_id in (1, 2, 3)] == [0, 2, 0]
        assert [each.stats.games for each in (await store.person_record(11, 3)).stats] == [3]
    finally:
        await store.close()


async def test_daily_bags_of_an_older_version_are_no_longer_best_scores(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, new_address: Callable[[], str]
) -> None:
    folder = tmp_path / "first migrations"
    shutil.copytree(migrate.MIGRATIONS, folder, ignore=lambda _, names: [n for n in names if "0034" <= n[:4] <= "9999"])
    monkeypatch.setattr(migrate, "MIGRATIONS", folder)
    store = SqlStore(new_address())
    try:
        await store.upgrade()
        monkeypatch.undo()
        # Tables are written with the columns of today.
        await store.database.run_exclusively(lambda connection: connection.execute(text(_ADD_KICKED)))
        await end_table(store, 11, company=Company.ALONE, game="magic_bag", score=700)
        daily = await end_table(store, 11, company=Company.ALONE, game="magic_bag", score=900)
        await store.database.run_exclusively(lambda connection: connection.execute(text(_DROP_KICKED)))
        await store.database.run_exclusively(partial(mark_as_daily, table_id=daily))
        await store.upgrade()
        record = await store.person_record(11, HERE)
        bests = [(each.company, each.stats.highest) for each in record.stats]
        assert bests == [(Company.ALONE, 700), (Company.DAILY, 900)]
        assert [each.average for each in record.solo_scores] == [700]
    finally:
        await store.close()


_ADD_KICKED = "ALTER TABLE tables ADD COLUMN kicked TEXT NOT NULL DEFAULT ''"
_DROP_KICKED = "ALTER TABLE tables DROP COLUMN kicked"


def mark_as_daily(connection: Connection, table_id: int) -> None:
    """Make a table one with a daily bag, and the database one whose totals were made before that mattered."""
    seat = "INSERT INTO seats (table_id, seat, name, user_id, contribution) VALUES (:id, 0, 'Robin', 11, :mark)"
    connection.execute(text(seat), {"id": table_id, "mark": "daily:2026-03-01"})
    connection.execute(text("UPDATE notes SET value = '2' WHERE key = 'version of the accounts'"))


async def test_open_tournaments_of_an_older_version_have_their_time_from_now_on(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, new_address: Callable[[], str]
) -> None:
    folder = tmp_path / "first migrations"
    shutil.copytree(migrate.MIGRATIONS, folder, ignore=lambda _, names: [n for n in names if "0035" <= n[:4] <= "9999"])
    monkeypatch.setattr(migrate, "MIGRATIONS", folder)
    store = SqlStore(new_address())
    try:
        await store.upgrade()
        monkeypatch.undo()
        joining = Tournament(0, "Cup", "magpie", "{}", Location(3, 7), Person(11, "Robin"), NOON, 24)
        late = replace(joining, stage=Stage.RUNNING, round=1, is_late=True)
        for each in (joining, late, replace(late, is_late=False), replace(late, stage=Stage.FINISHED)):
            assert await store.add_tournament(each, 9, [])
        before = datetime.now(UTC)
        await store.upgrade()
        later = datetime.now(UTC) + timedelta(days=99)
        jobs = await store.claim_jobs([FORGOTTEN_KIND], later, later, 9)
        assert [(each.key, each.counts_from is not None, each.guild_id) for each in jobs] == [
            ("1", True, 3),
            ("2", True, 3),
        ]
        assert timedelta(days=14) <= jobs[0].due_at - before < timedelta(days=15)
        assert timedelta(days=28) <= jobs[1].due_at - before < timedelta(days=29)
    finally:
        await store.close()


async def test_days_without_the_bot_of_an_older_version_are_still_excused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, new_address: Callable[[], str]
) -> None:
    folder = tmp_path / "first migrations"
    shutil.copytree(migrate.MIGRATIONS, folder, ignore=lambda _, names: [n for n in names if "0037" <= n[:4] <= "9999"])
    monkeypatch.setattr(migrate, "MIGRATIONS", folder)
    store = SqlStore(new_address())
    try:
        await store.upgrade()
        monkeypatch.undo()
        known = text("INSERT INTO downtimes (day, seconds) VALUES (20522, 3599), (20523, 3600), (20525, 86400)")
        await store.database.run_exclusively(lambda connection: connection.execute(known))
        await store.upgrade()
        assert (await store.load_daily_facts(11, None, 20526)).excused_days == {20523, 20525}
    finally:
        await store.close()


async def test_when_an_older_version_last_ran_is_known(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, new_address: Callable[[], str]
) -> None:
    folder = tmp_path / "first migrations"
    shutil.copytree(migrate.MIGRATIONS, folder, ignore=lambda _, names: [n for n in names if "0040" <= n[:4] <= "9999"])
    with monkeypatch.context() as older:
        older.setattr(migrate, "MIGRATIONS", folder)
        store = SqlStore(new_address())
        await store.upgrade()
    try:
        await store.set_value("alive at", NOON.isoformat())
        await store.upgrade()
        later = NOON + timedelta(hours=1)
        assert await store.note_alive(later, timedelta(minutes=1)) == [Downtime(NOON, later)]
        assert await store.get_value("alive at") is None
    finally:
        await store.close()


BEFORE_RATINGS = (
    """INSERT INTO tables (id, game, version, options, guild_id, channel_id, solo_id, opener_id, seed, salt, created_at,
        status, step, revision, published, updated_at)
        VALUES (:id, 'magpie', 1, '', 3, 7, 0, 11, '', '', '2026-03-01 12:00:00', 'finished', 3, 1, 1,
                '2026-03-01 12:00:00')""",
    "INSERT INTO seats VALUES (:id, 0, 'Robin', 11, NULL, ''), (:id, 1, 'Wren', 12, NULL, '')",
    """INSERT INTO results (table_id, seat, game, company, guild_id, channel_id, user_id, name, place, is_shared, score,
        seats, steps, opened_at, finished_at, reason, departure)
        VALUES (:id, 0, 'magpie', 'people', 3, 7, 11, 'Robin', 2, FALSE, 5, 2, 3, '2026-03-01 12:00:00.000000',
                '2026-03-01 12:00:00.000000', 'x', :departure),
            (:id, 1, 'magpie', 'people', 3, 7, 12, 'Wren', 1, FALSE, 9, 2, 3, '2026-03-01 12:00:00.000000',
                '2026-03-01 12:00:00.000000', 'x', NULL)""",
)
INSERT_MOVE = """INSERT INTO moves (table_id, step, seat, text, digest, at)
    VALUES (:id, :step, :seat, :text, '', '2026-03-01 12:00:00.000000')"""


def fill_before_ratings(connection: Connection) -> None:
    """Write three tables of two people, of whom the second wins."""
    for table_id, moves in MOVES_BEFORE_RATINGS.items():
        departure = "substituted" if table_id == 3 else "resigned"
        for statement in BEFORE_RATINGS:
            named = text(statement)
            values = {"id": table_id, "departure": departure}
            connection.execute(named, {name: values[name] for name in values if f":{name}" in statement})
        for step, move in enumerate(moves, 1):
            values = {"id": table_id, "step": step, "seat": int(move[0]), "text": move[2:]}
            connection.execute(text(INSERT_MOVE), values)


async def test_invitations_preferences_and_silent_tables_of_an_older_version_are_migrated(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, new_address: Callable[[], str]
) -> None:
    address = new_address()
    folder = tmp_path / "first migrations"
    shutil.copytree(migrate.MIGRATIONS, folder, ignore=lambda _, names: [n for n in names if "0010" <= n[:4] <= "9999"])
    monkeypatch.setattr(migrate, "MIGRATIONS", folder)
    old = SqlStore(address)
    await old.database.run_exclusively(migrate.run_migrations)
    await old.close()
    with create_engine(parse_database_url(address), poolclass=NullPool).begin() as connection:
        for statement in AT_0009:
            connection.exec_driver_sql(statement)
    monkeypatch.undo()
    store = SqlStore(address)
    try:
        await store.upgrade()
        await assert_all_migrated(store)
    finally:
        await store.close()


async def assert_all_migrated(store: SqlStore) -> None:
    location = (await load_header(store, 1)).location
    asked = Invitation(1, location, 11, 12, 602, 6, NOON)
    with pytest.raises(AlreadyInvited) as invited:
        await store.add_invitation(asked, NOON, 5)
    assert invited.value.click_id == 601
    assert await store.lapsed_invitations(9) == []
    await store.add_invitation(replace(asked, user_id=13), NOON, 5)
    assert await store.load_preferences(3) == Preferences(Theme.HIGH_CONTRAST, reminds=False, invites=True)
    assert await store.load_preferences(77) == Preferences(Theme.DARK)
    owned = await store.export_rows(11, "preferences", None, 9)
    assert owned is not None
    assert [row["scope_id"] for row in owned.rows] == ["77"]
    assert (await store.finished_tables(PersonFilter(11, None), 0, 9)).total == 1
    assert list(await store.tables_to_announce({"magpie", "fortune"}, NOON, 9)) == [2, 3]
    for number, status in ((2, Status.ASIDE), (3, Status.HELD_ASIDE)):
        await store.save(TableUpdate(revise(await load_header(store, number), status)))
    assert [aside.table_id for aside in await store.list_aside_tables(8, 9)] == [2]
