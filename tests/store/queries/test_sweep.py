"""Published revisions and pending tables, on every database."""

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest

from bot.platform.database.database import Database
from bot.platform.database.sql import get_value, set_value
from bot.tables import storage as table_storage, sweep
from bot.tables.model import NEVER_SHOWN, Header, PublishedRevision, Status, TableUpdate
from bot.tables.saving import save_change
from tests.store.samples import (
    COMPUTER,
    NOON,
    ROBIN,
    Connect,
    add_moves,
    load_header,
    make_header,
)


class TestPublishedRevisions:
    async def test_the_published_revision_is_stored_and_never_moves_back(self, db: Database) -> None:
        header = await db.write(table_storage.open_table, make_header(), [ROBIN])
        header = await add_moves(db, header, 4)
        for revision, message_id, expected in [
            (2, 70, (2, 70)),
            (4, 71, (4, 71)),
            (3, 72, (4, 71)),
            (4, 73, (4, 73)),  # posted again
            (5, None, (5, None)),
        ]:
            await db.maintain(table_storage.mark_published, [PublishedRevision(header.id, revision, message_id)])
            shown = await load_header(db, header.id)
            assert (shown.published, shown.message_id) == expected
            assert replace(shown, published=0, message_id=None) == header

    @pytest.mark.parametrize(
        ("replaces", "revision", "expected"),
        [
            (3, 5, (5, 72)),
            (3, 3, (3, 72)),
            (1, 3, (3, 72)),  # both processes show the same
            (1, 5, (NEVER_SHOWN, 72)),
            (1, 2, (NEVER_SHOWN, 71)),
        ],
    )
    async def test_a_table_that_two_processes_have_shown_counts_as_never_shown(
        self, db: Database, replaces: int, revision: int, expected: tuple[int, int]
    ) -> None:
        header = await db.write(table_storage.open_table, make_header(), [ROBIN])
        await db.maintain(table_storage.mark_published, [PublishedRevision(header.id, 3, 71, replaces=NEVER_SHOWN)])
        await db.maintain(table_storage.mark_published, [PublishedRevision(header.id, revision, 72, replaces=replaces)])
        shown = await load_header(db, header.id)
        assert (shown.published, shown.message_id) == expected
        await db.maintain(table_storage.mark_published, [PublishedRevision(header.id, 6, 72, replaces=revision)])
        is_known = shown.published == revision
        assert await self.published(db, header) == (6 if is_known else NEVER_SHOWN), "it has not read that"
        await db.maintain(table_storage.mark_published, [PublishedRevision(header.id, 6, 72, replaces=shown.published)])
        assert await self.published(db, header) == 6

    @pytest.mark.parametrize(("revision", "expected"), [(3, 3), (4, NEVER_SHOWN)])
    async def test_a_table_that_both_have_shown_counts_as_never_shown_if_one_has_gone_on(
        self, db: Database, revision: int, expected: int
    ) -> None:
        """What the other one shows next may be there already, and have been overwritten with the older picture."""
        header = await db.write(table_storage.open_table, make_header(), [ROBIN])
        await db.maintain(table_storage.mark_published, [PublishedRevision(header.id, 3, 71, replaces=NEVER_SHOWN)])
        for saved in range(2, revision + 1):
            await save_change(db, TableUpdate(replace(header, revision=saved)))
        await db.maintain(table_storage.mark_published, [PublishedRevision(header.id, 3, 71, replaces=1)])
        assert await self.published(db, header) == expected
        await db.maintain(table_storage.mark_published, [PublishedRevision(header.id, 4, 71, replaces=3)])
        is_known = expected == 3
        assert await self.published(db, header) == (4 if is_known else NEVER_SHOWN)

    async def published(self, db: Database, header: Header) -> int:
        return (await load_header(db, header.id)).published

    async def test_any_number_of_tables_can_be_marked_as_published(self, db: Database) -> None:
        headers = [
            await db.write(table_storage.open_table, make_header(channel_id), [ROBIN]) for channel_id in (1, 2, 3)
        ]
        await db.maintain(
            table_storage.mark_published,
            [PublishedRevision(h.id, 1, 70 + h.id) for h in headers[:2]] + [PublishedRevision(999, 1, 1)],
        )
        shown = [(await load_header(db, h.id)).message_id for h in headers]
        assert shown == [70 + headers[0].id, 70 + headers[1].id, None]

    async def test_two_processes_may_mark_the_same_tables_in_any_order(self, connect: Connect) -> None:
        stores = await connect(), await connect()
        shown = [
            PublishedRevision((await stores[0].write(table_storage.open_table, make_header(n), [ROBIN])).id, 1, n)
            for n in range(1, 13)
        ]
        for _ in range(5):
            await asyncio.gather(
                stores[0].maintain(table_storage.mark_published, shown),
                stores[1].maintain(table_storage.mark_published, shown[::-1]),
            )
        assert [(await load_header(stores[0], note.table_id)).message_id for note in shown] == list(range(1, 13))


