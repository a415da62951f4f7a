"""A table is its list of moves: played again, it is the same table."""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import pytest

from bot.games.magpie import PACKAGE as MAGPIE
from bot.games.magpie.pieces import GameEvent, MagpieOptions, Roll, State
from bot.games.magpie.rules import Magpie
from bot.platform.database.errors import StoreUnavailable
from bot.platform.time_slices import TimeSlices
from bot.rules.chance import Chance
from bot.rules.game import Transition
from bot.rules.refusals import Refusal
from bot.tables import storage as table_storage
from bot.tables.model import Status, StoredTable
from bot.tables.refusals import HostReason
from bot.tables.registry import AnyPackage, GameRegistry
from bot.tables.replay import ReplayDiverged, restore
from bot.tables.service import TableService
from bot.tables.table import Table, digest_of
from tests.support.fake_message_sender import FakeMessageSender
from tests.support.fake_table_messages import FakeTableMessages
from tests.support.fakes import (
    ALL_FIVE,
    GAMES,
    ROBIN,
    START_CLICK,
    STRANGER,
    WREN,
    make_service,
    make_table,
    mover_of,
    open_lobby,
    roll,
    start_game,
)
from tests.support.hosts import Host
from tests.support.memory_database import MemoryDatabase
from tests.support.waiting import Gate, wait_until
from tests.tables.refusals import refused_for

QUICK = MagpieOptions(target=50)


class OtherNotationMagpie(Magpie):
    """Rules of another version, whose positions are written another way."""

    def encode_position(self, state: State) -> str:
        return super().encode_position(state) + "!"


class FailingMagpie(Magpie):
    """Rules that stumble over every move."""

    def play(self, state: State, seat: int, move: Roll, chance: Chance) -> Transition[State, GameEvent]:
        raise TypeError("no move can be made")


def with_rules(game: Any) -> GameRegistry:
    return GameRegistry([replace(MAGPIE, game=game)])


@dataclass
class TableInProcess:
    """A table as one process has it."""

    table: Table

    def matches(self, other: Table) -> None:
        assert other.header == self.table.header
        assert other.seats == self.table.seats
        assert other.state == self.table.state
        assert other.news == self.table.news
        assert other.seat_status == self.table.seat_status
        assert other.recent_events_for(None) == self.table.recent_events_for(None)
        assert other.outcome == self.table.outcome


class TestRestore:
    @pytest.mark.parametrize("people", [2, 6])
    async def test_another_process_sees_the_same_at_every_step(self, db: MemoryDatabase, people: int) -> None:
        service = make_service(db)
        everybody = [replace(ROBIN, id=number, name=f"P{number}") for number in range(1, people + 1)]
        table = await open_lobby(service, *everybody, options=QUICK)
        TableInProcess(table).matches(await make_service(db).table(table.id))
        table = await service.start(table.id, everybody[0], START_CLICK)
        TableInProcess(table).matches(await make_service(db).table(table.id))
        for text in ("roll 1 2", "roll 5", ALL_FIVE, "roll 2 3 4") * 500:
            table = await roll(service, table, text)
            TableInProcess(table).matches(await make_service(db).table(table.id))
            if table.header.status is Status.FINISHED:
                break
        assert table.outcome is not None
        assert max(table.outcome.scores) >= 50
        assert table.header.to_move is None
        assert table.mover is None

    async def test_the_news_are_one_round_of_moves(self, service: TableService) -> None:
        table = await start_game(service)
        rounds = []
        for moves in range(1, 6):
            table = await roll(service, table)
            rounds.append(table.news[-1])
            assert table.news == tuple(rounds[-3:])
            assert len(table.news) == min(moves, 3)

    async def test_a_game_goes_on_in_another_process(self, db: MemoryDatabase) -> None:
        table = await start_game(make_service(db))
        alone = await start_game(make_service(other := MemoryDatabase()))
        for _ in range(6):
            table = await roll(make_service(db), table)
        service = make_service(other)
        for _ in range(6):
            alone = await roll(service, alone)
        assert table.state == alone.state
        assert db.records == other.records

    async def test_a_table_cancelled_during_the_game_stays_cancelled(self, db: MemoryDatabase) -> None:
        service = make_service(db)
        table = await roll(service, await start_game(service))
        table = await service.cancel(table.id, ROBIN, is_moderator=False)
        again = await make_service(db).table(table.id)
        assert again.header == table.header
        assert again.outcome is None

    async def test_tables_that_have_not_started_are_not_replayed(self) -> None:
        table = make_table()
        assert await restore(StoredTable(table.header, table.seats, ()), MAGPIE, TimeSlices()) == table


