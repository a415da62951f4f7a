"""Failed posts and edits are repeated, but not for ever."""

import asyncio

import pytest

from bot.tables.runtime.delivery import (
    ChannelUnreachable,
    DeliveryFailed,
    MessageGone,
    RetryLater,
    TooManyEdits,
)
from bot.tables.runtime.publisher import LINK_RETRY_SECONDS, Publisher
from bot.tables.runtime.service import TableService
from bot.tables.table import Table
from tests.support.fake_store import FakeStore
from tests.support.fake_table_messages import FakeTableMessages, ShowAction
from tests.support.fakes import ROBIN, WREN, make_service, open_lobby, roll, start_game
from tests.support.lobby_changes import change_lobby, open_shown_lobby
from tests.support.responses import show_in_response
from tests.support.virtual_time import elapsed_seconds
from tests.support.waiting import Gate


class TestFailures:
    async def test_a_deleted_message_is_reposted_once(
        self, service: TableService, publisher: Publisher, table_messages: FakeTableMessages
    ) -> None:
        table = await open_shown_lobby(service, publisher)
        old = table.header.message_id or 0
        table_messages.deleted.add(old)
        table = await change_lobby(service, table, 1)
        await publisher.close()
        await change_lobby(service, table, 1)
        await publisher.close()
        deeds = [(shown.action, shown.revision) for shown in table_messages.asked]
        assert deeds == [(ShowAction.POST, 1), (ShowAction.EDIT, 2), (ShowAction.POST, 2), (ShowAction.EDIT, 3)]
        assert table_messages.shown[-1].message_id == table_messages.shown[-2].message_id != old

    async def test_an_unreachable_channel_is_given_up_until_the_next_change(
        self, service: TableService, publisher: Publisher, table_messages: FakeTableMessages, store: FakeStore
    ) -> None:
        table = await open_shown_lobby(service, publisher)
        table_messages.faults[ShowAction.EDIT] = [ChannelUnreachable("gone"), ChannelUnreachable("gone")]
        table = await change_lobby(service, table, 1)
        await publisher.close()
        for _ in range(3):
            publisher.wake(table.id)
            await publisher.close()
        assert [shown.revision for shown in table_messages.asked] == [1, 2]
        await service.flush()
        assert list(await store.list_pending_tables({"magpie"}, 0, 9)) == []
        await change_lobby(service, table, 1)
        await publisher.close()
        assert [shown.revision for shown in table_messages.asked] == [1, 2, 3]
        now = await service.table(table.id)
        assert now.header.message_id == table_messages.shown[0].message_id

    async def test_a_channel_that_was_never_reachable_gets_no_message(
        self, service: TableService, publisher: Publisher, table_messages: FakeTableMessages
    ) -> None:
        table_messages.faults[ShowAction.POST] = [ChannelUnreachable("not allowed")]
        table = await open_lobby(service, ROBIN)
        await publisher.close()
        assert (await service.table(table.id)).header.message_id is None
        await change_lobby(service, table, 1)
        await publisher.close()
        assert [(shown.action, shown.revision) for shown in table_messages.shown] == [(ShowAction.POST, 2)]

    async def test_a_message_that_can_neither_be_edited_nor_reposted_is_given_up(
        self, service: TableService, publisher: Publisher, table_messages: FakeTableMessages, store: FakeStore
    ) -> None:
        table = await open_shown_lobby(service, publisher)
        table_messages.faults = {ShowAction.EDIT: [MessageGone("gone")], ShowAction.POST: [ChannelUnreachable("gone")]}
        await change_lobby(service, table, 1)
        await publisher.close()
        assert len(table_messages.asked) == 3
        await service.flush()
        assert list(await store.list_pending_tables({"magpie"}, 0, 9)) == []

    async def test_a_temporary_failure_is_retried_at_the_next_wake(
        self, service: TableService, publisher: Publisher, table_messages: FakeTableMessages, store: FakeStore
    ) -> None:
        table = await open_shown_lobby(service, publisher)
        await service.flush()
        table_messages.faults[ShowAction.EDIT] = [DeliveryFailed("500")]
        await change_lobby(service, table, 1)
        await publisher.close()
        assert table_messages.revisions == [1]
        assert list(await store.list_pending_tables({"magpie"}, 0, 9)) == [table.id]
        publisher.wake(table.id)
        await publisher.close()
        assert table_messages.revisions == [1, 2]

    async def test_a_failed_repost_is_retried(
        self, service: TableService, publisher: Publisher, table_messages: FakeTableMessages
    ) -> None:
        table = await open_shown_lobby(service, publisher)
        table_messages.deleted.add(table.header.message_id or 0)
        table_messages.faults[ShowAction.POST] = [DeliveryFailed("500")]
        await change_lobby(service, table, 1)
        await publisher.close()
        publisher.wake(table.id)
        await publisher.close()
        assert [(shown.action, shown.revision) for shown in table_messages.shown] == [
            (ShowAction.POST, 1),
            (ShowAction.POST, 2),
        ]

    async def test_a_failed_edit_never_undoes_a_move(
        self, service: TableService, publisher: Publisher, table_messages: FakeTableMessages, store: FakeStore
    ) -> None:
        table = await start_game(service)
        await publisher.close()
        table_messages.faults[ShowAction.EDIT] = [DeliveryFailed("500")] * 3
        for _ in range(3):
            table = await roll(service, table)
            await publisher.close()
        assert len(store.texts(table.id)) == 3
        publisher.wake(table.id)
        await publisher.close()
        assert table_messages.shown[-1].revision == table.header.revision


