"""Every click is answered: with the table, with a sentence, or with an acknowledgement."""

import asyncio
from typing import Any

import discord
import pytest

from bot.games.magpie.minds.evaluation import find_shortcuts
from bot.games.magpie.pieces import Roll
from bot.platform.discord.refusals import ClickReason
from bot.platform.places import Location
from bot.tables import storage as table_storage
from bot.tables.handlers.ids import ControlId, LobbyButton
from bot.tables.model import Status
from bot.tables.table import Table
from tests.support.fakes import ROBIN, STRANGER, WREN, mover_of, open_lobby, roll, start_game
from tests.support.memory_database import MemoryDatabase
from tests.ui.adapter import Adapter
from tests.ui.fake_interactions import AnswerMethod, make_click
from tests.ui.table_clicks import (
    make_control_click,
    make_lobby_click,
    start_shown_game,
    waiting_person,
)


class TestOtherInteractions:
    @pytest.mark.parametrize(
        "kind",
        [
            discord.InteractionType.ping,
            discord.InteractionType.application_command,
            discord.InteractionType.autocomplete,
        ],
    )
    async def test_other_interactions_are_ignored(self, adapter: Adapter, kind: discord.InteractionType) -> None:
        click = await adapter.click(make_click(ROBIN, "nonsense", type=kind))
        assert click.answers == []

    async def test_an_unknown_form_is_answered_and_presses_no_button(
        self, adapter: Adapter, db: MemoryDatabase
    ) -> None:
        table = await start_game(adapter.service)
        form = make_control_click(table, mover_of(table), "roll", type=discord.InteractionType.modal_submit)
        await adapter.click(form)
        assert form.refusal is ClickReason.UNKNOWN_BUTTON
        assert form.text
        assert db.texts(table.id) == []

    @pytest.mark.parametrize("data", [None, {}, {"custom_id": "nonsense"}, {"custom_id": "t:1:2:roll"}])
    async def test_nonsense_is_answered_with_a_sentence(self, adapter: Adapter, data: dict[str, Any] | None) -> None:
        click = make_click(ROBIN, "")
        click.data = data
        await adapter.click(click)
        assert click.refusal is ClickReason.UNKNOWN_BUTTON
        assert click.text


def safest_roll(table: Table) -> str:
    """Return the move of the first shortcut."""
    return str(find_shortcuts(table.state)[0])


class TestPlaying:
    async def test_a_move_is_made_and_shown_by_the_response(self, adapter: Adapter, db: MemoryDatabase) -> None:
        table = await start_shown_game(adapter)
        shown = list(adapter.fake_table_messages.revisions)
        click = await adapter.click(make_control_click(table, mover_of(table), "roll"))
        await adapter.wait_until_shown()
        assert db.texts(table.id) == [safest_roll(table)]
        assert db.records[table.id].entries[0].click_id == click.id
        (answer,) = click.answers
        assert (answer.how, answer.embed is not None) == (AnswerMethod.EDIT, True)
        assert adapter.fake_table_messages.revisions == shown, "the answer has shown it, the publisher need not"

    async def test_a_double_click_makes_one_move_without_an_error(self, adapter: Adapter, db: MemoryDatabase) -> None:
        table = await start_shown_game(adapter)
        clicks = [make_control_click(table, mover_of(table), "roll", id=number) for number in (9001, 9002)]
        await asyncio.gather(*map(adapter.click, clicks))
        await adapter.wait_until_shown()
        assert len(db.texts(table.id)) == 1
        for click in clicks:
            assert click.text == ""
            assert {answer.how for answer in click.answers} <= {AnswerMethod.EDIT, AnswerMethod.DEFER}
            assert len(click.answers) == 1

    async def test_a_click_on_an_old_screen_refreshes_it(self, adapter: Adapter, db: MemoryDatabase) -> None:
        table = await start_shown_game(adapter)
        late = make_control_click(table, waiting_person(table), "roll")
        await roll(adapter.service, table)
        await adapter.wait_until_shown()
        click = await adapter.click(late)
        assert len(db.texts(table.id)) == 1
        assert [(answer.how, answer.ephemeral) for answer in click.answers] == [(AnswerMethod.EDIT, False)]

    @pytest.mark.parametrize("key", ["fly", "rest", "die1", "keep6"])
    async def test_a_control_that_is_not_offered_changes_nothing(
        self, adapter: Adapter, db: MemoryDatabase, key: str
    ) -> None:
        table = await start_shown_game(adapter)
        click = await adapter.click(make_control_click(table, mover_of(table), key))
        assert db.texts(table.id) == []
        assert [answer.how for answer in click.answers] == [AnswerMethod.EDIT]

    async def test_a_step_of_the_future_changes_nothing(self, adapter: Adapter, db: MemoryDatabase) -> None:
        table = await start_shown_game(adapter)
        forged = ControlId(table.id, 10**17, "roll", frozenset())
        click = await adapter.click(make_click(mover_of(table), forged, message_id=table.header.message_id))
        assert db.texts(table.id) == []
        assert len(click.answers) == 1

    async def test_a_move_of_another_process_is_reloaded(self, adapter: Adapter, db: MemoryDatabase) -> None:
        table = await start_shown_game(adapter)
        other = Adapter(db, adapter.fake_table_messages)
        ahead = await roll(other.service, table)
        click = await adapter.click(make_control_click(ahead, mover_of(ahead), "roll", message_id=1))
        assert click.text == ""
        assert len(db.texts(table.id)) == 2
        await other.host.close()

    async def test_after_a_restart_buttons_work(self, adapter: Adapter, db: MemoryDatabase) -> None:
        table = await start_shown_game(adapter)
        await adapter.host.close()
        again = Adapter(db, adapter.fake_table_messages)
        await again.click(make_control_click(table, mover_of(table), "others", frozenset({1, 3, 5})))
        assert db.texts(table.id) == ["roll 2 4"]
        await again.host.close()


