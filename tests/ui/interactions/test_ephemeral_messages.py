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


class DeletionLog:
    """Messages of a test, and which of them were deleted."""

    def __init__(self) -> None:
        self.ids: list[int] = []

    def message(self, message_id: int) -> EphemeralMessage:
        async def delete() -> None:
            self.ids.append(message_id)

        return EphemeralMessage(message_id, delete, delete)


class FakeTimer:
    """A clock that stands still."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


class TestReplacing:
    async def test_only_the_newest_message_is_left(self) -> None:
        ephemeral_messages, deleted = EphemeralMessages(), DeletionLog()
        for message_id in (1, 2, 3):
            ephemeral_messages.replace_previous(
                make_asking_click(ROBIN), EphemeralKind.HAND, 7, deleted.message(message_id)
            )
        await ephemeral_messages.close(30)
        assert deleted.ids == [1, 2]

    async def test_the_newest_message_is_left_whatever_the_order_of_answers(self) -> None:
        ephemeral_messages, deleted = EphemeralMessages(), DeletionLog()
        for message_id in (2, 3, 1, 3, 2):
            ephemeral_messages.replace_previous(
                make_asking_click(ROBIN), EphemeralKind.HAND, 7, deleted.message(message_id)
            )
        await ephemeral_messages.close(30)
        assert 3 not in deleted.ids
        assert set(deleted.ids) == {1, 2}

    async def test_messages_shown_together_are_deleted_together(self) -> None:
        ephemeral_messages, deleted = EphemeralMessages(), DeletionLog()
        ephemeral_messages.replace_previous(
            make_asking_click(ROBIN), EphemeralKind.READING, 7, *map(deleted.message, (1, 2, 3))
        )
        ephemeral_messages.replace_previous(
            make_asking_click(ROBIN), EphemeralKind.READING, 7, *map(deleted.message, (4, 5))
        )
        await ephemeral_messages.close(30)
        assert sorted(deleted.ids) == [1, 2, 3]

    async def test_messages_of_other_people_tables_and_kinds_are_kept(self) -> None:
        ephemeral_messages, deleted = EphemeralMessages(), DeletionLog()
        ephemeral_messages.replace_previous(make_asking_click(ROBIN), EphemeralKind.HAND, 7, deleted.message(1))
        ephemeral_messages.replace_previous(make_asking_click(WREN), EphemeralKind.HAND, 7, deleted.message(2))
        ephemeral_messages.replace_previous(make_asking_click(ROBIN), EphemeralKind.HAND, 8, deleted.message(3))
        ephemeral_messages.replace_previous(make_asking_click(ROBIN), EphemeralKind.READING, 7, deleted.message(4))
        await ephemeral_messages.close(30)
        assert deleted.ids == []

    async def test_a_rewritten_message_is_kept(self) -> None:
        ephemeral_messages, deleted = EphemeralMessages(), DeletionLog()
        for _ in range(2):
            ephemeral_messages.replace_previous(make_asking_click(ROBIN), EphemeralKind.HAND, 7, deleted.message(1))
        await ephemeral_messages.close(30)
        assert deleted.ids == []

    @each_case("seconds, gone", [(TOKEN_SECONDS - 1, [1]), (TOKEN_SECONDS, [])])
    async def test_an_expired_token_is_not_tried(self, seconds: float, gone: list[int]) -> None:
        ephemeral_messages, deleted = EphemeralMessages(clock=(watch := FakeTimer())), DeletionLog()
        ephemeral_messages.replace_previous(make_asking_click(ROBIN), EphemeralKind.HAND, 7, deleted.message(1))
        watch.now += seconds
        ephemeral_messages.replace_previous(make_asking_click(ROBIN), EphemeralKind.HAND, 7, deleted.message(2))
        await ephemeral_messages.close(30)
        assert deleted.ids == gone

    async def test_old_messages_are_forgotten(self) -> None:
        ephemeral_messages, deleted = EphemeralMessages(clock=(watch := FakeTimer())), DeletionLog()
        for table_id in range(5):
            ephemeral_messages.replace_previous(
                make_asking_click(ROBIN), EphemeralKind.HAND, table_id, deleted.message(table_id)
            )
        watch.now += TOKEN_SECONDS
        ephemeral_messages.replace_previous(make_asking_click(ROBIN), EphemeralKind.HAND, 9, deleted.message(9))
        found = [bool(ephemeral_messages.newest(ROBIN.id, EphemeralKind.HAND, table_id)) for table_id in (*range(5), 9)]
        assert found == [False] * 5 + [True]

    async def test_the_number_of_remembered_messages_is_bounded(self) -> None:
        ephemeral_messages, deleted = EphemeralMessages(size=2), DeletionLog()
        for table_id in (1, 2, 3):
            ephemeral_messages.replace_previous(
                make_asking_click(ROBIN), EphemeralKind.HAND, table_id, deleted.message(table_id)
            )
        for table_id in (1, 3):
            ephemeral_messages.replace_previous(
                make_asking_click(ROBIN), EphemeralKind.HAND, table_id, deleted.message(10 + table_id)
            )
        await ephemeral_messages.close(30)
        assert deleted.ids == [3]

    @pytest.mark.parametrize(
        "fault", [SERVER_ERROR, make_http_error(type(SERVER_ERROR), 401, 50027), aiohttp.ClientError(), TimeoutError()]
    )
    async def test_a_failed_deletion_is_silent(self, fault: Exception, caplog: pytest.LogCaptureFixture) -> None:
        async def delete() -> None:
            raise fault

        ephemeral_messages = EphemeralMessages()
        ephemeral_messages.replace_previous(
            make_asking_click(ROBIN), EphemeralKind.HAND, 7, EphemeralMessage(1, delete, delete)
        )
        ephemeral_messages.replace_previous(
            make_asking_click(ROBIN), EphemeralKind.HAND, 7, EphemeralMessage(2, delete, delete)
        )
        await ephemeral_messages.close(30)
        assert [record for record in caplog.records if record.levelno > logging.DEBUG] == []


def make_asking_click(person: Person) -> Any:
    return make_command(person)


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
