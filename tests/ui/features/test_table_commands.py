"""Slash commands at the table of a channel."""

import asyncio

import discord
import pytest
from pydantic import ValidationError

import bot.ui.interactions.responses
from bot.rules.refusals import Refusal
from bot.tables.refusals import HostReason
from bot.tables.runtime.publisher import NotShown, OutOfReach
from bot.tables.table import Table
from bot.ui.delivery.messenger import deleting
from bot.ui.delivery.table_messages import DiscordBoard
from tests.support.fakes import (
    JAY,
    ROBIN,
    START_CLICK,
    STRANGER,
    WREN,
    Deed,
    FakeBoard,
    FakeStore,
    Gate,
    a_lobby,
    mover_of,
    roll,
    under_way,
    until,
)
from tests.ui.adapter import Adapter, command, refused
from tests.ui.fake_interactions import MESSAGE_ID, SERVER_ERROR, TOO_LATE, How

LINK = "https://discord.com/channels/3/70"


class TestTwoProcesses:
    async def test_a_command_is_one_move_and_only_who_made_it_answers(
        self, adapter: Adapter, store: FakeStore, shown: FakeBoard
    ) -> None:
        table = await under_way(adapter.service)
        other = Adapter(store, shown)
        answers = []
        for process in (adapter, other):
            rolling = command(mover_of(table), id=7777)
            await process.desk.play(rolling, "magpie", "roll 1")
            answers.append(rolling.text)
        assert answers[0].startswith("Done")
        assert answers[1] == ""
        assert store.texts(table.id) == ["roll 1"]
        await other.host.close()


