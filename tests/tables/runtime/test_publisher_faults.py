"""Failed posts and edits are repeated, but not for ever."""

import asyncio

import pytest

from bot.platform.discord.errors import (
    ChannelDeleted,
    ChannelUnreachable,
    DeliveryFailed,
    DiscordUnavailable,
    MessageGone,
    RetryLater,
    ThreadArchived,
    TooManyEdits,
)
from bot.tables import storage as table_storage, sweep
from bot.tables.publisher import REMOVAL_RETRY_SECONDS, RESTORE_SECONDS, Publisher
from bot.tables.service import TableService
from bot.tables.table import Table
from tests.support.fake_table_messages import FakeTableMessages, ShowAction
from tests.support.fakes import ROBIN, WREN, make_service, open_lobby, roll, start_game
from tests.support.lobby_changes import change_lobby, open_shown_lobby
from tests.support.memory_database import MemoryDatabase
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
        self, service: TableService, publisher: Publisher, table_messages: FakeTableMessages, db: MemoryDatabase
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
        assert list(await db.read(sweep.find_pending, db.shards, {"magpie"}, 0, 9)) == []
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
        self, service: TableService, publisher: Publisher, table_messages: FakeTableMessages, db: MemoryDatabase
    ) -> None:
        table = await open_shown_lobby(service, publisher)
        table_messages.faults = {ShowAction.EDIT: [MessageGone("gone")], ShowAction.POST: [ChannelUnreachable("gone")]}
        await change_lobby(service, table, 1)
        await publisher.close()
        assert len(table_messages.asked) == 3
        await service.flush()
        assert list(await db.read(sweep.find_pending, db.shards, {"magpie"}, 0, 9)) == []

    async def test_a_temporary_failure_is_retried_at_the_next_wake(
        self, service: TableService, publisher: Publisher, table_messages: FakeTableMessages, db: MemoryDatabase
    ) -> None:
        table = await open_shown_lobby(service, publisher)
        await service.flush()
        table_messages.faults[ShowAction.EDIT] = [DeliveryFailed("500")]
        await change_lobby(service, table, 1)
        await publisher.close()
        assert table_messages.revisions == [1]
        assert list(await db.read(sweep.find_pending, db.shards, {"magpie"}, 0, 9)) == [table.id]
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
        self, service: TableService, publisher: Publisher, table_messages: FakeTableMessages, db: MemoryDatabase
    ) -> None:
        table = await start_game(service)
        await publisher.close()
        table_messages.faults[ShowAction.EDIT] = [DeliveryFailed("500")] * 3
        for _ in range(3):
            table = await roll(service, table)
            await publisher.close()
        assert len(db.texts(table.id)) == 3
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
        caplog.set_level("INFO", "bot.tables.publisher")
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
    db: MemoryDatabase,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level("DEBUG", "bot.tables.publisher")
    table = await open_lobby(service, ROBIN)
    db.broken = {table_storage.mark_published}
    await publisher.repost(table.id)
    assert f"the message of table {table.id} could not be stored yet" in caplog.text
    db.broken = set()
    await service.flush()
    assert [shown.message_id for shown in table_messages.shown] == [db.header(table.id).message_id]


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

    async def replace_worn_message(self, service: TableService, table_messages: FakeTableMessages) -> None:
        """Show a table in message 1001, which is then edited too often, and change it."""
        table = await open_lobby(service, ROBIN)
        await asyncio.sleep(1)
        table_messages.faults[ShowAction.EDIT] = [TooManyEdits("30046")]
        await service.join(table.id, WREN, 7)

    async def test_the_old_message_is_deleted_at_once(
        self, service: TableService, publisher: Publisher, table_messages: FakeTableMessages
    ) -> None:
        await self.replace_worn_message(service, table_messages)
        await asyncio.sleep(1)
        assert (table_messages.shown[-1].message_id, table_messages.removed) == (1002, [1001])

    async def test_the_old_message_stays_while_there_is_no_other(
        self, service: TableService, publisher: Publisher, table_messages: FakeTableMessages
    ) -> None:
        table_messages.faults[ShowAction.POST] = [ChannelUnreachable("50001")]
        table = await open_lobby(service, ROBIN)
        service.note_published(table, 1001)
        table_messages.faults[ShowAction.EDIT] = [TooManyEdits("30046")]
        await service.join(table.id, WREN, 7)
        await asyncio.sleep(1)
        assert (table_messages.faults[ShowAction.POST], table_messages.removed) == ([], [])

    async def test_a_table_reposted_by_another_process_is_edited_there(
        self, service: TableService, publisher: Publisher, table_messages: FakeTableMessages, db: MemoryDatabase
    ) -> None:
        table = await open_shown_lobby(service, publisher)
        await service.flush()
        elsewhere = Publisher(make_service(db), table_messages)
        await elsewhere.repost(table.id)
        table_messages.faults[ShowAction.EDIT] = [TooManyEdits("30046")]
        await change_lobby(service, table, 1)
        await publisher.close()
        assert [(each.action, each.message_id) for each in table_messages.shown[1:]] == [
            (ShowAction.POST, 1002),
            (ShowAction.EDIT, 1002),
        ]


