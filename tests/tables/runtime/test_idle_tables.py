"""Idle tables: put aside, resumed, announced and closed after a month without a move."""

import asyncio
from dataclasses import replace
from datetime import timedelta
from random import Random

import pytest

from bot.features.fairness.verification import make_record
from bot.platform.discord.errors import ChannelUnreachable, DeliveryFailed
from bot.platform.places import Location, Person
from bot.rules.refusals import Refusal
from bot.tables import storage as table_storage
from bot.tables.aside import abandon, keep_open, put_aside, resume
from bot.tables.model import Status
from bot.tables.refusals import HostReason, Stale, refused_table
from bot.tables.service import HostSettings, IdleLimits, TableService
from bot.tables.table import Table
from tests.support.fake_message_sender import FakeMessageSender
from tests.support.fake_table_messages import FakeTableMessages
from tests.support.fakes import (
    GAMES,
    HERE,
    JAY,
    LINNET,
    NEW_CLICKS,
    ROBIN,
    STRANGER,
    WREN,
    FakeClock,
    make_service,
    mover_of,
    open_lobby,
    roll,
    start_game,
)
from tests.support.hosts import Host, MakeHost
from tests.support.memory_database import MemoryDatabase
from tests.support.silent_players import DAY, TWO_MINUTES, check_idle_tables, check_reminders, make_aside_table
from tests.support.waiting import Gate, wait_until
from tests.tables.refusals import refused_for

SOLO = replace(HERE, solo_id=ROBIN.id)


@pytest.fixture
def service(host: Host) -> TableService:
    return host.service


async def reason_of(service: TableService, person: Person = JAY) -> object:
    """Try to open a table, and return why that is refused."""
    with pytest.raises(Refusal) as refused:
        await open_lobby(service, person)
    return refused.value.reason


class TestPuttingAside:
    async def test_a_table_is_put_aside_after_a_day_of_silence(self, service: TableService, clock: FakeClock) -> None:
        table = await start_game(service, ROBIN, WREN)
        clock.tick(DAY)
        service.touch(table.id)  # picking dice ends the silence
        clock.tick(DAY - 1)
        assert await reason_of(service) is HostReason.CHANNEL_TAKEN
        with refused_for(HostReason.CHANNEL_TAKEN):
            await put_aside(service, table.id, HERE.channel_id)
        clock.tick(1)
        assert await reason_of(service) is HostReason.CHANNEL_IDLE
        await put_aside(service, table.id, HERE.channel_id)
        await open_lobby(service, JAY)

    async def test_a_table_put_aside_keeps_its_state_and_its_sealed_seed(
        self, service: TableService, db: MemoryDatabase, clock: FakeClock
    ) -> None:
        before = await roll(service, await start_game(service, ROBIN, WREN))
        texts = db.texts(before.id)
        clock.tick(DAY)
        await put_aside(service, before.id, HERE.channel_id)
        header = db.header(before.id)
        assert (header.status, header.step, header.seed) == (Status.ASIDE, before.header.step, before.header.seed)
        assert header.updated_at == before.header.updated_at, "no move was made"
        assert (db.texts(before.id), db.records[before.id].seats) == (texts, before.seats)
        with pytest.raises(ValueError, match="stays secret"):
            make_record(db.records[before.id], before.package)
        assert db.results == []

    async def test_a_table_put_aside_waits_for_no_player(
        self, host: Host, sender: FakeMessageSender, clock: FakeClock
    ) -> None:
        """A reminder from before is deleted."""
        table = await start_game(host.service, ROBIN, WREN)
        clock.tick(TWO_MINUTES)
        await check_reminders(host)
        assert len(sender.messages) == 1
        clock.tick(DAY)
        await put_aside(host.service, table.id, HERE.channel_id)
        await host.reminders.close()
        assert sender.messages == {}
        aside = await host.service.table(table.id)
        assert (aside.header.to_move, aside.header.awaits_computer) == (None, False)
        clock.tick(600)
        await host.sweep()
        await check_reminders(host)
        assert len(sender.reminded) == 1
        for person in (ROBIN, WREN, STRANGER):
            with refused_for(HostReason.PUT_ASIDE):
                await play_one(host.service, table, person)

    async def test_a_move_at_the_last_moment_keeps_the_table(
        self, service: TableService, db: MemoryDatabase, clock: FakeClock
    ) -> None:
        table = await start_game(service, ROBIN, WREN)
        clock.tick(DAY)
        other = make_service(db, clock=clock)
        db.before[table_storage.save] = gate = Gate()
        aside = asyncio.create_task(put_aside(service, table.id, HERE.channel_id))
        await gate.reached.wait()
        del db.before[table_storage.save]
        await roll(other, await other.table(table.id))
        gate.open()
        with refused_for(HostReason.CHANNEL_TAKEN):
            await aside
        assert db.header(table.id).status is Status.PLAYING

    async def test_lobbies_solo_games_and_tables_of_other_channels_are_not_put_aside(
        self, service: TableService, clock: FakeClock
    ) -> None:
        lobby = await open_lobby(service, ROBIN)
        solo = await start_game(service, ROBIN, location=SOLO)
        clock.tick(DAY)
        assert await reason_of(service) is HostReason.CHANNEL_TAKEN
        with pytest.raises(Refusal):
            await put_aside(service, lobby.id, HERE.channel_id)
        with refused_for(HostReason.SOLO_TAKEN):
            await open_lobby(service, ROBIN, location=SOLO)
        with pytest.raises(Refusal):
            await put_aside(service, solo.id, 71)

    async def test_putting_aside_can_be_turned_off(self, db: MemoryDatabase, clock: FakeClock) -> None:
        service = TableService(
            db, GAMES, clock=clock, settings=HostSettings(idle_limits=IdleLimits(put_aside_after=None))
        )
        await start_game(service, ROBIN, WREN)
        clock.tick(10_000 * DAY)
        assert await reason_of(service) is HostReason.CHANNEL_TAKEN

    async def test_a_table_of_a_removed_game_can_be_put_aside(
        self, service: TableService, db: MemoryDatabase, clock: FakeClock
    ) -> None:
        strange = await start_game(make_service(db, clock=clock), ROBIN, WREN)
        db.tamper(strange.id, lambda record: replace(record, header=replace(record.header, game="chess")))
        assert await reason_of(service) is HostReason.GAME_GONE
        with refused_for(HostReason.GAME_GONE):
            await put_aside(service, strange.id, HERE.channel_id)
        clock.tick(DAY)
        assert await reason_of(service) is HostReason.GAME_GONE_IDLE
        aside = await put_aside(service, strange.id, HERE.channel_id)
        assert aside is not None
        assert aside.status is Status.ASIDE
        assert await put_aside(service, strange.id, HERE.channel_id) is None
        await open_lobby(service, JAY)


