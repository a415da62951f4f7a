"""What was kept long enough is deleted, on every database."""

from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import insert, select, update

from bot.features.privacy.service import RETENTION, RetentionService
from bot.features.puzzles.storage import daily_answers, puzzle_answers
from bot.features.tournaments.storage import tournament_players, tournaments
from bot.platform.database.database import Database
from bot.platform.jobs.storage import Job
from bot.tables import storage as table_storage
from bot.tables.model import FORGOTTEN_CLICK, Status
from bot.tables.schema import FORMER_NAME, moves
from tests.store.every_column import AT, sample_row
from tests.store.queries.test_personal_data import ROBIN_ID, WREN_ID, execute, fill, search
from tests.store.samples import make_header
from tests.support.fakes import FakeClock


async def run_retention(db: Database, days: float) -> None:
    """Run the daily job as many days after everything was stored."""
    due = AT + timedelta(days=days)
    next_due = await RetentionService(db, lambda: FakeClock(due)).run(Job(RETENTION, "daily", due))
    assert next_due == due + timedelta(days=1)


async def click_ids(db: Database) -> list[int | None]:
    return await db.read(
        lambda connection: list(connection.execute(select(moves.c.click_id).order_by(moves.c.table_id)).scalars())
    )


@pytest.mark.every_database
async def test_ids_of_clicks_are_kept_for_a_day_even_if_the_clock_is_wrong_during_a_run(db: Database) -> None:
    await db.write(fill)
    due, wrong = AT + timedelta(days=0.9), FakeClock(AT + timedelta(days=40))
    await RetentionService(db, lambda: wrong).run(Job(RETENTION, "daily", due))
    await run_retention(db, 0.9)
    assert await click_ids(db) == [1, 1]
    await run_retention(db, 1.9)
    assert await click_ids(db) == [FORGOTTEN_CLICK, FORGOTTEN_CLICK]


@pytest.mark.every_database
async def test_lobbies_that_nobody_started_are_kept_for_a_week(db: Database) -> None:
    tables_of = {"started": "ab", "expired": "", "cancelled": ""}
    for channel_id, (status, salt) in enumerate(tables_of.items(), 1):
        header = replace(make_header(channel_id, at=AT), status=Status("expired" if salt else status), salt=salt)
        await db.write(table_storage.open_table, header, [])
    for days, left in ((6.5, [1, 2, 3]), (7.5, [1])):
        await run_retention(db, days)
        assert [table_id for table_id in (1, 2, 3) if await db.read(table_storage.load, table_id)] == left


@pytest.mark.every_database
async def test_names_go_after_two_years_without_a_sign_of_the_person(db: Database) -> None:
    await db.write(fill)
    recent = AT + timedelta(days=100)
    await execute(db, update(daily_answers).where(daily_answers.c.user_id == WREN_ID).values(answered_at=recent))
    await run_retention(db, 729.5)
    assert await search(db, "Robin")
    await run_retention(db, 731)
    assert await search(db, "Robin") == []
    assert await search(db, FORMER_NAME)
    assert await search(db, ROBIN_ID), "results stay theirs"
    assert await search(db, "Wren")
    await run_retention(db, 831)
    assert await search(db, "Wren") == []


async def test_a_practice_puzzle_is_a_sign_of_a_person_and_their_name_goes_two_years_after_it(db: Database) -> None:
    await db.write(fill)
    answered = update(puzzle_answers).where(puzzle_answers.c.user_id == ROBIN_ID)
    await execute(db, answered.values(answered_at=AT + timedelta(days=100)))
    await run_retention(db, 731)
    assert await search(db, "Robin")
    await run_retention(db, 831)
    assert await search(db, "Robin") == []


async def test_names_of_people_who_were_only_in_a_tournament_go_after_two_years(db: Database) -> None:
    known = {"person": ROBIN_ID, "name": "Robin"}
    for table in (tournaments, tournament_players):
        await execute(db, insert(table), [sample_row(table.name, 1, **known)])
    await execute(db, update(tournaments).values(opener_id=WREN_ID, opener_name="Wren", title="Wren's cup"))
    await run_retention(db, 729.5)
    assert await search(db, "Robin", "Wren")
    await run_retention(db, 731)
    assert await search(db, "Robin", "Wren") == []
