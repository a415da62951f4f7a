"""Closing the table of a channel, a solo game, and a table of a removed game."""

import asyncio
from dataclasses import replace
from typing import Any

import discord
import pytest

from bot.features.new_tables.handlers import NewTables
from bot.platform.discord.ids import parse_id
from bot.platform.observability.trace import start_trace
from bot.rules.refusals import Refusal
from bot.tables import storage as table_storage, sweep
from bot.tables.aside import close_orphan
from bot.tables.handlers.commands import TableCommands
from bot.tables.handlers.ids import CancelTableId
from bot.tables.model import Header, PublishedRevision, Status, TableId
from bot.tables.refusals import HostReason, Stale
from bot.tables.table import Table
from tests.support.fakes import HERE, JAY, ROBIN, STRANGER, WREN, make_service, open_lobby, start_game
from tests.support.memory_database import MemoryDatabase
from tests.support.waiting import Gate, wait_until
from tests.ui.adapter import Adapter, command, refusal_reason
from tests.ui.fake_interactions import UNKNOWN_MESSAGE, make_click, make_guest

MODERATOR = discord.Permissions(manage_messages=True)


class TestCancelling:
    async def test_a_lobby_is_closed_immediately(self, adapter: Adapter, db: MemoryDatabase) -> None:
        table = await open_lobby(adapter.service, ROBIN)
        cancelling = command()
        await adapter.app.service(TableCommands).cancel(cancelling)
        assert db.header(table.id).status is Status.CANCELLED
        assert cancelling.text

    async def test_a_game_is_closed_after_a_second_click(self, adapter: Adapter, db: MemoryDatabase) -> None:
        table = await start_game(adapter.service)
        cancelling = command()
        await adapter.app.service(TableCommands).cancel(cancelling)
        assert db.header(table.id).status is Status.PLAYING
        (answer,) = cancelling.answers
        assert answer.ephemeral
        assert "Magpie" in (answer.content or "")
        assert answer.view is not None
        assert answer.view.is_finished()
        (button,) = answer.view.children
        assert isinstance(button, discord.ui.Button)
        assert parse_id(button.custom_id or "") == CancelTableId(table.id)


class TestCancellingASoloGame:
    @pytest.fixture
    async def solo(self, adapter: Adapter) -> Table:
        """Wren's own game in the channel, beside the table that Robin has opened."""
        await open_lobby(adapter.service, ROBIN)
        own = await start_game(adapter.service, WREN, JAY, location=replace(HERE, solo_id=WREN.id))
        await adapter.wait_until_shown()
        return await adapter.service.table(own.id)

    async def test_a_moderator_closes_a_solo_game_after_a_second_click(
        self, adapter: Adapter, db: MemoryDatabase, solo: Table
    ) -> None:
        cancelling = command(STRANGER, permissions=MODERATOR)
        await adapter.app.service(TableCommands).cancel(cancelling, make_guest(discord.User))
        assert "Wren" in cancelling.text
        (button,) = cancelling.buttons()
        assert parse_id(button) == CancelTableId(solo.id)
        await adapter.click(make_click(STRANGER, button, permissions=MODERATOR))
        assert db.header(solo.id).status is Status.CANCELLED
        assert await adapter.service.open_table_in(HERE.channel_id) is not None, "the channel's table stays"

    async def test_naming_oneself_means_ones_own_solo_game(self, adapter: Adapter, solo: Table) -> None:
        cancelling, trace = command(WREN), start_trace()
        await adapter.app.service(TableCommands).cancel(cancelling, make_guest(discord.User))
        assert (trace.table, trace.game) == (solo.id, "magpie")
        assert [parse_id(button) for button in cancelling.buttons()] == [CancelTableId(solo.id)]

    @pytest.mark.usefixtures("solo")
    async def test_the_named_person_must_have_a_solo_game(self, adapter: Adapter, db: MemoryDatabase) -> None:
        cancelling = command(STRANGER, permissions=MODERATOR)
        reason = await refusal_reason(
            adapter.app.service(TableCommands).cancel(cancelling, make_guest(discord.User, id=ROBIN.id))
        )
        assert reason is HostReason.NO_SOLO_GAME
        assert {record.header.status for record in db.records.values()} == {Status.LOBBY, Status.PLAYING}

    async def test_a_solo_game_of_a_removed_game_can_be_closed(
        self, adapter: Adapter, db: MemoryDatabase, solo: Table
    ) -> None:
        db.tamper(solo.id, lambda record: replace(record, header=replace(record.header, game="chess")))
        late = Adapter(db, adapter.fake_table_messages)
        cancelling = command(STRANGER, permissions=MODERATOR)
        await late.app.service(TableCommands).cancel(cancelling, make_guest(discord.User))
        assert cancelling.text
        assert db.header(solo.id).status is Status.CANCELLED
        await late.host.close()