class TestDrafts:
    async def test_a_toggle_updates_only_the_buttons(self, adapter: Adapter, db: MemoryDatabase) -> None:
        table = await start_shown_game(adapter)
        calls = len(db.calls)
        click = await adapter.click(make_control_click(table, mover_of(table), "keep2"))
        (answer,) = click.answers
        assert answer.how is AnswerMethod.EDIT
        assert answer.sent == {"view"}
        assert sum(label.startswith("✓") for label in click.labels()) == 1
        await adapter.wait_until_shown()
        assert table_storage.save not in db.calls[calls:]

    async def test_two_quick_toggles_both_count(self, adapter: Adapter, db: MemoryDatabase) -> None:
        table = await start_shown_game(adapter)
        mover = mover_of(table)
        for key in ("keep2", "keep4"):  # both from the screen on which nothing is picked
            await adapter.click(make_control_click(table, mover, key))
        await adapter.click(make_control_click(table, mover, "others"))
        assert db.texts(table.id) == ["roll 1 3 5"]

    async def test_others_cannot_pick(self, adapter: Adapter, db: MemoryDatabase) -> None:
        table = await start_shown_game(adapter)
        for person in (waiting_person(table), STRANGER):
            await adapter.click(make_control_click(table, person, "keep2"))
        await adapter.click(make_control_click(table, mover_of(table), "roll"))
        assert db.texts(table.id) == [safest_roll(table)]

    async def test_after_a_restart_a_toggle_continues_from_the_button(
        self, adapter: Adapter, db: MemoryDatabase
    ) -> None:
        table = await start_shown_game(adapter)
        mover = mover_of(table)
        await adapter.click(make_control_click(table, mover, "keep5", frozenset({1, 2})))
        await adapter.click(make_control_click(table, mover, "others", frozenset({1, 2})))
        assert db.texts(table.id) == [str(Roll((3, 4)))]

    async def test_a_draft_ends_with_its_step(self, adapter: Adapter) -> None:
        table = await start_shown_game(adapter, ROBIN, WREN)
        mover = mover_of(table)
        await adapter.click(make_control_click(table, mover, "keep2"))
        for _ in range(2):
            table = await roll(adapter.service, table)
        assert mover_of(table) == mover
        assert adapter.drafts.of(table) == frozenset()


async def test_a_table_in_a_direct_message_is_played_there(adapter: Adapter, db: MemoryDatabase) -> None:
    table = await open_lobby(adapter.service, ROBIN, location=Location(None, 88))
    await adapter.wait_until_shown()
    table = await adapter.service.table(table.id)
    here: dict[str, Any] = {"guild_id": None, "channel_id": 88}
    click = await adapter.click(make_lobby_click(table, ROBIN, LobbyButton.START, **here))
    assert [answer.how for answer in click.answers] == [AnswerMethod.EDIT]
    assert db.header(table.id).status is Status.PLAYING
    await adapter.wait_until_shown()