class TestWaiting:
    """Discord wants no requests for a while."""

    async def test_the_lock_of_a_table_is_not_held_while_waiting_for_discord(
        self, service: TableService, publisher: Publisher, table_messages: FakeTableMessages
    ) -> None:
        table = await open_shown_lobby(service, publisher)
        table_messages.limits[ShowAction.EDIT] = limit = Gate()
        table = await change_lobby(service, table, 1)
        await limit.reached.wait()
        carried: list[int] = []

        async def send(now: Table) -> int:
            carried.append(now.header.revision)
            return now.header.message_id or 0

        for revision in (2, 3, 4):
            assert await show_in_response(publisher, table.id, table.header.message_id or 0, send)
            assert carried[-1] == revision
            table = await change_lobby(service, table, 1)
        limit.open()
        await publisher.close()
        assert table_messages.revisions == [1, 5], "what was carried is shown no more, and what is newest once"

    async def test_a_refused_edit_is_repeated_with_the_newest_state(
        self,
        service: TableService,
        publisher: Publisher,
        table_messages: FakeTableMessages,
        caplog: pytest.LogCaptureFixture,
    ) -> None:
        caplog.set_level("INFO", "bot.tables.runtime.publisher")
        table = await open_shown_lobby(service, publisher)
        table_messages.faults[ShowAction.EDIT] = [RetryLater("429")]
        table_messages.gates[ShowAction.EDIT] = gate = Gate()
        table = await change_lobby(service, table, 1)
        await gate.reached.wait()
        table_messages.limits[ShowAction.EDIT] = limit = Gate()
        gate.open()
        await limit.reached.wait()
        await change_lobby(service, table, 3)
        limit.open()
        await publisher.close()
        assert [shown.revision for shown in table_messages.asked] == [1, 2, 5]
        assert table_messages.revisions == [1, 5]
        assert "is shown later, as Discord demands: 429" in caplog.text

    async def test_a_table_posted_elsewhere_meanwhile_is_not_edited_at_its_old_place(
        self, service: TableService, publisher: Publisher, table_messages: FakeTableMessages
    ) -> None:
        table = await open_shown_lobby(service, publisher)
        table_messages.limits[ShowAction.EDIT] = limit = Gate()
        await change_lobby(service, table, 1)
        await limit.reached.wait()

        async def send(_: Table) -> int:
            return 4711

        await publisher.repost(table.id, send)
        await change_lobby(service, await service.table(table.id), 1)
        limit.open()
        await publisher.close()
        assert [(shown.revision, shown.message_id) for shown in table_messages.asked[1:]] == [(3, 4711)]

    async def test_a_post_that_waits_too_long_fails(
        self, service: TableService, publisher: Publisher, table_messages: FakeTableMessages
    ) -> None:
        table = await open_shown_lobby(service, publisher)
        table_messages.limits[ShowAction.POST] = Gate()
        with pytest.raises(RetryLater):
            await publisher.repost(table.id)
        assert elapsed_seconds() < 15
        assert await show_in_response(publisher, table.id, table.header.message_id or 0, edit_successfully)


