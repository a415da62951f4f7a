"""A click on an outdated message is answered and updates it."""

import asyncio
from dataclasses import replace

import pytest

from bot.platform.discord.ids import parse_id
from bot.platform.places import Person
from bot.tables import storage as table_storage
from bot.tables.handlers.ids import ControlId, GuideId, HandId, ReadOnlyId, ReadTableId
from bot.tables.refusals import HostReason
from bot.tables.registry import GameRegistry
from bot.tables.table import Table
from tests.support.change_tables import CHANGE_REGISTRY, start_change_game
from tests.support.fake_table_messages import FakeTableMessages, ShowAction
from tests.support.fakes import HERE, ROBIN, STRANGER, WREN, open_lobby, roll, start_game
from tests.support.magpie_with_picture import PICTURE_REGISTRY
from tests.support.memory_database import MemoryDatabase
from tests.support.waiting import Gate
from tests.ui.adapter import Adapter
from tests.ui.fake_interactions import (
    ARCHIVED,
    SERVER_ERROR,
    Answer,
    AnswerMethod,
    FakeInteraction,
    items_of,
    make_click,
)

LOOK_IDS = [ReadTableId(1), GuideId("magpie")]


@pytest.fixture
def games() -> GameRegistry:
    return PICTURE_REGISTRY


@pytest.fixture
async def table(adapter: Adapter) -> Table:
    """A table that is shown as it stands."""
    table = await start_game(adapter.service)
    await adapter.wait_until_shown()
    return await adapter.service.table(table.id)


def look(
    table: Table, pressed: ReadTableId | GuideId | HandId, who: Person = STRANGER, **more: object
) -> FakeInteraction:
    """A click on a button of the table's message as it stands."""
    more = {"message_id": table.header.message_id, **more}
    return make_click(who, ReadOnlyId(table.id, table.header.revision, pressed), **more)


async def make_unshown_move(adapter: Adapter, table: Table) -> Table:
    """Make a move that is not shown."""
    after = await roll(adapter.service, table)
    adapter.host.publisher.tasks.cancel_pending((table.id, False))
    return after


def shown_revisions(answer: Answer) -> set[int]:
    """Return the revisions of which the buttons of an answer tell."""
    ids = [parse_id(item.custom_id) for item in items_of(answer.view)]
    return {each.revision for each in ids if isinstance(each, ReadOnlyId)}


@pytest.mark.parametrize("pressed", LOOK_IDS, ids=str)
async def test_an_up_to_date_message_needs_one_response(
    adapter: Adapter, table: Table, pressed: ReadTableId | GuideId
) -> None:
    click = await adapter.click(look(table, pressed))
    assert [(answer.how, answer.ephemeral) for answer in click.answers] == [(AnswerMethod.SEND, True)]


async def test_a_lobby_has_no_controls_of_the_game(adapter: Adapter) -> None:
    lobby = await open_lobby(adapter.service, ROBIN)
    click = await adapter.click(make_click(ROBIN, ControlId(lobby.id, lobby.header.step, "roll", frozenset())))
    assert click.refusal is HostReason.NOT_STARTED


@pytest.mark.parametrize("pressed", LOOK_IDS, ids=str)
async def test_an_outdated_message_is_updated_before_the_answer(
    adapter: Adapter, table: Table, pressed: ReadTableId | GuideId
) -> None:
    after = await make_unshown_move(adapter, table)
    edits = len(adapter.fake_table_messages.asked)
    click = await adapter.click(look(table, pressed))
    assert [(answer.how, answer.ephemeral) for answer in click.answers] == [
        (AnswerMethod.EDIT, False),
        (AnswerMethod.FOLLOW_UP, True),
    ]
    assert shown_revisions(click.answers[0]) == {after.header.revision}
    assert click.answers[1].content or click.answers[1].embed
    await adapter.wait_until_shown()
    assert len(adapter.fake_table_messages.asked) == edits, "what a click has shown is not shown again"


