"""Clicks on *Play again*."""

import pytest

from bot.tables.actions.seats import resign_seat
from bot.tables.model import Person
from bot.tables.table import Table
from bot.ui.custom_ids import PlayAgainId
from tests.support.fakes import JAY, ROBIN, STRANGER, WREN, FakeStore, FakeTableMessages, open_lobby, start_game
from tests.ui.adapter import Adapter
from tests.ui.fake_interactions import AnswerMethod, make_click


async def play_to_end(adapter: Adapter) -> Table:
    table = await start_game(adapter.service, ROBIN, WREN)
    return await adapter.service.apply_seat_action(table.id, WREN, resign_seat, 77)


async def test_a_double_click_opens_one_table_and_is_not_scolded(adapter: Adapter, store: FakeStore) -> None:
    table = await play_to_end(adapter)
    for _ in range(2):
        click = await adapter.click(make_click(ROBIN, PlayAgainId(table.id)))
        assert [answer.how for answer in click.answers] == [AnswerMethod.DEFER]
    assert len(store.records) == 2


async def test_of_two_processes_that_get_one_click_one_opens_the_table_and_neither_scolds(
    adapter: Adapter, store: FakeStore, shown: FakeTableMessages
) -> None:
    table = await play_to_end(adapter)
    other = Adapter(store, shown)
    for process in (adapter, other):
        click = await process.click(make_click(ROBIN, PlayAgainId(table.id), id=7777))
        assert [answer.how for answer in click.answers] == [AnswerMethod.DEFER]
    assert len(store.records) == 2
    await other.host.close()


async def test_who_comes_second_is_told_where_the_next_table_is(adapter: Adapter, store: FakeStore) -> None:
    table = await play_to_end(adapter)
    await adapter.click(make_click(ROBIN, PlayAgainId(table.id)))
    click = await adapter.click(make_click(WREN, PlayAgainId(table.id)))
    assert click.text.startswith("The next table is already open: https://")
    assert len(store.records) == 2


@pytest.mark.parametrize(
    ("person", "told"), [(STRANGER, "no seat"), (ROBIN, "waiting for players"), (WREN, "waiting for players")]
)
async def test_a_channel_that_others_use_is_taken(adapter: Adapter, person: Person, told: str) -> None:
    table = await play_to_end(adapter)
    await open_lobby(adapter.service, JAY)
    click = await adapter.click(make_click(person, PlayAgainId(table.id)))
    assert told in click.text
