"""Choices about pings, and what they make of due reminders, on every database."""

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest

from bot.features.reminders import storage as reminder_storage
from bot.features.reminders.model import (
    DELAYS,
    PersonPings,
    PingChoice,
    PingMode,
    QuietHours,
    Reminder,
    ReminderStage,
)
from bot.features.reminders.storage import REMINDER
from bot.features.settings import storage as setting_storage
from bot.features.settings.all_settings import REMINDERS
from bot.platform.database.database import Database
from bot.platform.notices import storage as notice_storage
from bot.tables import storage as table_storage
from bot.tables.model import STOPPED, ClockState, Header, Status, TableUpdate, TurnClock
from bot.tables.saving import save_change
from tests.store.samples import COMPUTER, NOON, ROBIN, WREN, Connect, make_header, revise

MINUTE, DAY = timedelta(minutes=1), timedelta(days=1)
AT_ONCE, DIRECT, OFF = PingChoice(PingMode.MENTION, 0), PingChoice(PingMode.DIRECT, 5), PingChoice(PingMode.OFF)
IN_BERLIN = QuietHours("Europe/Berlin", 22, 7)


async def open_waiting_table(db: Database, channel_id: int = 7, clock: ClockState = STOPPED) -> Header:
    """Open a table that waits for Robin."""
    header = make_header(channel_id, Status.PLAYING)
    return await db.write(
        table_storage.open_table, replace(header, to_move=0, step=3, salt="ab", clock=clock), [ROBIN, WREN, COMPUTER]
    )


async def due_tables(db: Database, minutes: int) -> list[int]:
    now = NOON + minutes * MINUTE
    until = {delay: now - delay * MINUTE for delay in DELAYS}
    return [
        reminder.table_id
        for reminder in await db.read(reminder_storage.find_due, db.shards, {"magpie"}, now - DAY, until, 9)
    ]


def remind(
    table: Header,
    *,
    at: timedelta = timedelta(),
    message_id: int | None = None,
    stage: ReminderStage = ReminderStage.TURN,
) -> Reminder:
    """Return a reminder of a table that is noted some time after noon."""
    channel_id = table.location.channel_id
    return Reminder(table.id, channel_id, 0, 3, NOON, noted_at=NOON + at, message_id=message_id, stage=stage)


async def open_two(db: Database) -> list[Header]:
    return [await open_waiting_table(db, 70 + number) for number in range(2)]


class TestChoices:
    async def test_who_has_chosen_nothing_has_the_usual(self, db: Database) -> None:
        pings = await db.read(reminder_storage.find_choices, 11, 1, 3)
        assert pings == PersonPings()
        assert pings.choice == PingChoice(PingMode.MENTION, 2)

    async def test_choices_are_kept_by_person_and_table(self, connect: Connect) -> None:
        db, other = await connect(), await connect()
        table = await open_waiting_table(db)
        await asyncio.gather(
            db.write(reminder_storage.choose, 11, 0, OFF), other.write(reminder_storage.choose, 11, 0, OFF)
        )
        await db.write(reminder_storage.choose, 11, table.id, DIRECT)
        await db.write(reminder_storage.choose, 12, 0, AT_ONCE)
        await db.write(reminder_storage.choose_quiet_hours, 11, IN_BERLIN)
        assert await other.read(reminder_storage.find_choices, 11, table.id, 3) == PersonPings(OFF, DIRECT, IN_BERLIN)
        assert await other.read(reminder_storage.find_choices, 11, 0, 3) == PersonPings(OFF, None, IN_BERLIN)
        await db.write(reminder_storage.choose, 11, table.id, None)
        await db.write(reminder_storage.choose_quiet_hours, 11, None)
        assert await other.read(reminder_storage.find_choices, 11, table.id, 3) == PersonPings(OFF)

    async def test_a_choice_for_a_table_ends_with_it(self, db: Database) -> None:
        over, aside = await open_waiting_table(db), await open_waiting_table(db, 8)
        for table in (over, aside):
            await db.write(reminder_storage.choose, 11, table.id, DIRECT)
        await save_change(db, TableUpdate(revise(over, Status.FINISHED)))
        await save_change(db, TableUpdate(revise(aside, Status.ASIDE)))
        await db.write(reminder_storage.choose, 11, 0, OFF)
        assert (await db.read(reminder_storage.find_choices, 11, over.id, 3)).here is None
        assert (await db.read(reminder_storage.find_choices, 11, aside.id, 3)).here == DIRECT

    async def test_refused_direct_messages_are_remembered_until_chosen_again(self, db: Database) -> None:
        await db.write(reminder_storage.choose_quiet_hours, 11, IN_BERLIN)
        await db.maintain(reminder_storage.note_refused_direct, 11)
        await db.write(reminder_storage.choose, 11, 0, AT_ONCE)
        assert await db.read(reminder_storage.find_choices, 11, 0, 3) == PersonPings(
            AT_ONCE, quiet=IN_BERLIN, refuses_direct=True
        )
        await db.write(reminder_storage.choose, 11, 0, DIRECT)
        assert not (await db.read(reminder_storage.find_choices, 11, 0, 3)).refuses_direct

    async def test_the_server_says_whether_people_may_be_mentioned(self, db: Database) -> None:
        await db.write(setting_storage.change, 3, REMINDERS, lambda _: False)
        for guild_id, may_mention in ((3, False), (4, True), (None, True)):
            pings = await db.read(reminder_storage.find_choices, 11, 0, guild_id)
            assert pings.may_mention is may_mention