class TestOpening:
    async def test_the_answer_is_the_lobby_and_its_message_the_tables(self, adapter: Adapter, store: FakeStore) -> None:
        opening = command()
        await adapter.desk.open(opening, "magpie", {"target": 200}, 1)
        await adapter.settled()
        table = await adapter.service.table_in(70)
        assert table is not None
        assert table.header.message_id == opening.answer_id
        assert [who.name for who in table.seats] == ["Robin", "Computer"]
        assert '"target":200' in table.header.options
        assert table.seats[0].contribution == str(opening.id)
        (answer,) = opening.answers
        assert (answer.how, answer.ephemeral) == (How.SEND, False)
        assert "Join" in opening.labels()
        assert adapter.shown.asked == []

    async def test_a_taken_channel_a_bad_place_and_missing_permissions_open_nothing(
        self, adapter: Adapter, store: FakeStore
    ) -> None:
        nowhere = command(guild_id=None)
        assert await refused(adapter.desk.open(nowhere, "magpie", {}, 0)) is HostReason.NO_PLACE
        mute = command(app_permissions=discord.Permissions.none())
        reason = await refused(adapter.desk.open(mute, "magpie", {}, 0))
        assert reason is HostReason.MISSING_PERMISSIONS
        assert store.records == {}
        await a_lobby(adapter.service, WREN)
        reason = await refused(adapter.desk.open(command(), "magpie", {}, 0))
        assert reason is HostReason.CHANNEL_TAKEN
        assert len(store.records) == 1

    async def test_options_that_the_game_does_not_have_are_a_fault_of_ours(self, adapter: Adapter) -> None:
        with pytest.raises(ValidationError):
            await adapter.desk.open(command(), "magpie", {"speed": 9}, 0)

    @pytest.mark.parametrize("options", [{"target": 0}, {"target": 10**9}, {"double_big_rolls": "perhaps"}])
    async def test_values_beyond_the_limits_are_refused(
        self, adapter: Adapter, store: FakeStore, options: dict[str, object]
    ) -> None:
        assert await refused(adapter.desk.open(command(), "magpie", options, 0)) is HostReason.NO_SUCH_CHOICE
        assert not store.records

    async def test_a_table_nobody_waits_for_is_posted_all_the_same(self, adapter: Adapter) -> None:
        await adapter.desk.open(command(fault=TOO_LATE), "magpie", {}, 0)
        await adapter.settled()
        assert [shown.deed for shown in adapter.shown.shown] == [Deed.POST]
        table = await adapter.service.table_in(70)
        assert table is not None
        assert table.header.message_id == MESSAGE_ID

    @pytest.mark.parametrize("fault", [NotShown("503"), OutOfReach("gone")])
    async def test_a_late_post_that_fails_is_told_and_tried_again(self, adapter: Adapter, fault: Exception) -> None:
        adapter.shown.faults[Deed.POST] = [fault]
        opening = command(fault=TOO_LATE)
        await adapter.desk.open(opening, "magpie", {}, 0)
        await adapter.settled()
        assert opening.text.startswith("The table is saved")
        assert [shown.deed for shown in adapter.shown.shown] == [Deed.POST]

    async def test_an_answer_that_discord_refuses_is_told_and_posted_by_the_publisher(self, adapter: Adapter) -> None:
        opening = command(fault=SERVER_ERROR)
        with pytest.raises(discord.DiscordServerError):
            await adapter.desk.open(opening, "magpie", {}, 0)
        await adapter.settled()
        assert [shown.deed for shown in adapter.shown.shown] == [Deed.POST]

    async def test_a_slow_opening_is_announced_and_the_table_posted(
        self, adapter: Adapter, store: FakeStore, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(bot.ui.interactions.responses, "_PATIENCE_SECONDS", 0.01)
        store.before["open"] = gate = Gate()
        opening = command()
        task = asyncio.create_task(adapter.desk.open(opening, "magpie", {}, 0))
        await until(lambda: opening.answers)
        gate.open()
        await task
        await adapter.settled()
        assert [answer.how for answer in opening.answers] == [How.DEFER, How.FOLLOW_UP]
        assert opening.answers[0].ephemeral
        table = await adapter.service.table_in(70)
        assert table is not None
        assert [shown.deed for shown in adapter.shown.shown] == [Deed.POST]
        assert table.header.message_id == MESSAGE_ID
        assert opening.text == f"Here it is: {LINK}/{MESSAGE_ID}"


class TestPlaying:
    async def test_a_move_is_made_and_answered_with_the_way_to_it(self, adapter: Adapter, store: FakeStore) -> None:
        table = await under_way(adapter.service)
        await adapter.settled()
        playing = command(mover_of(table))
        await adapter.desk.play(playing, "magpie", "roll 1 2")
        await adapter.settled()
        assert store.texts(table.id) == ["roll 1 2"]
        assert playing.text == f"Done: {LINK}/1001"
        assert adapter.shown.revisions[-1] == table.header.revision + 1

    async def test_a_table_that_moves_on_meanwhile_is_told(self, adapter: Adapter, store: FakeStore) -> None:
        table = await under_way(adapter.service)
        mover = mover_of(table)
        store.before["save"] = gate = Gate()
        first, second = command(mover), command(mover)
        tasks = [asyncio.create_task(adapter.desk.play(each, "magpie", "roll 1")) for each in (first, second)]
        await gate.reached.wait()
        # Both have read the step that the table is at.
        await until(lambda: len(adapter.service._under_way) == 2)
        gate.open()
        await asyncio.gather(*tasks)
        assert len(store.texts(table.id)) == 1
        assert sorted(text.split(":")[0] for text in (first.text, second.text)) == [
            "Done",
            "The table has just moved on. Look again",
        ]

    async def test_what_is_typed_may_be_read_at_the_table_however_long_that_takes(
        self, adapter: Adapter, store: FakeStore, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(bot.ui.interactions.responses, "_PATIENCE_SECONDS", 0.01)
        table = await under_way(adapter.service)
        adapter.service._cache.forget(table.id)
        store.after["load"] = gate = Gate()
        playing = command(mover_of(table))
        task = asyncio.create_task(adapter.desk.play(playing, "magpie", lambda now: f"roll {now.id}"))
        await until(lambda: playing.answers)
        gate.open()
        await task
        assert store.texts(table.id) == [f"roll {table.id}"]
        assert [answer.how for answer in playing.answers] == [How.DEFER, How.FOLLOW_UP]

    async def test_needs_a_table_of_that_game_and_a_turn(self, adapter: Adapter) -> None:
        assert await refused(adapter.desk.play(command(), "magpie", "roll 1")) is (HostReason.NO_TABLE_HERE)
        table = await a_lobby(adapter.service, ROBIN, WREN)
        desk = adapter.desk
        assert await refused(desk.play(command(), "chess", "e4")) is HostReason.OTHER_GAME_HERE
        assert await refused(desk.play(command(), "magpie", "roll 1")) is HostReason.NOT_STARTED
        table = await adapter.service.start(table.id, ROBIN, START_CLICK)
        other = WREN if mover_of(table) == ROBIN else ROBIN
        assert await refused(desk.play(command(other), "magpie", "roll 1")) is (HostReason.NOT_YOUR_TURN)
        assert await refused(desk.play(command(JAY), "magpie", "roll 1")) is HostReason.NOT_SEATED


class TestShowing:
    async def test_the_table_is_posted_anew_and_the_old_message_removed(
        self, adapter: Adapter, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        removed: list[tuple[int, int]] = []

        async def remove(table: Table, message_id: int) -> None:
            removed.append((table.id, message_id))

        monkeypatch.setattr(adapter.board, "remove", remove)
        table = await under_way(adapter.service)
        await adapter.settled()
        showing = command(STRANGER)
        await adapter.desk.show(showing)
        assert removed == [(table.id, 1001)]
        now = await adapter.service.table(table.id)
        assert now.header.message_id == showing.answer_id
        await roll(adapter.service, now)
        await adapter.settled()
        assert adapter.shown.shown[-1].message_id == showing.answer_id

    async def test_a_table_without_a_message_removes_nothing(
        self, adapter: Adapter, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(DiscordBoard, "remove", None)
        await a_lobby(adapter.service, ROBIN)
        showing = command()
        await adapter.desk.show(showing)
        assert [answer.how for answer in showing.answers] == [How.SEND]

    async def test_needs_a_table_and_permissions(self, adapter: Adapter) -> None:
        assert await refused(adapter.desk.show(command())) is HostReason.NO_TABLE_HERE
        await a_lobby(adapter.service, ROBIN)
        mute = command(app_permissions=discord.Permissions.none())
        assert await refused(adapter.desk.show(mute)) is HostReason.MISSING_PERMISSIONS

    async def test_a_command_nobody_waits_for_brings_the_table_all_the_same(self, adapter: Adapter) -> None:
        table = await a_lobby(adapter.service, ROBIN)
        await adapter.settled()
        await adapter.desk.show(command(fault=TOO_LATE))
        assert adapter.discord.done == [deleting(70, MESSAGE_ID)]
        assert (await adapter.service.table(table.id)).header.message_id == MESSAGE_ID + 1

    async def test_a_command_that_waits_for_an_edit_is_announced_and_then_pointed_on(
        self, adapter: Adapter, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(bot.ui.interactions.responses, "_PATIENCE_SECONDS", 0.01)
        table = await a_lobby(adapter.service, ROBIN)
        await adapter.settled()
        adapter.shown.gates[Deed.EDIT] = gate = Gate()
        adapter.host.publisher.wake(table.id, again=True)
        await gate.reached.wait()
        showing = command()
        task = asyncio.create_task(adapter.desk.show(showing))
        await until(lambda: showing.answers)
        gate.open()
        await task
        assert [answer.how for answer in showing.answers] == [How.DEFER, How.FOLLOW_UP]
        assert showing.text == f"Here it is: {LINK}/{MESSAGE_ID + 1}"
        assert (await adapter.service.table(table.id)).header.message_id == MESSAGE_ID + 1
        assert adapter.discord.done == [deleting(70, MESSAGE_ID)]


class TestExplaining:
    async def test_a_game_is_explained_to_one_reader(self, adapter: Adapter) -> None:
        asking = command()
        await adapter.desk.explain(asking, "magpie")
        (answer,) = asking.answers
        assert answer.ephemeral
        assert answer.embed is not None
        assert answer.embed.title == "Magpie"

    @pytest.mark.parametrize("typed", ["Magpie", " MAGPIE "])
    async def test_a_game_is_found_by_its_title_as_typed(self, adapter: Adapter, typed: str) -> None:
        asking = command()
        await adapter.desk.explain(asking, typed)
        assert asking.answers[0].embed is not None

    async def test_of_an_unknown_game_the_known_ones_are_named(self, adapter: Adapter) -> None:
        with pytest.raises(Refusal) as refused:
            await adapter.desk.explain(command(), "chess @everyone")
        assert refused.value == Refusal(HostReason.UNKNOWN_GAME, games="Magpie")
