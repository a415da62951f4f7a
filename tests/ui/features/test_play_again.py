"""Clicks on *Play again*."""

import pytest

from bot.tables.actions.seats import resign_seat
from bot.tables.model import Person
from bot.tables.table import Table
from bot.ui.custom_ids import PlayAgainId
from tests.support.fake_store import FakeStore
from tests.support.fake_table_messages import FakeTableMessages
from tests.support.fakes import JAY, ROBIN, STRANGER, WREN, open_lobby, start_game
from tests.ui.adapter import Adapter
from tests.ui.fake_interactions import AnswerMethod, make_click


async def play_to_end(adapter: Adapter) -> Table:
    table = await start_game(adapter.service, ROBIN, WREN)
    return await adapter.service.apply_seat_action(table.id, WREN, resign_seat, 77)


async def test_a_double_click_opens_one_table_without_an_error(adapter: Adapter, store: FakeStore) -> None:
    table = await play_to_end(adapter)
    for _ in range(2):
        click = await adapter.click(make_click(ROBIN, PlayAgainId(table.id)))
        assert [answer.how for answer in click.answers] == [AnswerMethod.DEFER]
    assert len(store.records) == 2


async def test_one_click_in_two_processes_opens_one_table_without_an_error(
    adapter: Adapter, store: FakeStore, shown: FakeTableMessages
) -> None:
    table = await play_to_end(adapter)
    other = Adapter(store, shown)
    for process in (adapter, other):
        click = await process.click(make_click(ROBIN, PlayAgainId(table.id), id=7777))
        assert [answer.how for answer in click.answers] == [AnswerMethod.DEFER]
    assert len(store.records) == 2
    await other.host.close()


async def test_the_slower_player_gets_a_link_to_the_next_table(adapter: Adapter, store: FakeStore) -> None:
    table = await play_to_end(adapter)
    await adapter.click(make_click(ROBIN, PlayAgainId(table.id)))
    click = await adapter.click(make_click(WREN, PlayAgainId(table.id)))
    assert click.text.startswith("The next table is already open: https://")
    assert len(store.records) == 2


@pytest.mark.parametrize(
    ("person", "sentence"), [(STRANGER, "no seat"), (ROBIN, "waiting for players"), (WREN, "waiting for players")]
)
async def test_a_channel_with_another_table_is_taken(adapter: Adapter, person: Person, sentence: str) -> None:
    table = await play_to_end(adapter)
    await open_lobby(adapter.service, JAY)
    click = await adapter.click(make_click(person, PlayAgainId(table.id)))
    assert sentence in click.text
