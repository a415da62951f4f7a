"""The service checks and saves every action before it takes effect, and what is published late."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import replace

import pytest

from bot.games.magpie.pieces import MagpieOptions
from bot.platform.database.errors import StoreUnavailable
from bot.platform.places import Location
from bot.rules.refusals import CommonReason, Refusal
from bot.tables import storage as table_storage, sweep
from bot.tables.characters import name_seats
from bot.tables.model import Occupant, PublishedRevision, Status, StoredTable
from bot.tables.refusals import DuplicateInteraction, HostReason, OrphanFacts, Stale
from bot.tables.service import TableService
from bot.tables.table import Table, digest_of
from tests.support.fakes import (
    ALL_FIVE,
    GAMES,
    HERE,
    JAY,
    ROBIN,
    START_CLICK,
    STRANGER,
    WREN,
    FakeClock,
    make_service,
    mover_of,
    open_lobby,
    roll,
    start_game,
)
from tests.support.memory_database import MemoryDatabase
from tests.support.waiting import Gate
from tests.tables.refusals import refused_for

ELSEWHERE = Location(guild_id=3, channel_id=71)

ServiceCall = Callable[[TableService, Table], Awaitable[Table]]


class RecordingListener:
    """The calls of a listener."""

    def __init__(self, service: TableService) -> None:
        self.tables: list[Table] = []
        service.add_listener(self.tables.append)

    @property
    def revisions(self) -> list[int]:
        return [table.header.revision for table in self.tables]


@pytest.fixture
def heard(service: TableService) -> RecordingListener:
    return RecordingListener(service)


class TestOpening:
    async def test_the_opener_has_the_first_seat_and_every_option_is_stored(self, db: MemoryDatabase) -> None:
        """The defaults of a later version may be others."""
        clock = FakeClock()
        table = await open_lobby(make_service(db, clock=clock), ROBIN, computers=2)
        assert name_seats(table.seats) == ("Robin", "Rusty", "Bramble")
        header = table.header
        assert (header.status, header.step, header.to_move, header.salt) == (Status.LOBBY, 0, None, "")
        assert (header.opener_id, header.location, header.created_at) == (ROBIN.id, HERE, clock.now)
        assert json.loads(header.options) == MagpieOptions().model_dump()
        assert db.records[table.id] == StoredTable(header, table.seats, ())

    async def test_every_table_has_its_own_seed(self, db: MemoryDatabase) -> None:
        service = TableService(db, GAMES)
        one = await open_lobby(service, ROBIN)
        two = await open_lobby(service, WREN, location=ELSEWHERE)
        assert len(one.header.seed) == len(two.header.seed) == 32
        assert one.header.seed != two.header.seed

    async def test_too_many_computers_are_refused_and_nothing_is_stored(
        self, service: TableService, db: MemoryDatabase
    ) -> None:
        with refused_for(HostReason.TABLE_FULL):
            await open_lobby(service, ROBIN, computers=6)
        assert db.records == {}

    async def test_an_opening_whose_caller_was_cancelled_is_left_to_the_sweep(
        self, service: TableService, db: MemoryDatabase
    ) -> None:
        db.after[table_storage.open_table] = gate = Gate()
        opening = asyncio.create_task(open_lobby(service, ROBIN))
        await gate.reached.wait()
        opening.cancel()
        await asyncio.gather(opening, return_exceptions=True)
        table = await service.open_table_in(HERE.channel_id)
        assert table is not None
        assert list(await db.read(sweep.find_pending, db.shards, {"magpie"}, 0, 9)) == [table.id]


class TestChanging:
    async def test_each_change_is_on_disk_as_the_next_revision(self, service: TableService, db: MemoryDatabase) -> None:
        clock = FakeClock()
        service = make_service(db, clock=clock)
        table = await open_lobby(service, ROBIN)
        calls: list[ServiceCall] = [
            lambda service, table: service.join(table.id, WREN, 7),
            lambda service, table: service.add_computer(table.id, ROBIN, table.header.revision, "easy"),
            lambda service, table: service.remove_computers(table.id, ROBIN, table.header.revision),
            lambda service, table: service.leave(table.id, WREN),
            lambda service, table: service.join(table.id, JAY, 8),
            lambda service, table: service.start(table.id, ROBIN, START_CLICK),
            roll,
            roll,
            lambda service, table: service.cancel(table.id, STRANGER, is_moderator=True),
        ]
        for revision, call in enumerate(calls, 2):
            clock.tick()
            table = await call(service, table)
            kept = db.records[table.id]
            assert (kept.header, kept.seats) == (table.header, table.seats)
            assert (table.header.revision, table.header.updated_at) == (revision, clock.now)
            assert await service.table(table.id) == table

    async def test_a_table_that_does_not_exist_is_unknown(self, service: TableService) -> None:
        for call in (service.table(5), service.join(5, ROBIN, 1), service.start(5, ROBIN, START_CLICK)):
            with refused_for(HostReason.UNKNOWN_TABLE):
                await call

    async def test_an_open_table_of_a_removed_game_is_refused_with_a_reason(self, db: MemoryDatabase) -> None:
        service = make_service(db)
        table = await open_lobby(service, ROBIN)
        with pytest.raises(Refusal) as refused:
            await make_service(db, {}).table(table.id)
        assert refused.value == Refusal(HostReason.GAME_GONE, OrphanFacts(table.id))
        await service.cancel(table.id, ROBIN, is_moderator=False)
        with refused_for(HostReason.UNKNOWN_TABLE):
            await make_service(db, {}).table(table.id)

    async def test_a_refusal_changes_nothing(
        self, service: TableService, db: MemoryDatabase, heard: RecordingListener, caplog: pytest.LogCaptureFixture
    ) -> None:
        caplog.set_level("DEBUG", "bot.tables.service")
        table = await start_game(service)
        before, calls = db.records[table.id], len(heard.tables)
        for text, reason in [("roll", "no_dice"), ("roll 6", "no_such_die"), ("x", CommonReason.UNREADABLE)]:
            with refused_for(reason):
                await roll(service, table, text)
        assert db.records[table.id] == before
        assert len(heard.tables) == calls
        assert await service.table(table.id) == table
        assert "a change was not made: no_such_die" in caplog.text


class TestMoves:
    async def test_a_move_is_stored_in_the_games_notation(self, service: TableService, db: MemoryDatabase) -> None:
        table = await start_game(service)
        mover = table.header.to_move
        after = await roll(service, table, "roll 5 1")
        (entry,) = db.records[table.id].entries
        assert (entry.step, entry.seat, entry.text, entry.click_id) == (1, mover, "roll 1 5", 9000)
        assert entry.digest == digest_of(after.package.game.encode_position(after.state))

    async def test_the_salt_and_the_seed_are_frozen_at_the_start_and_no_number_is_rolled_twice(
        self, service: TableService
    ) -> None:
        table = before = await start_game(service)
        assert before.header.salt
        faces = []
        for _ in range(12):
            table = await roll(service, table)
            assert (table.header.salt, table.header.seed) == (before.header.salt, before.header.seed)
            faces.append(table.state.faces)
        assert len(set(faces)) > 8

    async def test_the_same_seed_clicks_and_moves_lead_to_the_same_positions(self) -> None:
        async def positions(click_id: int) -> list[str]:
            service = make_service(MemoryDatabase())
            table = await open_lobby(service, ROBIN)
            await service.join(table.id, WREN, click_id)
            table = await service.start(table.id, ROBIN, START_CLICK)
            found = [table.package.game.encode_position(table.state)]
            for _ in range(8):
                table = await roll(service, table)
                found.append(table.package.game.encode_position(table.state))
            return found

        assert await positions(7) == await positions(7)
        assert await positions(7) != await positions(8)

    async def test_a_computers_move_needs_its_step_and_its_turn_and_has_no_click(
        self, service: TableService, db: MemoryDatabase
    ) -> None:
        table = await start_game(service, ROBIN, options=MagpieOptions(target=50))
        while table.mover is not None and not table.mover.is_computer:
            with pytest.raises(Stale):
                await service.play_computer(table.id, table.header.step, ALL_FIVE)
            table = await roll(service, table)
        with pytest.raises(Stale):
            await service.play_computer(table.id, table.header.step + 1, ALL_FIVE)
        table = await service.play_computer(table.id, table.header.step, ALL_FIVE)
        assert db.records[table.id].entries[-1].click_id is None
        with pytest.raises(Stale):
            await service.play_computer(table.id, table.header.step, ALL_FIVE)


class TestListeners:
    async def test_listeners_are_not_called_while_a_change_is_being_saved(
        self, service: TableService, db: MemoryDatabase, heard: RecordingListener
    ) -> None:
        on_disk: list[bool] = []
        service.add_listener(lambda table: on_disk.append(db.header(table.id) == table.header))
        table = await start_game(service)
        calls = len(heard.tables)
        db.after[table_storage.save] = gate = Gate()
        move = asyncio.create_task(roll(service, table))
        await gate.reached.wait()
        assert len(heard.tables) == calls
        gate.open()
        after = await move
        assert heard.tables[calls:] == [after]
        assert on_disk == [True] * 5

    async def test_listeners_get_every_revision_once_and_in_order(
        self, service: TableService, heard: RecordingListener
    ) -> None:
        table = await open_lobby(service, ROBIN)
        await asyncio.gather(*(service.join(table.id, person, 1) for person in (WREN, JAY, STRANGER)))
        assert heard.revisions == [1, 2, 3, 4]


class TestFailures:
    async def test_a_failed_save_leaves_the_table_unchanged(
        self, service: TableService, db: MemoryDatabase, heard: RecordingListener
    ) -> None:
        db.broken = {table_storage.open_table}
        with pytest.raises(StoreUnavailable):
            await open_lobby(service, ROBIN)
        assert heard.tables == []
        db.broken = set()
        table = await start_game(service)
        calls = len(heard.tables)
        db.broken = {table_storage.save, table_storage.load}
        with pytest.raises(StoreUnavailable):
            await roll(service, table)
        with pytest.raises(StoreUnavailable):
            await make_service(db).table(table.id)
        assert len(heard.tables) == calls
        db.broken = set()
        assert await service.table(table.id) == table
        after = await roll(service, table)
        assert after.header.step == 1
        assert heard.tables[calls:] == [after]

    async def test_a_save_with_a_lost_answer_is_resolved_by_reloading(
        self, service: TableService, db: MemoryDatabase, heard: RecordingListener
    ) -> None:
        table = await start_game(service)
        calls = len(heard.tables)
        db.unanswered = {table_storage.save}
        with pytest.raises(StoreUnavailable):
            await roll(service, table)
        assert len(heard.tables) == calls
        db.unanswered = set()
        now = await service.table(table.id)
        assert (now.header.step, now.header) == (1, db.header(table.id))
        with pytest.raises(Stale):
            await service.play(table.id, mover_of(table), 0, ALL_FIVE, 1)
        assert (await roll(service, now)).header.step == 2


class TestCancellation:
    @pytest.mark.parametrize("where", ["before", "after"])
    async def test_cancelling_the_caller_does_not_stop_the_change_for_which_the_next_caller_waits(
        self, service: TableService, db: MemoryDatabase, heard: RecordingListener, where: str
    ) -> None:
        table = await start_game(service)
        calls = len(heard.tables)
        gates: dict[Callable[..., object], Gate] = getattr(db, where)
        gates[table_storage.save] = gate = Gate()
        move = asyncio.create_task(roll(service, table))
        await gate.reached.wait()
        move.cancel()
        with pytest.raises(asyncio.CancelledError):
            await move
        again = asyncio.create_task(roll(service, table))
        await asyncio.sleep(0)
        gate.open()
        with pytest.raises(Stale):
            await again
        assert db.texts(table.id) == [ALL_FIVE]
        assert (await service.table(table.id)).header == db.header(table.id)
        assert [after.header.step for after in heard.tables[calls:]] == [1]


async def test_one_table_does_not_wait_for_another(service: TableService, db: MemoryDatabase) -> None:
    slow = await start_game(service)
    quick = await start_game(service, location=ELSEWHERE)
    db.before[table_storage.save] = held = Gate()
    waiting = asyncio.create_task(roll(service, slow))
    await held.reached.wait()
    del db.before[table_storage.save]
    assert (await roll(service, quick)).header.step == 1
    assert (await service.table(slow.id)).header.step == 0
    held.open()
    assert (await waiting).header.step == 1


async def test_of_many_simultaneous_clicks_one_makes_a_move(service: TableService, db: MemoryDatabase) -> None:
    table = await start_game(service)
    mover = mover_of(table)
    results = await asyncio.gather(
        *(service.play(table.id, mover, 0, ALL_FIVE, click) for click in range(10)), return_exceptions=True
    )
    assert sum(isinstance(result, Table) for result in results) == 1
    assert sum(isinstance(result, Stale) for result in results) == 9
    assert db.texts(table.id) == [ALL_FIVE]


async def test_an_interaction_that_another_process_has_handled_makes_no_second_move(
    service: TableService, db: MemoryDatabase
) -> None:
    """The second process may read the table after the first has saved the move: the step is that of the next one."""
    table = await start_game(service)
    mover = mover_of(table)
    moved = await service.play(table.id, mover, 0, ALL_FIVE, 7)
    with pytest.raises(DuplicateInteraction):
        await service.play(table.id, mover, moved.header.step, ALL_FIVE, 7)
    assert db.texts(table.id) == [ALL_FIVE]


async def test_a_table_that_was_read_before_a_name_was_deleted_is_read_again(
    service: TableService, db: MemoryDatabase
) -> None:
    table = await start_game(service, ROBIN, WREN)
    service.cache.clear()
    db.after[table_storage.load] = gate = Gate()
    loading = asyncio.create_task(service.table(table.id))
    await gate.reached.wait()
    db.tamper(table.id, lambda record: replace(record, seats=(Occupant("Deleted player", -1), *record.seats[1:])))
    service.cache.clear()
    gate.open()
    assert [who.name for who in (await loading).seats] == ["Deleted player", "Wren"]
    assert [who.name for who in (await service.table(table.id)).seats] == ["Deleted player", "Wren"]


class TestPublishedRevisions:
    async def test_a_shown_revision_is_written_once(self, service: TableService, db: MemoryDatabase) -> None:
        """Also if the first attempt fails."""
        table = await open_lobby(service, ROBIN)
        service.note_published(table, 70)
        assert (await service.table(table.id)).header.message_id == 70
        db.broken = {table_storage.mark_published}
        with pytest.raises(StoreUnavailable):
            await service.flush()
        assert db.header(table.id).message_id is None
        db.broken = set()
        for _ in range(2):
            await service.flush()
            assert (db.header(table.id).published, db.header(table.id).message_id) == (1, 70)
        assert db.calls.count(table_storage.mark_published) == 2

    @pytest.mark.parametrize("meanwhile", ["nothing", "another flush", "a cancellation"])
    async def test_a_note_made_during_a_flush_is_written_by_the_next(
        self, service: TableService, db: MemoryDatabase, meanwhile: str
    ) -> None:
        """A flush of unknown outcome and one at the same time are not taken for those of another process."""
        table = await open_lobby(service, ROBIN)
        service.note_published(table, 70)
        db.after[table_storage.mark_published] = gate = Gate()
        flush = asyncio.create_task(service.flush())
        await gate.reached.wait()
        if meanwhile == "a cancellation":
            flush.cancel()
            await asyncio.gather(flush, return_exceptions=True)
            del db.after[table_storage.mark_published]
        after = await service.join(table.id, WREN, 1)
        assert (after.header.published, after.header.message_id) == (1, 70), "a change keeps them"
        service.note_published(after, 71)
        others = [asyncio.create_task(service.flush())] if meanwhile == "another flush" else []
        gate.open()
        await asyncio.gather(flush, *others, return_exceptions=True)
        if not others:
            await service.flush()
        assert (db.header(table.id).published, db.header(table.id).message_id) == (2, 71)

    async def test_a_note_written_while_the_table_is_read_is_not_lost(
        self, service: TableService, db: MemoryDatabase
    ) -> None:
        table = await open_lobby(service, ROBIN)
        service.note_published(table, 70)
        service.cache.evict(table.id)
        db.after[table_storage.load] = gate = Gate()
        reading = asyncio.create_task(service.table(table.id))
        await gate.reached.wait()
        await service.flush()
        gate.open()
        await reading
        assert db.header(table.id).message_id == 70
        assert (await service.table(table.id)).header.message_id == 70

    async def test_the_published_revision_of_another_process_is_seen_after_a_conflict(self, db: MemoryDatabase) -> None:
        one, two = make_service(db), make_service(db)
        table = await open_lobby(one, ROBIN)
        await two.table(table.id)
        one.note_published(await one.join(table.id, WREN, 1), 70)
        await one.flush()
        after = await two.join(table.id, JAY, 2)
        assert (after.header.published, after.header.message_id) == (2, 70)

    async def test_notes_name_the_revision_that_was_shown(self, service: TableService) -> None:
        table = await open_lobby(service, ROBIN)
        await service.join(table.id, WREN, 1)
        service.note_published(table, 70)
        assert service.cache.unwritten() == [PublishedRevision(table.id, 1, 70, replaces=0)]
        now = await service.table(table.id)
        assert (now.header.published, now.header.revision) == (1, 2)
