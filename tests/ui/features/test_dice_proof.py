"""The proof of the dice: sealed, proven, or failed."""

import hashlib
import re
from dataclasses import replace

import pytest

from bot.features.fairness.handlers import CheckDiceId
from bot.tables.kinds import Cadence, edition_on
from bot.tables.model import Status, StoredTable
from bot.tables.refusals import HostReason
from tests.support.fakes import ROBIN, STRANGER, open_lobby, roll, start_game
from tests.support.memory_database import MemoryDatabase
from tests.ui.adapter import Adapter
from tests.ui.fake_interactions import FakeInteraction, make_click


def seed_of(db: MemoryDatabase, table_id: int) -> bytes:
    return db.header(table_id).seed


def commitment_of(db: MemoryDatabase, table_id: int) -> str:
    return hashlib.sha256(seed_of(db, table_id)).hexdigest()


def answer_text(click: FakeInteraction) -> str:
    """The words of the one answer, which only its reader sees."""
    (answer,) = click.answers
    assert answer.ephemeral
    assert answer.embed is not None
    assert len(answer.embed) <= 6000
    assert all(len(str(block.value)) <= 1024 for block in answer.embed.fields)
    return "\n".join([str(answer.embed.description), *(str(block.value) for block in answer.embed.fields)])


async def make_finished_table(adapter: Adapter) -> int:
    """A table of three moves that has ended."""
    table = await start_game(adapter.service)
    for _ in range(3):
        table = await roll(adapter.service, table)
    await adapter.service.cancel(table.id, ROBIN, is_moderator=True)
    await adapter.wait_until_shown()
    return table.id


async def check(adapter: Adapter, table_id: int) -> FakeInteraction:
    return await adapter.click(make_click(STRANGER, CheckDiceId(table_id)))


@pytest.mark.parametrize("start", [open_lobby, start_game])
async def test_before_the_end_there_is_a_seal_and_no_file(adapter: Adapter, db: MemoryDatabase, start: object) -> None:
    table = await start(adapter.service, ROBIN)  # type: ignore[operator]
    click = await check(adapter, table.id)
    assert commitment_of(db, table.id) in answer_text(click)
    assert seed_of(db, table.id).hex()[:16] not in answer_text(click)
    assert "file" not in click.answers[0].sent


async def test_a_challenge_shows_the_seal_of_its_edition(adapter: Adapter, db: MemoryDatabase) -> None:
    table = await start_game(adapter.service, ROBIN)

    def of_an_edition(record: StoredTable) -> StoredTable:
        first, *rest = record.seats
        return replace(record, seats=(replace(first, contribution=str(edition_on(Cadence.DAILY, 20_000))), *rest))

    db.tamper(table.id, of_an_edition)
    words = answer_text(await check(adapter, table.id))
    assert commitment_of(db, table.id) in words
    assert "/daily" in words
    assert seed_of(db, table.id).hex()[:16] not in words


async def test_at_the_end_the_dice_are_proven(adapter: Adapter, db: MemoryDatabase) -> None:
    table_id = await make_finished_table(adapter)
    click = await check(adapter, table_id)
    assert answer_text(click).startswith("✅")
    for fact in (commitment_of(db, table_id), f"`{seed_of(db, table_id).hex()}`"):
        assert fact in answer_text(click)
    assert "file" in click.answers[0].sent


async def test_a_table_that_never_started_has_no_salt(adapter: Adapter) -> None:
    table = await open_lobby(adapter.service, ROBIN)
    await adapter.service.cancel(table.id, ROBIN, is_moderator=False)
    keys = re.findall(r"`[0-9a-f]{32,}`", answer_text(await check(adapter, table.id)))
    assert len(keys) == 2, "the seed and its seal"


async def test_a_held_table_shows_its_seed_and_the_failed_check(adapter: Adapter, db: MemoryDatabase) -> None:
    table_id = await make_finished_table(adapter)

    def held(record: StoredTable) -> StoredTable:
        first, *rest = record.entries
        header = replace(record.header, status=Status.HELD)
        return replace(record, header=header, entries=(replace(first, digest="0" * 16), *rest))

    db.tamper(table_id, held)
    words = answer_text(await check(adapter, table_id))
    assert words.startswith("⚠️")
    assert "roll 1 2 3 4 5" in words
    assert seed_of(db, table_id).hex() in words


async def test_a_table_of_another_channel_does_not_exist_here(adapter: Adapter) -> None:
    table_id = await make_finished_table(adapter)
    click = await adapter.click(make_click(STRANGER, CheckDiceId(table_id), channel_id=4711))
    assert click.refusal is HostReason.UNKNOWN_TABLE
    assert "file" not in click.answers[0].sent


async def test_an_unknown_table_does_not_exist(adapter: Adapter) -> None:
    click = await check(adapter, 999)
    assert click.refusal is HostReason.UNKNOWN_TABLE


async def test_checking_a_table_does_not_load_it_into_memory(adapter: Adapter, db: MemoryDatabase) -> None:
    """Looking is no change: nothing is saved, and nothing is shown again."""
    table_id = await make_finished_table(adapter)
    before, shown = db.records[table_id], len(adapter.fake_table_messages.shown)
    await check(adapter, table_id)
    await adapter.wait_until_shown()
    assert (db.records[table_id], len(adapter.fake_table_messages.shown)) == (before, shown)
