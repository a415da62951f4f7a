"""Migrations keep the data of older versions: invitations, preferences, results and idle tables."""

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import create_engine
from sqlalchemy.pool import NullPool

from bot.community.model import PersonFilter
from bot.rules.picture import Theme
from bot.store import migrate
from bot.store.database_url import parse_database_url
from bot.store.store import SqlStore
from bot.tables.model import Status, TableUpdate
from bot.tables.notifications import Invitation
from bot.tables.ports import AlreadyInvited
from bot.tables.preferences import Preferences
from tests.store.samples import NOON, load_header, revise

AT_0009 = (
    """INSERT INTO tables (id, game, version, options, guild_id, channel_id, solo_id, opener_id, seed, salt, created_at,
        status, step, to_move, revision, published, updated_at, first_id, link_kind, part, carried)
        VALUES (1, 'magpie', 1, '{}', 3, 7, 0, 11, '', '', '2026-03-01 12:00:00.000000', 'lobby', 0, NULL, 1, 1,
                '2026-03-01 12:00:00.000000', NULL, NULL, NULL, NULL),
            (2, 'fortune', 1, '{}', 3, 8, 0, 11, '', 'ab', '2026-03-01 12:00:00.000000', 'playing', 0, 0, 1, 1,
                '2026-03-01 12:00:00.000000', 4, 'tournament', 2, '5 9'),
            (3, 'magpie', 1, '{}', 3, 9, 0, 11, '', 'ab', '2026-03-01 12:00:00.000000', 'held', 0, NULL, 1, 1,
                '2026-03-01 12:00:00.000000', NULL, NULL, NULL, NULL)""",
    "INSERT INTO seats VALUES (1, 0, 'Robin', 11, NULL, '501'), (2, 0, 'Robin', 11, NULL, '501')",
    "INSERT INTO invitations VALUES (1, 12, 601)",
    "INSERT INTO preferences VALUES (3, 'high_contrast', FALSE)",
    """INSERT INTO results VALUES (3, 0, 'magpie', 'people', 3, 9, 11, 'Robin', NULL, 1, FALSE, 100, 2, 9,
        '2026-03-01 12:00:00.000000', '2026-03-01 12:00:00.000000', 'target')""",
)
"""What stood in a database before invitations knew who asked, and before tables were put aside."""


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
    assert (await store.finished_tables(PersonFilter(11, None), 0, 9)).total == 1
    assert list(await store.tables_to_announce({"magpie", "fortune"}, NOON, 9)) == [2, 3]
    for number, status in ((2, Status.ASIDE), (3, Status.HELD_ASIDE)):
        await store.save(TableUpdate(revise(await load_header(store, number), status)))
    assert [aside.table_id for aside in await store.list_aside_tables(8, 9)] == [2]
