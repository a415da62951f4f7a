"""The publisher shows the newest saved revision of each table."""

import asyncio

from bot.platform.discord.errors import DiscordUnavailable, MessageGone
from bot.platform.places import Location
from bot.tables.publisher import Publisher
from tests.support.fake_table_messages import ShowAction
from tests.support.fakes import ROBIN, WREN, make_service, open_lobby
from tests.support.virtual_time import elapsed_seconds
from tests.support.waiting import Gate, wait_until
from tests.tables.runtime.publishing import Publishing, run_others


class TestInOrder:
    async def test_a_table_is_posted_once_and_then_edited(self, publishing: Publishing) -> None:
        table = await publishing.change_and_show(await publishing.open())
        assert publishing.deeds == [(ShowAction.POST, 1), (ShowAction.EDIT, 2)]
        posted, edited = publishing.messages.shown
        assert posted.message_id == edited.message_id
        now = await publishing.service.table(table.id)
        assert (now.header.published, now.header.message_id) == (2, posted.message_id)

    async def test_a_table_posted_by_another_process_is_edited(self, publishing: Publishing) -> None:
        elsewhere = make_service(publishing.db)
        table = await open_lobby(elsewhere, ROBIN)
        seen = await publishing.service.table(table.id)
        assert seen.header.message_id is None
        await Publisher(elsewhere, publishing.messages).repost(table.id)
        await publishing.change_and_show(seen)
        assert publishing.deeds == [(ShowAction.POST, 1), (ShowAction.EDIT, 2)]
        assert len({shown.message_id for shown in publishing.messages.shown}) == 1

    async def test_a_deleted_message_replaced_by_another_process_is_left_alone(self, publishing: Publishing) -> None:
        elsewhere = make_service(publishing.db)
        there = Publisher(elsewhere, publishing.messages)
        table = await open_lobby(elsewhere, ROBIN)
        await there.repost(table.id)
        seen = await publishing.service.table(table.id)
        await there.repost(table.id)
        publishing.messages.faults[ShowAction.EDIT] = [MessageGone("deleted")]
        await publishing.change_and_show(seen)
        assert publishing.deeds == [(ShowAction.POST, 1), (ShowAction.POST, 1), (ShowAction.EDIT, 2)]
        assert publishing.messages.shown[2].message_id == publishing.messages.shown[1].message_id

    async def test_changes_close_together_are_shown_as_one(self, publishing: Publishing) -> None:
        await publishing.change_and_show(await open_lobby(publishing.service, ROBIN), 5)
        assert publishing.messages.revisions == [6]

    async def test_changes_during_an_edit_are_shown_by_one_more(self, publishing: Publishing) -> None:
        table, gate = await publishing.begin_edit(await publishing.open())
        await publishing.change(table, 3)
        gate.open()
        await publishing.finish()
        assert publishing.messages.revisions == [1, 2, 5]

    async def test_a_shown_revision_is_shown_again_only_on_request(self, publishing: Publishing) -> None:
        table = await publishing.open()
        for _ in range(3):
            publishing.publisher.wake(table.id)
            await publishing.finish()
        assert publishing.messages.revisions == [1]
        publishing.publisher.wake(table.id, again=True)
        await publishing.finish()
        assert publishing.deeds == [(ShowAction.POST, 1), (ShowAction.EDIT, 1)]

    async def test_a_table_does_not_wait_for_another(self, publishing: Publishing) -> None:
        _, gate = await publishing.begin_edit(await publishing.open())
        quick = await open_lobby(publishing.service, WREN, location=Location(3, 71))
        await wait_until(lambda: publishing.messages.shown[-1].table_id == quick.id)
        gate.open()

    async def test_closing_waits_for_edits_under_way(self, publishing: Publishing) -> None:
        _, gate = await publishing.begin_edit(await publishing.open())
        closing = asyncio.create_task(publishing.publisher.close())
        await run_others()
        assert not closing.done()
        gate.open()
        await closing
        assert publishing.messages.revisions == [1, 2]


async def test_a_table_that_was_shown_in_words_is_shown_again_with_its_picture(publishing: Publishing) -> None:
    drawing = publishing.messages.late_pictures[1] = asyncio.get_running_loop().create_future()
    await open_lobby(publishing.service, ROBIN)
    await asyncio.sleep(60)
    assert publishing.deeds == [(ShowAction.POST, 1)]
    drawing.set_result(None)
    await asyncio.sleep(60)
    assert publishing.deeds == [(ShowAction.POST, 1), (ShowAction.EDIT, 1)]


class TestMoments:
    async def test_words_follow_when_the_dice_rest_and_count_as_unpublished_until_then(
        self, publishing: Publishing
    ) -> None:
        table = await publishing.open()
        publishing.messages.rolls[2] = 1.4
        before = elapsed_seconds()
        await publishing.change(table)
        await wait_until(lambda: publishing.messages.revisions == [1, 2, 2])
        assert elapsed_seconds() - before > 1.4
        await publishing.finish()
        assert (await publishing.service.table(table.id)).header.published == 2

    async def test_nothing_but_a_newer_change_shows_a_table_whose_dice_move(self, publishing: Publishing) -> None:
        table = await publishing.open()
        publishing.messages.rolls[2] = 1.4
        await publishing.change(table, 1)
        await wait_until(lambda: publishing.messages.revisions == [1, 2])
        publishing.publisher.wake(table.id)
        await asyncio.sleep(1)
        assert publishing.messages.revisions == [1, 2]
        assert (await publishing.service.table(table.id)).header.published == 1
        await publishing.change_and_show(await publishing.service.table(table.id))
        assert publishing.messages.revisions == [1, 2, 3]

    async def test_words_follow_a_moment_that_begins_while_earlier_words_are_being_sent(
        self, publishing: Publishing
    ) -> None:
        table = await open_lobby(publishing.service, ROBIN)
        await wait_until(lambda: publishing.messages.revisions == [1])
        publishing.messages.rolls |= {2: 1.4, 3: 1.4}
        table = await publishing.change(table)
        await wait_until(lambda: publishing.messages.revisions == [1, 2])
        publishing.messages.gates[ShowAction.EDIT] = words = Gate()
        await words.reached.wait()
        await publishing.change(table)
        words.open()
        await wait_until(lambda: publishing.messages.revisions == [1, 2, 2, 3, 3])

    async def test_words_that_fail_are_tried_again(self, publishing: Publishing) -> None:
        table = await open_lobby(publishing.service, ROBIN)
        await wait_until(lambda: publishing.messages.revisions == [1])
        publishing.messages.rolls[2] = 1.4
        await publishing.change(table, 1)
        await wait_until(lambda: publishing.messages.revisions == [1, 2])
        publishing.messages.faults[ShowAction.EDIT] = [DiscordUnavailable("down")]
        await wait_until(lambda: publishing.messages.revisions == [1, 2, 2])
