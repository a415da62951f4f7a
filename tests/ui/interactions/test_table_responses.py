"""Every click is answered once, even if its answer can't show the table, or not in time."""

import asyncio
from unittest.mock import AsyncMock

import discord
import pytest

import bot.platform.discord.hand_over
from bot.platform.discord.errors import ChannelUnreachable
from bot.platform.discord.http import TOO_MANY_EDITS
from bot.platform.discord.interaction_responses import CallbackNotAccepted
from bot.platform.observability.trace import get_or_start_trace
from bot.tables import storage as table_storage
from bot.tables.handlers.answers import THREAD_ARCHIVED
from bot.tables.handlers.error_replies import STORE_UNAVAILABLE
from bot.tables.refusals import HostReason
from bot.tables.table import Table
from bot.words import gettext
from tests.support.fake_table_messages import ShowAction
from tests.support.fakes import ALL_FIVE, STRANGER, make_service, mover_of, roll
from tests.support.memory_database import MemoryDatabase
from tests.support.waiting import Gate, wait_until
from tests.ui.adapter import Adapter, LibraryCallbackClient
from tests.ui.fake_interactions import (
    ALREADY_ANSWERED,
    ARCHIVED,
    SERVER_ERROR,
    TOO_LATE,
    UNKNOWN_MESSAGE,
    AnswerMethod,
    make_http_error,
)
from tests.ui.table_clicks import make_control_click, start_shown_game