async def play_one(service: TableService, table: Table, person: Person) -> None:
    await service.play(table.id, person, table.header.step, "roll 1", next(NEW_CLICKS))


class TestResuming:
    async def test_a_resumed_game_goes_on_where_it_was(
        self, service: TableService, db: MemoryDatabase, clock: FakeClock
    ) -> None:
        before = await roll(service, await start_game(service, ROBIN, WREN))
        clock.tick(DAY)
        await put_aside(service, before.id, HERE.channel_id)
        for process in (service, make_service(db, clock=clock)):
            assert (await process.table(before.id)).header.status is Status.ASIDE
        clock.tick(DAY)
        table = await resume(service, before.id, WREN, is_moderator=False)
        assert (table.header.status, table.header.to_move) == (Status.PLAYING, before.header.to_move)
        assert (table.state, table.header.updated_at) == (before.state, clock())
        with pytest.raises(Stale):
            await resume(service, table.id, ROBIN, is_moderator=False)
        await roll(service, table)
        assert (await make_service(db, clock=clock).table(before.id)).header.status is Status.PLAYING

    async def test_only_its_players_and_moderators_resume_a_table_and_none_that_is_closed(
        self, service: TableService, clock: FakeClock
    ) -> None:
        table = await make_aside_table(service, clock)
        with refused_for(HostReason.NOT_YOURS_TO_RESUME):
            await resume(service, table.id, STRANGER, is_moderator=False)
        await resume(service, table.id, STRANGER, is_moderator=True)
        await service.cancel(table.id, ROBIN, is_moderator=True)
        with refused_for(HostReason.TABLE_OVER):
            await resume(service, table.id, ROBIN, is_moderator=False)

    async def test_a_table_is_resumed_only_in_a_free_channel(self, service: TableService, clock: FakeClock) -> None:
        table = await make_aside_table(service, clock)
        there = await open_lobby(service, JAY, LINNET)
        with pytest.raises(Refusal) as refused:
            await resume(service, table.id, ROBIN, is_moderator=False)
        assert refused.value.reason is HostReason.RESUME_TAKEN
        shown = refused_table(refused.value)
        assert isinstance(shown, Table)
        assert shown.id == there.id
        await service.start(there.id, JAY, next(NEW_CLICKS))
        clock.tick(DAY)
        with refused_for(HostReason.CHANNEL_IDLE):
            await resume(service, table.id, ROBIN, is_moderator=False)
        await put_aside(service, there.id, HERE.channel_id)
        await resume(service, table.id, ROBIN, is_moderator=False)

    async def test_a_held_table_is_held_again_and_its_seed_stays_public(
        self, service: TableService, db: MemoryDatabase, clock: FakeClock, caplog: pytest.LogCaptureFixture
    ) -> None:
        """So is one that no longer replays when it is resumed."""
        table = await roll(service, await start_game(service, ROBIN, WREN))
        entries = db.records[table.id].entries
        db.tamper(table.id, lambda record: replace(record, entries=()))
        held = make_service(db, clock=clock)
        assert (await held.table(table.id)).header.status is Status.HELD
        db.tamper(table.id, lambda record: replace(record, entries=entries))
        clock.tick(DAY)
        await put_aside(held, table.id, HERE.channel_id)
        assert db.header(table.id).status is Status.HELD_ASIDE
        assert make_record(db.records[table.id], table.package).ending == "held"
        aside = await make_aside_table(service, clock)
        fresh = make_service(db, clock=clock)
        resumed = await resume(fresh, table.id, ROBIN, is_moderator=False)
        assert resumed.header.status is Status.HELD, "anyone who knows the seed can predict the rolls"
        await fresh.cancel(table.id, ROBIN, is_moderator=True)
        db.tamper(aside.id, lambda record: replace(record, entries=()))
        resumed = await resume(fresh, aside.id, ROBIN, is_moderator=False)
        caplog.clear()
        assert resumed.header.status is Status.HELD


