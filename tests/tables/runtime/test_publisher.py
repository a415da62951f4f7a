"""What is shown keeps step with what is saved."""

import asyncio

import pytest

from bot.tables.model import Place
from bot.tables.runtime.delivery import ChannelUnreachable, MessageGone
from bot.tables.runtime.publisher import Publisher
from bot.tables.runtime.service import TableService
from bot.tables.table import Table
from tests.support.fake_store import FakeStore
from tests.support.fake_table_messages import FakeTableMessages, ShowAction
from tests.support.fakes import ROBIN, WREN, make_service, open_lobby
from tests.support.lobby_changes import change_lobby, open_shown_lobby
from tests.support.responses import show_in_response
from tests.support.timeouts import DEADLINE_SECONDS
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
        self, service: TableService, publisher: Publisher, table_messages: FakeTableMessages, store: FakeStore
    ) -> None:
        elsewhere = make_service(store)
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
        self, service: TableService, publisher: Publisher, table_messages: FakeTableMessages, store: FakeStore
    ) -> None:
        elsewhere = make_service(store)
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
        quick = await open_lobby(service, WREN, place=Place(3, 71))
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


class TestCarrying:
    async def test_a_click_may_show_the_change_itself(
        self, service: TableService, publisher: Publisher, table_messages: FakeTableMessages
    ) -> None:
        table = await open_shown_lobby(service, publisher)
        table = await change_lobby(service, table, 1)
        carried: list[Table] = []

        async def send(now: Table) -> int:
            carried.append(now)
            return now.header.message_id or 0

        assert await show_in_response(publisher, table.id, table.header.message_id or 0, send)
        assert publisher.tasks.is_idle, "no edit is pending that would find nothing to show"
        await publisher.close()
        assert carried == [table]
        assert table_messages.revisions == [1]
        assert (await service.table(table.id)).header.published == 2

    async def test_a_click_carries_the_newest_revision(
        self, service: TableService, publisher: Publisher, table_messages: FakeTableMessages
    ) -> None:
        table = await open_shown_lobby(service, publisher)
        await change_lobby(service, table, 3)
        revisions: list[int] = []

        async def send(now: Table) -> int:
            revisions.append(now.header.revision)
            return now.header.message_id or 0

        assert await show_in_response(publisher, table.id, table.header.message_id or 0, send)
        await publisher.close()
        assert (revisions, table_messages.revisions) == ([4], [1])

    async def test_a_click_leaves_showing_to_an_edit_under_way(
        self, service: TableService, publisher: Publisher, table_messages: FakeTableMessages
    ) -> None:
        table = await open_shown_lobby(service, publisher)
        table_messages.gates[ShowAction.EDIT] = gate = Gate()
        table = await change_lobby(service, table, 1)
        await gate.reached.wait()
        await change_lobby(service, table, 1)

        async def send(_: Table) -> int:
            raise AssertionError("nothing is to be sent")

        assert not await show_in_response(publisher, table.id, table.header.message_id or 0, send)
        gate.open()
        await publisher.close()
        assert table_messages.revisions == [1, 2, 3]

    async def test_a_click_does_not_wait_for_a_post_that_waited_for_an_earlier_response(
        self, service: TableService, publisher: Publisher, table_messages: FakeTableMessages
    ) -> None:
        table = await open_shown_lobby(service, publisher)
        table_messages.gates[ShowAction.POST] = gate = Gate()
        async with publisher.responding(table.id, table.header.message_id or 0):
            table_messages.limits[ShowAction.POST] = limit = Gate()
            posting = asyncio.create_task(publisher.repost(table.id))
            await limit.reached.wait()
            limit.open()
            await asyncio.sleep(0)  # the post now waits for the response

        async def send(_: Table) -> int:
            raise AssertionError("nothing is to be sent")

        async with asyncio.timeout(DEADLINE_SECONDS):
            assert not await show_in_response(publisher, table.id, table.header.message_id or 0, send)
        gate.open()
        await posting

    async def test_a_patient_click_shows_the_table_after_the_edit_under_way(
        self, service: TableService, publisher: Publisher, table_messages: FakeTableMessages
    ) -> None:
        table = await open_shown_lobby(service, publisher)
        table_messages.gates[ShowAction.EDIT] = gate = Gate()
        table = await change_lobby(service, table, 1)
        await gate.reached.wait()
        table_messages.faults[ShowAction.EDIT] = [ChannelUnreachable("forbidden")]
        carried: list[int] = []

        async def send(now: Table) -> int:
            carried.append(now.header.revision)
            return now.header.message_id or 0

        carrying = asyncio.create_task(
            show_in_response(publisher, table.id, table.header.message_id or 0, send, max_wait=DEADLINE_SECONDS)
        )
        gate.open()
        assert await carrying
        assert carried == [2]
        assert not publisher.is_stuck(table.id)

    async def test_a_change_during_a_response_is_shown_after_it(
        self, service: TableService, publisher: Publisher, table_messages: FakeTableMessages
    ) -> None:
        table = await open_shown_lobby(service, publisher)
        table = await change_lobby(service, table, 1)
        gate, order = Gate(), list[str]()

        async def send(now: Table) -> int:
            await gate.wait()
            order.append(f"carried {now.header.revision}, shown {table_messages.revisions}")
            return now.header.message_id or 0

        carrying = asyncio.create_task(show_in_response(publisher, table.id, table.header.message_id or 0, send))
        await gate.reached.wait()
        table_messages.limits[ShowAction.EDIT] = limit = Gate()
        await change_lobby(service, table, 1)
        await limit.reached.wait()
        limit.open()
        await asyncio.sleep(0)  # the publisher now waits for the click
        gate.open()
        assert await carrying
        await publisher.close()
        assert order == ["carried 2, shown [1]"]
        assert table_messages.revisions == [1, 3]

    async def test_a_click_on_another_message_shows_nothing(
        self, service: TableService, publisher: Publisher, table_messages: FakeTableMessages
    ) -> None:
        table = await open_shown_lobby(service, publisher)
        await change_lobby(service, table, 1)

        async def send(_: Table) -> int:
            raise AssertionError("nothing is to be sent")

        assert not await show_in_response(publisher, table.id, 4711, send)
        await publisher.close()
        assert table_messages.revisions == [1, 2]

    async def test_a_click_may_show_a_table_that_no_message_shows_yet(
        self, service: TableService, publisher: Publisher, table_messages: FakeTableMessages
    ) -> None:
        table = await open_lobby(service, ROBIN)

        async def send(_: Table) -> int:
            return 4711

        assert await show_in_response(publisher, table.id, 4711, send)
        await publisher.close()
        assert table_messages.asked == []
        assert (await service.table(table.id)).header.message_id == 4711

    @pytest.mark.parametrize("fault", [ConnectionError("too late"), asyncio.CancelledError()])
    async def test_a_click_that_could_not_show_the_table_leaves_it_to_the_publisher(
        self, service: TableService, publisher: Publisher, table_messages: FakeTableMessages, fault: BaseException
    ) -> None:
        table = await open_shown_lobby(service, publisher)
        table = await change_lobby(service, table, 1)

        async def send(_: Table) -> int:
            raise fault

        with pytest.raises(type(fault)):
            await show_in_response(publisher, table.id, table.header.message_id or 0, send)
        await publisher.close()
        assert table_messages.revisions == [1, 2]

    async def test_a_table_posted_anew_is_edited_in_its_new_message(
        self, service: TableService, publisher: Publisher, table_messages: FakeTableMessages
    ) -> None:
        table = await open_shown_lobby(service, publisher)
        old = table.header.message_id

        async def send(_: Table) -> int:
            return 4711

        assert await publisher.repost(table.id, send) == old
        await change_lobby(service, table, 1)
        await publisher.close()
        assert (table_messages.shown[-1].revision, table_messages.shown[-1].message_id) == (2, 4711)

    async def test_an_answer_that_opens_a_table_is_its_first_message(
        self, service: TableService, publisher: Publisher, table_messages: FakeTableMessages
    ) -> None:
        table = await open_lobby(service, ROBIN)

        async def send(_: Table) -> int:
            assert publisher.tasks.is_idle, "the publisher leaves the table to the answer"
            return 4711

        assert await publisher.repost(table.id, send) is None
        await publisher.close()
        assert table_messages.asked == []
        assert (await service.table(table.id)).header.message_id == 4711

    async def test_a_table_whose_answer_fails_is_posted(
        self, service: TableService, publisher: Publisher, table_messages: FakeTableMessages
    ) -> None:
        table = await open_lobby(service, ROBIN)
        with pytest.raises(RuntimeError):
            await publisher.repost(table.id, fail_to_send)
        await publisher.close()
        assert table_messages.revisions == [1]


