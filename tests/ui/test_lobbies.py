"""Slash commands about a lobby, and playing again."""

from types import SimpleNamespace
from typing import Any

from bot.tables.model import Status
from bot.tables.seating import resigning
from bot.ui.ids import AgainId
from tests.support.fakes import ROBIN, STRANGER, WREN, FakeStore, a_lobby, under_way
from tests.ui.adapter import Adapter
from tests.ui.interactions import How, click_of, command_of


class TestLevels:
    async def test_a_computer_player_of_a_level_sits_down_and_shows_it(self, adapter: Adapter) -> None:
        table = await a_lobby(adapter.service, ROBIN)
        command: Any = command_of(ROBIN)
        await adapter.lobbies.add_computer(command, " Random ")
        assert command.text.startswith("A computer player sits down: https://")
        now = await adapter.service.table(table.id)
        assert now.seats[-1].level == "random"
        assert "Computer 🤖 random" in str(adapter.board.frame(now).embed.fields[0].value)

    async def test_levels_are_suggested_where_there_is_a_table(self, adapter: Adapter) -> None:
        command: Any = command_of(ROBIN)
        assert await adapter.lobbies.levels_here(command) == []
        await a_lobby(adapter.service, ROBIN)
        assert await adapter.lobbies.levels_here(command) == ["random", "sensible"]


async def test_the_opener_takes_a_seat_away(adapter: Adapter) -> None:
    table = await a_lobby(adapter.service, ROBIN, WREN)
    command: Any = command_of(ROBIN)
    person: Any = SimpleNamespace(id=WREN.id, display_name="Wren*")
    await adapter.lobbies.kick(command, person)
    assert command.text.startswith(r"Wren\* has no seat at this table any more")
    assert (await adapter.service.table(table.id)).seat_of(WREN.id) is None


class TestPlayAgain:
    async def test_opens_the_next_table_at_a_click_of_its_people(self, adapter: Adapter, store: FakeStore) -> None:
        table = await under_way(adapter.service, ROBIN, WREN)
        table = await adapter.service.control(table.id, WREN, resigning, 1)
        frame = adapter.board.frame(table)
        assert [press.label for row in frame.rows for press in row] == ["Play again", "Check the dice"]
        refused = await adapter.click(click_of(STRANGER, AgainId(table.id)))
        assert "no seat" in refused.text
        click = await adapter.click(click_of(WREN, AgainId(table.id)))
        assert [answer.how for answer in click.answers] == [How.DEFER]
        await adapter.settled()
        new = await adapter.service.table_in(table.header.place.channel_id)
        assert new is not None
        assert (new.header.status, new.header.opener_id) == (Status.LOBBY, WREN.id)
        assert adapter.shown.shown[-1].table_id == new.id
        second = await adapter.click(click_of(ROBIN, AgainId(table.id), id=9002))
        assert "The next table is open already" in second.text
