"""The contract of the store, on every database."""

import asyncio
import threading
import traceback
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import NoneType

import pytest
from sqlalchemy import Connection, Insert
from sqlalchemy.exc import IntegrityError, StatementError

from bot.app.databases import migrate
from bot.platform.database import sql
from bot.platform.database.database import Database, open_database
from bot.platform.database.errors import StoreUnavailable
from bot.platform.database.sql import Values, get_value, notes, set_value
from bot.platform.places import Location
from bot.tables import storage as table_storage
from bot.tables.model import (
    ClosedBy,
    Entry,
    Header,
    Occupant,
    Pace,
    Status,
    StoredTable,
    TableUpdate,
)
from bot.tables.saving import save_change
from bot.tables.storage import ChannelTaken, Conflict
from tests.store.samples import (
    COMPUTER,
    IN_NEPAL,
    LARGEST_ID,
    NOON,
    ROBIN,
    WREN,
    Connect,
    add_moves,
    load_header,
    load_move_texts,
    load_table,
    make_header,
    make_move,
)
from tests.support.databases import Databases
from tests.support.waiting import DEADLINE_SECONDS


class TestRoundTrip:
    async def test_another_process_reads_everything_as_it_was_written(self, connect: Connect) -> None:
        writer, reader = await connect(), await connect()
        opened = Header(
            id=0,
            game="fortune",
            version=3,
            options='{"name": "žluťoučký 🐎"}',
            location=Location(guild_id=LARGEST_ID, channel_id=LARGEST_ID - 1, is_own_thread=True),
            opener_id=LARGEST_ID - 2,
            seed=b"\x00\xff'\x00" * 8,
            salt="",
            created_at=NOON,
            status=Status.LOBBY,
            step=0,
            to_move=None,
            awaits_computer=False,
            revision=1,
            published=1,
            message_id=LARGEST_ID - 3,
            updated_at=NOON,
            awaited_since=NOON,
            lobby_click_id=LARGEST_ID - 4,
            allows_hints=False,
            pace=Pace.QUICK,
            kicked=frozenset({LARGEST_ID, 12}),
            kept=frozenset({LARGEST_ID - 5, 13}),
        )
        seats = (Occupant('Rob\'in "%s" 🪺', LARGEST_ID, None, "77"), Occupant("", None, "hard", ""))
        header = await writer.write(table_storage.open_table, opened, seats)
        assert await reader.read(table_storage.load, header.id) == StoredTable(replace(opened, id=header.id), seats, ())

        later = NOON + timedelta(microseconds=1)
        header = replace(header, salt="a1b2", status=Status.PLAYING, step=1, to_move=1, revision=2, updated_at=later)
        header = replace(header, lobby_click_id=LARGEST_ID, kicked=frozenset(), kept=frozenset())
        header = replace(header, location=replace(header.location, solo_id=LARGEST_ID))
        header = replace(header, allows_hints=True, hinted=frozenset({0, 5}))
        first = Entry(1, 0, "roll 1 3", "0badc0de", LARGEST_ID, NOON)
        await save_change(writer, TableUpdate(header, first))
        header = replace(header, status=Status.FINISHED, step=2, to_move=None, revision=3, closed_by=ClosedBy.MODERATOR)
        second = Entry(2, 1, "stop", "", None, later)
        await save_change(writer, TableUpdate(header, second))
        assert await reader.read(table_storage.load, header.id) == StoredTable(header, seats, (first, second))

    async def test_times_in_any_zone_are_read_in_utc(self, db: Database) -> None:
        there = datetime(2026, 3, 1, 17, 45, 0, 123456, tzinfo=IN_NEPAL)
        header = await db.write(table_storage.open_table, make_header(at=there), [ROBIN])
        after, entry = make_move(header)
        await save_change(db, TableUpdate(after, replace(entry, at=there)))
        record = await load_table(db, header.id)
        for moment in (record.header.created_at, record.entries[0].at):
            assert moment == NOON
            assert moment.tzinfo is UTC


