"""Published revisions and pending tables, on every database."""

import asyncio
from dataclasses import replace
from datetime import timedelta

from bot.app.store import SqlStore
from bot.tables.model import PublishedRevision, Status, TableUpdate
from tests.store.samples import (
    COMPUTER,
    NOON,
    ROBIN,
    Connect,
    add_moves,
    load_header,
    make_header,
    revise,
)


class TestPublishedRevisions:
    async def test_the_published_revision_is_stored_and_never_moves_back(self, store: SqlStore) -> None:
        header = await store.open_table(make_header(), [ROBIN])
        header = await add_moves(store, header, 4)
        for revision, message_id, expected in [
            (2, 70, (2, 70)),
            (4, 71, (4, 71)),
            (3, 72, (4, 71)),
            (4, 73, (4, 73)),  # posted again
            (5, None, (5, None)),
        ]:
            await store.mark_published([PublishedRevision(header.id, revision, message_id)])
            shown = await load_header(store, header.id)
            assert (shown.published, shown.message_id) == expected
            assert replace(shown, published=0, message_id=None) == header

    async def test_a_save_leaves_the_published_revision(self, store: SqlStore) -> None:
        header = await store.open_table(make_header(), [ROBIN])
        await store.mark_published([PublishedRevision(header.id, 1, 70)])
        await store.save(TableUpdate(revise(header, Status.LOBBY)))
        shown = await load_header(store, header.id)
        assert (shown.revision, shown.published, shown.message_id) == (2, 1, 70)

    async def test_any_number_of_tables_can_be_marked_as_published(self, store: SqlStore) -> None:
        headers = [await store.open_table(make_header(channel_id), [ROBIN]) for channel_id in (1, 2, 3)]
        await store.mark_published([])
        await store.mark_published(
            [PublishedRevision(h.id, 1, 70 + h.id) for h in headers[:2]] + [PublishedRevision(999, 1, 1)]
        )
        shown = [(await load_header(store, h.id)).message_id for h in headers]
        assert shown == [70 + headers[0].id, 70 + headers[1].id, None]

    async def test_two_processes_may_mark_the_same_tables_in_any_order(self, connect: Connect) -> None:
        stores = await connect(), await connect()
        shown = [
            PublishedRevision((await stores[0].open_table(make_header(n), [ROBIN])).id, 1, n) for n in range(1, 41)
        ]
        for _ in range(5):
            await asyncio.gather(stores[0].mark_published(shown), stores[1].mark_published(shown[::-1]))
        assert [(await load_header(stores[0], note.table_id)).message_id for note in shown] == list(range(1, 41))


