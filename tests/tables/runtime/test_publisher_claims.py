"""A change is left to the response that claims it."""

import pytest

from bot.tables.publisher import Publisher
from bot.tables.service import TableService
from bot.tables.table import Table
from tests.support.fake_table_messages import FakeTableMessages
from tests.support.lobby_changes import change_lobby, open_shown_lobby
from tests.support.responses import fail_to_send, show_in_response


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

    async def test_showing_a_table_again_does_not_wait_for_claims(
        self, service: TableService, publisher: Publisher, table_messages: FakeTableMessages
    ) -> None:
        table = await open_shown_lobby(service, publisher)
        with publisher.claim(table.id):
            publisher.wake(table.id, again=True)
        await publisher.close()
        assert table_messages.revisions == [1, 1]

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
