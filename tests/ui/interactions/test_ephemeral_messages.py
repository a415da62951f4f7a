"""Private messages do not pile up: a newer one replaces the older."""

import logging
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import aiohttp
import pytest

from bot.features.replays.messages import ReplayButton, ReplayId
from bot.platform.discord.answers import EphemeralMessage
from bot.platform.discord.private_messages import TOKEN_SECONDS, EphemeralKind, EphemeralMessages
from bot.platform.places import Person
from bot.tables.handlers.commands import TableCommands
from bot.tables.handlers.ids import HandControlId, HandId, ReadTableId
from bot.tables.registry import GameRegistry
from bot.tables.table import Table
from tests.support.change_tables import CHANGE, start_change_game
from tests.support.each_case import each_case
from tests.support.fake_table_messages import FakeTableMessages
from tests.support.fakes import HERE, ROBIN, WREN, start_game
from tests.support.magpie_series import play_new_game
from tests.support.magpie_with_picture import MAGPIE_WITH_PICTURE
from tests.support.memory_database import MemoryDatabase
from tests.support.waiting import Gate, wait_until
from tests.ui.adapter import Adapter
from tests.ui.fake_interactions import (
    SERVER_ERROR,
    UNKNOWN_MESSAGE,
    AnswerMethod,
    FakeInteraction,
    make_click,
    make_command,
    make_http_error,
)

LONG = "\n\n".join(f"Paragraph {number}: {'words ' * 40}" for number in range(20))


