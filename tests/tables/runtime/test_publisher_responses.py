"""A response to a click may show the table in place of the publisher."""

import asyncio

import pytest

from bot.platform.discord.errors import ChannelUnreachable, PostedMeanwhile
from bot.tables.table import Table
from tests.support.fake_table_messages import ShowAction
from tests.support.fakes import ROBIN, open_lobby
from tests.support.responses import fail_to_send, show_in_response
from tests.support.waiting import DEADLINE_SECONDS, Gate
from tests.tables.runtime.publishing import OTHER_MESSAGE, Publishing, send_elsewhere


class TestShowInResponse:
    async def test_a_click_carries_the_newest_revision_which_is_shown_no_more(self, publishing: Publishing) -> None:
        table = await publishing.open()
        await publishing.change(table, 3)
        assert await publishing.respond(table) == 4
        assert publishing.publisher.tasks.is_idle, "no edit is pending that would find nothing to show"
        await publishing.finish()
        assert publishing.messages.revisions == [1]
        assert (await publishing.service.table(table.id)).header.published == 4

    async def test_a_click_leaves_showing_to_an_edit_under_way(self, publishing: Publishing) -> None:
        table, gate = await publishing.begin_edit(await publishing.open())
        await publishing.change(table)
        assert await publishing.respond(table) is None
        gate.open()
        await publishing.finish()
        assert publishing.messages.revisions == [1, 2, 3]

    async def test_a_click_does_not_wait_for_a_post_that_waited_for_an_earlier_response(
        self, publishing: Publishing
    ) -> None:
        table, messages = await publishing.open(), publishing.messages
        messages.gates[ShowAction.POST] = gate = Gate()
        async with publishing.publisher.responding(table.id, table.header.message_id or 0):
            messages.limits[ShowAction.POST] = limit = Gate()
            posting = asyncio.create_task(publishing.publisher.repost(table.id))
            await limit.reached.wait()
            limit.open()
            await asyncio.sleep(0)  # the post now waits for the response
        async with asyncio.timeout(DEADLINE_SECONDS):
            assert await publishing.respond(table) is None
        gate.open()
        await posting

    async def test_a_patient_click_shows_the_table_after_the_edit_under_way(self, publishing: Publishing) -> None:
        table, gate = await publishing.begin_edit(await publishing.open())
        publishing.messages.faults[ShowAction.EDIT] = [ChannelUnreachable("forbidden")]
        carrying = asyncio.create_task(publishing.respond(table, max_wait=DEADLINE_SECONDS))
        gate.open()
        assert await carrying == 2
        assert not publishing.publisher.is_stuck(table.id)

    async def test_a_change_during_a_response_is_shown_after_it(self, publishing: Publishing) -> None:
        table = await publishing.change(await publishing.open())
        gate, order = Gate(), list[str]()

        async def send(now: Table) -> int:
            await gate.wait()
            order.append(f"carried {now.header.revision}, shown {publishing.messages.revisions}")
            return now.header.message_id or 0

        carrying = asyncio.create_task(
            show_in_response(publishing.publisher, table.id, table.header.message_id or 0, send)
        )
        await gate.reached.wait()
        publishing.messages.limits[ShowAction.EDIT] = limit = Gate()
        await publishing.change(table)
        await limit.reached.wait()
        limit.open()
        await asyncio.sleep(0)  # the publisher now waits for the click
        gate.open()
        assert await carrying
        await publishing.finish()
        assert order == ["carried 2, shown [1]"]
        assert publishing.messages.revisions == [1, 3]

    async def test_a_click_on_another_message_shows_nothing(self, publishing: Publishing) -> None:
        table = await publishing.change(await publishing.open())
        assert await publishing.respond(table, OTHER_MESSAGE) is None
        await publishing.finish()
        assert publishing.messages.revisions == [1, 2]

    async def test_a_click_may_show_a_table_that_no_message_shows_yet(self, publishing: Publishing) -> None:
        table = await open_lobby(publishing.service, ROBIN)
        assert await publishing.respond(table, OTHER_MESSAGE) == 1
        await publishing.finish()
        assert publishing.messages.asked == []
        assert (await publishing.service.table(table.id)).header.message_id == OTHER_MESSAGE

    @pytest.mark.parametrize("fault", [ConnectionError("too late"), asyncio.CancelledError()])
    async def test_a_click_that_could_not_show_the_table_leaves_it_to_the_publisher(
        self, publishing: Publishing, fault: BaseException
    ) -> None:
        table = await publishing.change(await publishing.open())

        async def send(_: Table) -> int:
            raise fault

        with pytest.raises(type(fault)):
            await show_in_response(publishing.publisher, table.id, table.header.message_id or 0, send)
        await publishing.finish()
        assert publishing.messages.revisions == [1, 2]


