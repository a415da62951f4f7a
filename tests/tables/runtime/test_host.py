"""The host: resuming tables at the start, saving published revisions, and closing."""

import asyncio
import logging
import threading
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from typing import Any

import pytest

import bot.platform.jobs.looks
import bot.tables.host
from bot.features.settings.service import SettingsCache
from bot.games.magpie import PACKAGE as MAGPIE
from bot.games.magpie.pieces import Roll, State
from bot.platform.discord.errors import ChannelUnreachable, DeliveryFailed
from bot.platform.places import Location
from bot.tables import storage as table_storage, sweep
from bot.tables.model import PublishedRevision, Status
from bot.tables.registry import GameRegistry
from bot.tables.service import HostSettings
from bot.tables.table import Table
from tests.support.apps import make_app, make_table_messages
from tests.support.fake_message_sender import FakeMessageSender
from tests.support.fake_table_messages import FakeTableMessages, ShowAction
from tests.support.fakes import (
    GAMES,
    NEW_CLICKS,
    ROBIN,
    WREN,
    FakeClock,
    FakeClockAhead,
    make_service,
    open_lobby,
    roll,
    start_game,
)
from tests.support.hosts import Host
from tests.support.memory_database import MemoryDatabase
from tests.support.silent_players import DAY
from tests.support.waiting import Gate, wait_until

ELSEWHERE = Location(3, 71)


@pytest.fixture
async def host(db: MemoryDatabase, table_messages: FakeTableMessages) -> AsyncIterator[Host]:
    made = Host(db, GAMES, table_messages, FakeMessageSender())
    yield made
    db.broken = set()
    await made.close()


def messages_of_table(table_messages: FakeTableMessages, table_id: int) -> list[int]:
    return [shown.revision for shown in table_messages.shown if shown.table_id == table_id]


async def sweep_and_show(host: Host) -> None:
    await host.sweep()
    await host.publisher.close()


async def mark_shown(db: MemoryDatabase, table: Table) -> None:
    """Note on disk that the newest revision of a table was shown."""
    await db.maintain(table_storage.mark_published, [PublishedRevision(table.id, table.header.revision, 70)])


def _only_one_die_for_the_second(view: State) -> Roll | None:
    """Act as if the second seat could do nothing else."""
    return Roll((1,)) if view.mover == 1 else None


