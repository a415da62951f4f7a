"""Whoever looks at a table in a message that is behind brings it up to date, and is told what they asked for."""

import asyncio
from dataclasses import replace

import pytest

from bot.tables.model import Person
from bot.tables.registry import Registry
from bot.tables.table import Table
from bot.ui.custom_id_parser import parse_id
from bot.ui.custom_ids import GuideId, HandId, LookId, ReadId
from tests.support.fakes import HERE, ROBIN, STRANGER, WREN, Deed, FakeBoard, FakeStore, Gate, roll, under_way
from tests.support.hands import WITH_CHANGE, a_game_of_change
from tests.support.painted import WITH_PICTURES
from tests.ui.adapter import Adapter
from tests.ui.fake_interactions import ARCHIVED, SERVER_ERROR, Answer, FakeInteraction, How, click_of, items_of

LOOKS = [ReadId(1), GuideId("magpie")]


@pytest.fixture
def games() -> Registry:
    return WITH_PICTURES


@pytest.fixture
async def table(adapter: Adapter) -> Table:
    """A table that is shown as it stands."""
    table = await under_way(adapter.service)
    await adapter.settled()
    return await adapter.service.table(table.id)


def look(table: Table, pressed: ReadId | GuideId | HandId, who: Person = STRANGER, **more: object) -> FakeInteraction:
    """A click on a button of the table's message as it stands."""
    more = {"message_id": table.header.message_id, **more}
    return click_of(who, LookId(table.id, table.header.revision, pressed), **more)


async def left_behind(adapter: Adapter, table: Table) -> Table:
    """Make a move that nobody shows."""
    after = await roll(adapter.service, table)
    adapter.host.publisher._tasks.forgo((table.id, False))
    return after


def shown_in(answer: Answer) -> set[int]:
    """Return the revisions of which the buttons of an answer tell."""
    ids = [parse_id(item.custom_id) for item in items_of(answer.view)]
    return {each.revision for each in ids if isinstance(each, LookId)}


@pytest.mark.parametrize("pressed", LOOKS, ids=str)
async def test_where_the_table_is_shown_as_it_stands_there_is_one_answer(
    adapter: Adapter, table: Table, pressed: ReadId | GuideId
) -> None:
    click = await adapter.click(look(table, pressed))
    assert [(answer.how, answer.ephemeral) for answer in click.answers] == [(How.SEND, True)]


@pytest.mark.parametrize("pressed", LOOKS, ids=str)
async def test_a_message_that_is_behind_shows_the_table_before_anything_is_told(
    adapter: Adapter, table: Table, pressed: ReadId | GuideId
) -> None:
    after = await left_behind(adapter, table)
    edits = len(adapter.shown.asked)
    click = await adapter.click(look(table, pressed))
    assert [(answer.how, answer.ephemeral) for answer in click.answers] == [(How.EDIT, False), (How.FOLLOW_UP, True)]
    assert shown_in(click.answers[0]) == {after.header.revision}
    assert click.answers[1].content or click.answers[1].embed
    await adapter.settled()
    assert len(adapter.shown.asked) == edits, "what a click has shown is not shown again"


async def test_a_hand_is_shown_after_the_table(store: FakeStore, shown: FakeBoard) -> None:
    adapter = Adapter(store, shown, WITH_CHANGE)
    started = await a_game_of_change(adapter.service, HERE, ROBIN, WREN)
    await adapter.settled()
    table = await adapter.service.table(started.id)
    store.tamper(table.id, lambda record: replace(record, header=replace(record.header, revision=9)))
    adapter.service._cache.forget(table.id)
    click = await adapter.click(look(table, HandId(table.id), ROBIN))
    assert [(answer.how, answer.ephemeral) for answer in click.answers] == [(How.EDIT, False), (How.FOLLOW_UP, True)]
    await adapter.host.close()


async def test_who_has_seen_what_another_process_did_is_told_of_that(
    adapter: Adapter, table: Table, store: FakeStore, shown: FakeBoard
) -> None:
    other = Adapter(store, shown, WITH_PICTURES)
    after = await roll(other.service, table)
    await other.settled()
    click = await adapter.click(look(after, ReadId(table.id)))
    assert [(answer.how, answer.ephemeral) for answer in click.answers] == [(How.SEND, True)]
    assert (await adapter.service.table(table.id)).header.step == after.header.step
    await other.host.close()


async def test_while_the_table_is_being_edited_nobody_waits_for_that(adapter: Adapter, table: Table) -> None:
    adapter.shown.gates[Deed.EDIT] = gate = Gate()
    await roll(adapter.service, table)
    await gate.reached.wait()
    click = await adapter.click(look(table, ReadId(table.id)))
    assert [(answer.how, answer.ephemeral) for answer in click.answers] == [(How.SEND, True)]
    gate.open()


async def test_a_message_that_was_replaced_is_left_as_it_is(adapter: Adapter, table: Table) -> None:
    await left_behind(adapter, table)
    click = await adapter.click(look(table, ReadId(table.id), message_id=1))
    assert [(answer.how, answer.ephemeral) for answer in click.answers] == [(How.SEND, True)]


@pytest.mark.parametrize("fault", [ARCHIVED, SERVER_ERROR], ids=["archived", "server error"])
async def test_where_the_message_can_not_be_edited_whoever_looks_is_told_all_the_same(
    adapter: Adapter, table: Table, fault: Exception
) -> None:
    await left_behind(adapter, table)
    click = look(table, ReadId(table.id))
    click.fault = fault
    await adapter.click(click)
    assert [(answer.how, answer.ephemeral) for answer in click.answers] == [(How.SEND, True)]
    await adapter.settled()
    assert adapter.shown.revisions[-1] == table.header.revision + 1


async def test_a_picture_that_is_late_keeps_nobody_waiting(
    adapter: Adapter, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.ui.delivery.picture_attachments._IN_TIME_SECONDS", 0.01)
    adapter.painter.gate = gate = Gate()
    await left_behind(adapter, table)
    click = await adapter.click(look(table, ReadId(table.id)))
    assert [(answer.how, answer.ephemeral) for answer in click.answers] == [(How.SEND, True)]
    gate.open()
    await adapter.settled()
    assert adapter.shown.revisions[-1] == table.header.revision + 1


async def test_the_rules_are_told_even_where_the_table_can_not_be_read(
    adapter: Adapter, table: Table, store: FakeStore
) -> None:
    adapter.service._cache.forget(table.id)
    store.broken = {"load"}
    click = await adapter.click(look(table, GuideId("magpie")))
    assert [(answer.how, answer.ephemeral) for answer in click.answers] == [(How.SEND, True)]
    assert click.answers[0].embed is not None


async def test_a_table_is_looked_at_only_in_its_channel(adapter: Adapter, table: Table) -> None:
    await left_behind(adapter, table)
    click = await adapter.click(look(table, ReadId(table.id), channel_id=71))
    assert "does not exist" in click.text
    assert len(click.answers) == 1


async def test_two_who_look_at_once_are_both_told(adapter: Adapter, table: Table) -> None:
    await left_behind(adapter, table)
    clicks = [look(table, ReadId(table.id), who) for who in (ROBIN, WREN)]
    await asyncio.gather(*map(adapter.click, clicks))
    assert all(click.answers[-1].ephemeral and click.text for click in clicks)
