"""Slash commands at the table of a channel, even for a person with a solo game."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import aiohttp
import discord
import pytest
from pydantic import ValidationError

import bot.platform.discord.hand_over
from bot.features.new_tables.handlers import NewTables
from bot.games.magpie.pieces import MagpieOptions
from bot.platform.discord.errors import ChannelUnreachable, DeliveryFailed
from bot.platform.discord.http import MalformedAnswer
from bot.platform.discord.ids import parse_id
from bot.platform.discord.refusals import ClickReason
from bot.platform.observability.trace import start_trace
from bot.rules.refusals import Refusal
from bot.tables import storage as table_storage
from bot.tables.characters import name_seats
from bot.tables.handlers.answers import TABLE_SAVED
from bot.tables.handlers.commands import TableCommands
from bot.tables.handlers.ids import CancelTableId, LobbyButton, LobbyId, SeatButton, SeatId
from bot.tables.handlers.lobby import LobbyCommands
from bot.tables.handlers.seats import SeatCommands
from bot.tables.model import Status, TableId
from bot.tables.opening import open_game
from bot.tables.refusals import HostReason
from bot.tables.table import Table
from bot.words import gettext
from tests.support.fake_table_messages import FakeTableMessages, ShowAction
from tests.support.fakes import HERE, JAY, ROBIN, STRANGER, WREN, mover_of, open_lobby, roll, start_game
from tests.support.games import load_games_once
from tests.support.memory_database import MemoryDatabase
from tests.support.waiting import Gate, wait_until
from tests.ui.adapter import Adapter, command, refusal_reason
from tests.ui.fake_interactions import (
    ALREADY_ANSWERED,
    BAD_REQUEST,
    MESSAGE_ID,
    SERVER_ERROR,
    TOO_LATE,
    AnswerMethod,
    make_click,
    make_command,
)

LINK = "https://discord.com/channels/3/70"


@pytest.mark.parametrize("has_answered", [True, False])
class TestTwoProcesses:
    """The second process to get a command answers it only if the first one, which has saved it, has ended before."""

    @pytest.fixture(autouse=True)
    def no_wait(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(bot.platform.discord.hand_over, "OTHER_ANSWERS_SECONDS", 0)

    async def test_one_command_in_two_processes_makes_one_move_and_one_answer(
        self, adapter: Adapter, db: MemoryDatabase, shown: FakeTableMessages, *, has_answered: bool
    ) -> None:
        table = await start_game(adapter.service)
        other = Adapter(db, shown)
        first, second = (command(mover_of(table), id=7777) for _ in range(2))
        await adapter.app.service(TableCommands).play(first, "magpie", "roll 1")
        second.fault = ALREADY_ANSWERED if has_answered else None
        await other.app.service(TableCommands).play(second, "magpie", "roll 1")
        assert first.text
        assert second.text == ("" if has_answered else first.text)
        assert db.texts(table.id) == ["roll 1"]
        await other.host.close()

    async def test_one_command_in_two_processes_opens_one_table_and_gives_one_answer(
        self, adapter: Adapter, db: MemoryDatabase, shown: FakeTableMessages, *, has_answered: bool
    ) -> None:
        other = Adapter(db, shown)
        first, second = (command(ROBIN, id=7777) for _ in range(2))
        await adapter.app.service(NewTables).open(first, "magpie", {}, 0)
        second.fault = ALREADY_ANSWERED if has_answered else None
        await other.app.service(NewTables).open(second, "magpie", {}, 0)
        assert len(first.answers) == 1
        assert second.text == ("" if has_answered else gettext(TABLE_SAVED))
        assert len(db.records) == 1
        await other.host.close()


class TestLateCommands:
    async def test_a_command_from_before_the_newest_move_is_not_carried_out_again(
        self, adapter: Adapter, db: MemoryDatabase
    ) -> None:
        """As by a process that was suspended while another one went on: the same person may be to move again."""
        table = await start_game(adapter.service)
        while table.header.step == 0 or mover_of(table) != ROBIN:
            table = await roll(adapter.service, table, "roll 1")
        late = command(ROBIN, id=7777)
        await adapter.app.service(TableCommands).play(late, "magpie", "roll 1")
        assert len(db.texts(table.id)) == table.header.step


class TestOpening:
    async def test_the_trace_names_the_table(self, adapter: Adapter) -> None:
        trace = start_trace()
        await adapter.app.service(NewTables).open(command(), "magpie", {}, 0)
        table = await adapter.service.open_table_in(70)
        assert table is not None
        assert (trace.table, trace.game) == (table.id, "magpie")

    async def test_the_answer_is_the_lobby_and_becomes_the_tables_message(
        self, adapter: Adapter, db: MemoryDatabase
    ) -> None:
        opening = command()
        await adapter.app.service(NewTables).open(opening, "magpie", {"target": 200}, 1)
        await adapter.wait_until_shown()
        table = await adapter.service.open_table_in(70)
        assert table is not None
        assert table.header.message_id == opening.answer_id
        assert name_seats(table.seats) == ("Robin", "Rusty")
        assert '"target":200' in table.header.options
        assert table.seats[0].contribution == str(opening.id)
        (answer,) = opening.answers
        assert (answer.how, answer.ephemeral) == (AnswerMethod.SEND, False)
        assert str(LobbyId(table.id, table.header.revision, LobbyButton.JOIN)) in opening.buttons()
        assert adapter.fake_table_messages.asked == []

    async def test_a_taken_channel_a_bad_place_and_missing_permissions_open_nothing(
        self, adapter: Adapter, db: MemoryDatabase
    ) -> None:
        nowhere = command(channel_id=None)
        assert (
            await refusal_reason(adapter.app.service(NewTables).open(nowhere, "magpie", {}, 0)) is ClickReason.NO_PLACE
        )
        mute = command(app_permissions=discord.Permissions.none())
        reason = await refusal_reason(adapter.app.service(NewTables).open(mute, "magpie", {}, 0))
        assert reason is ClickReason.MISSING_PERMISSIONS
        assert db.records == {}
        await open_lobby(adapter.service, WREN)
        reason = await refusal_reason(adapter.app.service(NewTables).open(command(), "magpie", {}, 0))
        assert reason is HostReason.CHANNEL_TAKEN
        assert len(db.records) == 1

    async def test_unknown_options_raise_an_error(self, adapter: Adapter) -> None:
        with pytest.raises(ValidationError):
            await adapter.app.service(NewTables).open(command(), "magpie", {"speed": 9}, 0)

    async def test_a_table_whose_command_expired_is_posted(self, adapter: Adapter) -> None:
        await adapter.app.service(NewTables).open(command(fault=TOO_LATE), "magpie", {}, 0)
        await adapter.wait_until_shown()
        assert [shown.action for shown in adapter.fake_table_messages.shown] == [ShowAction.POST]
        table = await adapter.service.open_table_in(70)
        assert table is not None
        assert table.header.message_id == MESSAGE_ID

    @pytest.mark.parametrize("fault", [DeliveryFailed("503"), ChannelUnreachable("gone")])
    async def test_a_late_post_that_fails_is_reported_logged_and_retried(
        self, adapter: Adapter, fault: Exception, caplog: pytest.LogCaptureFixture
    ) -> None:
        adapter.fake_table_messages.faults[ShowAction.POST] = [fault]
        opening = command(fault=TOO_LATE)
        await adapter.app.service(NewTables).open(opening, "magpie", {}, 0)
        await adapter.wait_until_shown()
        assert opening.text
        assert f"could not be posted and will be tried again: {fault}" in caplog.text
        assert [shown.action for shown in adapter.fake_table_messages.shown] == [ShowAction.POST]

    @pytest.mark.parametrize(
        "fault", [SERVER_ERROR, BAD_REQUEST, MalformedAnswer("no JSON"), aiohttp.ServerDisconnectedError()], ids=repr
    )
    async def test_a_table_that_a_response_cannot_show_is_posted_and_linked(
        self, adapter: Adapter, fault: Exception
    ) -> None:
        opening = command(fault=fault)
        await adapter.app.service(NewTables).open(opening, "magpie", {}, 0)
        await adapter.wait_until_shown()
        assert [shown.action for shown in adapter.fake_table_messages.shown] == [ShowAction.POST]
        assert opening.text.endswith(f"{LINK}/{MESSAGE_ID}")

    async def test_a_slow_opening_is_deferred_and_the_table_posted(
        self, adapter: Adapter, db: MemoryDatabase, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(bot.platform.discord.answers, "DEFER_AFTER_SECONDS", 0.01)
        db.before[table_storage.open_table] = gate = Gate()
        opening = command()
        task = asyncio.create_task(adapter.app.service(NewTables).open(opening, "magpie", {}, 0))
        await wait_until(lambda: opening.answers)
        gate.open()
        await task
        await adapter.wait_until_shown()
        assert [answer.how for answer in opening.answers] == [AnswerMethod.DEFER, AnswerMethod.FOLLOW_UP]
        assert opening.answers[0].ephemeral
        table = await adapter.service.open_table_in(70)
        assert table is not None
        assert [shown.action for shown in adapter.fake_table_messages.shown] == [ShowAction.POST]
        assert table.header.message_id == MESSAGE_ID
        assert opening.text.endswith(f"{LINK}/{MESSAGE_ID}")


class TestPlaying:
    async def test_a_typed_move_is_made_and_answered_with_a_link(self, adapter: Adapter, db: MemoryDatabase) -> None:
        table = await start_game(adapter.service)
        await adapter.wait_until_shown()
        playing = command(mover_of(table))
        await adapter.app.service(TableCommands).play(playing, "magpie", "roll 1 2")
        await adapter.wait_until_shown()
        assert db.texts(table.id) == ["roll 1 2"]
        assert playing.text.endswith(f"{LINK}/1001")
        assert adapter.fake_table_messages.revisions[-1] == table.header.revision + 1

    async def test_the_answer_describes_a_table_that_moved_on_meanwhile(
        self, adapter: Adapter, db: MemoryDatabase
    ) -> None:
        table = await start_game(adapter.service)
        mover = mover_of(table)
        db.before[table_storage.save] = gate = Gate()
        first, second = command(mover), command(mover)
        tasks = [
            asyncio.create_task(adapter.app.service(TableCommands).play(each, "magpie", "roll 1"))
            for each in (first, second)
        ]
        await gate.reached.wait()
        # Both have read the step that the table is at.
        await wait_until(lambda: len(adapter.service.running_changes) == 2)
        gate.open()
        await asyncio.gather(*tasks)
        assert len(db.texts(table.id)) == 1
        assert [len(each.answers) for each in (first, second)] == [1, 1]
        assert first.text != second.text

    async def test_a_typed_move_is_parsed_with_the_table_however_slowly_it_loads(
        self, adapter: Adapter, db: MemoryDatabase, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(bot.platform.discord.answers, "DEFER_AFTER_SECONDS", 0.01)
        table = await start_game(adapter.service)
        adapter.service.cache.evict(table.id)
        db.after[table_storage.load] = gate = Gate()
        playing = command(mover_of(table))
        task = asyncio.create_task(
            adapter.app.service(TableCommands).play(playing, "magpie", lambda now: f"roll {now.id}")
        )
        await wait_until(lambda: playing.answers)
        gate.open()
        await task
        assert db.texts(table.id) == [f"roll {table.id}"]
        assert [answer.how for answer in playing.answers] == [AnswerMethod.DEFER, AnswerMethod.FOLLOW_UP]


class TestShowCommand:
    async def test_the_table_is_reposted_and_the_old_message_deleted(self, adapter: Adapter) -> None:
        table = await start_game(adapter.service)
        await adapter.wait_until_shown()
        showing = command(STRANGER)
        await adapter.app.service(TableCommands).show(showing)
        assert adapter.fake_table_messages.removed == [1001]
        now = await adapter.service.table(table.id)
        assert now.header.message_id == showing.answer_id
        await roll(adapter.service, now)
        await adapter.wait_until_shown()
        assert adapter.fake_table_messages.shown[-1].message_id == showing.answer_id

    async def test_a_table_without_a_message_deletes_nothing(self, adapter: Adapter) -> None:
        await open_lobby(adapter.service, ROBIN)
        showing = command()
        await adapter.app.service(TableCommands).show(showing)
        assert [answer.how for answer in showing.answers] == [AnswerMethod.SEND]
        assert adapter.fake_table_messages.removed == []

    async def test_showing_needs_a_table_and_permissions(self, adapter: Adapter) -> None:
        assert await refusal_reason(adapter.app.service(TableCommands).show(command())) is HostReason.NO_TABLE_HERE
        await open_lobby(adapter.service, ROBIN)
        mute = command(app_permissions=discord.Permissions.none())
        assert await refusal_reason(adapter.app.service(TableCommands).show(mute)) is ClickReason.MISSING_PERMISSIONS

    async def test_a_command_that_expired_still_brings_the_table(self, adapter: Adapter) -> None:
        table = await open_lobby(adapter.service, ROBIN)
        await adapter.wait_until_shown()
        await adapter.app.service(TableCommands).show(command(fault=TOO_LATE))
        assert adapter.fake_table_messages.removed == [MESSAGE_ID]
        assert (await adapter.service.table(table.id)).header.message_id == MESSAGE_ID + 1

    @pytest.mark.usefixtures("changes_do_not_wait")
    async def test_a_command_that_waits_for_an_edit_is_deferred_and_then_answered(
        self, adapter: Adapter, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(bot.platform.discord.answers, "DEFER_AFTER_SECONDS", 0.01)
        table = await open_lobby(adapter.service, ROBIN)
        await adapter.wait_until_shown()
        adapter.fake_table_messages.gates[ShowAction.EDIT] = gate = Gate()
        adapter.host.publisher.wake(table.id, again=True)
        await gate.reached.wait()
        showing = command()
        task = asyncio.create_task(adapter.app.service(TableCommands).show(showing))
        await wait_until(lambda: showing.answers)
        gate.open()
        await task
        assert [answer.how for answer in showing.answers] == [AnswerMethod.DEFER, AnswerMethod.FOLLOW_UP]
        assert showing.text.endswith(f"{LINK}/{MESSAGE_ID + 1}")
        assert (await adapter.service.table(table.id)).header.message_id == MESSAGE_ID + 1
        assert adapter.fake_table_messages.removed == [MESSAGE_ID]


Command = Any


@pytest.fixture
async def solo(adapter: Adapter) -> Table:
    """Robin's own table in the channel."""
    return await open_game(
        adapter.service, "magpie", MagpieOptions(), ROBIN, replace(HERE, solo_id=ROBIN.id), click_id=1
    )