class TestDue:
    async def test_each_person_is_reminded_after_the_silence_they_chose(self, db: Database) -> None:
        table = await open_waiting_table(db)
        for choice, minutes in ((None, 2), (AT_ONCE, 0), (DIRECT, 5), (PingChoice(PingMode.MENTION, 240), 240)):
            await db.write(reminder_storage.choose, 11, 0, choice)
            assert await due_tables(db, minutes) == [table.id]
            assert not minutes or await due_tables(db, minutes - 1) == []

    async def test_a_choice_for_the_table_goes_before_the_one_for_all(self, db: Database) -> None:
        here, there = await open_waiting_table(db), await open_waiting_table(db, 8)
        await db.write(reminder_storage.choose, 11, 0, OFF)
        await db.write(reminder_storage.choose, 12, there.id, AT_ONCE)
        assert await due_tables(db, 9) == []
        await db.write(reminder_storage.choose, 11, here.id, DIRECT)
        assert await due_tables(db, 9) == [here.id]

    async def test_where_reminders_are_off_only_direct_messages_are_due(self, db: Database) -> None:
        await db.write(setting_storage.change, 3, REMINDERS, lambda _: False)
        table = await open_waiting_table(db)
        await db.write(reminder_storage.choose, 11, 0, AT_ONCE)
        assert await due_tables(db, 9) == []
        await db.write(reminder_storage.choose, 11, 0, DIRECT)
        assert await due_tables(db, 9) == [table.id]


class TestOneAtATime:
    """Robin is to move at all these tables."""

    async def test_of_the_tables_that_wait_for_a_person_the_longest_waiting_is_due(self, db: Database) -> None:
        first, second = await open_two(db)
        await db.write(reminder_storage.choose, 11, first.id, PingChoice(PingMode.MENTION, 5))
        assert await due_tables(db, 2) == [second.id]
        assert await due_tables(db, 5) == [first.id]

    @pytest.mark.parametrize("stage", [ReminderStage.TURN, ReminderStage.HALF_TIME])
    async def test_who_has_a_ping_gets_no_other_until_it_is_removed(self, db: Database, stage: ReminderStage) -> None:
        first, second = await open_two(db)
        ping = remind(first, at=DAY, message_id=70, stage=stage)
        assert await db.maintain(reminder_storage.claim, ping)
        assert await db.maintain(notice_storage.set_message, REMINDER, ping)
        other = remind(second, at=DAY)
        assert await due_tables(db, 1000) == []
        assert not await db.maintain(reminder_storage.claim, other)
        await save_change(db, TableUpdate(replace(revise(first, Status.CANCELLED), awaited_since=NOON + MINUTE)))
        assert not await db.maintain(reminder_storage.claim, other), "its message is still there"
        await db.maintain(notice_storage.note_removed, REMINDER, ping)
        assert await due_tables(db, 1000) == [second.id]
        assert await db.maintain(reminder_storage.claim, other)

    async def test_of_two_processes_one_pings_a_person(self, connect: Connect) -> None:
        stores = await connect(), await connect()
        for person in range(100, 105):
            mover = replace(ROBIN, user_id=person)
            wanted = []
            for number in range(2):
                header = replace(make_header(10 * person + number, Status.PLAYING), to_move=0, step=3, salt="ab")
                table = await stores[0].write(table_storage.open_table, header, [mover, WREN])
                wanted.append(remind(table, at=MINUTE))
            claims = (db.maintain(reminder_storage.claim, ping) for db, ping in zip(stores, wanted, strict=True))
            assert sorted(await asyncio.gather(*claims)) == [False, True]

    async def test_a_turn_clock_is_told_of_beside_a_ping(self, db: Database) -> None:
        first, second = await open_two(db)
        assert await db.maintain(reminder_storage.claim, remind(first, message_id=70))
        for stage in (ReminderStage.HALF_TIME, ReminderStage.TIME_UP):
            assert await db.maintain(reminder_storage.claim, remind(second, stage=stage))

    async def test_a_question_to_the_others_holds_no_ping_back(self, db: Database) -> None:
        first, second = await open_two(db)
        asked = remind(first, message_id=70, stage=ReminderStage.TIME_UP)
        assert await db.maintain(reminder_storage.claim, asked)
        assert await db.maintain(notice_storage.set_message, REMINDER, asked)
        assert await due_tables(db, 2) == [second.id]

    async def test_a_ping_that_may_never_have_been_sent_holds_others_back_for_five_minutes(self, db: Database) -> None:
        first, second = await open_two(db)
        assert await db.maintain(
            reminder_storage.claim,
            remind(first, at=2 * MINUTE),
        )
        other = remind(second, at=7 * MINUTE)
        assert await due_tables(db, 6) == []
        assert not await db.maintain(reminder_storage.claim, replace(other, noted_at=NOON + 6 * MINUTE))
        assert await due_tables(db, 7) == [second.id]
        assert await db.maintain(reminder_storage.claim, other)

    async def test_a_ping_that_waits_for_the_end_of_quiet_hours_is_a_persons_one(self, db: Database) -> None:
        first, second = await open_two(db)
        held = replace(remind(first), send_at=NOON + 500 * MINUTE)
        assert await db.maintain(reminder_storage.claim, held)
        assert await due_tables(db, 400) == []
        assert await db.maintain(reminder_storage.release, replace(held, noted_at=NOON + 500 * MINUTE))
        assert await due_tables(db, 501) == [], "it is on its way"
        assert await due_tables(db, 505) == [second.id]