class TestTableResponses:
    async def test_a_replaced_message_points_to_the_table(self, adapter: Adapter) -> None:
        table = await start_shown_game(adapter)
        click = await adapter.click(make_control_click(table, mover_of(table), "roll", message_id=1))
        (answer,) = click.answers
        assert answer.how is AnswerMethod.EDIT
        assert str(table.header.message_id) in (answer.content or "")
        assert answer.view is None
        await adapter.wait_until_shown()
        assert adapter.fake_table_messages.revisions[-1] == table.header.revision + 1
        assert adapter.fake_table_messages.shown[-1].message_id == table.header.message_id

    async def test_a_replaced_message_that_cannot_be_edited_is_answered(
        self, adapter: Adapter, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        table = await start_shown_game(adapter)
        for fault, how in (
            (CallbackNotAccepted("429"), AnswerMethod.SEND),
            (make_http_error(discord.HTTPException, 429, TOO_MANY_EDITS), AnswerMethod.SEND),
            (UNKNOWN_MESSAGE, AnswerMethod.DEFER),
        ):
            monkeypatch.setattr(LibraryCallbackClient, "replace_with_text", AsyncMock(side_effect=fault))
            click = await adapter.click(make_control_click(table, mover_of(table), "keep2", message_id=1))
            assert [answer.how for answer in click.answers] == [how]
            assert (str(table.header.message_id) in click.text) is (how is AnswerMethod.SEND)

    @pytest.mark.usefixtures("changes_do_not_wait")
    async def test_the_trace_of_a_click_names_its_table(self, adapter: Adapter) -> None:
        table = await start_shown_game(adapter)
        await adapter.click(make_control_click(table, mover_of(table), "roll"))
        trace = get_or_start_trace()
        assert (trace.table, trace.game) == (table.id, "magpie")

    @pytest.mark.usefixtures("changes_do_not_wait")
    async def test_a_click_during_an_edit_is_acknowledged_and_the_edit_follows(self, adapter: Adapter) -> None:
        table = await start_shown_game(adapter)
        adapter.fake_table_messages.gates[ShowAction.EDIT] = gate = Gate()
        adapter.host.publisher.wake(table.id, again=True)
        await gate.reached.wait()
        click = await adapter.click(make_control_click(table, mover_of(table), "roll"))
        assert [answer.how for answer in click.answers] == [AnswerMethod.DEFER]
        gate.open()
        await adapter.wait_until_shown()
        assert adapter.fake_table_messages.revisions[-1] == table.header.revision + 1

    async def test_a_move_in_an_archived_thread_is_saved_and_explained(
        self, adapter: Adapter, db: MemoryDatabase
    ) -> None:
        table = await start_shown_game(adapter)
        click = make_control_click(table, mover_of(table), "roll")
        click.fault = ARCHIVED
        await adapter.click(click)
        assert click.text == gettext(THREAD_ARCHIVED)
        assert len(db.texts(table.id)) == 1

    @pytest.mark.parametrize("fault", [TOO_LATE, ALREADY_ANSWERED])
    async def test_an_expired_click_is_left_to_the_publisher(
        self, adapter: Adapter, db: MemoryDatabase, fault: Exception
    ) -> None:
        table = await start_shown_game(adapter)
        click = make_control_click(table, mover_of(table), "roll")
        click.fault = fault
        await adapter.click(click)
        assert click.answers == []
        assert len(db.texts(table.id)) == 1
        await adapter.wait_until_shown()
        assert adapter.fake_table_messages.revisions[-1] == table.header.revision + 1

    @pytest.mark.parametrize(("fault", "times"), [(TOO_LATE, 1), (ALREADY_ANSWERED, 0)])
    async def test_an_expired_pick_is_shown_by_the_publisher_unless_another_process_has_answered(
        self, adapter: Adapter, fault: Exception, times: int
    ) -> None:
        table = await start_shown_game(adapter)
        click, shown = make_control_click(table, mover_of(table), "keep2"), len(adapter.fake_table_messages.revisions)
        click.fault = fault
        await adapter.click(click)
        await adapter.wait_until_shown()
        assert len(adapter.fake_table_messages.revisions) == shown + times

    @pytest.mark.parametrize(("fault", "answers"), [(ALREADY_ANSWERED, 0), (None, 1)])
    async def test_a_click_on_which_another_process_has_moved_is_left_to_that_unless_it_ends(
        self,
        adapter: Adapter,
        db: MemoryDatabase,
        monkeypatch: pytest.MonkeyPatch,
        fault: Exception | None,
        answers: int,
    ) -> None:
        monkeypatch.setattr(bot.platform.discord.hand_over, "OTHER_ANSWERS_SECONDS", 0)
        table = await start_shown_game(adapter)
        click, shown = make_control_click(table, mover_of(table), "roll"), len(adapter.fake_table_messages.revisions)
        await make_service(db).play(table.id, mover_of(table), table.header.step, ALL_FIVE, click.id)
        click.fault = fault
        await adapter.click(click)
        await adapter.wait_until_shown()
        assert [answer.how for answer in click.answers] == [AnswerMethod.DEFER] * answers
        assert adapter.fake_table_messages.revisions[shown:] == [table.header.revision + 1] * answers

    async def test_a_response_refused_by_discord_is_left_to_the_publisher(
        self, adapter: Adapter, db: MemoryDatabase, caplog: pytest.LogCaptureFixture
    ) -> None:
        table = await start_shown_game(adapter)
        click = make_control_click(table, mover_of(table), "roll")
        click.fault = SERVER_ERROR
        await adapter.click(click)
        await adapter.wait_until_shown()
        assert len(db.texts(table.id)) == 1
        assert adapter.fake_table_messages.revisions[-1] == table.header.revision + 1
        caplog.clear()

    async def test_a_pick_whose_answer_was_lost_is_shown_by_the_publisher(
        self, adapter: Adapter, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        table = await start_shown_game(adapter)
        click, shown = make_control_click(table, mover_of(table), "keep2"), len(adapter.fake_table_messages.revisions)

        async def lose(*_: object, **__: object) -> None:
            click.fault = ALREADY_ANSWERED
            raise CallbackNotAccepted("no answer")

        monkeypatch.setattr(LibraryCallbackClient, "update", lose)
        await adapter.click(click)
        assert click.answers == [], "no error is shown"
        await adapter.wait_until_shown()
        assert len(adapter.fake_table_messages.revisions) == shown + 1

    async def test_an_answer_not_accepted_is_repeated_as_an_edit_if_the_bot_may_not_edit(
        self, adapter: Adapter, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        table = await start_shown_game(adapter)
        monkeypatch.setattr(LibraryCallbackClient, "update", AsyncMock(side_effect=CallbackNotAccepted("429")))
        click = make_control_click(table, mover_of(table), "roll", app_permissions=discord.Permissions.none())
        await adapter.click(click)
        assert [answer.how for answer in click.answers] == [AnswerMethod.DEFER, AnswerMethod.EDIT_ANSWER]

    async def test_a_click_does_not_restore_a_message_replaced_meanwhile(
        self, adapter: Adapter, db: MemoryDatabase
    ) -> None:
        table = await start_shown_game(adapter)
        db.before[table_storage.save] = gate = Gate()
        clicking = asyncio.create_task(adapter.click(make_control_click(table, mover_of(table), "roll")))
        await gate.reached.wait()

        async def send(_: Table) -> int:
            return 4711

        await adapter.host.publisher.repost(table.id, send)  # `/table show`
        gate.open()
        await clicking
        await adapter.wait_until_shown()
        now = await adapter.service.table(table.id)
        assert now.header.message_id == 4711
        assert now.header.published == now.header.revision
        assert adapter.fake_table_messages.shown[-1].message_id == 4711

    @pytest.mark.usefixtures("changes_do_not_wait")
    async def test_a_pick_that_waited_shows_the_newest_table(self, adapter: Adapter, db: MemoryDatabase) -> None:
        table = await start_shown_game(adapter)
        adapter.fake_table_messages.gates[ShowAction.EDIT] = gate = Gate()
        adapter.fake_table_messages.faults[ShowAction.EDIT] = [ChannelUnreachable("no permission")] * 2
        adapter.host.publisher.wake(table.id, again=True)
        await gate.reached.wait()
        no_permissions = discord.Permissions.none()
        click = make_control_click(table, mover_of(table), "keep2", app_permissions=no_permissions)
        picking = asyncio.create_task(adapter.click(click))
        await wait_until(lambda: adapter.drafts.of(table))
        await roll(adapter.service, table)
        gate.open()
        await picking
        assert len(db.texts(table.id)) == 1
        assert "embed" in click.answers[0].sent


class TestSlowWork:
    @pytest.fixture(autouse=True)
    def short_patience(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(bot.platform.discord.answers, "DEFER_AFTER_SECONDS", 0.01)

    @pytest.fixture
    async def table(self, adapter: Adapter) -> Table:
        return await start_shown_game(adapter)

    @pytest.fixture
    def loading(self, adapter: Adapter, db: MemoryDatabase, table: Table) -> Gate:
        """A gate for loading the table, which is evicted first."""
        adapter.service.cache.evict(table.id)
        db.after[table_storage.load] = gate = Gate()
        return gate

    @pytest.mark.parametrize("key", ["roll", "keep2"])
    async def test_slow_work_is_acknowledged_and_shown_by_the_publisher(
        self, adapter: Adapter, table: Table, loading: Gate, key: str
    ) -> None:
        before = len(adapter.fake_table_messages.shown)
        click = make_control_click(table, mover_of(table), key)
        clicking = asyncio.create_task(adapter.click(click))
        await wait_until(lambda: click.answers)
        loading.open()
        await clicking
        await adapter.wait_until_shown()
        assert [answer.how for answer in click.answers] == [AnswerMethod.DEFER]
        assert len(adapter.fake_table_messages.shown) == before + 1
        assert click.text == ""

    async def test_slow_work_is_shown_by_the_click_if_the_bot_may_not_edit(
        self, adapter: Adapter, table: Table, loading: Gate
    ) -> None:
        before = len(adapter.fake_table_messages.shown)
        click = make_control_click(table, mover_of(table), "roll", app_permissions=discord.Permissions.none())
        clicking = asyncio.create_task(adapter.click(click))
        await wait_until(lambda: click.answers)
        loading.open()
        await clicking
        await adapter.wait_until_shown()
        assert [answer.how for answer in click.answers][:2] == [AnswerMethod.DEFER, AnswerMethod.EDIT_ANSWER]
        assert len(adapter.fake_table_messages.shown) == before

    @pytest.mark.parametrize("key", ["roll", "keep2"])
    async def test_work_done_while_it_is_acknowledged_is_answered_once(
        self, adapter: Adapter, table: Table, loading: Gate, key: str
    ) -> None:
        before = len(adapter.fake_table_messages.shown)
        click = make_control_click(table, mover_of(table), key)
        click.gate = acknowledging = Gate()
        clicking = asyncio.create_task(adapter.click(click))
        await acknowledging.reached.wait()
        loading.open()
        for _ in range(20):
            await asyncio.sleep(0)
        acknowledging.open()
        await clicking
        await adapter.wait_until_shown()
        assert [answer.how for answer in click.answers] == [AnswerMethod.DEFER]
        assert len(adapter.fake_table_messages.shown) == before + 1

    async def test_slow_work_is_refused_in_words(self, adapter: Adapter, table: Table, loading: Gate) -> None:
        click = make_control_click(table, STRANGER, "roll")
        clicking = asyncio.create_task(adapter.click(click))
        await wait_until(lambda: click.answers)
        loading.open()
        await clicking
        assert [answer.how for answer in click.answers] == [AnswerMethod.DEFER, AnswerMethod.FOLLOW_UP]
        assert click.refusal is HostReason.NOT_SEATED


class TestFaults:
    async def test_a_database_failure_is_explained(
        self, adapter: Adapter, db: MemoryDatabase, caplog: pytest.LogCaptureFixture
    ) -> None:
        table = await start_shown_game(adapter)
        db.broken = {table_storage.save}
        click = await adapter.click(make_control_click(table, mover_of(table), "roll"))
        assert click.text == gettext(STORE_UNAVAILABLE)
        caplog.clear()
        db.broken = set()
        again = await adapter.click(make_control_click(table, mover_of(table), "roll"))
        assert [answer.how for answer in again.answers] == [AnswerMethod.EDIT]
        assert len(db.texts(table.id)) == 1
