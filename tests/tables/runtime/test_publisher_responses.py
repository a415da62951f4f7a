"""A response to a click may show the table in place of the publisher."""

import asyncio

import pytest

from bot.platform.discord.errors import ChannelUnreachable, PostedMeanwhile
from bot.tables.publisher import Publisher
from bot.tables.service import TableService
from bot.tables.table import Table
from tests.support.fake_table_messages import FakeTableMessages, ShowAction
from tests.support.fakes import ROBIN, open_lobby
from tests.support.lobby_changes import change_lobby, open_shown_lobby
from tests.support.responses import fail_to_send, show_in_response
from tests.support.waiting import DEADLINE_SECONDS, Gate


class TestShowInResponse:
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

    async def test_a_reposted_table_is_edited_in_its_new_message(
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

    async def test_a_table_that_was_posted_meanwhile_is_not_posted_again(
        self, service: TableService, publisher: Publisher, table_messages: FakeTableMessages
    ) -> None:
        before = await open_lobby(service, ROBIN)
        await publisher.repost(before.id)
        with pytest.raises(PostedMeanwhile):
            await publisher.repost(before.id, before=before)
        assert len(table_messages.shown) == 1

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
