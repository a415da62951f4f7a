"""Closing a table: alone, together, or by a moderator."""

import asyncio
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.features.new_tables.handlers import NewTables
from bot.platform.discord.ids import parse_id
from bot.platform.observability.trace import start_trace
from bot.platform.places import Person
from bot.rules.refusals import Refusal
from bot.tables import storage as table_storage, sweep
from bot.tables.aside import close_orphan
from bot.tables.closing import propose_close
from bot.tables.handlers.commands import TableCommands
from bot.tables.handlers.ids import CancelTableId, SeatButton, SeatId
from bot.tables.handlers.readings import Readings
from bot.tables.model import Header, PublishedRevision, Status, TableId
from bot.tables.refusals import HostReason, Stale
from bot.tables.table import Table
from bot.words import gettext
from tests.support.fakes import HERE, JAY, ROBIN, STRANGER, WREN, make_service, open_lobby, start_game
from tests.support.memory_database import MemoryDatabase
from tests.support.waiting import Gate, wait_until
from tests.tables.actions.test_seats import apply_action, play_next_move, play_round
from tests.ui.adapter import Adapter, command, refusal_reason
from tests.ui.fake_interactions import UNKNOWN_MESSAGE, AnswerMethod, make_click, make_command, make_guest
from tests.ui.fake_servers import make_server
from tests.ui.result_requests import make_thread
from tests.ui.table_clicks import offered_ids

MODERATOR = discord.Permissions(manage_messages=True)


class TestCancelling:
    async def test_a_game_is_closed_after_a_second_click(self, adapter: Adapter, db: MemoryDatabase) -> None:
        table = await start_game(adapter.service)
        cancelling = command()
        await adapter.app.service(TableCommands).cancel(cancelling)
        assert db.header(table.id).status is Status.PLAYING
        (answer,) = cancelling.answers
        assert answer.ephemeral
        assert gettext("Magpie") in (answer.content or "")
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

    async def test_a_moderator_reaches_a_solo_game_in_a_private_thread_of_the_channel(
        self, adapter: Adapter, db: MemoryDatabase
    ) -> None:
        elsewhere, _ = [
            await start_game(
                adapter.service,
                WREN,
                JAY,
                location=replace(HERE, channel_id=thread_id, solo_id=WREN.id, is_own_thread=True),
            )
            for thread_id in (81, 82)
        ]
        parents = {81: 71, 82: HERE.channel_id}
        server = make_server(HERE.channel_id)
        server.fetch_channel.side_effect = lambda wanted: make_thread(wanted, parents[wanted], private=True)
        closing = command(STRANGER, permissions=MODERATOR, guild=server)
        await adapter.app.service(TableCommands).cancel(closing, make_guest(discord.User), "spam")
        still_open = [each for each, record in db.records.items() if record.header.status is Status.PLAYING]
        assert still_open == [elsewhere.id]

    async def test_naming_oneself_means_ones_own_solo_game(self, adapter: Adapter, solo: Table) -> None:
        cancelling, trace = command(WREN), start_trace()
        await adapter.app.service(TableCommands).cancel(cancelling, make_guest(discord.User))
        assert (trace.table, trace.game) == (solo.id, "magpie")
        assert [parse_id(button) for button in cancelling.buttons()] == [CancelTableId(solo.id)]

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


AGREEMENTS = "\n⏳ 🟦 Robin\n✅ 🟧 Wren"


async def start_acted_game(adapter: Adapter, *people: Person, computers: int = 0) -> Table:
    """A game in which everyone has acted, shown in a message."""
    table = await play_round(adapter.service, *people, computers=computers)
    await adapter.wait_until_shown()
    return await adapter.service.table(table.id)


async def ask(adapter: Adapter, person: Person, **more: Any) -> Any:
    asking = command(person, **more)
    await adapter.app.service(TableCommands).cancel(asking)
    return asking


def agree_click(table: Table, person: Person, step: int | None = None, **more: Any) -> Any:
    pressed = SeatId(table.id, table.header.step if step is None else step, SeatButton.CLOSE)
    return make_click(person, pressed, message_id=table.header.message_id, **more)


def ephemeral_text(click: Any) -> str:
    """The text of the private message that was clicked."""
    return str(click.answers[-1].content)


def table_text(adapter: Adapter, table: Table) -> str:
    embed = adapter.table_messages.build_content(table).text_embed
    return "\n".join((embed.description or "", *(f"{field.name}\n{field.value}" for field in embed.fields)))


class TestProposing:
    async def test_any_player_proposes_closing_after_a_second_click(self, adapter: Adapter, db: MemoryDatabase) -> None:
        table = await start_acted_game(adapter, ROBIN, WREN)
        asking = await ask(adapter, WREN)
        assert all(name in asking.text for name in ("Robin", "Wren"))
        (button,) = asking.buttons()
        assert parse_id(button) == CancelTableId(table.id)
        assert "!close" not in db.texts(table.id)
        click = await adapter.click(make_click(WREN, button, in_whisper=True))
        assert "Robin" in ephemeral_text(click)
        assert db.texts(table.id)[-1] == "!close"
        assert db.header(table.id).status is Status.PLAYING
        assert (await ask(adapter, ROBIN)).buttons() == [button]

    async def test_an_old_confirmation_follows_the_present_rule(self, adapter: Adapter, db: MemoryDatabase) -> None:
        table = await start_acted_game(adapter, ROBIN, WREN)
        old = CancelTableId(table.id)
        click = await adapter.click(make_click(ROBIN, old, in_whisper=True))
        assert "Wren" in ephemeral_text(click)
        again = await adapter.click(make_click(ROBIN, old, in_whisper=True))
        assert ephemeral_text(again) == ephemeral_text(click), "a double click is no mistake"
        assert db.texts(table.id).count("!close") == 1
        assert (await adapter.click(make_click(STRANGER, old, in_whisper=True))).refusal is HostReason.NOT_SEATED
        await adapter.click(make_click(WREN, old, in_whisper=True))
        assert db.header(table.id).status is Status.CANCELLED

    async def test_a_moderator_closes_alone(self, adapter: Adapter, db: MemoryDatabase) -> None:
        table = await start_acted_game(adapter, ROBIN, WREN)
        (button,) = (await ask(adapter, STRANGER, permissions=MODERATOR)).buttons()
        await adapter.click(make_click(STRANGER, button, permissions=MODERATOR))
        assert db.header(table.id).status is Status.CANCELLED