class TestReposting:
    async def test_a_reposted_table_is_edited_in_its_new_message(self, publishing: Publishing) -> None:
        table = await publishing.open()
        assert await publishing.publisher.repost(table.id, send_elsewhere) == table.header.message_id
        await publishing.change_and_show(table)
        shown = publishing.messages.shown[-1]
        assert (shown.revision, shown.message_id) == (2, OTHER_MESSAGE)

    async def test_a_table_that_was_posted_meanwhile_is_not_posted_again(self, publishing: Publishing) -> None:
        before = await open_lobby(publishing.service, ROBIN)
        await publishing.publisher.repost(before.id)
        with pytest.raises(PostedMeanwhile):
            await publishing.publisher.repost(before.id, before=before)
        assert len(publishing.messages.shown) == 1

    async def test_an_answer_that_opens_a_table_is_its_first_message(self, publishing: Publishing) -> None:
        table = await open_lobby(publishing.service, ROBIN)

        async def send(_: Table) -> int:
            assert publishing.publisher.tasks.is_idle, "the publisher leaves the table to the answer"
            return OTHER_MESSAGE

        assert await publishing.publisher.repost(table.id, send) is None
        await publishing.finish()
        assert publishing.messages.asked == []
        assert (await publishing.service.table(table.id)).header.message_id == OTHER_MESSAGE

    async def test_a_table_whose_answer_fails_is_posted(self, publishing: Publishing) -> None:
        table = await open_lobby(publishing.service, ROBIN)
        with pytest.raises(RuntimeError):
            await publishing.publisher.repost(table.id, fail_to_send)
        await publishing.finish()
        assert publishing.messages.revisions == [1]


class TestClaims:
    """A change is left to the response that claims it."""

    async def test_a_change_is_left_to_the_response_that_claims_it(self, publishing: Publishing) -> None:
        table, publisher = await publishing.open(), publishing.publisher
        with publisher.claim(table.id):
            table = await publishing.change(table)
            assert publisher.tasks.is_idle
            async with publisher.responding(table.id, table.header.message_id or 0) as now:
                assert now == table
        assert publisher.tasks.is_idle
        with publisher.claim(table.id):
            await publishing.change(table)
            await publisher.repost(table.id, send_elsewhere)
        assert publisher.tasks.is_idle
        await publishing.finish()
        assert publishing.messages.revisions == [1]

    async def test_a_change_that_no_response_has_shown_is_shown_after_the_last_claim(
        self, publishing: Publishing
    ) -> None:
        table, publisher = await publishing.open(), publishing.publisher
        with publisher.claim(table.id):
            with publisher.claim(table.id):
                table = await publishing.change(table)
            assert publisher.tasks.is_idle
        await publishing.finish()
        assert publishing.messages.revisions == [1, 2]
        with publisher.claim(table.id):
            await publishing.change(table)
            with pytest.raises(RuntimeError):
                await show_in_response(publisher, table.id, table.header.message_id or 0, fail_to_send)
        await publishing.finish()
        assert publishing.messages.revisions == [1, 2, 3]

    async def test_nothing_else_waits_for_a_claim(self, publishing: Publishing) -> None:
        table, publisher = await publishing.open(), publishing.publisher
        with publisher.claim(table.id):
            publisher.wake(table.id, again=True)
            assert not publisher.tasks.is_idle
        await publishing.finish()
        assert publishing.messages.revisions == [1, 1]
        with publisher.claim(table.id + 1):
            await publishing.change(table)
            assert not publisher.tasks.is_idle
            await publishing.finish()
        assert publishing.messages.revisions == [1, 1, 2]