class TestReplacedMessages:
    """A message that a newer one has replaced has no live buttons for long."""

    @pytest.mark.parametrize(
        "fault", [RetryLater("429"), DiscordUnavailable("503"), ChannelUnreachable("50001"), ThreadArchived("50083")]
    )
    async def test_deleting_is_tried_again_until_it_works(
        self, service: TableService, publisher: Publisher, table_messages: FakeTableMessages, fault: Exception
    ) -> None:
        table_messages.removal_faults = [fault for _ in REMOVAL_RETRY_SECONDS]
        await publisher.remove_replaced(await open_lobby(service, ROBIN), 900)
        assert table_messages.removed == []
        await asyncio.sleep(sum(REMOVAL_RETRY_SECONDS) + 1)
        assert table_messages.removed == [900]

    async def test_deleting_is_given_up_in_the_end(
        self, service: TableService, publisher: Publisher, table_messages: FakeTableMessages
    ) -> None:
        table_messages.removal_faults = [RetryLater("429") for _ in ("now", *REMOVAL_RETRY_SECONDS, "never asked")]
        await publisher.remove_replaced(await open_lobby(service, ROBIN), 900)
        await asyncio.sleep(10 * sum(REMOVAL_RETRY_SECONDS))
        assert (table_messages.removed, len(table_messages.removal_faults)) == ([], 1)

    @pytest.mark.parametrize("fault", [MessageGone("10008"), ChannelDeleted("10003")])
    async def test_what_is_gone_is_asked_for_once(
        self, service: TableService, publisher: Publisher, table_messages: FakeTableMessages, fault: Exception
    ) -> None:
        table_messages.removal_faults = [fault]
        await publisher.remove_replaced(await open_lobby(service, ROBIN), 900)
        await asyncio.sleep(10 * sum(REMOVAL_RETRY_SECONDS))
        assert (table_messages.removed, table_messages.removal_faults) == ([], [])


class TestRestoring:
    """A table whose message somebody has deleted is there again when its link is shown."""

    async def test_a_deleted_message_is_replaced(
        self, service: TableService, publisher: Publisher, table_messages: FakeTableMessages
    ) -> None:
        table = await open_lobby(service, ROBIN)
        await asyncio.sleep(1)
        table_messages.deleted.add(1001)
        assert (await publisher.restore(table.id)).header.message_id == 1002
        assert [shown.message_id for shown in table_messages.shown] == [1001, 1002]

    async def test_a_message_that_is_there_stays(
        self, service: TableService, publisher: Publisher, table_messages: FakeTableMessages
    ) -> None:
        table = await open_lobby(service, ROBIN)
        await asyncio.sleep(1)
        for _ in range(3):
            assert (await publisher.restore(table.id)).header.message_id == 1001
        assert [shown.action for shown in table_messages.shown] == [ShowAction.POST, ShowAction.EDIT], "looked for once"

    async def test_a_table_that_its_opener_is_about_to_post_is_left_to_them(
        self, service: TableService, publisher: Publisher, table_messages: FakeTableMessages
    ) -> None:
        table = await open_lobby(service, ROBIN)
        with publisher.claim(table.id):
            assert (await publisher.restore(table.id)).header.message_id is None
            assert table_messages.asked == []

    async def test_nobody_waits_long_for_it(
        self, service: TableService, publisher: Publisher, table_messages: FakeTableMessages
    ) -> None:
        table = await open_lobby(service, ROBIN)
        await asyncio.sleep(1)
        table_messages.deleted.add(1001)
        gate = table_messages.gates[ShowAction.EDIT] = Gate()
        before = asyncio.get_running_loop().time()
        assert (await publisher.restore(table.id)).header.message_id == 1001
        assert asyncio.get_running_loop().time() - before == RESTORE_SECONDS
        gate.open()
        await asyncio.sleep(1)
        assert (await service.table(table.id)).header.message_id == 1002
