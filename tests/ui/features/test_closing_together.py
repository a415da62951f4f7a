"""The buttons for closing a game without a result, and what the table shows of it."""

from typing import Any

import discord
import pytest

from bot.platform.discord.ids import parse_id
from bot.platform.places import Person
from bot.rules.refusals import Refusal
from bot.tables.closing import propose_close
from bot.tables.handlers.commands import TableCommands
from bot.tables.handlers.ids import CancelTableId, SeatButton, SeatId
from bot.tables.handlers.readings import Readings
from bot.tables.model import Status
from bot.tables.refusals import HostReason
from bot.tables.table import Table
from tests.support.fakes import JAY, ROBIN, STRANGER, WREN
from tests.support.memory_database import MemoryDatabase
from tests.tables.actions.test_closing import apply_action, play_next_move, play_round
from tests.ui.adapter import Adapter, command, refusal_reason
from tests.ui.fake_interactions import AnswerMethod, make_click
from tests.ui.table_clicks import offered_ids

AGREEMENTS = "\n⏳ 🟦 Robin\n✅ 🟧 Wren"
MODERATOR = discord.Permissions(manage_messages=True)


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

    async def test_a_player_who_agreed_sees_who_is_missing(self, adapter: Adapter) -> None:
        table = await start_acted_game(adapter, ROBIN, WREN, JAY)
        await apply_action(adapter.service, table, ROBIN, propose_close)
        with pytest.raises(Refusal) as caught:
            await ask(adapter, ROBIN)
        assert caught.value.reason is HostReason.ALREADY_AGREED
        told = adapter.error_replies.explain(caught.value)
        assert [name in told for name in ("Robin", "Wren", "Jay")] == [False, True, True]


class TestPlayingComputersAlone:
    async def test_closing_against_computers_offers_to_resign(self, adapter: Adapter, db: MemoryDatabase) -> None:
        table = await start_acted_game(adapter, ROBIN, computers=1)
        assert await refusal_reason(ask(adapter, STRANGER)) is HostReason.NOT_SEATED
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