async def start_old_game(host: Host, clock: FakeClock, days: float = 28) -> Table:
    """Start a game of Robin and Wren, and let time pass: after 28 days its closing is announced."""
    table = await start_game(host.service, ROBIN, WREN)
    clock.tick(days * DAY)
    return table


class TestAbandoning:
    @pytest.mark.parametrize("location", [HERE, SOLO, Location(None, 70)])
    async def test_a_closing_is_announced_once_two_days_ahead(
        self, host: Host, db: MemoryDatabase, sender: FakeMessageSender, clock: FakeClock, location: Location
    ) -> None:
        host.service.entropy = Random(1).randbytes  # a person begins, also against a computer
        others = (WREN,) if location == HERE else ()
        table = await start_game(host.service, ROBIN, *others, location=location)
        closes_at = clock() + timedelta(days=30)
        clock.tick(28 * DAY - 1)
        await check_idle_tables(host)
        assert sender.announced == []
        clock.tick(1)
        for _ in range(3):
            await check_idle_tables(host)
        assert sender.announced == [(table.id, closes_at)]
        clock.tick(2 * DAY - 1)
        await check_idle_tables(host)
        assert db.header(table.id).status is Status.PLAYING
        clock.tick(1)
        await check_idle_tables(host)
        assert db.header(table.id).status is Status.ABANDONED
        assert not db.header(table.id).status.is_seed_secret
        assert db.results == [], "an unfinished table counts nowhere"
        await check_idle_tables(host)
        assert sender.messages == {}, "the announcement has served its purpose"
        assert db.announcements == {}

    async def test_a_table_is_not_closed_after_a_late_move(self, host: Host, clock: FakeClock) -> None:
        """It was idle when it was looked up."""
        table = await start_game(host.service, ROBIN, WREN)
        clock.tick(30 * DAY)
        since = clock()
        clock.tick(1)
        await roll(host.service, table)
        with pytest.raises(Stale):
            await abandon(host.service, table.id, since)

    async def test_tables_put_aside_are_closed_too_even_if_the_channel_cannot_be_told(
        self,
        host: Host,
        db: MemoryDatabase,
        sender: FakeMessageSender,
        clock: FakeClock,
        caplog: pytest.LogCaptureFixture,
    ) -> None:
        caplog.set_level("INFO", "bot.platform.notices.notices")
        table = await make_aside_table(host.service, clock)
        sender.faults = [ChannelUnreachable("the channel is gone")]
        clock.tick(27 * DAY)
        await check_idle_tables(host)
        assert "was not sent or deleted: the channel is gone" in caplog.text
        assert db.header(table.id).status is Status.ASIDE
        clock.tick(2 * DAY)
        await check_idle_tables(host)
        assert db.header(table.id).status is Status.ABANDONED

    async def test_people_have_two_days_even_if_the_bot_was_away_or_the_announcement_failed_for_now(
        self, host: Host, db: MemoryDatabase, sender: FakeMessageSender, clock: FakeClock
    ) -> None:
        table = await start_old_game(host, clock, days=300)
        sender.faults = [DeliveryFailed("503")]
        await check_idle_tables(host)
        assert sender.announced == []
        clock.tick(DAY)
        await check_idle_tables(host)
        assert sender.announced == [(table.id, clock() + timedelta(days=2))]
        clock.tick(2 * DAY - 1)
        await check_idle_tables(host)
        assert db.header(table.id).status is Status.PLAYING
        clock.tick(1)
        await check_idle_tables(host)
        assert db.header(table.id).status is Status.ABANDONED

    @pytest.mark.parametrize("is_aside", [False, True])
    async def test_a_player_who_still_plays_ends_the_silence(
        self, host: Host, db: MemoryDatabase, sender: FakeMessageSender, clock: FakeClock, is_aside: bool
    ) -> None:
        table = await start_old_game(host, clock)
        if is_aside:
            await put_aside(host.service, table.id, HERE.channel_id)
        await check_idle_tables(host)
        awaited_since = db.header(table.id).awaited_since
        other = next(person for person in (ROBIN, WREN) if is_aside or person != mover_of(table))
        kept = await keep_open(host.service, table.id, other)
        assert kept.header.status is (Status.ASIDE if is_aside else Status.PLAYING)
        assert kept.header.awaited_since == awaited_since, "the player to move has been quiet for as long as before"
        await check_idle_tables(host)
        assert sender.messages == {}
        clock.tick(28 * DAY - 1)
        await check_idle_tables(host)
        assert len(sender.announced) == 1
        clock.tick(1)
        await check_idle_tables(host)
        assert len(sender.announced) == 2, "another silence is announced again"

    async def test_a_player_who_moves_during_the_announcement_or_after_it_gets_no_message(
        self, host: Host, make_host: MakeHost, sender: FakeMessageSender, clock: FakeClock
    ) -> None:
        table = await start_old_game(host, clock)
        sender.gate = Gate()
        await host.announcements.check()
        await sender.gate.reached.wait()
        table = await roll(host.service, table)
        await check_idle_tables(make_host())
        sender.gate.open()
        await host.announcements.close()
        assert sender.messages == {}
        clock.tick(28 * DAY)
        await check_idle_tables(host)
        assert len(sender.messages) == 1
        await roll(host.service, table)
        await check_idle_tables(host)
        assert sender.messages == {}

    async def test_a_process_killed_while_announcing_does_not_announce_twice(
        self, host: Host, make_host: MakeHost, db: MemoryDatabase, sender: FakeMessageSender, clock: FakeClock
    ) -> None:
        table, dying = await start_old_game(host, clock), make_host()
        sender.gate = Gate()
        await dying.announcements.check()
        await sender.gate.reached.wait()
        await dying.announcements.close(0)
        sender.gate = None
        await check_idle_tables(host)
        assert sender.announced == []
        clock.tick(2 * DAY)
        await check_idle_tables(host)
        assert db.header(table.id).status is Status.ABANDONED

    async def test_closing_abandoned_tables_can_be_turned_off(
        self, db: MemoryDatabase, table_messages: FakeTableMessages, sender: FakeMessageSender, clock: FakeClock
    ) -> None:
        host = Host(
            db,
            GAMES,
            table_messages,
            sender,
            clock=clock,
            settings=HostSettings(idle_limits=IdleLimits(abandon_after=None)),
        )
        await start_game(host.service, ROBIN, WREN)
        clock.tick(10_000 * DAY)
        await check_idle_tables(host)
        assert sender.announced == []
        await host.close()

    async def test_the_chores_announce(self, host: Host, sender: FakeMessageSender, clock: FakeClock) -> None:
        table = await start_old_game(host, clock)
        host.start()
        await wait_until(lambda: sender.announced)
        assert [table_id for table_id, _ in sender.announced] == [table.id]
