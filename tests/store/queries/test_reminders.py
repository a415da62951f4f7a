"""Reminders, whatever they are kept in: who is to be reminded, by whom, and until when."""

import asyncio
from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from bot.store.store import SqlStore
from bot.tables.model import Entry, Header, Place, Reminder, Status
from tests.store.samples import COMPUTER, NOON, ROBIN, WREN, Connect, a_header, header_of

MINUTE, DAY = timedelta(minutes=1), timedelta(days=1)
LATER = NOON + 2 * MINUTE


def waiting(channel_id: int = 7, *, at: datetime = NOON) -> Header:
    """A table that waits for the person in seat 0."""
    return replace(a_header(channel_id, Status.PLAYING, at=at), to_move=0, step=3, salt="ab")


async def opened(store: SqlStore, header: Header) -> Header:
    return await store.open(header, [ROBIN, WREN, COMPUTER])


async def due(store: SqlStore, now: datetime = LATER, limit: int = 9) -> list[int]:
    return [reminder.table_id for reminder in await store.unreminded({"magpie"}, now - DAY, now - 2 * MINUTE, limit)]


async def noted(store: SqlStore, header: Header) -> Reminder:
    """Decide to remind of a table that waits."""
    (reminder,) = [r for r in await store.unreminded({"magpie"}, NOON - DAY, NOON + DAY, 99) if r.table_id == header.id]
    reminder = replace(reminder, noted_at=LATER)
    assert await store.note_reminder(reminder)
    return reminder


async def kept(store: SqlStore, header: Header, message_id: int = 70) -> Reminder:
    reminder = replace(await noted(store, header), message_id=message_id)
    assert await store.keep_reminder(reminder)
    return reminder


def acted(header: Header, seat: int, text: str, *, to_move: int | None, heard: bool = True) -> tuple[Header, Entry]:
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


async def after_entry(store: SqlStore, header: Header, seat: int, text: str, to_move: int, *, heard: bool) -> Header:
    after, entry = acted(header, seat, text, to_move=to_move, heard=heard)
    await store.save(after, None, entry)
    return after


class TestUnreminded:
    async def test_tells_all_there_is_to_know(self, store: SqlStore) -> None:
        header = await opened(store, waiting())
        due = Reminder(header.id, header.place, 0, 3, NOON)
        assert await store.unreminded({"magpie"}, NOON - DAY, NOON, 9) == [due]
        assert await store.unreminded({"chess"}, NOON - DAY, NOON, 9) == []

    async def test_two_minutes_are_needed_and_a_day_is_too_long(self, store: SqlStore) -> None:
        header = await opened(store, waiting())
        assert await due(store, LATER - timedelta(microseconds=1)) == []
        assert await due(store, LATER) == [header.id]
        assert await due(store, NOON + DAY - timedelta(microseconds=1)) == [header.id]
        assert await due(store, NOON + DAY) == []

    @pytest.mark.parametrize(
        "other",
        [
            replace(waiting(), awaits_computer=True),
            replace(waiting(), place=Place(3, 7, solo_id=11)),
            replace(waiting(), place=Place(None, 7)),
            *(a_header(7, status) for status in Status if status is not Status.PLAYING),
        ],
    )
    async def test_nobody_else_is_reminded(self, store: SqlStore, other: Header) -> None:
        await opened(store, other)
        ours = await opened(store, waiting(8))
        assert await due(store) == [ours.id]

    async def test_a_bounded_number_comes_longest_silence_first(self, store: SqlStore) -> None:
        opened_at = [(await opened(store, waiting(channel, at=NOON - channel * MINUTE))).id for channel in (1, 3, 2)]
        first, third, second = opened_at
        assert await due(store) == [third, second, first]
        assert await due(store, limit=2) == [third, second]


class TestNoting:
    async def test_a_turn_is_reminded_of_once(self, store: SqlStore) -> None:
        header = await opened(store, waiting())
        reminder = await noted(store, header)
        assert await due(store) == []
        assert not await store.note_reminder(reminder)

    async def test_of_two_processes_one_reminds(self, connect: Connect) -> None:
        stores = await connect(), await connect()
        for channel in range(1, 11):
            header = await opened(stores[0], waiting(channel))
            wanted = Reminder(header.id, header.place, 0, 3, NOON, LATER)
            assert sorted(await asyncio.gather(*(s.note_reminder(wanted) for s in stores))) == [False, True]

    @pytest.mark.parametrize(("seat", "since"), [(1, NOON), (0, NOON - MINUTE)])
    async def test_who_has_acted_meanwhile_is_not_reminded(self, store: SqlStore, seat: int, since: datetime) -> None:
        header = await opened(store, waiting())
        assert not await store.note_reminder(Reminder(header.id, header.place, seat, 3, since, LATER))
        assert await due(store) == [header.id]

    async def test_a_message_is_kept_for_other_processes(self, connect: Connect) -> None:
        store, other = await connect(), await connect()
        header = await opened(store, waiting())
        reminder = await kept(store, header)
        assert await other.lapsed_reminders(9) == []
        await after_entry(store, header, 0, "roll 1", 1, heard=True)
        assert await other.lapsed_reminders(9) == [reminder]

    async def test_what_has_lapsed_meanwhile_keeps_no_message(self, store: SqlStore) -> None:
        header = await opened(store, waiting())
        reminder = await noted(store, header)
        await after_entry(store, header, 0, "roll 1", 0, heard=True)
        await store.close_reminder(reminder)
        assert not await store.keep_reminder(replace(reminder, message_id=70))


