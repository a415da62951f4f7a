"""The moves of tables that are long over are compacted, on every database, and no reader notices."""

import asyncio
import json
import threading
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import NoReturn

import pytest
from sqlalchemy import Connection, Select, func, select

from bot.app.databases import import_database
from bot.features.blocks.service import Blocks
from bot.features.fairness.verification import make_record, verify_record
from bot.features.privacy import storage as privacy_storage
from bot.features.privacy.model import Erasure
from bot.features.privacy.service import PersonalDataService
from bot.features.tournaments.service import TournamentService
from bot.platform.database.database import Database, open_database
from bot.platform.jobs import storage as job_storage
from bot.platform.jobs.jobs import RUN_SECONDS
from bot.platform.jobs.storage import Job
from bot.platform.places import Location, Person
from bot.rules.refusals import Refusal
from bot.tables import compaction, storage as table_storage
from bot.tables.compaction import COMPACTION, Compaction, compress_entries, decompress_entries
from bot.tables.model import FORGOTTEN_CLICK, Entry, Occupant, Status, StoredTable, TableId, TableUpdate
from bot.tables.refusals import HostReason
from bot.tables.saving import save_change
from bot.tables.schema import compacted_moves, moves
from bot.tables.seats import resign_seat
from bot.tables.service import TableService
from bot.tables.storage import load_entries
from tests.store.every_column import find_everywhere
from tests.store.samples import (
    IN_NEPAL,
    NOON,
    Connect,
    add_moves,
    load_header,
    load_table,
    make_header,
    revise,
)
from tests.support.databases import create_schema
from tests.support.each_case import each_case
from tests.support.fakes import ALL_FIVE, FakeClock, fixed_entropy
from tests.support.finished_games import play_to_end
from tests.support.games import load_games_once
from tests.support.waiting import DEADLINE_SECONDS

ROBIN, WREN, JAY = Person(110011001100110011, "Robin"), Person(220022002200220022, "Wren"), Person(33, "Jay")
HERE = Location(guild_id=3, channel_id=70)
DAY = timedelta(days=1)


def make_service(db: Database) -> TableService:
    return TableService(db, load_games_once(), clock=FakeClock(NOON), entropy=fixed_entropy)


async def finish_game(db: Database) -> TableId:
    """Play a game that ends at noon, with an entry that is no move, and return the id of its table."""
    service = make_service(db)
    table = await play_to_end(service, HERE, ROBIN, WREN, JAY, most=4, target=500)
    await service.apply_seat_action(table.id, ROBIN, resign_seat, 9000)
    await service.apply_seat_action(table.id, WREN, resign_seat, 9001)
    assert (await load_header(db, table.id)).status is Status.FINISHED
    return table.id


async def compact(db: Database, days: float = 8) -> None:
    """Do the daily job as many days after noon."""
    now = NOON + days * DAY
    assert await Compaction(db, lambda: now).run(Job(COMPACTION, "", now)) == now + DAY


async def compact_one_batch(db: Database) -> bool:
    """Begin the daily job of the eighth day, or go on with it, with time for one batch; return whether it is done."""
    now, times = NOON + 8 * DAY, iter([0.0, 1.0, RUN_SECONDS + 1])
    next_due = await Compaction(db, lambda: now, seconds=lambda: next(times)).run(Job(COMPACTION, "", now))
    assert next_due in (now, now + DAY)
    return next_due > now


def count_of(connection: Connection, query: Select[int]) -> int:
    return connection.scalars(query).one()


async def count_rows(db: Database) -> tuple[int, int]:
    """Return how many rows of moves there are, and how many of compacted ones."""
    rows, texts = [await db.read(count_of, select(func.count()).select_from(each)) for each in (moves, compacted_moves)]
    return rows, texts


async def load(db: Database, table_id: TableId) -> StoredTable:
    """Load a table a day after its last click."""
    await db.maintain(privacy_storage.clear_click_ids, [table_id], NOON + DAY)
    return await load_table(db, table_id)


