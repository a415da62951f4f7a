"""The publisher shows the newest saved revision of each table."""

import asyncio

from bot.platform.discord.errors import MessageGone
from bot.platform.places import Location
from bot.tables.publisher import Publisher
from bot.tables.service import TableService
from tests.support.fake_table_messages import FakeTableMessages, ShowAction
from tests.support.fakes import ROBIN, WREN, make_service, open_lobby
from tests.support.lobby_changes import change_lobby, open_shown_lobby
from tests.support.memory_database import MemoryDatabase
from tests.support.waiting import Gate, wait_until


class TestInOrder:
    async def test_a_table_is_posted_once_and_then_edited(
        self, service: TableService, publisher: Publisher, table_messages: FakeTableMessages
    ) -> None:
        table = await open_shown_lobby(service, publisher)
        await change_lobby(service, table, 1)
        await publisher.close()
        assert [(shown.action, shown.revision) for shown in table_messages.shown] == [
            (ShowAction.POST, 1),
            (ShowAction.EDIT, 2),
        ]
        assert table_messages.shown[0].message_id == table_messages.shown[1].message_id
        now = await service.table(table.id)
        assert (now.header.published, now.header.message_id) == (2, table_messages.shown[0].message_id)

    async def test_a_table_posted_by_another_process_is_edited(
        self, service: TableService, publisher: Publisher, table_messages: FakeTableMessages, db: MemoryDatabase
    ) -> None:
        elsewhere = make_service(db)
        table = await open_lobby(elsewhere, ROBIN)
        seen = await service.table(table.id)
        assert seen.header.message_id is None
        there = Publisher(elsewhere, table_messages)
        await there.repost(table.id)
        await service.join(table.id, WREN, 7)
        await publisher.close()
        assert [(shown.action, shown.revision) for shown in table_messages.shown] == [
            (ShowAction.POST, 1),
            (ShowAction.EDIT, 2),
        ]
        assert table_messages.shown[0].message_id == table_messages.shown[1].message_id

    async def test_a_deleted_message_replaced_by_another_process_is_left_alone(
        self, service: TableService, publisher: Publisher, table_messages: FakeTableMessages, db: MemoryDatabase
    ) -> None:
        elsewhere = make_service(db)
        there = Publisher(elsewhere, table_messages)
        table = await open_lobby(elsewhere, ROBIN)
        await there.repost(table.id)
        await service.table(table.id)
        await there.repost(table.id)
        table_messages.faults[ShowAction.EDIT] = [MessageGone("deleted")]
        await service.join(table.id, WREN, 7)
        await publisher.close()
        assert [shown.action for shown in table_messages.shown] == [ShowAction.POST, ShowAction.POST, ShowAction.EDIT]
        assert table_messages.shown[2].message_id == table_messages.shown[1].message_id

    async def test_changes_close_together_are_shown_as_one(
        self, service: TableService, publisher: Publisher, table_messages: FakeTableMessages
    ) -> None:
        table = await open_lobby(service, ROBIN)
        await change_lobby(service, table, 5)
        await publisher.close()
        assert table_messages.revisions == [6]

    async def test_changes_during_an_edit_are_shown_by_one_more(
        self, service: TableService, publisher: Publisher, table_messages: FakeTableMessages
    ) -> None:
        table = await open_shown_lobby(service, publisher)
        table_messages.gates[ShowAction.EDIT] = gate = Gate()
        table = await change_lobby(service, table, 1)
        await gate.reached.wait()
        await change_lobby(service, table, 3)
        gate.open()
        await publisher.close()
        assert table_messages.revisions == [1, 2, 5]

    async def test_a_shown_revision_is_not_shown_again(
        self, service: TableService, publisher: Publisher, table_messages: FakeTableMessages
    ) -> None:
        table = await open_shown_lobby(service, publisher)
        for _ in range(3):
            publisher.wake(table.id)
            await publisher.close()
        assert table_messages.revisions == [1]

    async def test_a_shown_revision_is_shown_again_on_request(
        self, service: TableService, publisher: Publisher, table_messages: FakeTableMessages
    ) -> None:
        table = await open_shown_lobby(service, publisher)
        publisher.wake(table.id, again=True)
        await publisher.close()
        assert [(shown.action, shown.revision) for shown in table_messages.shown] == [
            (ShowAction.POST, 1),
            (ShowAction.EDIT, 1),
        ]

    async def test_a_table_does_not_wait_for_another(
        self, service: TableService, publisher: Publisher, table_messages: FakeTableMessages
    ) -> None:
        slow = await open_shown_lobby(service, publisher)
        table_messages.gates[ShowAction.EDIT] = gate = Gate()
        await change_lobby(service, slow, 1)
        await gate.reached.wait()
        quick = await open_lobby(service, WREN, location=Location(3, 71))
        await wait_until(lambda: table_messages.shown[-1].table_id == quick.id)
        gate.open()

    async def test_closing_waits_for_edits_under_way(
        self, service: TableService, publisher: Publisher, table_messages: FakeTableMessages
    ) -> None:
        table = await open_shown_lobby(service, publisher)
        table_messages.gates[ShowAction.EDIT] = gate = Gate()
        await change_lobby(service, table, 1)
        await gate.reached.wait()
        closing = asyncio.create_task(publisher.close())
        for _ in range(20):
            await asyncio.sleep(0)
        assert not closing.done()
        gate.open()
        await closing
        assert table_messages.revisions == [1, 2]


class TestLatePictures:
    async def test_a_table_that_was_shown_in_words_is_shown_again_with_its_picture(
        self, service: TableService, publisher: Publisher, table_messages: FakeTableMessages
    ) -> None:
        drawing = table_messages.late_pictures[1] = asyncio.get_running_loop().create_future()
        table = await open_lobby(service, ROBIN)
        await asyncio.sleep(60)
        assert [shown.action for shown in table_messages.shown] == [ShowAction.POST]
        drawing.set_result(None)
        await asyncio.sleep(60)
        assert [shown.action for shown in table_messages.shown] == [ShowAction.POST, ShowAction.EDIT]
        assert {shown.table_id for shown in table_messages.shown} == {table.id}