async def edit_successfully(table: Table) -> int:
    return table.header.message_id or 0


async def test_a_post_counts_even_if_its_id_cannot_be_stored_yet(
    service: TableService,
    publisher: Publisher,
    table_messages: FakeTableMessages,
    store: FakeStore,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level("DEBUG", "bot.tables.runtime.publisher")
    table = await open_lobby(service, ROBIN)
    store.broken = {"mark_published"}
    await publisher.repost(table.id)
    assert f"the message of table {table.id} could not be stored yet" in caplog.text
    store.broken = set()
    await service.flush()
    assert [shown.message_id for shown in table_messages.shown] == [store.header(table.id).message_id]


class TestTooManyEdits:
    """A message that is older than an hour takes no more edits for now."""

    async def test_a_table_with_too_many_edits_is_reposted_once(
        self, service: TableService, publisher: Publisher, table_messages: FakeTableMessages
    ) -> None:
        table = await open_shown_lobby(service, publisher)
        table_messages.faults[ShowAction.EDIT] = [TooManyEdits("30046")]
        await change_lobby(service, table, 1)
        await publisher.close()
        await change_lobby(service, await service.table(table.id), 1)
        await publisher.close()
        shown = [(each.action, each.revision, each.message_id) for each in table_messages.shown]
        assert shown == [(ShowAction.POST, 1, 1001), (ShowAction.POST, 2, 1002), (ShowAction.EDIT, 3, 1002)]

    async def test_the_old_message_links_to_the_new_one_when_it_can_be_edited_again(
        self, service: TableService, publisher: Publisher, table_messages: FakeTableMessages
    ) -> None:
        table = await open_lobby(service, ROBIN)
        await asyncio.sleep(1)
        table_messages.faults[ShowAction.EDIT] = [TooManyEdits("30046")]
        table_messages.point_faults = [TooManyEdits("30046"), RetryLater("429")]
        await service.join(table.id, WREN, 7)
        await asyncio.sleep(10_000)
        assert table_messages.pointers == {1001: 1002}
        assert table_messages.point_faults == []

    async def test_an_old_message_is_left_alone_after_some_attempts(
        self, service: TableService, publisher: Publisher, table_messages: FakeTableMessages
    ) -> None:
        table = await open_lobby(service, ROBIN)
        await asyncio.sleep(1)
        table_messages.faults[ShowAction.EDIT] = [TooManyEdits("30046")]
        table_messages.point_faults = [RetryLater("429") for _ in (*LINK_RETRY_SECONDS, "never asked")]
        await service.join(table.id, WREN, 7)
        await asyncio.sleep(100_000)
        assert (table_messages.pointers, len(table_messages.point_faults)) == ({}, 1)

    async def test_an_old_message_that_is_gone_is_not_linked(
        self,
        service: TableService,
        publisher: Publisher,
        table_messages: FakeTableMessages,
        caplog: pytest.LogCaptureFixture,
    ) -> None:
        caplog.set_level("INFO", "bot.tables.runtime.publisher")
        table = await open_lobby(service, ROBIN)
        await asyncio.sleep(1)
        table_messages.faults[ShowAction.EDIT] = [TooManyEdits("30046")]
        table_messages.point_faults = [MessageGone("deleted"), MessageGone("never asked")]
        await service.join(table.id, WREN, 7)
        await asyncio.sleep(10_000)
        assert (table_messages.pointers, len(table_messages.point_faults)) == ({}, 1)
        assert f"message 1001 of table {table.id} stays as it is: deleted" in caplog.text

    async def test_a_table_reposted_by_another_process_is_edited_there(
        self, service: TableService, publisher: Publisher, table_messages: FakeTableMessages, store: FakeStore
    ) -> None:
        table = await open_shown_lobby(service, publisher)
        await service.flush()
        elsewhere = Publisher(make_service(store), table_messages)
        await elsewhere.repost(table.id)
        table_messages.faults[ShowAction.EDIT] = [TooManyEdits("30046")]
        await change_lobby(service, table, 1)
        await publisher.close()
        assert [(each.action, each.message_id) for each in table_messages.shown[1:]] == [
            (ShowAction.POST, 1002),
            (ShowAction.EDIT, 1002),
        ]
