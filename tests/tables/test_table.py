"""A table is its list of moves: played again, it is the same table."""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import replace
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
from bot.tables.registry import GameRegistry
from bot.tables.replay import ReplayDiverged, restore
from bot.tables.table import Table, digest_of
from tests.support.fakes import (
    ALL_FIVE,
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
from tests.support.memory_database import MemoryDatabase
from tests.support.waiting import Gate
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


def require_equal(one: Table, other: Table) -> None:
    """Require that two processes have a table alike."""
    for field in ("header", "seats", "state", "news", "seat_status", "outcome"):
        assert getattr(one, field) == getattr(other, field), field
    assert one.recent_events_for(None) == other.recent_events_for(None)


class TestRestore:
    @pytest.mark.parametrize("people", [2, 6])
    async def test_another_process_sees_the_same_at_every_step(self, db: MemoryDatabase, people: int) -> None:
        service = make_service(db)
        everybody = [replace(ROBIN, id=number, name=f"P{number}") for number in range(1, people + 1)]
        table = await open_lobby(service, *everybody, options=QUICK)
        require_equal(await make_service(db).table(table.id), table)
        table = await service.start(table.id, everybody[0], START_CLICK)
        require_equal(await make_service(db).table(table.id), table)
        for text in ("roll 1 2", "roll 5", ALL_FIVE, "roll 2 3 4") * 500:
            table = await roll(service, table, text)
            require_equal(await make_service(db).table(table.id), table)
            if table.header.status is Status.FINISHED:
                break
        assert table.outcome is not None
        assert max(table.outcome.scores) >= 50
        assert (table.header.to_move, table.mover) == (None, None)

    async def test_tables_that_have_not_started_are_not_replayed(self) -> None:
        table = make_table()
        assert await restore(StoredTable(table.header, table.seats, ()), MAGPIE, TimeSlices()) == table


def change_first(**changes: Any) -> Callable[[StoredTable], StoredTable]:
    def change(record: StoredTable) -> StoredTable:
        first, *rest = record.entries
        return replace(record, entries=(replace(first, **changes), *rest))

    return change


def change_header(**changes: Any) -> Callable[[StoredTable], StoredTable]:
    return lambda record: replace(record, header=replace(record.header, **changes))


def drop_last_move(record: StoredTable) -> StoredTable:
    return replace(record, entries=record.entries[:-1])


def append_move(record: StoredTable) -> StoredTable:
    return replace(record, entries=(*record.entries, replace(record.entries[-1], step=3)))


def change_last(**changes: Any) -> Callable[[StoredTable], StoredTable]:
    return lambda record: replace(record, entries=(*record.entries[:-1], replace(record.entries[-1], **changes)))


def change_seat(record: StoredTable) -> StoredTable:
    return change_first(seat=(record.entries[0].seat + 1) % 3)(record)


change_digest = change_first(digest="0" * 16)
CHANGES = {
    "a move less": drop_last_move,
    "a move more": append_move,
    "another digest": change_digest,
    "another move": change_first(text="roll 1"),
    "no move": change_first(text="fly"),
    "a roll taken back": change_last(text="!undo"),
    "another seat": change_seat,
    "another seed": change_header(seed=bytes(32)),
    "another salt": change_header(salt="ab"),
    "no options": change_header(options='{"target": 7}'),
}


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

    @pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
    async def test_a_table_that_does_not_replay_is_held_and_not_played_on(
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
        assert await make_service(db).table(before.id) == table
        assert take_errors(caplog) == [], "it is logged once"

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

    @pytest.mark.parametrize("rules", [OtherNotationMagpie(), FailingMagpie()])
    async def test_rules_that_lead_elsewhere_or_raise_anything_hold_the_table(
        self, db: MemoryDatabase, caplog: pytest.LogCaptureFixture, rules: Magpie
    ) -> None:
        before = await self.two_moves(db)
        table = await make_service(db, with_rules(rules)).table(before.id)
        assert table.header.status is Status.HELD
        assert len(take_errors(caplog)) == 1

    async def test_a_failed_save_holds_nothing_in_memory_and_two_processes_hold_the_table_once(
        self, db: MemoryDatabase, caplog: pytest.LogCaptureFixture
    ) -> None:
        before = await self.two_moves(db)
        db.tamper(before.id, change_digest)
        db.broken = {table_storage.save}
        one, two = make_service(db), make_service(db)
        with pytest.raises(StoreUnavailable):
            await one.table(before.id)
        assert db.header(before.id).status is Status.PLAYING
        db.broken = set()
        tables = await asyncio.gather(one.table(before.id), two.table(before.id))
        assert [table.header for table in tables] == [db.header(before.id)] * 2
        assert db.header(before.id).status is Status.HELD
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


async def test_a_failed_replay_says_why() -> None:
    table = make_table(status=Status.PLAYING)
    short = StoredTable(replace(table.header, step=2), table.seats, ())
    with pytest.raises(ReplayDiverged, match="0 moves, not 2"):
        await restore(short, MAGPIE, TimeSlices())


def test_different_positions_have_different_digests() -> None:
    positions = ["11162 12/0 1 -", "11162 12/0 0 -", "11162 1/20 1 -", ""]
    assert len({digest_of(position) for position in positions}) == 4
    assert all(len(digest_of(position)) == 16 for position in positions)