class TestAGameThatIsGone:
    @pytest.fixture
    async def orphan(self, db: MemoryDatabase) -> TableId:
        """A table of a game that was hosted once, opened by Wren and shown in a message."""
        service = make_service(db)
        table = await open_lobby(service, WREN)
        db.tamper(table.id, lambda record: replace(record, header=replace(record.header, game="chess")))
        await db.maintain(table_storage.mark_published, [PublishedRevision(table.id, 1, 70)])
        return table.id

    async def test_opening_another_table_explains_how_to_close_a_removed_game(
        self, adapter: Adapter, orphan: TableId
    ) -> None:
        reason = await refusal_reason(adapter.app.service(NewTables).open(command(), "magpie", {}, 0))
        assert reason is HostReason.GAME_GONE

    @pytest.mark.parametrize("closer", [command(WREN), command(STRANGER, permissions=MODERATOR)])
    async def test_the_opener_and_moderators_may_close_a_removed_game(
        self, adapter: Adapter, db: MemoryDatabase, orphan: TableId, closer: Any
    ) -> None:
        await adapter.app.service(TableCommands).cancel(closer)
        assert closer.text
        assert db.header(orphan).status is Status.CANCELLED
        (request,) = adapter.message_client.requests
        assert (request.method, request.message_id) == ("PATCH", 70)
        assert request.json is not None
        assert request.json["components"] == []
        assert list(await db.read(sweep.find_pending, db.shards, {"magpie"}, 0, 9)) == []
        await adapter.app.service(NewTables).open(command(), "magpie", {}, 0)
        assert await adapter.service.open_table_in(70) is not None

    async def test_others_may_not_close_a_removed_game(
        self, adapter: Adapter, db: MemoryDatabase, orphan: TableId
    ) -> None:
        assert await refusal_reason(adapter.app.service(TableCommands).cancel(command(ROBIN))) is HostReason.GAME_GONE
        assert db.header(orphan).status is Status.LOBBY
        assert adapter.message_client.requests == []

    async def test_a_deleted_message_does_not_keep_a_removed_game_open(
        self, adapter: Adapter, db: MemoryDatabase, orphan: TableId, caplog: pytest.LogCaptureFixture
    ) -> None:
        caplog.set_level("INFO", "bot.tables.shown.table_messages")
        adapter.message_client.fault = UNKNOWN_MESSAGE
        await adapter.app.service(TableCommands).cancel(command(WREN))
        assert db.header(orphan).status is Status.CANCELLED
        assert caplog.messages == [f"message 70 could not be edited: {UNKNOWN_MESSAGE}"]

    async def test_a_lobby_of_a_removed_game_closes_after_an_hour_and_says_so(
        self, adapter: Adapter, db: MemoryDatabase, orphan: TableId
    ) -> None:
        adapter.clock.tick(3600)
        await adapter.host.sweep()
        await wait_until(lambda: adapter.fake_table_messages.marked_closed)
        await adapter.table_messages.mark_closed(adapter.fake_table_messages.marked_closed[0])
        (request,) = adapter.message_client.requests
        assert (request.method, request.message_id) == ("PATCH", 70)
        assert request.json is not None
        assert request.json["components"] == []
        assert db.header(orphan).status is Status.EXPIRED

    async def test_a_removed_game_does_not_block_solo_games(
        self, adapter: Adapter, db: MemoryDatabase, orphan: TableId
    ) -> None:
        own = await open_lobby(adapter.service, ROBIN, location=replace(HERE, solo_id=ROBIN.id))
        assert await adapter.app.service(TableCommands).table_here(command(ROBIN)) == own

    async def test_two_simultaneous_closings_are_no_error(
        self, adapter: Adapter, db: MemoryDatabase, orphan: TableId
    ) -> None:
        db.before[table_storage.save] = gate = Gate()
        closing = [
            asyncio.create_task(close_orphan(adapter.service, orphan, WREN, is_moderator=False)) for _ in range(2)
        ]
        await gate.reached.wait()
        gate.open()
        results = await asyncio.gather(*closing, return_exceptions=True)
        assert {type(result) for result in results} == {Header, Stale}
        with pytest.raises(Refusal):
            await close_orphan(adapter.service, orphan, WREN, is_moderator=False)