class TestPendingTables:
    async def opened(
        self, db: Database, minute: int, *, shown: bool, status: Status, awaits_computer: bool = False
    ) -> int:
        """A table last changed at a minute."""
        header = make_header(100 + minute, status, at=NOON + timedelta(minutes=minute))
        header = await db.write(
            table_storage.open_table, replace(header, awaits_computer=awaits_computer), [ROBIN, COMPUTER]
        )
        if shown:
            await db.maintain(table_storage.mark_published, [PublishedRevision(header.id, 1, 70)])
        return header.id

    async def test_tables_are_pending_for_two_reasons_only(self, db: Database) -> None:
        unshown = await self.opened(db, 5, shown=False, status=Status.LOBBY)
        ended = await self.opened(db, 2, shown=False, status=Status.FINISHED)
        computers = await self.opened(db, 3, shown=True, status=Status.PLAYING, awaits_computer=True)
        both = await self.opened(db, 1, shown=False, status=Status.PLAYING, awaits_computer=True)
        held = await self.opened(db, 4, shown=False, status=Status.HELD)
        # These need nothing:
        for minute, status in enumerate(Status, 10):
            await self.opened(db, minute, shown=True, status=status)
        assert list(await db.read(sweep.find_pending, db.shards, {"magpie"}, 0, 100)) == [
            unshown,
            ended,
            computers,
            both,
            held,
        ]

    async def test_pending_tables_come_in_pages_by_id(self, db: Database) -> None:
        opened = [await self.opened(db, minute, shown=False, status=Status.LOBBY) for minute in (3, 1, 4, 2, 5)]
        assert list(await db.read(sweep.find_pending, db.shards, {"magpie"}, 0, 2)) == opened[:2]
        assert list(await db.read(sweep.find_pending, db.shards, {"magpie"}, opened[1], 2)) == opened[2:4]
        assert list(await db.read(sweep.find_pending, db.shards, {"magpie"}, opened[3], 2)) == opened[4:]
        assert list(await db.read(sweep.find_pending, db.shards, {"magpie"}, opened[4], 2)) == []

    async def test_a_table_of_the_games_is_pending_until_it_is_shown_and_after_each_change(self, db: Database) -> None:
        other = await db.write(table_storage.open_table, replace(make_header(8), game="chess"), [ROBIN])
        header = await db.write(table_storage.open_table, make_header(), [ROBIN])
        await db.write(table_storage.open_table, replace(make_header(9, Status.FINISHED), game="go"), [ROBIN])
        assert await db.read(sweep.count_open_by_game) == {"chess": 1, "magpie": 1}
        assert list(await db.read(sweep.find_pending, db.shards, {"magpie", "chess"}, 0, 9)) == [other.id, header.id]
        assert list(await db.read(sweep.find_pending, db.shards, set(), 0, 9)) == []
        assert list(await db.read(sweep.find_pending, db.shards, {"magpie"}, 0, 9)) == [header.id]
        await db.maintain(table_storage.mark_published, [PublishedRevision(header.id, 1, 70)])
        assert list(await db.read(sweep.find_pending, db.shards, {"magpie"}, 0, 9)) == []
        await add_moves(db, header, 1)
        assert list(await db.read(sweep.find_pending, db.shards, {"magpie"}, 0, 9)) == [header.id]


class TestIdleLobbies:
    async def test_idle_lobbies_come_in_pages_by_id(self, db: Database) -> None:
        opened = {}
        for channel_id, (minute, status) in enumerate([(3, Status.LOBBY), (1, Status.LOBBY), (9, Status.LOBBY)]):
            header = replace(
                make_header(channel_id, status, at=NOON + timedelta(minutes=minute)), game=f"game {minute}"
            )
            opened[minute] = (await db.write(table_storage.open_table, header, [ROBIN])).id
        for channel_id, status in enumerate((status for status in Status if status is not Status.LOBBY), 10):
            await db.write(table_storage.open_table, make_header(channel_id, status), [ROBIN])
        since = NOON + timedelta(minutes=3)
        assert list(await db.read(sweep.idle_lobbies, db.shards, since, 0, 9)) == [opened[3], opened[1]]
        assert list(await db.read(sweep.idle_lobbies, db.shards, since, 0, 1)) == [opened[3]]
        assert list(await db.read(sweep.idle_lobbies, db.shards, since, opened[3], 9)) == [opened[1]]


class TestNotes:
    async def test_values_are_stored_and_replaced(self, connect: Connect) -> None:
        db, other = await connect(), await connect()
        assert await db.read(get_value, "digest") is None
        await db.maintain(set_value, "digest", "one")
        await db.maintain(set_value, "colour", "green")
        await db.maintain(set_value, "digest", "two ✓")
        assert await other.read(get_value, "digest") == "two ✓"
        assert await other.read(get_value, "colour") == "green"
