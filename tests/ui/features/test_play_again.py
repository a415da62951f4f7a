"""Clicks on *Play again*."""

import pytest

from bot.tables.actions.seats import resigning
from bot.tables.model import Person
from bot.tables.table import Table
from bot.ui.custom_ids import AgainId
from tests.support.fakes import JAY, ROBIN, STRANGER, WREN, FakeBoard, FakeStore, a_lobby, under_way
from tests.ui.adapter import Adapter
from tests.ui.fake_interactions import How, click_of


async def finished(adapter: Adapter) -> Table:
    table = await under_way(adapter.service, ROBIN, WREN)
    return await adapter.service.control(table.id, WREN, resigning, 77)


async def test_a_double_click_opens_one_table_and_is_not_scolded(adapter: Adapter, store: FakeStore) -> None:
    table = await finished(adapter)
    for _ in range(2):
        click = await adapter.click(click_of(ROBIN, AgainId(table.id)))
        assert [answer.how for answer in click.answers] == [How.DEFER]
    assert len(store.records) == 2


async def test_of_two_processes_that_get_one_click_one_opens_the_table_and_neither_scolds(
    adapter: Adapter, store: FakeStore, shown: FakeBoard
) -> None:
    table = await finished(adapter)
    other = Adapter(store, shown)
    for process in (adapter, other):
        click = await process.click(click_of(ROBIN, AgainId(table.id), id=7777))
        assert [answer.how for answer in click.answers] == [How.DEFER]
    assert len(store.records) == 2
    await other.host.close()


async def test_who_comes_second_is_told_where_the_next_table_is(adapter: Adapter, store: FakeStore) -> None:
    table = await finished(adapter)
    await adapter.click(click_of(ROBIN, AgainId(table.id)))
    click = await adapter.click(click_of(WREN, AgainId(table.id)))
    assert click.text.startswith("The next table is open already: https://")
    assert len(store.records) == 2


@pytest.mark.parametrize(
    ("person", "told"), [(STRANGER, "no seat"), (ROBIN, "waiting for players"), (WREN, "waiting for players")]
)
async def test_a_channel_that_others_use_is_taken(adapter: Adapter, person: Person, told: str) -> None:
    table = await finished(adapter)
    await a_lobby(adapter.service, JAY)
    click = await adapter.click(click_of(person, AgainId(table.id)))
    assert told in click.text