class TestPendingTables:
    async def opened(
        self, store: SqlStore, minute: int, *, shown: bool, status: Status, awaits_computer: bool = False
    ) -> int:
        """A table last changed at a minute."""
        header = make_header(100 + minute, status, at=NOON + timedelta(minutes=minute))
        header = await store.open_table(replace(header, awaits_computer=awaits_computer), [ROBIN, COMPUTER])
        if shown:
            await store.mark_published([PublishedRevision(header.id, 1, 70)])
        return header.id

    async def test_tables_are_pending_for_two_reasons_only(self, store: SqlStore) -> None:
        unshown = await self.opened(store, 5, shown=False, status=Status.LOBBY)
        ended = await self.opened(store, 2, shown=False, status=Status.FINISHED)
        computers = await self.opened(store, 3, shown=True, status=Status.PLAYING, awaits_computer=True)
        both = await self.opened(store, 1, shown=False, status=Status.PLAYING, awaits_computer=True)
        held = await self.opened(store, 4, shown=False, status=Status.HELD)
        # These need nothing:
        for minute, status in enumerate(Status, 10):
            await self.opened(store, minute, shown=True, status=status)
        assert list(await store.list_pending_tables({"magpie"}, 0, 100)) == [unshown, ended, computers, both, held]

    async def test_pending_tables_come_in_pages_by_id(self, store: SqlStore) -> None:
        opened = [await self.opened(store, minute, shown=False, status=Status.LOBBY) for minute in (3, 1, 4, 2, 5)]
        assert list(await store.list_pending_tables({"magpie"}, 0, 2)) == opened[:2]
        assert list(await store.list_pending_tables({"magpie"}, opened[1], 2)) == opened[2:4]
        assert list(await store.list_pending_tables({"magpie"}, opened[3], 2)) == opened[4:]
        assert list(await store.list_pending_tables({"magpie"}, opened[4], 2)) == []

    async def test_pending_tables_are_limited_to_the_given_games(self, store: SqlStore) -> None:
        others = [
            await store.open_table(replace(make_header(channel), game=f"game {channel}"), [ROBIN]) for channel in (1, 2)
        ]
        ours = await self.opened(store, 1, shown=False, status=Status.LOBBY)
        assert list(await store.list_pending_tables({"magpie"}, 0, 9)) == [ours]
        assert list(await store.list_pending_tables({"magpie", "game 2"}, 0, 9)) == [others[1].id, ours]
        assert list(await store.list_pending_tables(set(), 0, 9)) == []

    async def test_a_table_is_pending_until_it_is_shown_and_after_each_change(self, store: SqlStore) -> None:
        header = await store.open_table(make_header(), [ROBIN])
        assert list(await store.list_pending_tables({"magpie"}, 0, 9)) == [header.id]
        await store.mark_published([PublishedRevision(header.id, 1, 70)])
        assert list(await store.list_pending_tables({"magpie"}, 0, 9)) == []
        await add_moves(store, header, 1)
        assert list(await store.list_pending_tables({"magpie"}, 0, 9)) == [header.id]


class TestIdleLobbies:
    async def test_idle_lobbies_come_in_pages_by_id(self, store: SqlStore) -> None:
        opened = {}
        for channel_id, (minute, status) in enumerate([(3, Status.LOBBY), (1, Status.LOBBY), (9, Status.LOBBY)]):
            header = make_header(channel_id, status, at=NOON + timedelta(minutes=minute))
            opened[minute] = (await store.open_table(header, [ROBIN])).id
        for channel_id, status in enumerate((status for status in Status if status is not Status.LOBBY), 10):
            await store.open_table(make_header(channel_id, status), [ROBIN])
        since = NOON + timedelta(minutes=3)
        assert list(await store.idle_lobbies(since, 0, 9)) == [opened[3], opened[1]]
        assert list(await store.idle_lobbies(since, 0, 1)) == [opened[3]]
        assert list(await store.idle_lobbies(since, opened[3], 9)) == [opened[1]]

    async def test_idle_lobbies_of_every_game_are_listed(self, store: SqlStore) -> None:
        strange = await store.open_table(replace(make_header(status=Status.LOBBY), game="chess"), [ROBIN])
        assert list(await store.idle_lobbies(NOON, 0, 9)) == [strange.id]


async def test_open_tables_are_counted_by_game(store: SqlStore) -> None:
    for channel, (game, status) in enumerate([("chess", Status.PLAYING), ("go", Status.FINISHED)], 1):
        await store.open_table(replace(make_header(channel, status), game=game), [ROBIN])
    for channel in (3, 4):
        await store.open_table(make_header(channel), [ROBIN])
    assert await store.count_open_tables() == {"chess": 1, "magpie": 2}


class TestNotes:
    async def test_values_are_stored_and_replaced(self, connect: Connect) -> None:
        store, other = await connect(), await connect()
        assert await store.get_value("digest") is None
        await store.set_value("digest", "one")
        await store.set_value("colour", "green")
        await store.set_value("digest", "two ✓")
        assert await other.get_value("digest") == "two ✓"
        assert await other.get_value("colour") == "green"

    async def test_two_processes_may_store_the_same_value(self, connect: Connect) -> None:
        stores = await connect(), await connect()
        for number in range(15):
            await asyncio.gather(*(s.set_value(f"fact {number}", "true") for s in stores))
            assert await stores[0].get_value(f"fact {number}") == "true"