class TestSave:
    async def test_a_save_writes_the_columns_that_change_and_no_others(self, db: Database) -> None:
        header = await db.write(table_storage.open_table, make_header(), [ROBIN])
        changed = replace(
            header,
            opener_id=12,
            options="{}",
            salt="ab",
            status=Status.HELD,
            step=4,
            to_move=1,
            awaits_computer=True,
            revision=2,
            updated_at=NOON + timedelta(days=1),
            awaited_since=NOON + timedelta(hours=1),
        )
        fixed = {
            "game": "other",
            "version": 9,
            "location": Location(1, 1),
            "seed": b"another",
            "created_at": changed.updated_at,
        }
        await save_change(db, TableUpdate(replace(changed, **fixed)))  # type: ignore[arg-type]
        assert await load_header(db, header.id) == changed, "what the opening has fixed stays"

    async def test_a_save_replaces_the_seats_only_if_given(self, db: Database) -> None:
        header = await db.write(table_storage.open_table, make_header(), [ROBIN, COMPUTER])
        for revision, given, seats in ((2, None, (ROBIN, COMPUTER)), (3, [WREN], (WREN,)), (4, [], ())):
            await save_change(db, TableUpdate(replace(header, revision=revision), seats=given))
            assert (await load_table(db, header.id)).seats == seats

    async def test_another_revision_or_a_taken_step_conflicts_and_writes_nothing(self, db: Database) -> None:
        header, first = make_move(await db.write(table_storage.open_table, make_header(), [ROBIN]))
        await save_change(db, TableUpdate(header, first))
        after, entry = make_move(header)
        attempts = [(replace(after, revision=revision), entry) for revision in (1, 2, 4)]
        for late, text in (*attempts, (after, replace(first, text="another"))):
            for seats in (None, [WREN]):
                with pytest.raises(Conflict):
                    await save_change(db, TableUpdate(late, text, seats))
                assert await load_table(db, header.id) == StoredTable(header, (ROBIN,), (first,))

    async def test_a_table_that_does_not_exist_conflicts(self, db: Database) -> None:
        header, entry = make_move(replace(make_header(), id=12345))
        with pytest.raises(Conflict):
            await save_change(db, TableUpdate(header, entry))

    async def test_conflicts_do_not_affect_simultaneous_saves(self, db: Database) -> None:
        opened = [
            await db.write(table_storage.open_table, make_header(channel_id), [ROBIN]) for channel_id in range(1, 9)
        ]
        saves, expected = [], []
        for number, header in enumerate(opened):
            after, entry = make_move(header)
            conflicts = number % 4 == 3
            saves.append(save_change(db, TableUpdate(replace(after, revision=9) if conflicts else after, entry)))
            expected.append(StoredTable(header, (ROBIN,), ()) if conflicts else StoredTable(after, (ROBIN,), (entry,)))
        answers = await asyncio.gather(*saves, return_exceptions=True)
        assert [isinstance(answer, Conflict) for answer in answers] == [number % 4 == 3 for number in range(8)]
        assert [await db.read(table_storage.load, header.id) for header in opened] == expected

    async def test_of_two_writers_of_a_step_one_wins(self, connect: Connect) -> None:
        stores = await connect(), await connect()
        header = await stores[0].write(table_storage.open_table, make_header(), [ROBIN])
        winners = []
        for step in range(1, 12):
            after, entry = make_move(header)
            rivals = [replace(entry, text=f"{step} of {name}") for name in ("one", "two")]
            results = await asyncio.gather(
                *(save_change(s, TableUpdate(after, rival)) for s, rival in zip(stores, rivals, strict=True)),
                return_exceptions=True,
            )
            assert {type(result) for result in results} == {NoneType, Conflict}
            winners.append(rivals[results.index(None)].text)
            header = after
        assert await load_move_texts(stores[0], header.id) == winners
        assert await load_move_texts(stores[1], header.id) == winners


class TestCancellation:
    @pytest.mark.parametrize("turns", range(1, 5))
    async def test_cancelled_callers_leave_a_complete_write_and_a_usable_store(
        self, connect: Connect, turns: int
    ) -> None:
        db, other = await connect(), await connect()
        header = await db.write(table_storage.open_table, make_header(), [ROBIN])
        after, entry = make_move(header)
        callers: list[asyncio.Task[object]] = [
            asyncio.create_task(save_change(db, TableUpdate(after, entry, [ROBIN, WREN]))),
            *(asyncio.create_task(db.read(table_storage.load, header.id)) for _ in range(30)),
        ]
        for _ in range(turns):
            await asyncio.sleep(0)
        for caller in callers:
            caller.cancel()
        await asyncio.gather(*callers, return_exceptions=True)
        await db.maintain(set_value, "still", "usable")
        assert await db.read(get_value, "still") == "usable"
        await db.close()
        assert await other.read(table_storage.load, header.id) == StoredTable(after, (ROBIN, WREN), (entry,))

    async def test_a_write_goes_on_if_its_caller_is_cancelled_in_the_middle(self, connect: Connect) -> None:
        db, other = await connect(), await connect()
        halfway, go_on = threading.Event(), threading.Event()

        def in_two_halves(connection: Connection) -> None:
            connection.execute(notes.insert(), {"key": "first", "value": "half"})
            halfway.set()
            go_on.wait(DEADLINE_SECONDS)
            connection.execute(notes.insert(), {"key": "second", "value": "half"})

        caller = asyncio.create_task(db.write(in_two_halves))
        await asyncio.to_thread(halfway.wait, DEADLINE_SECONDS)
        caller.cancel()
        with pytest.raises(asyncio.CancelledError):
            await caller
        assert await db.read(get_value, "first") is None
        go_on.set()
        await db.close()
        assert [await other.read(get_value, key) for key in ("first", "second")] == ["half", "half"]