def closed_by(command: Command) -> list[TableId]:
    """Return which tables the buttons of all answers close."""
    buttons = [parse_id(item.custom_id) for answer in command.answers for item in answer.view.children]
    return [each.table_id for each in buttons if isinstance(each, CancelTableId)]


async def test_the_channels_table_comes_before_the_persons_solo_game(adapter: Adapter, solo: Table) -> None:
    robin: Command = make_command(ROBIN)
    stranger: Command = make_command(STRANGER)
    assert (await adapter.app.service(TableCommands).common_table(robin)).id == solo.id
    with pytest.raises(Refusal) as refused:
        await adapter.app.service(TableCommands).common_table(stranger)
    assert refused.value.reason is HostReason.NO_TABLE_HERE
    common = await open_lobby(adapter.service, WREN)
    for asking in (robin, stranger):
        assert (await adapter.app.service(TableCommands).common_table(asking)).id == common.id
    assert (await adapter.app.service(TableCommands).table_here(robin)).id == solo.id


async def test_seats_are_changed_at_the_channels_table(adapter: Adapter, db: MemoryDatabase, solo: Table) -> None:
    common = await open_lobby(adapter.service, ROBIN, WREN)
    command: Command = make_command(ROBIN)
    wren: Any = SimpleNamespace(id=WREN.id, display_name="Wren")
    await adapter.app.service(LobbyCommands).kick(command, wren)
    assert [who.name for who in db.records[common.id].seats] == ["Robin"]
    assert db.header(solo.id).revision == solo.header.revision


