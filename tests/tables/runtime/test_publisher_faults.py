"""Failed posts and edits are repeated, but not for ever."""

import asyncio
from dataclasses import replace

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
from bot.tables import lobby, storage as table_storage, sweep
from bot.tables.model import Status
from bot.tables.publisher import CANCELLED_SECONDS, REMOVAL_RETRY_SECONDS, RESTORE_SECONDS, Publisher
from tests.support.each_case import each_case
from tests.support.fake_table_messages import FakeTableMessages, ShowAction
from tests.support.fakes import ROBIN, WREN, make_service, make_table, open_lobby, roll, start_game
from tests.support.virtual_time import elapsed_seconds
from tests.support.waiting import Gate
from tests.tables.runtime.publishing import OTHER_MESSAGE, Publishing, send_elsewhere

POST, EDIT = ShowAction.POST, ShowAction.EDIT


@pytest.fixture
def messages(table_messages: FakeTableMessages) -> FakeTableMessages:
    return table_messages


async def pending(publishing: Publishing) -> list[int]:
    """Return the tables that the database says are yet to be shown."""
    await publishing.service.flush()
    return list(await publishing.db.read(sweep.find_pending, publishing.db.shards, {"magpie"}, 0, 9))


class TestFailures:
    @pytest.mark.parametrize("fault", [None, TooManyEdits("30046")])
    async def test_a_table_whose_message_takes_no_edit_is_reposted_once(
        self, publishing: Publishing, messages: FakeTableMessages, fault: Exception | None
    ) -> None:
        """It was deleted, or is older than an hour and has been edited too often."""
        table = await publishing.open()
        if fault is None:
            messages.deleted.add(1001)
        else:
            messages.faults[EDIT] = [fault]
        await publishing.change_and_show(await publishing.change_and_show(table))
        assert [(each.action, each.revision) for each in messages.asked] == [(POST, 1), (EDIT, 2), (POST, 2), (EDIT, 3)]
        assert [each.message_id for each in messages.shown] == [1001, 1002, 1002]

    async def test_an_unreachable_channel_is_given_up_until_the_next_change(
        self, publishing: Publishing, messages: FakeTableMessages
    ) -> None:
        table = await publishing.open()
        messages.faults[EDIT] = [ChannelUnreachable("gone"), ChannelUnreachable("gone")]
        table = await publishing.change_and_show(table)
        for _ in range(3):
            publishing.publisher.wake(table.id)
            await publishing.finish()
        assert [shown.revision for shown in messages.asked] == [1, 2]
        assert await pending(publishing) == []
        await publishing.change_and_show(table)
        assert [shown.revision for shown in messages.asked] == [1, 2, 3]
        assert (await publishing.service.table(table.id)).header.message_id == 1001

    async def test_a_channel_that_was_never_reachable_gets_no_message(
        self, publishing: Publishing, messages: FakeTableMessages
    ) -> None:
        messages.faults[POST] = [ChannelUnreachable("not allowed")]
        table = await publishing.open()
        assert table.header.message_id is None
        await publishing.change_and_show(table)
        assert publishing.deeds == [(POST, 2)]

    async def test_a_message_that_can_neither_be_edited_nor_reposted_is_given_up(
        self, publishing: Publishing, messages: FakeTableMessages
    ) -> None:
        table = await publishing.open()
        messages.faults = {EDIT: [MessageGone("gone")], POST: [ChannelUnreachable("gone")]}
        await publishing.change_and_show(table)
        assert len(messages.asked) == 3
        assert await pending(publishing) == []

    async def test_a_temporary_failure_is_retried_at_the_next_wake(
        self, publishing: Publishing, messages: FakeTableMessages
    ) -> None:
        table = await publishing.open()
        messages.faults[EDIT] = [DeliveryFailed("500")]
        table = await publishing.change_and_show(table)
        assert messages.revisions == [1]
        assert await pending(publishing) == [table.id]
        publishing.publisher.wake(table.id)
        await publishing.finish()
        assert messages.revisions == [1, 2]
        messages.deleted.add(1001)
        messages.faults[POST] = [DeliveryFailed("500")]
        await publishing.change_and_show(table)
        publishing.publisher.wake(table.id)
        await publishing.finish()
        assert publishing.deeds == [(POST, 1), (EDIT, 2), (POST, 3)], "a repost, too"

    async def test_a_failed_edit_never_undoes_a_move(self, publishing: Publishing, messages: FakeTableMessages) -> None:
        table = await start_game(publishing.service)
        await publishing.finish()
        messages.faults[EDIT] = [DeliveryFailed("500")] * 3
        for _ in range(3):
            table = await roll(publishing.service, table)
            await publishing.finish()
        assert len(publishing.db.texts(table.id)) == 3
        publishing.publisher.wake(table.id)
        await publishing.finish()
        assert messages.shown[-1].revision == table.header.revision

    async def test_a_post_counts_even_if_its_id_cannot_be_stored_yet(
        self, publishing: Publishing, messages: FakeTableMessages, caplog: pytest.LogCaptureFixture
    ) -> None:
        caplog.set_level("DEBUG", "bot.tables.publisher")
        table = await open_lobby(publishing.service, ROBIN)
        publishing.db.broken = {table_storage.mark_published}
        await publishing.publisher.repost(table.id)
        assert f"the message of table {table.id} could not be stored yet" in caplog.text
        publishing.db.broken = set()
        await publishing.service.flush()
        assert [shown.message_id for shown in messages.shown] == [publishing.db.header(table.id).message_id]


