"""Due, claimed and lapsed reminders, on every database."""

import asyncio
from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from bot.features.reminders import storage as reminder_storage
from bot.features.reminders.model import Reminder
from bot.features.reminders.storage import REMINDER
from bot.platform.database.database import Database
from bot.platform.notices import storage as notice_storage
from bot.platform.places import Location
from bot.tables import storage as table_storage
from bot.tables.model import Entry, Header, Status, TableUpdate
from bot.tables.saving import save_change
from tests.store.samples import COMPUTER, NOON, ROBIN, WREN, Connect, load_header, make_header

MINUTE, DAY = timedelta(minutes=1), timedelta(days=1)
LATER = NOON + 2 * MINUTE


def make_waiting_header(channel_id: int = 7, *, at: datetime = NOON) -> Header:
    """A table that waits for the person in seat 0."""
    return replace(make_header(channel_id, Status.PLAYING, at=at), to_move=0, step=3, salt="ab")


async def open_table(db: Database, header: Header, mover_id: int | None = None) -> Header:
    """Open a table where Robin, or another person, is to move."""
    mover = ROBIN if mover_id is None else replace(ROBIN, user_id=mover_id)
    return await db.write(table_storage.open_table, header, [mover, WREN, COMPUTER])


async def due_tables(db: Database, now: datetime = LATER, limit: int = 9) -> list[int]:
    return [
        reminder.table_id
        for reminder in await db.read(
            reminder_storage.find_due, db.shards, {"magpie"}, now - DAY, {2: now - 2 * MINUTE}, limit
        )
    ]


async def lapsed(db: Database, most: int = 9) -> list[Reminder]:
    return list(await db.read(notice_storage.find_lapsed, db.shards, REMINDER, most))


async def note_reminder(db: Database, header: Header) -> Reminder:
    """Decide to remind of a table that waits."""
    reminder = Reminder(header.id, header.location.channel_id, 0, header.step, header.awaited_since, noted_at=LATER)
    assert await db.maintain(reminder_storage.claim, reminder)
    return reminder


async def keep_reminder(db: Database, header: Header, message_id: int = 70) -> Reminder:
    reminder = replace(await note_reminder(db, header), message_id=message_id)
    assert await db.maintain(notice_storage.set_message, REMINDER, reminder)
    return reminder


def header_after_entry(
    header: Header, seat: int, text: str, *, to_move: int | None, heard: bool = True
) -> tuple[Header, Entry]:
    """The header after an entry of a seat."""
    at = LATER + timedelta(seconds=header.step)
    after = replace(
        header,
        step=header.step + 1,
        revision=header.revision + 1,
        to_move=to_move,
        updated_at=at,
        awaited_since=at if heard else header.awaited_since,
    )
    return after, Entry(after.step, seat, text, "d", None, at)


async def save_entry(db: Database, header: Header, seat: int, text: str, to_move: int, *, heard: bool) -> Header:
    after, entry = header_after_entry(header, seat, text, to_move=to_move, heard=heard)
    await save_change(db, TableUpdate(after, entry))
    return after


class TestDueReminders:
    async def test_a_due_table_comes_with_everything_needed(self, db: Database) -> None:
        header = await open_table(db, make_waiting_header())
        due = Reminder(header.id, header.location.channel_id, 0, 3, NOON, noted_at=NOON)
        assert await db.read(reminder_storage.find_due, db.shards, {"magpie"}, NOON - DAY, {2: NOON}, 9) == [due]
        assert await db.read(reminder_storage.find_due, db.shards, {"chess"}, NOON - DAY, {2: NOON}, 9) == []

    async def test_silence_must_last_two_minutes_and_less_than_a_day(self, db: Database) -> None:
        header = await open_table(db, make_waiting_header())
        assert await due_tables(db, LATER - timedelta(microseconds=1)) == []
        assert await due_tables(db, LATER) == [header.id]
        assert await due_tables(db, NOON + DAY - timedelta(microseconds=1)) == [header.id]
        assert await due_tables(db, NOON + DAY) == []

    async def test_other_tables_are_not_due(self, db: Database) -> None:
        others = (
            replace(make_waiting_header(), awaits_computer=True),
            replace(make_waiting_header(), location=Location(3, 7, solo_id=11)),
            replace(make_waiting_header(), location=Location(None, 9)),
            *(make_header(10 + at, status) for at, status in enumerate(Status) if status is not Status.PLAYING),
        )
        for other in others:
            await open_table(db, other)
        ours = await open_table(db, make_waiting_header(8))
        assert await due_tables(db) == [ours.id]

    async def test_the_number_of_due_tables_is_bounded_longest_silence_first(self, db: Database) -> None:
        opened_at = [
            (await open_table(db, make_waiting_header(channel, at=NOON - channel * MINUTE), 100 + channel)).id
            for channel in (1, 3, 2)
        ]
        first, third, second = opened_at
        assert await due_tables(db) == [third, second, first]
        assert await due_tables(db, limit=2) == [third, second]


