"""Slash commands at the table of a channel."""

import asyncio
from dataclasses import replace
from typing import Any

import discord
import pytest
from pydantic import ValidationError

import bot.ui.replies
from bot.rules.refusals import Refusal
from bot.tables.model import Header, Published, Status, TableId
from bot.tables.orphans import close_orphan
from bot.tables.publisher import NotShown, OutOfReach
from bot.tables.refusals import HostReason, Stale
from bot.tables.table import Table
from bot.ui.board import DiscordBoard
from bot.ui.ids import CancelId
from bot.ui.parsing import parse_id
from tests.support.fakes import (
    HERE,
    JAY,
    NOON,
    ROBIN,
    START_CLICK,
    STRANGER,
    WREN,
    Deed,
    FakeBoard,
    FakeStore,
    Gate,
    a_lobby,
    a_service,
    mover_of,
    roll,
    under_way,
    until,
)
from tests.ui.adapter import Adapter
from tests.ui.interactions import (
    MESSAGE_ID,
    SERVER_ERROR,
    TOO_LATE,
    UNKNOWN_MESSAGE,
    How,
    a_guest,
    click_of,
    command_of,
)

NOT_MODERATOR = HostReason.NOT_MODERATOR
MODERATOR = discord.Permissions(manage_messages=True)
LINK = "https://discord.com/channels/3/70"


def command(person: Any = ROBIN, **more: Any) -> Any:
    return command_of(person, **more)