def make_empty_file(address: str) -> None:
    file = Path(address.removeprefix("sqlite:///"))
    file.parent.mkdir()
    file.touch()


class TestFailure:
    async def test_a_write_that_fails_in_the_middle_leaves_nothing(self, db: Database) -> None:
        def stumble(connection: Connection) -> None:
            connection.execute(notes.insert(), {"key": "first", "value": "half"})
            raise RuntimeError("stumbled")

        with pytest.raises(RuntimeError, match="stumbled"):
            await db.write(stumble)
        assert await db.read(get_value, "first") is None
        await db.maintain(set_value, "first", "whole")
        assert await db.read(get_value, "first") == "whole"

    async def test_readers_cannot_write(self, db: Database) -> None:
        with pytest.raises(StoreUnavailable, match=r"read-?only"):
            await db.read(lambda c: c.execute(notes.insert(), {"key": "a", "value": "b"}))
        assert await db.read(get_value, "a") is None

    async def test_a_value_that_another_process_inserts_meanwhile_is_replaced(
        self, db: Database, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def lose_race(connection: Connection, statement: Insert, values: Values) -> bool:
            connection.execute(statement, {**values, "value": "theirs"})
            return False

        monkeypatch.setattr(sql, "try_insert", lose_race)
        await db.maintain(set_value, "a", "ours")
        assert await db.read(get_value, "a") == "ours"

    async def test_a_reader_sees_one_snapshot(self, db: Database) -> None:
        header = await db.write(table_storage.open_table, make_header(), [ROBIN])
        half_read, written = threading.Event(), threading.Event()

        def slowly(connection: Connection) -> tuple[int, int]:
            count = "SELECT count(*) FROM moves"
            before = connection.exec_driver_sql(count).scalar_one()
            half_read.set()
            written.wait(DEADLINE_SECONDS)
            return before, connection.exec_driver_sql(count).scalar_one()

        reading = asyncio.create_task(db.read(slowly))
        await asyncio.to_thread(half_read.wait, DEADLINE_SECONDS)
        await add_moves(db, header, 1)
        written.set()
        assert await reading == (0, 0)

    async def test_a_database_without_tables_raises(self, databases: Databases) -> None:
        address = databases.empty()
        if address.startswith("sqlite"):
            make_empty_file(address)
        db = open_database(address)
        with pytest.raises(StoreUnavailable, match=r"no such table|does not exist"):
            await db.read(table_storage.load, 1)
        await db.close()

    async def test_a_time_without_a_zone_is_refused_and_nothing_stored(self, db: Database) -> None:
        header = make_header()
        with pytest.raises(StatementError, match="without a zone"):
            await db.write(table_storage.open_table, replace(header, created_at=NOON.replace(tzinfo=None)), [ROBIN])
        assert await db.read(table_storage.find_open, header.location.channel_id) is None
        header = await db.write(table_storage.open_table, header, [ROBIN])
        after, entry = make_move(header)
        with pytest.raises(StatementError, match="without a zone"):
            await save_change(db, TableUpdate(after, replace(entry, at=entry.at.replace(tzinfo=None))))
        assert await db.read(table_storage.load, header.id) == StoredTable(header, (ROBIN,), ())

    async def test_a_missing_value_is_not_reported_as_a_taken_channel(self, db: Database) -> None:
        nameless = replace(make_header(), game=None)  # type: ignore[arg-type]
        with pytest.raises(IntegrityError, match=r"(?i)not[ -]null"):
            await db.write(table_storage.open_table, nameless, [ROBIN])

    async def test_stored_values_do_not_get_into_tracebacks(self, db: Database) -> None:
        header = replace(make_header(), seed=b"thirty-two secret bytes in here!", salt="secret too")
        await db.write(table_storage.open_table, header, [ROBIN])
        with pytest.raises(ChannelTaken) as taken:
            await db.write(table_storage.open_table, header, [ROBIN])
        with pytest.raises(IntegrityError) as missing:
            await db.write(table_storage.open_table, replace(header, game=None, location=Location(3, 8)), [ROBIN])  # type: ignore[arg-type]
        for error in (taken.value, missing.value):
            said = "".join(traceback.format_exception(error))
            assert "IntegrityError" in said
            assert "secret" not in said
            assert header.seed.hex() not in said


class TestClosing:
    async def test_a_closed_store_says_so(self, db: Database) -> None:
        await db.close()
        await db.close()
        with pytest.raises(StoreUnavailable, match="closed"):
            await db.read(table_storage.load, 1)
        with pytest.raises(StoreUnavailable, match="closed"):
            await db.maintain(set_value, "a", "b")
        with pytest.raises(StoreUnavailable, match="closed"):
            await migrate(db)
