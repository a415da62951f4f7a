"""Clicks on *Play again*."""

from dataclasses import replace

import pytest

from bot.features.new_tables.handlers import has_seat_in_next_lobby
from bot.platform.places import Person
from bot.tables.handlers.ids import PlayAgainId
from bot.tables.refusals import HostReason
from bot.tables.seats import resign_seat
from bot.tables.table import Table
from tests.support.fake_table_messages import FakeTableMessages
from tests.support.fakes import JAY, ROBIN, STRANGER, WREN, make_table, open_lobby, start_game
from tests.support.memory_database import MemoryDatabase
from tests.ui.adapter import Adapter
from tests.ui.fake_interactions import AnswerMethod, make_click


async def play_to_end(adapter: Adapter) -> Table:
    table = await start_game(adapter.service, ROBIN, WREN)
    return await adapter.service.apply_seat_action(table.id, WREN, resign_seat, 77)


async def test_a_double_click_opens_one_table_without_an_error(adapter: Adapter, db: MemoryDatabase) -> None:
    table = await play_to_end(adapter)
    for is_told in (True, False):
        assert bool((await adapter.click(make_click(ROBIN, PlayAgainId(table.id)))).text) is is_told
    assert len(db.records) == 2


async def test_one_click_in_two_processes_opens_one_table_without_an_error(
    adapter: Adapter, db: MemoryDatabase, shown: FakeTableMessages
) -> None:
    table = await play_to_end(adapter)
    other = Adapter(db, shown)
    for process, how in ((adapter, AnswerMethod.SEND), (other, AnswerMethod.DEFER)):
        click = await process.click(make_click(ROBIN, PlayAgainId(table.id), id=7777))
        assert [answer.how for answer in click.answers] == [how]
    assert len(db.records) == 2
    await other.host.close()


def test_a_lobby_of_another_game_is_not_the_next_table() -> None:
    table = make_table()
    assert has_seat_in_next_lobby(table, table, ROBIN)
    assert not has_seat_in_next_lobby(table, replace(table, header=replace(table.header, game="chess")), ROBIN)


@pytest.mark.parametrize("person", [STRANGER, ROBIN, WREN])
async def test_who_has_no_seat_in_the_next_lobby_is_told_where_to_join(adapter: Adapter, person: Person) -> None:
    table = await play_to_end(adapter)
    await open_lobby(adapter.service, JAY)
    click = await adapter.click(make_click(person, PlayAgainId(table.id)))
    assert click.refusal is HostReason.CHANNEL_TAKEN
    assert "https://" in click.text