async def refused(work: Any) -> HostReason:
    with pytest.raises(Refusal) as caught:
        await work
    assert isinstance(caught.value.reason, HostReason)
    return caught.value.reason


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
        monkeypatch.setattr(bot.ui.replies, "_PATIENCE_SECONDS", 0.01)
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
        monkeypatch.setattr(bot.ui.replies, "_PATIENCE_SECONDS", 0.01)
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
        assert adapter.discord.done == [("delete", 3, 70, MESSAGE_ID)]
        assert (await adapter.service.table(table.id)).header.message_id == MESSAGE_ID + 1

    async def test_a_command_that_waits_for_an_edit_is_announced_and_then_pointed_on(
        self, adapter: Adapter, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(bot.ui.replies, "_PATIENCE_SECONDS", 0.01)
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
        assert adapter.discord.done == [("delete", 3, 70, MESSAGE_ID)]


class TestCancelling:
    async def test_a_lobby_is_closed_at_once(self, adapter: Adapter, store: FakeStore) -> None:
        table = await a_lobby(adapter.service, ROBIN)
        cancelling = command()
        await adapter.desk.cancel(cancelling)
        assert store.header(table.id).status is Status.CANCELLED
        assert cancelling.text == "The table is closed."

    async def test_a_game_is_closed_after_a_second_click(self, adapter: Adapter, store: FakeStore) -> None:
        table = await under_way(adapter.service)
        cancelling = command()
        await adapter.desk.cancel(cancelling)
        assert store.header(table.id).status is Status.PLAYING
        (answer,) = cancelling.answers
        assert answer.ephemeral
        assert "Magpie" in (answer.content or "")
        assert answer.view is not None
        assert answer.view.is_finished()
        (button,) = answer.view.children
        assert isinstance(button, discord.ui.Button)
        assert parse_id(button.custom_id or "") == CancelId(table.id)

    @pytest.mark.parametrize("start", [a_lobby, under_way])
    async def test_is_for_the_opener_and_moderators(self, adapter: Adapter, store: FakeStore, start: Any) -> None:
        table = await start(adapter.service, ROBIN, WREN)
        for person in (WREN, STRANGER):
            reason = await refused(adapter.desk.cancel(command(person)))
            assert reason is HostReason.NOT_OPENER_NOR_MODERATOR
        assert store.header(table.id).status is not Status.CANCELLED
        await adapter.desk.cancel(command(STRANGER, permissions=MODERATOR))

    async def test_needs_a_table(self, adapter: Adapter) -> None:
        assert await refused(adapter.desk.cancel(command())) is HostReason.NO_TABLE_HERE


class TestCancellingASoloGame:
    @pytest.fixture
    async def solo(self, adapter: Adapter) -> Table:
        """Wren's own game in the channel, beside the table that Robin has opened."""
        await a_lobby(adapter.service, ROBIN)
        own = await under_way(adapter.service, WREN, JAY, place=replace(HERE, solo_id=WREN.id))
        await adapter.settled()
        return await adapter.service.table(own.id)

    async def test_is_for_moderators_after_a_second_click(
        self, adapter: Adapter, store: FakeStore, solo: Table
    ) -> None:
        cancelling = command(STRANGER, permissions=MODERATOR)
        await adapter.desk.cancel(cancelling, a_guest(discord.User))
        assert cancelling.text == "End Wren's game of Magpie? Nothing will be counted."
        (button,) = cancelling.buttons()
        assert parse_id(button) == CancelId(solo.id)
        await adapter.click(click_of(STRANGER, button, permissions=MODERATOR))
        assert store.header(solo.id).status is Status.CANCELLED
        assert await adapter.service.table_in(HERE.channel_id) is not None, "the channel's table stays"

    async def test_is_for_nobody_else(self, adapter: Adapter, store: FakeStore, solo: Table) -> None:
        for person in (ROBIN, STRANGER):
            assert await refused(adapter.desk.cancel(command(person), a_guest(discord.User))) is NOT_MODERATOR
        alone = command(STRANGER, guild_id=None, permissions=MODERATOR)
        assert await refused(adapter.desk.cancel(alone, a_guest(discord.User))) is NOT_MODERATOR
        assert store.header(solo.id).status is Status.PLAYING

    async def test_whoever_names_themselves_means_their_own(self, adapter: Adapter, solo: Table) -> None:
        cancelling = command(WREN)
        await adapter.desk.cancel(cancelling, a_guest(discord.User))
        assert [parse_id(button) for button in cancelling.buttons()] == [CancelId(solo.id)]

    @pytest.mark.usefixtures("solo")
    async def test_needs_one_of_the_person_who_is_named(self, adapter: Adapter, store: FakeStore) -> None:
        cancelling = command(STRANGER, permissions=MODERATOR)
        reason = await refused(adapter.desk.cancel(cancelling, a_guest(discord.User, id=ROBIN.id)))
        assert reason is HostReason.NO_SOLO_GAME
        assert {record.header.status for record in store.records.values()} == {Status.LOBBY, Status.PLAYING}

    async def test_of_a_game_that_is_gone_is_possible_too(
        self, adapter: Adapter, store: FakeStore, solo: Table
    ) -> None:
        store.tamper(solo.id, lambda record: replace(record, header=replace(record.header, game="chess")))
        late = Adapter(store, adapter.shown)
        cancelling = command(STRANGER, permissions=MODERATOR)
        await late.desk.cancel(cancelling, a_guest(discord.User))
        assert cancelling.text == "The table is closed."
        assert store.header(solo.id).status is Status.CANCELLED
        await late.host.close()


class TestAGameThatIsGone:
    @pytest.fixture
    async def orphan(self, store: FakeStore) -> TableId:
        """A table of a game that was hosted once, opened by Wren and shown in a message."""
        service = a_service(store)
        table = await a_lobby(service, WREN)
        store.tamper(table.id, lambda record: replace(record, header=replace(record.header, game="chess")))
        await store.mark_published([Published(table.id, 1, 70)])
        return table.id

    async def test_whoever_wants_to_open_another_is_told_what_to_do(self, adapter: Adapter, orphan: TableId) -> None:
        assert await refused(adapter.desk.open(command(), "magpie", {}, 0)) is HostReason.GAME_GONE

    @pytest.mark.parametrize("closer", [command(WREN), command(STRANGER, permissions=MODERATOR)])
    async def test_its_opener_and_moderators_may_close_it(
        self, adapter: Adapter, store: FakeStore, orphan: TableId, closer: Any
    ) -> None:
        await adapter.desk.cancel(closer)
        assert closer.text == "The table is closed."
        assert store.header(orphan).status is Status.CANCELLED
        ((deed, *_, message_id, sent),) = adapter.discord.done
        assert (deed, message_id, sent["view"]) == ("edit", 70, None)  # type: ignore[index]
        assert list(await store.unsettled(9)) == []
        await adapter.desk.open(command(), "magpie", {}, 0)
        assert await adapter.service.table_in(70) is not None

    async def test_nobody_else_may(self, adapter: Adapter, store: FakeStore, orphan: TableId) -> None:
        assert await refused(adapter.desk.cancel(command(ROBIN))) is HostReason.GAME_GONE
        assert store.header(orphan).status is Status.LOBBY
        assert adapter.discord.done == []

    async def test_a_message_that_is_gone_keeps_nothing_open(
        self, adapter: Adapter, store: FakeStore, orphan: TableId
    ) -> None:
        adapter.discord.fault = UNKNOWN_MESSAGE
        await adapter.desk.cancel(command(WREN))
        assert store.header(orphan).status is Status.CANCELLED

    async def test_it_is_in_no_solo_players_way(self, adapter: Adapter, store: FakeStore, orphan: TableId) -> None:
        own = await a_lobby(adapter.service, ROBIN, place=replace(HERE, solo_id=ROBIN.id))
        assert await adapter.desk.table_here(command(ROBIN)) == own

    async def test_two_who_close_it_at_once_are_no_fault(self, store: FakeStore, orphan: TableId) -> None:
        store.before["save"] = gate = Gate()
        closing = [asyncio.create_task(close_orphan(store, orphan, WREN, NOON, is_moderator=False)) for _ in range(2)]
        await gate.reached.wait()
        gate.open()
        results = await asyncio.gather(*closing, return_exceptions=True)
        assert {type(result) for result in results} == {Header, Stale}
        with pytest.raises(Refusal):
            await close_orphan(store, orphan, WREN, NOON, is_moderator=False)


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