class TestHeld:
    async def test_a_held_reminder_is_released_by_one_of_two_processes(self, connect: Connect) -> None:
        stores = await connect(), await connect()
        table = await open_waiting_table(stores[0])
        held = replace(remind(table), send_at=NOON + MINUTE)
        assert await stores[0].maintain(reminder_storage.claim, held)
        assert await stores[1].read(reminder_storage.find_held, stores[1].shards, NOON, 9) == []
        assert await stores[1].read(reminder_storage.find_held, stores[1].shards, NOON + MINUTE, 9) == [held]
        releases = (db.maintain(reminder_storage.release, held) for db in stores)
        assert sorted(await asyncio.gather(*releases)) == [False, True]
        assert await stores[0].read(reminder_storage.find_held, stores[0].shards, NOON + DAY, 9) == []
        assert await stores[0].read(reminder_storage.find, table.id) == replace(held, send_at=None)


class TestStages:
    UP = ClockState(TurnClock.TEN_MINUTES, NOON + 10 * MINUTE, is_up=True)

    async def test_a_later_stage_replaces_an_earlier_one_once(self, connect: Connect) -> None:
        stores = await connect(), await connect()
        db, table = stores[0], await open_waiting_table(stores[0], clock=self.UP)
        turn = remind(table)
        assert await db.maintain(reminder_storage.claim, turn)
        turn = replace(turn, message_id=70, channel_id=900)
        assert await db.maintain(notice_storage.set_message, REMINDER, turn)
        for stage in (ReminderStage.HALF_TIME, ReminderStage.TIME_UP):
            later = remind(table, at=MINUTE, stage=stage)
            claims = (each.maintain(reminder_storage.claim, later) for each in stores)
            assert sorted(await asyncio.gather(*claims)) == [False, True]
            assert await db.read(reminder_storage.find, table.id) == later
        assert not await db.maintain(notice_storage.set_message, REMINDER, turn), (
            "its message belongs to no reminder any more"
        )
        assert not await db.maintain(reminder_storage.claim, turn)

    async def test_a_question_lapses_once_it_is_decided_and_can_be_asked_again(self, db: Database) -> None:
        table = await open_waiting_table(db, clock=self.UP)
        asked = remind(table, message_id=71, stage=ReminderStage.TIME_UP)
        assert await db.maintain(reminder_storage.claim, asked)
        assert await db.maintain(notice_storage.set_message, REMINDER, asked)
        assert await db.read(notice_storage.find_lapsed, db.shards, REMINDER, 9) == []
        waiting = replace(table, revision=2, clock=replace(self.UP, is_up=False))
        await save_change(db, TableUpdate(waiting))
        assert await db.read(notice_storage.find_lapsed, db.shards, REMINDER, 9) == [asked]
        await db.maintain(notice_storage.note_removed, REMINDER, asked)
        assert await db.read(notice_storage.find_lapsed, db.shards, REMINDER, 9) == []
        await save_change(db, TableUpdate(replace(waiting, revision=3, clock=self.UP)))
        assert await db.maintain(reminder_storage.claim, asked)