class FakeTimer:
    """A clock that stands still."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


class PrivateMessages:
    """Private messages of a test, and which of them were deleted."""

    def __init__(self, **more: Any) -> None:
        self.shown, self.deleted = EphemeralMessages(**more), list[int]()

    def show(
        self, *message_ids: int, who: Person = ROBIN, kind: EphemeralKind = EphemeralKind.HAND, table_id: int = 7
    ) -> None:
        """Show some messages together."""
        asking: Any = make_command(who)
        self.shown.replace_previous(asking, kind, table_id, *map(self._make_message, message_ids))

    def _make_message(self, message_id: int) -> EphemeralMessage:
        async def delete() -> None:
            self.deleted.append(message_id)

        return EphemeralMessage(message_id, delete, delete)

    async def close(self) -> list[int]:
        """Wait for the deletions, and return what they were."""
        await self.shown.close(30)
        return self.deleted


class TestReplacing:
    async def test_only_the_newest_message_is_left(self) -> None:
        messages = PrivateMessages()
        for message_id in (1, 2, 3):
            messages.show(message_id)
        assert await messages.close() == [1, 2]

    async def test_the_newest_message_is_left_whatever_the_order_of_answers(self) -> None:
        messages = PrivateMessages()
        for message_id in (2, 3, 1, 3, 2):
            messages.show(message_id)
        assert set(await messages.close()) == {1, 2}

    async def test_messages_shown_together_are_deleted_together(self) -> None:
        messages = PrivateMessages()
        messages.show(1, 2, 3)
        messages.show(4, 5)
        assert sorted(await messages.close()) == [1, 2, 3]

    async def test_rewritten_messages_and_those_of_other_people_tables_and_kinds_are_kept(self) -> None:
        messages = PrivateMessages()
        for _ in range(2):
            messages.show(1)
        messages.show(2, who=WREN)
        messages.show(3, table_id=8)
        messages.show(4, kind=EphemeralKind.READING)
        assert await messages.close() == []

    @each_case("seconds, gone", [(TOKEN_SECONDS - 1, [1]), (TOKEN_SECONDS, [])])
    async def test_an_expired_token_is_not_tried(self, seconds: float, gone: list[int]) -> None:
        messages = PrivateMessages(clock=(watch := FakeTimer()))
        messages.show(1)
        watch.now += seconds
        messages.show(2)
        assert await messages.close() == gone

    async def test_old_messages_are_forgotten(self) -> None:
        messages = PrivateMessages(clock=(watch := FakeTimer()))
        for table_id in range(5):
            messages.show(table_id, table_id=table_id)
        watch.now += TOKEN_SECONDS
        messages.show(9, table_id=9)
        found = [bool(messages.shown.newest(ROBIN.id, EphemeralKind.HAND, table_id)) for table_id in (*range(5), 9)]
        assert found == [False] * 5 + [True]

    async def test_the_number_of_remembered_messages_is_bounded(self) -> None:
        messages = PrivateMessages(size=2)
        for message_id, table_id in ((1, 1), (2, 2), (3, 3), (11, 1), (13, 3)):
            messages.show(message_id, table_id=table_id)
        assert await messages.close() == [3]

    @pytest.mark.parametrize(
        "fault", [SERVER_ERROR, make_http_error(type(SERVER_ERROR), 401, 50027), aiohttp.ClientError(), TimeoutError()]
    )
    async def test_a_failed_deletion_is_silent(self, fault: Exception, caplog: pytest.LogCaptureFixture) -> None:
        async def delete() -> None:
            raise fault

        messages, asking = EphemeralMessages(), make_command(ROBIN)
        for message_id in (1, 2):
            shown = EphemeralMessage(message_id, delete, delete)
            messages.replace_previous(asking, EphemeralKind.HAND, 7, shown)  # type: ignore[arg-type]
        await messages.close(30)
        assert [record for record in caplog.records if record.levelno > logging.DEBUG] == []


@pytest.fixture
async def adapter(db: MemoryDatabase, shown: FakeTableMessages) -> AsyncIterator[Adapter]:
    made = Adapter(
        db,
        shown,
        GameRegistry(
            [
                CHANGE,
                replace(
                    MAGPIE_WITH_PICTURE,
                    words=replace(MAGPIE_WITH_PICTURE.words, build_reading=lambda _view, _names: LONG),
                ),
            ]
        ),
    )
    yield made
    await made.host.close()
    await made.app.ephemeral_messages.close(30)


def hand(table: Table, who: Person = ROBIN) -> FakeInteraction:
    return make_click(who, HandId(table.id), message_id=table.header.message_id)


def look_again(table: Table, message_id: int, who: Person = ROBIN) -> FakeInteraction:
    return make_click(who, HandControlId(HandId(table.id)), message_id=message_id, in_whisper=True)


class TestTableMessages:
    async def test_an_outdated_hand_is_deleted(self, adapter: Adapter) -> None:
        table = await start_change_game(adapter.service, HERE, ROBIN, WREN)
        first, theirs, second = [await adapter.click(hand(table, who)) for who in (ROBIN, WREN, ROBIN)]
        await wait_until(lambda: first.deleted)
        assert first.deleted == [first.answer_id]
        assert theirs.deleted == second.deleted == []

    async def test_the_answer_does_not_wait_for_the_deletion(self, adapter: Adapter) -> None:
        table = await start_change_game(adapter.service, HERE, ROBIN, WREN)
        first = await adapter.click(hand(table))
        first.deleting = gate = Gate()
        second = await adapter.click(hand(table))
        assert [answer.how for answer in second.answers] == [AnswerMethod.SEND]
        await gate.reached.wait()
        gate.open()
        await wait_until(lambda: first.deleted)

    async def test_looking_again_keeps_the_message_until_a_newer_hand(self, adapter: Adapter) -> None:
        table = await start_change_game(adapter.service, HERE, ROBIN, WREN)
        first = await adapter.click(hand(table))
        again = await adapter.click(look_again(table, first.answer_id))
        assert [answer.how for answer in again.answers] == [AnswerMethod.EDIT]
        await adapter.click(hand(table))
        await wait_until(lambda: again.deleted)
        assert (first.deleted, again.deleted) == ([], [first.answer_id])

    async def test_a_slow_look_again_is_shown_and_deleted_like_others(self, adapter: Adapter) -> None:
        table = await start_change_game(adapter.service, HERE, ROBIN, WREN)
        first = await adapter.click(hand(table))
        again = look_again(table, first.answer_id)
        await again.acknowledge()
        await adapter.click(again)
        assert [answer.how for answer in again.answers] == [AnswerMethod.DEFER, AnswerMethod.EDIT_ANSWER]
        await adapter.click(hand(table))
        await wait_until(lambda: again.deleted)
        assert (first.deleted, again.deleted) == ([], [first.answer_id])

    async def test_looking_again_in_an_older_message_keeps_the_newer_one(self, adapter: Adapter) -> None:
        table = await start_change_game(adapter.service, HERE, ROBIN, WREN)
        newer = await adapter.click(hand(table))
        older = await adapter.click(look_again(table, 555))
        await wait_until(lambda: older.deleted)
        assert (newer.deleted, older.deleted) == ([], [555])

    @pytest.mark.parametrize("is_put_off", [False, True])
    async def test_looking_again_in_a_deleted_message_is_acknowledged_silently(
        self, adapter: Adapter, *, is_put_off: bool, caplog: pytest.LogCaptureFixture
    ) -> None:
        table = await start_change_game(adapter.service, HERE, ROBIN, WREN)
        newer = await adapter.click(hand(table))
        older = look_again(table, 555)
        if is_put_off:
            await older.acknowledge()
        older.fault = UNKNOWN_MESSAGE
        await adapter.click(older)
        await adapter.app.ephemeral_messages.close(30)
        assert [answer.how for answer in older.answers] == [AnswerMethod.DEFER]
        assert newer.deleted == older.deleted == []
        assert [record for record in caplog.records if record.levelno > logging.DEBUG] == []

    async def test_every_page_of_a_reading_is_deleted(self, adapter: Adapter) -> None:
        table = await start_game(adapter.service)
        first = await adapter.click(make_click(WREN, ReadTableId(table.id)))
        pages = len(first.answers)
        assert pages > 1
        await adapter.app.service(TableCommands).read(make_command(WREN))  # type: ignore[arg-type]
        await wait_until(lambda: len(first.deleted) == pages)
        assert len(set(first.deleted)) == pages


async def test_a_replay_opened_again_is_a_new_message(db: MemoryDatabase, shown: FakeTableMessages) -> None:
    adapter = Adapter(db, shown)
    table = await play_new_game(adapter.service, ROBIN, WREN)
    first, second = [await adapter.click(make_click(ROBIN, ReplayId(table.id, 0, ReplayButton.OPEN))) for _ in range(2)]
    await wait_until(lambda: first.deleted)
    assert second.deleted == []
    await adapter.host.close()