def drop_last_move(record: StoredTable) -> StoredTable:
    return replace(record, entries=record.entries[:-1])


def append_move(record: StoredTable) -> StoredTable:
    extra = replace(record.entries[-1], step=3)
    return replace(record, entries=(*record.entries, extra))


def change_digest(record: StoredTable) -> StoredTable:
    first, *rest = record.entries
    return replace(record, entries=(replace(first, digest="0" * 16), *rest))


def change_move(record: StoredTable) -> StoredTable:
    first, *rest = record.entries
    return replace(record, entries=(replace(first, text="roll 1"), *rest))


def break_move(record: StoredTable) -> StoredTable:
    first, *rest = record.entries
    return replace(record, entries=(replace(first, text="fly"), *rest))


def change_seat(record: StoredTable) -> StoredTable:
    first, *rest = record.entries
    return replace(record, entries=(replace(first, seat=(first.seat + 1) % 3), *rest))


def change_seed(record: StoredTable) -> StoredTable:
    return replace(record, header=replace(record.header, seed=bytes(32)))


def change_salt(record: StoredTable) -> StoredTable:
    return replace(record, header=replace(record.header, salt="ab"))


def break_options(record: StoredTable) -> StoredTable:
    return replace(record, header=replace(record.header, options='{"target": 7}'))


CHANGES = [
    drop_last_move,
    append_move,
    change_digest,
    change_move,
    break_move,
    change_seat,
    change_seed,
    change_salt,
    break_options,
]


def take_errors(caplog: pytest.LogCaptureFixture) -> list[str]:
    """Take the errors out of the log."""
    logged = [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR]
    caplog.clear()
    return logged