class TestReaders:
    @pytest.mark.every_database
    async def test_a_table_is_loaded_replayed_verified_and_refused_as_before(self, db: Database) -> None:
        games, table_id = load_games_once(), await finish_game(db)
        shown, before = await make_service(db).table(table_id), await load(db, table_id)
        record = make_record(before, games["magpie"])
        for _ in range(2):
            await compact(db)
            assert await count_rows(db) == (0, 1), "doing it again changes nothing"
            assert await load(db, table_id) == before
        loaded = await make_service(db).table(table_id)
        assert (loaded.state, loaded.outcome) == (shown.state, shown.outcome)
        assert loaded.news == shown.news, "no turn has ended by itself"
        assert make_record(await load(db, table_id), games["magpie"]) == record
        assert verify_record(record, games).moves == len(record.moves)
        with pytest.raises(Refusal) as refused:
            await make_service(db).play(table_id, JAY, 6, ALL_FIVE, 9002)
        assert refused.value.reason is HostReason.TABLE_OVER

    @pytest.mark.every_database
    async def test_an_import_brings_them_along(self, db: Database, tmp_path: Path) -> None:
        file = tmp_path / "other.sqlite3"
        create_schema(file)
        other = open_database(f"sqlite:///{file}")
        table_id = await finish_game(other)
        await compact(other)
        before = await load(other, table_id)
        await other.close()
        await import_database(db, str(file))
        assert await load(db, table_id) == before

    async def test_someone_who_reads_meanwhile_sees_the_moves(self, connect: Connect) -> None:
        reader, writer = await connect(), await connect()
        table_id = await finish_game(writer)
        begun, compacted = threading.Event(), threading.Event()

        def read_slowly(connection: Connection) -> Sequence[Entry]:
            connection.execute(select(func.count()).select_from(moves))
            begun.set()
            compacted.wait(DEADLINE_SECONDS)
            return load_entries(connection, table_id)

        reading = asyncio.create_task(reader.read(read_slowly))
        await asyncio.to_thread(begun.wait, DEADLINE_SECONDS)
        await compact(writer)
        compacted.set()
        assert len(await reading) == 6


class TestPeople:
    def make_people(self, db: Database) -> PersonalDataService:
        service = make_service(db)
        tournaments = TournamentService(db, Blocks(db, service.clock), service.clock)
        return PersonalDataService(db, service, tournaments.leave_all, service.cache.clear)

    async def test_an_export_has_the_same_moves(self, db: Database) -> None:
        async def export_moves() -> list[dict[str, object]]:
            document = json.loads((await self.make_people(db).export(WREN.id)).data)
            return [row | {"click_id": 0} for row in document["data"]["moves"]]

        # A page of lobbies, in which she has not moved.
        for channel_id in range(1, 11):
            await db.write(table_storage.open_table, make_header(channel_id), [Occupant(WREN.name, WREN.id)])
        for _ in range(2):
            await finish_game(db)
        before = await export_moves()
        assert {row["table_id"] for row in before} == {11, 12}
        await compact(db)
        assert await export_moves() == before

    async def test_deleting_a_person_leaves_no_trace_and_a_record_that_verifies(self, db: Database) -> None:
        games, table_id = load_games_once(), await finish_game(db)
        await compact(db)

        async def search(*wanted: object) -> set[str]:
            return await db.read(lambda connection: set(find_everywhere(connection, *wanted)))

        assert await search(ALL_FIVE) == {"compacted_moves.entries"}, "the search looks into the compressed text"
        asked = Erasure(ROBIN.id, -4711, NOON + 9 * DAY)
        await db.write(privacy_storage.ask, asked, job := Job("erasure", "-4711", NOON))
        assert await self.make_people(db).erase(job) is None
        assert await search(ROBIN.id, ROBIN.name) == set()
        record = make_record(await load(db, table_id), games["magpie"])
        assert verify_record(record, games).control_entries == 2