@pytest.mark.usefixtures("solo")
async def test_resigning_applies_to_the_channels_table(adapter: Adapter) -> None:
    common = await start_game(adapter.service)
    asking = make_command(ROBIN)
    await adapter.app.service(SeatCommands).ask_to_resign(asking)  # type: ignore[arg-type]
    (button,) = asking.buttons()
    assert parse_id(button) == SeatId(common.id, 0, SeatButton.RESIGN)


@pytest.fixture
async def solitaire(db: MemoryDatabase, adapter: Adapter) -> AsyncIterator[tuple[Adapter, Table]]:
    """Robin's game of The Magic Bag in the channel, dealt."""
    several = Adapter(db, adapter.fake_table_messages, load_games_once())
    table = await open_game(
        several.service, "magic_bag", several.service.games["magic_bag"].game.info.options(), ROBIN, HERE, click_id=1
    )
    yield several, await several.service.start(table.id, ROBIN, 2)
    await several.host.close()


async def test_resigning_applies_to_the_game_that_can_be_resigned(solitaire: tuple[Adapter, Table]) -> None:
    adapter, _alone = solitaire
    refused = make_command(ROBIN)
    assert await refusal_reason(adapter.app.service(SeatCommands).ask_to_resign(refused)) is HostReason.ALONE  # type: ignore[arg-type]
    common = await start_game(adapter.service, ROBIN, WREN)
    asking = make_command(ROBIN)
    await adapter.app.service(SeatCommands).ask_to_resign(asking)  # type: ignore[arg-type]
    assert [parse_id(button) for button in asking.buttons()] == [SeatId(common.id, 0, SeatButton.RESIGN)]