async def fail_to_send(_: Table) -> int:
    raise RuntimeError("not sent")


class TestClaims:
    async def test_a_change_is_left_to_the_response_that_claims_it(
        self, service: TableService, publisher: Publisher, table_messages: FakeTableMessages
    ) -> None:
        table = await open_shown_lobby(service, publisher)
        with publisher.claim(table.id):
            table = await change_lobby(service, table, 1)
            assert publisher.tasks.is_idle
            async with publisher.responding(table.id, table.header.message_id or 0) as now:
                assert now == table
        assert publisher.tasks.is_idle
        await publisher.close()
        assert table_messages.revisions == [1]

    async def test_a_change_shown_in_a_new_message_is_not_shown_again(
        self, service: TableService, publisher: Publisher, table_messages: FakeTableMessages
    ) -> None:
        table = await open_shown_lobby(service, publisher)

        async def send(_: Table) -> int:
            return 4711

        with publisher.claim(table.id):
            await change_lobby(service, table, 1)
            await publisher.repost(table.id, send)
        assert publisher.tasks.is_idle
        await publisher.close()
        assert table_messages.revisions == [1]

    async def test_a_change_that_no_response_has_shown_is_shown_after_the_last_claim(
        self, service: TableService, publisher: Publisher, table_messages: FakeTableMessages
    ) -> None:
        table = await open_shown_lobby(service, publisher)
        with publisher.claim(table.id):
            with publisher.claim(table.id):
                await change_lobby(service, table, 1)
            assert publisher.tasks.is_idle
        await publisher.close()
        assert table_messages.revisions == [1, 2]

    async def test_a_response_that_fails_leaves_it_to_the_publisher(
        self, service: TableService, publisher: Publisher, table_messages: FakeTableMessages
    ) -> None:
        table = await open_shown_lobby(service, publisher)
        with publisher.claim(table.id):
            await change_lobby(service, table, 1)
            with pytest.raises(RuntimeError):
                await show_in_response(publisher, table.id, table.header.message_id or 0, fail_to_send)
        await publisher.close()
        assert table_messages.revisions == [1, 2]

    async def test_a_change_during_the_response_is_shown_after_it(
        self, service: TableService, publisher: Publisher, table_messages: FakeTableMessages
    ) -> None:
        table = await open_shown_lobby(service, publisher)
        with publisher.claim(table.id):
            table = await change_lobby(service, table, 1)
            async with publisher.responding(table.id, table.header.message_id or 0):
                await change_lobby(service, table, 1)
        await publisher.close()
        assert table_messages.revisions == [1, 3]

    async def test_other_tables_are_shown_meanwhile(
        self, service: TableService, publisher: Publisher, table_messages: FakeTableMessages
    ) -> None:
        table = await open_shown_lobby(service, publisher)
        with publisher.claim(table.id + 1):
            await change_lobby(service, table, 1)
            assert not publisher.tasks.is_idle
            await publisher.close()
        assert table_messages.revisions == [1, 2]