class TestHeld:
    async def two_moves(self, db: MemoryDatabase) -> Table:
        service = make_service(db)
        table = await start_game(service)
        for _ in range(2):
            table = await roll(service, table)
        return table

    @pytest.mark.parametrize("change", CHANGES)
    async def test_a_table_that_does_not_replay_is_not_played_on(
        self, db: MemoryDatabase, caplog: pytest.LogCaptureFixture, change: Callable[[StoredTable], StoredTable]
    ) -> None:
        before = await self.two_moves(db)
        db.tamper(before.id, change)
        entries = db.records[before.id].entries
        service = make_service(db)

        table = await service.table(before.id)
        assert (table.header.status, table.header.to_move, table.state) == (Status.HELD, None, None)
        assert table.header.revision == before.header.revision + 1
        assert db.header(before.id) == table.header
        (logged,) = take_errors(caplog)
        assert str(before.id) in logged

        with refused_for(HostReason.TABLE_HELD):
            await service.play(table.id, mover_of(before), table.header.step, ALL_FIVE, 1)
        assert db.records[table.id].entries == entries

    async def test_a_held_table_stays_held_and_is_logged_once(
        self, db: MemoryDatabase, caplog: pytest.LogCaptureFixture
    ) -> None:
        before = await self.two_moves(db)
        db.tamper(before.id, change_digest)
        table = await make_service(db).table(before.id)
        assert len(take_errors(caplog)) == 1
        assert await make_service(db).table(before.id) == table
        assert take_errors(caplog) == []

    @pytest.mark.parametrize(("person", "is_moderator"), [(ROBIN, False), (STRANGER, True)])
    async def test_a_held_table_can_be_cancelled(
        self, db: MemoryDatabase, caplog: pytest.LogCaptureFixture, person: Any, is_moderator: bool
    ) -> None:
        before = await self.two_moves(db)
        db.tamper(before.id, change_digest)
        service = make_service(db)
        with pytest.raises(Refusal):
            await service.cancel(before.id, WREN, is_moderator=False)
        after = await service.cancel(before.id, person, is_moderator=is_moderator)
        assert after.header.status is Status.CANCELLED
        assert await service.open_table_in(before.header.location.channel_id) is None
        take_errors(caplog)
        assert (await make_service(db).table(before.id)).header == after.header
        take_errors(caplog)

    async def test_another_version_of_the_rules_holds_the_table(
        self, db: MemoryDatabase, caplog: pytest.LogCaptureFixture
    ) -> None:
        before = await self.two_moves(db)
        table = await make_service(db, with_rules(OtherNotationMagpie())).table(before.id)
        assert table.header.status is Status.HELD
        assert len(take_errors(caplog)) == 1

    async def test_rules_that_raise_anything_hold_the_table(
        self, db: MemoryDatabase, caplog: pytest.LogCaptureFixture
    ) -> None:
        before = await self.two_moves(db)
        table = await make_service(db, with_rules(FailingMagpie())).table(before.id)
        assert table.header.status is Status.HELD
        assert len(take_errors(caplog)) == 1

    async def test_a_held_table_is_announced(
        self, db: MemoryDatabase, table_messages: FakeTableMessages, caplog: pytest.LogCaptureFixture
    ) -> None:
        before = await self.two_moves(db)
        db.tamper(before.id, change_digest)
        host = Host(db, GAMES, table_messages, FakeMessageSender())
        await host.service.table(before.id)  # as a click does
        take_errors(caplog)
        try:
            await wait_until(lambda: table_messages.shown)
        finally:
            await host.close()
        assert table_messages.shown[-1].status is Status.HELD

    async def test_a_failed_save_holds_nothing_in_memory(
        self, db: MemoryDatabase, caplog: pytest.LogCaptureFixture
    ) -> None:
        before = await self.two_moves(db)
        db.tamper(before.id, change_digest)
        db.broken = {table_storage.save}
        service = make_service(db)
        with pytest.raises(StoreUnavailable):
            await service.table(before.id)
        db.broken = set()
        assert (await service.table(before.id)).header == db.header(before.id)
        assert db.header(before.id).status is Status.HELD
        take_errors(caplog)

    async def test_two_processes_that_find_the_fault_at_once_both_hold_the_table(
        self, db: MemoryDatabase, caplog: pytest.LogCaptureFixture
    ) -> None:
        before = await self.two_moves(db)
        db.tamper(before.id, change_digest)
        one, two = make_service(db), make_service(db)
        tables = await asyncio.gather(one.table(before.id), two.table(before.id))
        assert [table.header.status for table in tables] == [Status.HELD] * 2
        assert db.header(before.id).revision == before.header.revision + 1
        take_errors(caplog)

    async def test_a_move_made_by_another_process_meanwhile_wins(
        self, db: MemoryDatabase, caplog: pytest.LogCaptureFixture
    ) -> None:
        before = await self.two_moves(db)
        ours, theirs = make_service(db, with_rules(OtherNotationMagpie())), make_service(db)
        db.before[table_storage.save] = gate = Gate()
        finding_out = asyncio.create_task(ours.table(before.id))
        await gate.reached.wait()
        del db.before[table_storage.save]
        await roll(theirs, before)
        gate.open()
        await finding_out
        now = await ours.table(before.id)
        assert now.header == db.header(before.id)
        with refused_for(HostReason.TABLE_HELD):
            await ours.play(now.id, mover_of(before), now.header.step, ALL_FIVE, 1)
        take_errors(caplog)

    @pytest.mark.parametrize("status", [Status.FINISHED, Status.CANCELLED])
    async def test_a_finished_table_is_not_held(
        self, db: MemoryDatabase, caplog: pytest.LogCaptureFixture, status: Status
    ) -> None:
        before = await self.two_moves(db)
        db.tamper(before.id, change_digest)
        db.tamper(before.id, lambda record: replace(record, header=replace(record.header, status=status)))
        table = await make_service(db).table(before.id)
        assert table.header == db.header(before.id)
        assert (table.header.status, table.outcome) == (status, None)
        take_errors(caplog)


class TestReplay:
    def record(self, package: AnyPackage = MAGPIE) -> StoredTable:
        table = make_table(status=Status.PLAYING, package=package)
        return StoredTable(table.header, table.seats, ())

    async def test_a_failed_replay_says_why(self) -> None:
        record = self.record()
        short = replace(record, header=replace(record.header, step=2))
        with pytest.raises(ReplayDiverged, match="0 moves, not 2"):
            await restore(short, MAGPIE, TimeSlices())

    def test_different_positions_have_different_digests(self) -> None:
        positions = ["11162 12/0 1 -", "11162 12/0 0 -", "11162 1/20 1 -", ""]
        assert len({digest_of(position) for position in positions}) == 4
        assert all(len(digest_of(position)) == 16 for position in positions)