class TestLapsing:
    async def test_asking_for_a_computer_ends_no_silence(self, store: SqlStore) -> None:
        header = await opened(store, waiting())
        await kept(store, header)
        await after_entry(store, header, 1, "!ask 0", 0, heard=False)
        assert await store.lapsed_reminders(9) == []

    @pytest.mark.parametrize("status", [status for status in Status if status is not Status.PLAYING])
    async def test_a_table_that_is_over_forgets_it(self, store: SqlStore, status: Status) -> None:
        header = await opened(store, waiting())
        reminder = await kept(store, header)
        over = replace(header, status=status, to_move=None, revision=2, awaited_since=LATER)
        await store.save(over, None, None)
        assert await store.lapsed_reminders(9) == [reminder]
        await store.close_reminder(reminder)
        assert await store.lapsed_reminders(9) == []

    async def test_a_turn_that_goes_on_has_had_its_reminder(self, store: SqlStore) -> None:
        header = await opened(store, waiting())
        reminder = await kept(store, header)
        header = await after_entry(store, header, 0, "roll 1", 0, heard=True)
        assert await store.lapsed_reminders(9) == [reminder]
        await store.close_reminder(reminder)
        assert await store.lapsed_reminders(9) == []
        assert await due(store, LATER + 9 * MINUTE) == []

    @pytest.mark.parametrize(
        ("text", "is_over"), [("roll 1", True), ("!undo", True), ("!resign", False), ("!back", False)]
    )
    async def test_a_turn_is_over_when_somebody_else_has_moved(self, store: SqlStore, text: str, is_over: bool) -> None:
        header = await opened(store, waiting())
        reminder = await kept(store, header)
        header = await after_entry(store, header, 0, "roll 1", 0, heard=True)
        await store.close_reminder(reminder)
        header = await after_entry(store, header, 1, text, 0, heard=True)
        for lapsed in await store.lapsed_reminders(9):
            await store.close_reminder(lapsed)
        again = await due(store, LATER + 9 * MINUTE)
        assert again == ([header.id] if is_over else [])

    async def test_the_seat_of_a_substitute_is_no_longer_waited_for(self, store: SqlStore) -> None:
        header = await opened(store, waiting())
        reminder = await kept(store, header)
        after, entry = acted(header, 1, "!substitute 0", to_move=0)
        replaced = replace(after, awaits_computer=True)
        await store.save(replaced, None, entry)
        assert await store.lapsed_reminders(9) == [reminder]
        await store.close_reminder(reminder)
        assert await store.lapsed_reminders(9) == []
        back, entry = acted(replaced, 0, "!back", to_move=0)
        await store.save(replace(back, awaits_computer=False), None, entry)
        assert await due(store, LATER + 9 * MINUTE) == [header.id]

    async def test_a_bounded_number_comes_at_a_time(self, store: SqlStore) -> None:
        headers = [await opened(store, waiting(channel)) for channel in (1, 2, 3)]
        reminders = [await kept(store, header, 70 + header.id) for header in headers]
        for header in headers:
            await after_entry(store, header, 0, "roll 1", 1, heard=True)
        assert await store.lapsed_reminders(9) == reminders
        assert await store.lapsed_reminders(2) == reminders[:2]

    async def test_closing_what_is_closed_does_no_harm(self, store: SqlStore) -> None:
        header = await opened(store, waiting())
        reminder = await kept(store, header)
        header = await after_entry(store, header, 0, "roll 1", 1, heard=True)
        await store.close_reminder(reminder)
        newer = await header_of(store, header.id)
        assert await store.note_reminder(Reminder(newer.id, newer.place, 1, 4, newer.awaited_since, LATER))
        await store.close_reminder(reminder)
        assert not await store.note_reminder(Reminder(newer.id, newer.place, 1, 4, newer.awaited_since, LATER))