class TestWaiting:
    """Discord wants no requests for a while."""

    async def test_the_lock_of_a_table_is_not_held_while_waiting_for_discord(
        self, publishing: Publishing, messages: FakeTableMessages
    ) -> None:
        table = await publishing.open()
        messages.limits[EDIT] = limit = Gate()
        table = await publishing.change(table)
        await limit.reached.wait()
        for revision in (2, 3, 4):
            assert await publishing.respond(table) == revision
            table = await publishing.change(table)
        limit.open()
        await publishing.finish()
        assert messages.revisions == [1, 5], "what was carried is shown no more, and what is newest once"

    async def test_a_refused_edit_is_repeated_with_the_newest_state(
        self, publishing: Publishing, messages: FakeTableMessages, caplog: pytest.LogCaptureFixture
    ) -> None:
        caplog.set_level("INFO", "bot.tables.publisher")
        table = await publishing.open()
        messages.faults[EDIT] = [RetryLater("429")]
        table, gate = await publishing.begin_edit(table)
        messages.limits[EDIT] = limit = Gate()
        gate.open()
        await limit.reached.wait()
        await publishing.change(table, 3)
        limit.open()
        await publishing.finish()
        assert [shown.revision for shown in messages.asked] == [1, 2, 5]
        assert messages.revisions == [1, 5]
        assert "is shown later, as Discord demands: 429" in caplog.text

    async def test_a_table_posted_elsewhere_meanwhile_is_not_edited_at_its_old_place(
        self, publishing: Publishing, messages: FakeTableMessages
    ) -> None:
        table = await publishing.open()
        messages.limits[EDIT] = limit = Gate()
        await publishing.change(table)
        await limit.reached.wait()
        await publishing.publisher.repost(table.id, send_elsewhere)
        await publishing.change(await publishing.service.table(table.id))
        limit.open()
        await publishing.finish()
        assert [(shown.revision, shown.message_id) for shown in messages.asked[1:]] == [(3, OTHER_MESSAGE)]

    async def test_a_post_that_waits_too_long_fails(self, publishing: Publishing, messages: FakeTableMessages) -> None:
        table = await publishing.open()
        messages.limits[POST] = Gate()
        with pytest.raises(RetryLater):
            await publishing.publisher.repost(table.id)
        assert elapsed_seconds() < 15
        assert await publishing.respond(table) == 1


class TestTooManyEdits:
    """A message that is older than an hour takes no more edits for now."""

    async def test_the_old_message_is_deleted_at_once(
        self, publishing: Publishing, messages: FakeTableMessages
    ) -> None:
        table = await open_lobby(publishing.service, ROBIN)
        await asyncio.sleep(1)
        messages.faults[EDIT] = [TooManyEdits("30046")]
        await publishing.change(table)
        await asyncio.sleep(1)
        assert (messages.shown[-1].message_id, messages.removed) == (1002, [1001])

    async def test_the_old_message_stays_while_there_is_no_other(
        self, publishing: Publishing, messages: FakeTableMessages
    ) -> None:
        messages.faults = {POST: [ChannelUnreachable("50001")], EDIT: [TooManyEdits("30046")]}
        table = await open_lobby(publishing.service, ROBIN)
        publishing.service.note_published(table, 1001)
        await publishing.service.join(table.id, WREN, 7)
        await asyncio.sleep(1)
        assert (messages.faults[POST], messages.removed) == ([], [])

    async def test_a_table_reposted_by_another_process_is_edited_there(
        self, publishing: Publishing, messages: FakeTableMessages
    ) -> None:
        table = await publishing.open()
        await publishing.service.flush()
        await Publisher(make_service(publishing.db), messages).repost(table.id)
        messages.faults[EDIT] = [TooManyEdits("30046")]
        await publishing.change_and_show(table)
        assert [(each.action, each.message_id) for each in messages.shown[1:]] == [(POST, 1002), (EDIT, 1002)]


class TestReplacedMessages:
    """A message that a newer one has replaced has no live buttons for long."""

    @pytest.mark.parametrize(
        "fault", [RetryLater("429"), DiscordUnavailable("503"), ChannelUnreachable("50001"), ThreadArchived("50083")]
    )
    async def test_deleting_is_tried_again_until_it_works(
        self, publishing: Publishing, messages: FakeTableMessages, fault: Exception
    ) -> None:
        messages.removal_faults = [fault for _ in REMOVAL_RETRY_SECONDS]
        await publishing.publisher.remove_replaced(await open_lobby(publishing.service, ROBIN), 900)
        assert messages.removed == []
        await asyncio.sleep(sum(REMOVAL_RETRY_SECONDS) + 1)
        assert messages.removed == [900]

    @pytest.mark.parametrize(
        ("fault", "attempts"),
        [
            (RetryLater("429"), 1 + len(REMOVAL_RETRY_SECONDS)),
            (MessageGone("10008"), 1),
            (ChannelDeleted("10003"), 1),
        ],
    )
    async def test_deleting_is_given_up_in_the_end_or_once_the_message_is_gone(
        self, publishing: Publishing, messages: FakeTableMessages, fault: Exception, attempts: int
    ) -> None:
        messages.removal_faults = [fault] * 20
        await publishing.publisher.remove_replaced(await open_lobby(publishing.service, ROBIN), 900)
        await asyncio.sleep(10 * sum(REMOVAL_RETRY_SECONDS))
        assert (messages.removed, len(messages.removal_faults)) == ([], 20 - attempts)