class TestClaimedReminders:
    async def test_of_two_processes_one_notes_the_reminder(self, connect: Connect) -> None:
        stores = await connect(), await connect()
        for channel in range(1, 6):
            header = await open_table(stores[0], make_waiting_header(channel), 100 + channel)
            wanted = Reminder(header.id, header.location.channel_id, 0, 3, NOON, noted_at=LATER)
            claims = (each.maintain(reminder_storage.claim, wanted) for each in stores)
            assert sorted(await asyncio.gather(*claims)) == [False, True]

    async def test_a_player_who_acted_meanwhile_is_not_reminded(self, db: Database) -> None:
        header = await open_table(db, make_waiting_header())
        for seat, since in ((1, NOON), (0, NOON - MINUTE)):
            late = Reminder(header.id, header.location.channel_id, seat, 3, since, noted_at=LATER)
            assert not await db.maintain(reminder_storage.claim, late)
        assert await due_tables(db) == [header.id]

    async def test_a_reminder_that_lapsed_meanwhile_stores_no_message(self, db: Database) -> None:
        header = await open_table(db, make_waiting_header())
        reminder = await note_reminder(db, header)
        await save_entry(db, header, 0, "roll 1", 0, heard=True)
        await db.maintain(notice_storage.note_removed, REMINDER, reminder)
        assert not await db.maintain(notice_storage.set_message, REMINDER, replace(reminder, message_id=70))


class TestLapsing:
    async def test_asking_for_a_computer_does_not_end_a_silence(self, db: Database) -> None:
        header = await open_table(db, make_waiting_header())
        await keep_reminder(db, header)
        await save_entry(db, header, 1, "!ask 0", 0, heard=False)
        assert await lapsed(db) == []

    async def test_a_finished_table_forgets_its_reminder(self, db: Database) -> None:
        for channel, status in enumerate(Status, 10):
            if status is not Status.PLAYING:
                header = await open_table(db, make_waiting_header(channel))
                reminder = await keep_reminder(db, header)
                over = replace(header, status=status, to_move=None, revision=2, awaited_since=LATER)
                await save_change(db, TableUpdate(over))
                assert await lapsed(db) == [reminder]
                await db.maintain(notice_storage.note_removed, REMINDER, reminder)
                assert await lapsed(db) == []

    async def test_a_turn_is_reminded_of_once_even_if_it_goes_on(self, db: Database) -> None:
        header = await open_table(db, make_waiting_header())
        reminder = await keep_reminder(db, header)
        assert await due_tables(db) == []
        assert not await db.maintain(reminder_storage.claim, reminder)
        assert await lapsed(db) == []
        header = await save_entry(db, header, 0, "roll 1", 0, heard=True)
        assert await lapsed(db) == [reminder]
        await db.maintain(notice_storage.note_removed, REMINDER, reminder)
        assert await lapsed(db) == []
        assert await due_tables(db, LATER + 9 * MINUTE) == []

    @pytest.mark.parametrize(
        ("text", "is_over"), [("roll 1", True), ("!undo", True), ("!resign", False), ("!back", False)]
    )
    async def test_a_reminder_lapses_when_another_seat_has_moved(self, db: Database, text: str, is_over: bool) -> None:
        header = await open_table(db, make_waiting_header())
        reminder = await keep_reminder(db, header)
        header = await save_entry(db, header, 0, "roll 1", 0, heard=True)
        await db.maintain(notice_storage.note_removed, REMINDER, reminder)
        header = await save_entry(db, header, 1, text, 0, heard=True)
        for each in await lapsed(db):
            await db.maintain(notice_storage.note_removed, REMINDER, each)
        again = await due_tables(db, LATER + 9 * MINUTE)
        assert again == ([header.id] if is_over else [])

    async def test_a_reminder_lapses_when_a_substitute_takes_the_seat(self, db: Database) -> None:
        header = await open_table(db, make_waiting_header())
        reminder = await keep_reminder(db, header)
        after, entry = header_after_entry(header, 1, "!substitute 0", to_move=0)
        replaced = replace(after, awaits_computer=True)
        await save_change(db, TableUpdate(replaced, entry))
        assert await lapsed(db) == [reminder]
        await db.maintain(notice_storage.note_removed, REMINDER, reminder)
        assert await lapsed(db) == []
        back, entry = header_after_entry(replaced, 0, "!back", to_move=0)
        await save_change(db, TableUpdate(replace(back, awaits_computer=False), entry))
        assert await due_tables(db, LATER + 9 * MINUTE) == [header.id]

    async def test_the_number_of_lapsed_reminders_is_bounded(self, db: Database) -> None:
        headers = [await open_table(db, make_waiting_header(channel), 100 + channel) for channel in (1, 2, 3)]
        reminders = [await keep_reminder(db, header, 70 + header.id) for header in headers]
        for header in headers:
            await save_entry(db, header, 0, "roll 1", 1, heard=True)
        assert await lapsed(db) == reminders
        assert await lapsed(db, 2) == reminders[:2]

    async def test_removing_a_removed_reminder_is_harmless(self, db: Database) -> None:
        header = await open_table(db, make_waiting_header())
        reminder = await keep_reminder(db, header)
        header = await save_entry(db, header, 0, "roll 1", 1, heard=True)
        await db.maintain(notice_storage.note_removed, REMINDER, reminder)
        newer = await load_header(db, header.id)
        next_turn = Reminder(newer.id, newer.location.channel_id, 1, 4, newer.awaited_since, noted_at=LATER)
        assert await db.maintain(reminder_storage.claim, next_turn)
        await db.maintain(notice_storage.note_removed, REMINDER, reminder)
        assert not await db.maintain(reminder_storage.claim, next_turn)