async def test_closing_asks_about_both_games_of_a_person(solitaire: tuple[Adapter, Table]) -> None:
    adapter, alone = solitaire
    common = await start_game(adapter.service, ROBIN, WREN)
    closing = make_command(ROBIN)
    await adapter.app.service(TableCommands).cancel(closing)  # type: ignore[arg-type]
    assert closed_by(closing) == [alone.id, common.id]


async def test_a_lobby_beside_a_game_is_not_closed_unasked(
    solitaire: tuple[Adapter, Table], db: MemoryDatabase
) -> None:
    adapter, alone = solitaire
    lobby = await open_lobby(adapter.service, ROBIN)
    closing = make_command(ROBIN)
    await adapter.app.service(TableCommands).cancel(closing)  # type: ignore[arg-type]
    assert closed_by(closing) == [alone.id, lobby.id]
    await adapter.click(make_click(ROBIN, CancelTableId(lobby.id)))
    assert (db.header(lobby.id).status, db.header(alone.id).status) == (Status.CANCELLED, Status.PLAYING)


async def test_closing_leaves_out_what_others_play(solitaire: tuple[Adapter, Table]) -> None:
    adapter, alone = solitaire
    await start_game(adapter.service, WREN, JAY)
    closing = make_command(ROBIN)
    await adapter.app.service(TableCommands).cancel(closing)  # type: ignore[arg-type]
    assert closed_by(closing) == [alone.id]


async def test_substitutes_come_and_go_at_the_channels_table(adapter: Adapter, db: MemoryDatabase, solo: Table) -> None:
    await adapter.service.start(solo.id, ROBIN, 2)
    common = await start_game(adapter.service)
    if mover_of(common) == ROBIN:
        common = await roll(adapter.service, common)
    absent, seat = mover_of(common), common.header.to_move
    adapter.clock.tick(120)
    await adapter.app.service(SeatCommands).substitute(make_command(ROBIN))  # type: ignore[arg-type]
    await adapter.wait_until_shown()
    assert f"!substitute {seat}" in db.texts(common.id)
    await adapter.app.service(SeatCommands).come_back(make_command(absent))  # type: ignore[arg-type]
    assert "!back" in db.texts(common.id)
    assert not [text for text in db.texts(solo.id) if text.startswith("!")]