class TestSweep:
    async def test_the_sweep_shows_changes_that_an_earlier_run_left_unshown_and_no_others(
        self, host: Host, db: MemoryDatabase, table_messages: FakeTableMessages
    ) -> None:
        tables = [await open_lobby(make_service(db), ROBIN, location=Location(3, channel)) for channel in range(3)]
        await mark_shown(db, await start_game(make_service(db), location=ELSEWHERE))
        for _ in range(2):
            await sweep_and_show(host)
        assert sorted(each.table_id for each in table_messages.shown) == [table.id for table in tables]
        assert list(await db.read(sweep.find_pending, db.shards, {"magpie"}, 0, 9)) == []

    async def test_a_table_that_the_process_before_has_just_opened_is_left_to_it_for_some_seconds(
        self, db: MemoryDatabase, table_messages: FakeTableMessages
    ) -> None:
        clock = FakeClock()
        host = Host(db, GAMES, table_messages, FakeMessageSender(), clock=clock)
        host.follow()
        table = await open_lobby(make_service(db, clock=clock), ROBIN)
        await sweep_and_show(host)
        assert table_messages.shown == []
        clock.tick(5)
        await host.sweep()
        await host.close()
        assert [shown.table_id for shown in table_messages.shown] == [table.id]

    async def test_the_sweep_shows_a_table_again_that_two_processes_have_shown(
        self, host: Host, db: MemoryDatabase, table_messages: FakeTableMessages
    ) -> None:
        other = make_service(db, clock=host.service.clock)
        table = await start_game(other, ROBIN, WREN)
        seen = await host.service.table(table.id)
        after = await roll(other, table)
        other.note_published(after, 70)
        await other.flush()
        host.service.note_published(seen, 70)
        await sweep_and_show(host)
        assert messages_of_table(table_messages, table.id) == [after.header.revision]

    async def test_a_table_that_moves_on_during_the_sweep_is_not_replayed(
        self, db: MemoryDatabase, table_messages: FakeTableMessages, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        clock = FakeClock()
        host = Host(db, GAMES, table_messages, FakeMessageSender(), clock=clock)
        table = await start_game(host.service, ROBIN, WREN)
        # What it shows late may make it look at the table on disk.
        await host.publisher.close()
        monkeypatch.setattr(sweep, "find_pending", lambda *_: [table.id])
        db.before[sweep.find_pending] = gate = Gate()
        sweeping = asyncio.create_task(host.sweep())
        await gate.reached.wait()
        clock.tick(1)
        moved = await roll(host.service, table)
        host.service.note_published(moved, 70)
        gate.open()
        await sweeping
        assert (await host.service.table(table.id)).state is moved.state
        await host.close()

    async def test_the_sweep_ends_a_turn_that_a_killed_process_did_not(
        self, db: MemoryDatabase, table_messages: FakeTableMessages
    ) -> None:
        games = GameRegistry([replace(MAGPIE, mind=replace(MAGPIE.mind, find_forced_end=_only_one_die_for_the_second))])
        table = await start_game(make_service(db, games), ROBIN, WREN)
        while table.header.to_move != 1:
            table = await roll(make_service(db, games), table)
        await mark_shown(db, table)
        host = Host(db, games, table_messages, FakeMessageSender(), HostSettings(computer_pause=0))
        assert not (await host.service.table(table.id)).header.awaits_computer, "its player has a button meanwhile"
        await host.sweep()
        await wait_until(lambda: db.header(table.id).step > table.header.step)
        await host.computer_players.tasks.finish()  # the saved table is put into memory after the save
        assert db.texts(table.id)[-1] == "roll 1"
        ended = (await host.service.table(table.id)).news
        assert (await host.service.reload(table.id)).news == ended, "a replay tells the same"
        assert [move.by_itself for move in ended if move.seat == 1] == [True]
        await host.close()

    @pytest.mark.parametrize(
        ("faults", "attempts", "shown"),
        [([DeliveryFailed("500")] * 2, 3, [1]), ([ChannelUnreachable("gone")] * 5, 1, [])],
    )
    async def test_the_sweep_retries_temporary_failures_and_no_unreachable_channels(
        self,
        host: Host,
        table_messages: FakeTableMessages,
        faults: list[Exception],
        attempts: int,
        shown: list[int],
    ) -> None:
        table_messages.faults[ShowAction.POST] = [*faults]
        await open_lobby(host.service, ROBIN)
        await host.publisher.close()
        for _ in range(3):
            await sweep_and_show(host)
        assert table_messages.revisions == shown
        assert len(table_messages.asked) == attempts

    async def test_the_sweep_holds_and_announces_tables_that_do_not_replay(
        self, host: Host, db: MemoryDatabase, table_messages: FakeTableMessages, caplog: pytest.LogCaptureFixture
    ) -> None:
        service = make_service(db)
        table = await roll(service, await start_game(service))
        db.tamper(table.id, lambda record: replace(record, entries=()))
        await sweep_and_show(host)
        assert [shown.status for shown in table_messages.shown] == [Status.HELD]
        caplog.clear()

    async def test_the_sweep_takes_a_bounded_number_at_a_time(
        self, host: Host, db: MemoryDatabase, table_messages: FakeTableMessages, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(bot.tables.host, "PAGE_SIZE", 2)
        for channel in range(5):
            await open_lobby(make_service(db, clock=FakeClockAhead()), ROBIN, location=Location(3, channel))
        counts = []
        for _ in range(3):
            await host.sweep()
            await host.publisher.close()
            counts.append(len(table_messages.shown))
        assert counts == [2, 4, 5]


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Chores without long pauses."""
    monkeypatch.setattr(bot.platform.jobs.looks, "ROUND_SECONDS", 0.002)
    monkeypatch.setattr(bot.tables.host, "SWEEP_SECONDS", 0.01)


def running_chores() -> list[asyncio.Task[Any]]:
    return [task for task in asyncio.all_tasks() if task.get_name().startswith("chores")]


@pytest.mark.usefixtures("quick")
class TestBackgroundWork:
    async def test_starting_sweeps_at_once_and_then_regularly(
        self, host: Host, db: MemoryDatabase, table_messages: FakeTableMessages
    ) -> None:
        first = await open_lobby(make_service(db), ROBIN)
        host.start()
        await wait_until(lambda: db.header(first.id).message_id)
        second = await open_lobby(make_service(db), WREN, location=ELSEWHERE)
        await wait_until(lambda: db.header(second.id).message_id)
        assert len(table_messages.shown) == 2

    async def test_what_a_process_leaves_that_hands_over_is_taken_up_before_the_next_regular_sweep(
        self, host: Host, db: MemoryDatabase, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(bot.tables.host, "SWEEP_SECONDS", 3600)
        monkeypatch.setattr(bot.tables.host, "FOLLOWING_SWEEP_SECONDS", 0.002)
        first = await open_lobby(make_service(db), ROBIN)
        host.start()
        await wait_until(lambda: db.header(first.id).message_id)
        settings = SettingsCache(db)
        make_app(host, db, settings, make_table_messages(settings)).follow_other_process()
        second = await open_lobby(make_service(db), WREN, location=ELSEWHERE)
        await wait_until(lambda: db.header(second.id).message_id)

    async def test_starting_twice_is_harmless(self, host: Host, db: MemoryDatabase) -> None:
        host.start()
        (chores,) = running_chores()
        host.start()
        assert running_chores() == [chores]

    @pytest.mark.parametrize("broken", [sweep.find_pending, table_storage.load, table_storage.mark_published])
    async def test_background_work_goes_on_when_the_database_is_back(
        self,
        host: Host,
        db: MemoryDatabase,
        table_messages: FakeTableMessages,
        caplog: pytest.LogCaptureFixture,
        broken: Callable[..., object],
    ) -> None:
        caplog.set_level(logging.DEBUG, "bot.platform.jobs.looks")
        table = await open_lobby(make_service(db), ROBIN)
        db.broken = {broken}
        host.start()
        if broken is table_storage.mark_published:
            host.service.note_published(await host.service.table(table.id), 70)
        await wait_until(lambda: "the chores wait for the database" in caplog.text)
        db.broken = set()
        await wait_until(lambda: db.header(table.id).message_id)
        caplog.clear()


async def test_a_game_is_prepared_once_in_a_thread_at_its_first_table(
    db: MemoryDatabase, table_messages: FakeTableMessages
) -> None:
    prepared: list[threading.Thread] = []
    package = replace(MAGPIE, mind=replace(MAGPIE.mind, prepare=lambda: prepared.append(threading.current_thread())))
    host = Host(db, GameRegistry([package]), table_messages, FakeMessageSender())
    assert prepared == []
    for channel in (70, 71):
        await open_lobby(host.service, ROBIN, location=Location(1, channel))
    await wait_until(lambda: prepared)
    await host.close()
    (thread,) = prepared
    assert thread is not threading.main_thread()


class TestClosing:
    async def test_closing_finishes_edits_and_writes_their_notes(
        self, db: MemoryDatabase, table_messages: FakeTableMessages
    ) -> None:
        host = Host(db, GAMES, table_messages, FakeMessageSender())
        host.start()
        table = await open_lobby(host.service, ROBIN)
        await host.close()
        assert (db.header(table.id).published, db.header(table.id).message_id) == (
            1,
            table_messages.shown[0].message_id,
        )
        others = asyncio.all_tasks() - {asyncio.current_task()}
        assert {task.get_name() for task in others if not task.done()} == set()

    async def test_what_others_change_while_closing_is_left_to_the_next_start(self, host: Host) -> None:
        table = await open_lobby(host.service, ROBIN)

        async def change_late(_: float) -> None:
            await wait_until(lambda: host.publisher.tasks.is_idle)
            host.publisher.wake(table.id)

        await host.close(change_late)
        assert host.publisher.tasks.is_idle

    async def test_closing_shows_a_change_being_saved_for_a_cancelled_caller(
        self, db: MemoryDatabase, table_messages: FakeTableMessages, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(bot.tables.host, "FINISH_SECONDS", 60.0)
        monkeypatch.setattr(bot.tables.host, "SHOW_SECONDS", 60.0)
        host = Host(db, GAMES, table_messages, FakeMessageSender())
        table = await open_lobby(host.service, ROBIN)
        await host.publisher.tasks.finish()
        gate = db.after[table_storage.save] = Gate()
        joining = asyncio.create_task(host.service.join(table.id, WREN, next(NEW_CLICKS)))
        await gate.reached.wait()
        joining.cancel()
        closing = asyncio.create_task(host.close())
        for _ in range(20):
            await asyncio.sleep(0)
        gate.open()
        await closing
        assert table_messages.revisions[-1] == 2

    async def test_closing_finishes_an_announcement_being_sent(
        self, db: MemoryDatabase, table_messages: FakeTableMessages
    ) -> None:
        clock, sender = FakeClock(), FakeMessageSender()
        host = Host(db, GAMES, table_messages, sender, clock=clock)
        table = await start_game(host.service)
        clock.tick(28 * DAY)
        sender.gate = Gate()
        await host.announcements.check()
        await sender.gate.reached.wait()
        closing = asyncio.create_task(host.close())
        for _ in range(20):
            await asyncio.sleep(0)
        sender.gate.open()
        await closing
        assert db.announcements[table.id].message_id in sender.messages

    @pytest.mark.parametrize("is_broken", [True, False])
    async def test_closing_without_the_database_says_what_is_not_stored(
        self,
        db: MemoryDatabase,
        table_messages: FakeTableMessages,
        caplog: pytest.LogCaptureFixture,
        monkeypatch: pytest.MonkeyPatch,
        *,
        is_broken: bool,
    ) -> None:
        monkeypatch.setattr(bot.tables.host, "WRITE_SECONDS", 0.01)
        host = Host(db, GAMES, table_messages, FakeMessageSender())
        table = await open_lobby(host.service, ROBIN)
        await host.publisher.close()
        host.service.note_published(table, 70)
        if is_broken:
            db.broken = {table_storage.mark_published}
        else:
            db.before[table_storage.mark_published] = Gate()
        await host.close()
        reason = "mark_published is broken" if is_broken else "the database did not answer in time"
        assert caplog.messages == [
            f"what is shown could not be stored; the next start refreshes those tables: {reason}"
        ]

    async def test_a_host_that_was_never_started_closes(
        self, db: MemoryDatabase, table_messages: FakeTableMessages
    ) -> None:
        await Host(db, GAMES, table_messages, FakeMessageSender()).close()
        assert db.calls == []