class TestPlayingComputersAlone:
    async def test_closing_against_computers_offers_to_resign(self, adapter: Adapter, db: MemoryDatabase) -> None:
        table = await start_acted_game(adapter, ROBIN, computers=1)
        assert await refusal_reason(ask(adapter, STRANGER)) is HostReason.NO_TABLE_HERE
        asking = await ask(adapter, ROBIN)
        (button,) = asking.buttons()
        # The computer player may have moved meanwhile, so the step is not given here.
        pressed = parse_id(button)
        assert isinstance(pressed, SeatId)
        assert (pressed.table_id, pressed.button) == (table.id, SeatButton.RESIGN)
        await adapter.click(make_click(ROBIN, button, in_whisper=True))
        assert db.header(table.id).status is Status.FINISHED
        assert [result.place for result in db.results] == [2, 1]

    async def test_an_old_confirmation_against_computers_offers_to_resign(
        self, adapter: Adapter, db: MemoryDatabase
    ) -> None:
        table = await start_acted_game(adapter, ROBIN, computers=1)
        click = await adapter.click(make_click(ROBIN, CancelTableId(table.id), in_whisper=True))
        (button,) = click.buttons()
        # The computer player may have moved meanwhile, so the step is not given here.
        pressed = parse_id(button)
        assert isinstance(pressed, SeatId)
        assert (pressed.table_id, pressed.button) == (table.id, SeatButton.RESIGN)
        assert db.header(table.id).status is Status.PLAYING


class TestProposalOnTable:
    async def test_the_table_shows_who_agreed_and_a_button_for_the_others(self, adapter: Adapter) -> None:
        table = await start_acted_game(adapter, ROBIN, WREN)
        assert AGREEMENTS not in table_text(adapter, table)
        table = await apply_action(adapter.service, table, WREN, propose_close)
        assert AGREEMENTS in table_text(adapter, table)
        before = adapter.app.service(Readings).describe(table)
        agree = SeatId(table.id, table.header.step, SeatButton.CLOSE)
        assert agree in offered_ids(adapter, table)
        table = await play_next_move(adapter.service, table)
        assert AGREEMENTS not in table_text(adapter, table)
        assert adapter.app.service(Readings).describe(table).count("\n\n") == before.count("\n\n") - 1
        assert SeatId not in map(type, offered_ids(adapter, table))

    async def test_the_last_click_closes_the_table_in_its_own_response(
        self, adapter: Adapter, db: MemoryDatabase
    ) -> None:
        table = await start_acted_game(adapter, ROBIN, WREN)
        await apply_action(adapter.service, table, WREN, propose_close)
        await adapter.wait_until_shown()
        table = await adapter.service.table(table.id)
        click = await adapter.click(agree_click(table, ROBIN))
        (answer,) = click.answers
        assert answer.how is AnswerMethod.EDIT
        assert db.header(table.id).status is Status.CANCELLED

    async def test_a_stranger_is_refused_and_a_double_click_is_silent(
        self, adapter: Adapter, db: MemoryDatabase
    ) -> None:
        table = await start_acted_game(adapter, ROBIN, WREN, JAY)
        table = await apply_action(adapter.service, table, WREN, propose_close)
        assert (await adapter.click(agree_click(table, STRANGER))).refusal is HostReason.NOT_SEATED
        for _ in range(2):
            click = await adapter.click(agree_click(table, ROBIN))
            assert not any(answer.ephemeral for answer in click.answers)
        assert db.texts(table.id).count("!close") == 2

    async def test_a_late_click_agrees_to_nothing(self, adapter: Adapter, db: MemoryDatabase) -> None:
        table = await start_acted_game(adapter, ROBIN, WREN)
        proposed = await apply_action(adapter.service, table, WREN, propose_close)
        await play_next_move(adapter.service, proposed)
        click = await adapter.click(agree_click(proposed, ROBIN))
        assert not any(answer.ephemeral for answer in click.answers)
        assert db.texts(table.id).count("!close") == 1


async def test_a_command_that_closes_a_lobby_notes_what_stands_below_its_message(adapter: Adapter) -> None:
    await open_lobby(adapter.service, ROBIN)
    typed: Any = make_command(ROBIN, channel=SimpleNamespace(last_message_id=2000))
    await adapter.app.service(TableCommands).cancel(typed)
    has_talk_below = adapter.app.newest_messages.has_talk_below
    assert [has_talk_below(HERE.channel_id, message_id) for message_id in (1999, 2000)] == [True, False]