async def test_a_hand_is_shown_after_the_table(db: MemoryDatabase, shown: FakeTableMessages) -> None:
    adapter = Adapter(db, shown, CHANGE_REGISTRY)
    started = await start_change_game(adapter.service, HERE, ROBIN, WREN)
    await adapter.wait_until_shown()
    table = await adapter.service.table(started.id)
    db.tamper(table.id, lambda record: replace(record, header=replace(record.header, revision=9)))
    adapter.service.cache.evict(table.id)
    click = await adapter.click(look(table, HandId(table.id), ROBIN))
    assert [(answer.how, answer.ephemeral) for answer in click.answers] == [
        (AnswerMethod.EDIT, False),
        (AnswerMethod.FOLLOW_UP, True),
    ]
    await adapter.host.close()


async def test_a_click_with_a_newer_step_is_answered_with_that_table(
    adapter: Adapter, table: Table, db: MemoryDatabase, shown: FakeTableMessages
) -> None:
    other = Adapter(db, shown, PICTURE_REGISTRY)
    after = await roll(other.service, table)
    await other.wait_until_shown()
    click = await adapter.click(look(after, ReadTableId(table.id)))
    assert [(answer.how, answer.ephemeral) for answer in click.answers] == [(AnswerMethod.SEND, True)]
    assert (await adapter.service.table(table.id)).header.step == after.header.step
    await other.host.close()


@pytest.mark.usefixtures("changes_do_not_wait")
async def test_an_answer_does_not_wait_for_an_edit_under_way(adapter: Adapter, table: Table) -> None:
    adapter.fake_table_messages.gates[ShowAction.EDIT] = gate = Gate()
    await roll(adapter.service, table)
    await gate.reached.wait()
    click = await adapter.click(look(table, ReadTableId(table.id)))
    assert [(answer.how, answer.ephemeral) for answer in click.answers] == [(AnswerMethod.SEND, True)]
    gate.open()


async def test_a_replaced_message_is_left_unchanged(adapter: Adapter, table: Table) -> None:
    await make_unshown_move(adapter, table)
    click = await adapter.click(look(table, ReadTableId(table.id), message_id=1))
    assert [(answer.how, answer.ephemeral) for answer in click.answers] == [(AnswerMethod.SEND, True)]


@pytest.mark.parametrize("fault", [ARCHIVED, SERVER_ERROR], ids=["archived", "server error"])
async def test_if_the_message_cannot_be_edited_the_answer_is_sent_all_the_same(
    adapter: Adapter, table: Table, fault: Exception
) -> None:
    await make_unshown_move(adapter, table)
    click = look(table, ReadTableId(table.id))
    click.fault = fault
    await adapter.click(click)
    assert [(answer.how, answer.ephemeral) for answer in click.answers] == [(AnswerMethod.SEND, True)]
    await adapter.wait_until_shown()
    assert adapter.fake_table_messages.revisions[-1] == table.header.revision + 1


async def test_a_late_picture_delays_no_answer(adapter: Adapter, table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.platform.discord.picture_attachments.CLICK_PICTURE_SECONDS", 0.01)
    adapter.picture_drawer.gate = gate = Gate()
    await make_unshown_move(adapter, table)
    click = await adapter.click(look(table, ReadTableId(table.id)))
    assert [(answer.how, answer.ephemeral) for answer in click.answers] == [(AnswerMethod.SEND, True)]
    gate.open()
    await adapter.wait_until_shown()
    assert adapter.fake_table_messages.revisions[-1] == table.header.revision + 1


async def test_the_guide_is_shown_even_if_the_table_cannot_be_read(
    adapter: Adapter, table: Table, db: MemoryDatabase
) -> None:
    adapter.service.cache.evict(table.id)
    db.broken = {table_storage.load}
    click = await adapter.click(look(table, GuideId("magpie")))
    assert [(answer.how, answer.ephemeral) for answer in click.answers] == [(AnswerMethod.SEND, True)]
    assert click.answers[0].embed is not None


async def test_two_simultaneous_readers_both_get_an_answer(adapter: Adapter, table: Table) -> None:
    await make_unshown_move(adapter, table)
    clicks = [look(table, ReadTableId(table.id), who) for who in (ROBIN, WREN)]
    await asyncio.gather(*map(adapter.click, clicks))
    assert all(click.answers[-1].ephemeral and click.text for click in clicks)