class TestCompaction:
    async def test_only_tables_that_can_no_longer_change_are_compacted_and_batches_pass_the_others_by(
        self, db: Database
    ) -> None:
        for channel_id, status in enumerate(Status, 1):
            header = await add_moves(db, await db.write(table_storage.open_table, make_header(channel_id), []), 1)
            await save_change(db, TableUpdate(revise(header, status)))
        over = {Status.FINISHED, Status.CANCELLED, Status.EXPIRED, Status.ABANDONED}
        await compact(db)
        assert await count_rows(db) == (len(Status) - len(over), len(over))
        for table_id, status in enumerate(Status, 1):
            left = select(func.count()).select_from(moves).where(moves.c.table_id == table_id)
            assert await db.read(count_of, left) == (status not in over), status

    async def test_tables_are_compacted_a_week_after_their_end(self, db: Database) -> None:
        await finish_game(db)
        await compact(db, days=6.9)
        assert await count_rows(db) == (6, 0)
        await compact(db, days=7.1)
        assert await count_rows(db) == (0, 1)

    @pytest.mark.every_database
    async def test_a_failure_in_the_middle_loses_nothing(self, db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
        def stumble(_: Sequence[Entry]) -> NoReturn:
            raise RuntimeError("stumbled")

        table_id = await finish_game(db)
        before = await load(db, table_id)
        monkeypatch.setattr(compaction, "compress_entries", stumble)
        with pytest.raises(RuntimeError, match="stumbled"):
            await compact(db)
        assert await count_rows(db) == (6, 0)
        assert await load(db, table_id) == before

    async def test_two_processes_do_it_once(self, connect: Connect) -> None:
        stores = await connect(), await connect()
        ids = [await finish_game(stores[0]) for _ in range(2)]
        before = [await load(stores[0], table_id) for table_id in ids]
        await asyncio.gather(*map(compact, stores))
        assert await count_rows(stores[0]) == (0, 2)
        assert [await load(stores[1], table_id) for table_id in ids] == before

    async def test_it_goes_on_in_the_next_run_when_it_takes_long(self, db: Database) -> None:
        for channel_id in range(1, 7):
            header = await add_moves(db, await db.write(table_storage.open_table, make_header(channel_id), []), 1)
            await save_change(db, TableUpdate(revise(header, Status.FINISHED)))
        assert not await compact_one_batch(db)
        assert await count_rows(db) == (1, 5)
        await compact(db)
        assert await count_rows(db) == (0, 6)

    async def test_it_gets_past_more_open_tables_than_a_run_can_look_at(self, db: Database) -> None:
        headers = [await db.write(table_storage.open_table, make_header(channel_id), []) for channel_id in range(1, 13)]
        headers = [await add_moves(db, header, 1) for header in headers]
        await save_change(db, TableUpdate(revise(headers[-1], Status.FINISHED)))
        assert [await compact_one_batch(db) for _ in range(3)] == [False, False, True]
        assert await count_rows(db) == (11, 1)

    async def test_the_next_day_it_begins_anew(self, db: Database) -> None:
        header = await add_moves(db, await db.write(table_storage.open_table, make_header(), []), 1)
        for channel_id in range(2, 7):
            await add_moves(db, await db.write(table_storage.open_table, make_header(channel_id), []), 1)
        assert not await compact_one_batch(db)
        await save_change(db, TableUpdate(revise(header, Status.FINISHED)))
        await compact(db)
        assert await count_rows(db) == (6, 0)
        await compact(db, days=9)
        assert await count_rows(db) == (5, 1)

    async def test_the_first_run_is_due_a_day_after_the_start(self, db: Database) -> None:
        job = Compaction(db, lambda: NOON)
        await job.check()
        assert not await db.maintain(job_storage.claim, db.shards, [COMPACTION], NOON + DAY / 2, NOON + DAY, 9)
        await Compaction(db, lambda: NOON + DAY / 2).check()
        assert len(await db.maintain(job_storage.claim, db.shards, [COMPACTION], NOON + DAY, NOON + 2 * DAY, 9)) == 1


ENTRY = Entry(step=1, seat=0, text="roll 1 2", digest="0123456789abcdef", click_id=None, at=NOON)
LATER = timedelta(days=400, microseconds=1)


@each_case(
    "entries",
    [
        (),
        (ENTRY, replace(ENTRY, step=2, seat=5, text="!resign", at=NOON + LATER)),
        # What no game writes, and what a damaged table might have.
        (replace(ENTRY, step=3, text='"é\n🎲\\ \0'), replace(ENTRY, step=7, text="", digest="", at=NOON - LATER)),
        (replace(ENTRY, at=NOON.astimezone(IN_NEPAL)),),
    ],
)
def test_entries_come_back_as_they_were(entries: tuple[Entry, ...]) -> None:
    assert decompress_entries(compress_entries(entries)) == entries


def test_ids_of_clicks_are_forgotten() -> None:
    clicked = replace(ENTRY, click_id=9001)
    assert decompress_entries(compress_entries([clicked, ENTRY])) == (replace(ENTRY, click_id=FORGOTTEN_CLICK), ENTRY)
