"""What people are told about the dice: sealed, proven, or not holding."""

import hashlib
from dataclasses import replace

import pytest

from bot.tables.model import Record, Status
from bot.ui.custom_ids import CheckId
from tests.support.fakes import ROBIN, STRANGER, FakeStore, a_lobby, roll, under_way
from tests.ui.adapter import Adapter
from tests.ui.fake_interactions import FakeInteraction, click_of


def seed_of(store: FakeStore, table_id: int) -> bytes:
    return store.header(table_id).seed


def commitment_of(store: FakeStore, table_id: int) -> str:
    return hashlib.sha256(seed_of(store, table_id)).hexdigest()


def told(click: FakeInteraction) -> str:
    """The words of the one answer, which only its reader sees."""
    (answer,) = click.answers
    assert answer.ephemeral
    assert answer.embed is not None
    assert len(answer.embed) <= 6000
    assert all(len(str(block.value)) <= 1024 for block in answer.embed.fields)
    return "\n".join([str(answer.embed.description), *(str(block.value) for block in answer.embed.fields)])


async def over(adapter: Adapter) -> int:
    """A table of three moves that has ended."""
    table = await under_way(adapter.service)
    for _ in range(3):
        table = await roll(adapter.service, table)
    await adapter.service.cancel(table.id, ROBIN, is_moderator=True)
    await adapter.settled()
    return table.id


async def check(adapter: Adapter, table_id: int) -> FakeInteraction:
    return await adapter.click(click_of(STRANGER, CheckId(table_id)))


@pytest.mark.parametrize("start", [a_lobby, under_way])
async def test_before_the_end_there_is_a_promise_and_no_file(adapter: Adapter, store: FakeStore, start: object) -> None:
    table = await start(adapter.service, ROBIN)  # type: ignore[operator]
    click = await check(adapter, table.id)
    assert "sealed" in told(click)
    assert commitment_of(store, table.id) in told(click)
    assert seed_of(store, table.id).hex()[:16] not in told(click)
    assert "file" not in click.answers[0].sent


async def test_at_the_end_the_dice_are_proven(adapter: Adapter, store: FakeStore) -> None:
    table_id = await over(adapter)
    click = await check(adapter, table_id)
    words, seed = told(click), seed_of(store, table_id).hex()
    assert "The dice were fair" in words
    for fact in (commitment_of(store, table_id), seed, "python -m bot record verify", "docs/fair-dice.md"):
        assert fact in words
    assert "file" in click.answers[0].sent


async def test_a_held_table_shows_its_seed_and_what_does_not_hold(adapter: Adapter, store: FakeStore) -> None:
    table_id = await over(adapter)

    def held(record: Record) -> Record:
        first, *rest = record.entries
        header = replace(record.header, status=Status.HELD)
        return replace(record, header=header, entries=(replace(first, digest="0" * 16), *rest))

    store.tamper(table_id, held)
    words = told(await check(adapter, table_id))
    assert "does not hold" in words
    assert "Step 1: the move roll 1 2 3 4 5" in words
    assert seed_of(store, table_id).hex() in words


async def test_a_table_of_another_channel_does_not_exist_here(adapter: Adapter) -> None:
    table_id = await over(adapter)
    click = await adapter.click(click_of(STRANGER, CheckId(table_id), channel_id=4711))
    assert click.text.startswith("This table does not exist")
    assert "file" not in click.answers[0].sent


async def test_a_table_that_never_was_does_not_exist(adapter: Adapter) -> None:
    click = await check(adapter, 999)
    assert click.text.startswith("This table does not exist")


async def test_checking_a_table_wakes_nobody(adapter: Adapter, store: FakeStore) -> None:
    """Looking is no change: nothing is saved, and nothing is shown anew."""
    table_id = await over(adapter)
    before, shown = store.records[table_id], len(adapter.shown.shown)
    await check(adapter, table_id)
    await adapter.settled()
    assert (store.records[table_id], len(adapter.shown.shown)) == (before, shown)