class TestCancelledTables:
    """The message of a table that was cancelled before anybody had moved is deleted, unless that fails."""

    @each_case("acted, is_forgotten", [((), True), ((1,), True), ((0,), False), ((0, 1), False)])
    def test_only_moves_of_people_count(self, acted: tuple[int, ...], is_forgotten: bool) -> None:
        table = make_table(lobby.make_occupant(ROBIN, 1))
        table = replace(lobby.with_computer(table), acted=frozenset(acted))
        cancelled = replace(table, header=replace(table.header, status=Status.CANCELLED, step=len(acted)))
        assert cancelled.is_soon_forgotten is is_forgotten

    @pytest.mark.parametrize("is_started", [False, True])
    async def test_it_says_so_for_some_seconds_and_is_deleted_once(
        self, publishing: Publishing, messages: FakeTableMessages, is_started: bool
    ) -> None:
        table = await open_lobby(publishing.service, ROBIN, WREN)
        if is_started:
            await publishing.service.start(table.id, ROBIN, 1)
        await asyncio.sleep(1)
        await publishing.service.cancel(table.id, ROBIN, is_moderator=False)
        await asyncio.sleep(CANCELLED_SECONDS - 1)
        assert (messages.shown[-1].status, messages.removed) == (Status.CANCELLED, [])
        await asyncio.sleep(2)
        assert messages.removed == [1001]
        messages.deleted.add(1001)
        publishing.publisher.wake(table.id, again=True)
        await asyncio.sleep(CANCELLED_SECONDS + 1)
        assert messages.removed == [1001]
        assert messages.shown[-1].message_id == 1001, "it is not posted again"

    async def test_it_keeps_its_text_if_it_can_not_be_deleted(
        self, publishing: Publishing, messages: FakeTableMessages
    ) -> None:
        messages.removal_faults = [ChannelUnreachable("50001")] * 20
        table = await open_lobby(publishing.service, ROBIN)
        await asyncio.sleep(1)
        await publishing.service.cancel(table.id, ROBIN, is_moderator=False)
        await asyncio.sleep(10 * sum(REMOVAL_RETRY_SECONDS))
        assert (messages.shown[-1].status, messages.removed) == (Status.CANCELLED, [])

    async def test_a_table_with_a_move_keeps_its_message(
        self, publishing: Publishing, messages: FakeTableMessages
    ) -> None:
        table = await roll(publishing.service, await start_game(publishing.service, ROBIN, WREN))
        await asyncio.sleep(1)
        await publishing.service.cancel(table.id, ROBIN, is_moderator=True)
        await asyncio.sleep(CANCELLED_SECONDS + 1)
        assert (messages.shown[-1].status, messages.removed) == (Status.CANCELLED, [])


class TestRestoring:
    """A table whose message somebody has deleted is there again when its link is shown."""

    @pytest.mark.parametrize("is_deleted", [True, False])
    async def test_a_deleted_message_is_replaced_and_one_that_is_there_stays(
        self, publishing: Publishing, messages: FakeTableMessages, is_deleted: bool
    ) -> None:
        table = await publishing.open()
        messages.deleted |= {1001} if is_deleted else set()
        for _ in range(3):
            restored = await publishing.publisher.restore(table.id)
            assert restored.header.message_id == (1002 if is_deleted else 1001)
        assert publishing.deeds == [(POST, 1), (POST if is_deleted else EDIT, 1)], "looked for once"

    async def test_a_table_that_its_opener_is_about_to_post_is_left_to_them(
        self, publishing: Publishing, messages: FakeTableMessages
    ) -> None:
        table = await open_lobby(publishing.service, ROBIN)
        with publishing.publisher.claim(table.id):
            assert (await publishing.publisher.restore(table.id)).header.message_id is None
            assert messages.asked == []

    async def test_nobody_waits_long_for_it(self, publishing: Publishing, messages: FakeTableMessages) -> None:
        table = await open_lobby(publishing.service, ROBIN)
        await asyncio.sleep(1)
        messages.deleted.add(1001)
        gate = messages.gates[EDIT] = Gate()
        before = elapsed_seconds()
        assert (await publishing.publisher.restore(table.id)).header.message_id == 1001
        assert elapsed_seconds() - before == RESTORE_SECONDS
        gate.open()
        await asyncio.sleep(1)
        assert (await publishing.service.table(table.id)).header.message_id == 1002
