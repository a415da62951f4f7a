"""What the host relies on, whatever the tables are kept in."""

import asyncio
import threading
import traceback
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, update
from sqlalchemy.exc import IntegrityError, StatementError

from bot.store import postgres, sqlite, store as statements
from bot.store.schema import notes, tables
from bot.store.store import SqlStore
from bot.tables.model import Entry, Header, Invitation, Link, LinkKind, Occupant, Place, Published, Record, Status
from bot.tables.ports import AlreadyContinued, AlreadyInvited, ChannelTaken, Conflict, Store, StoreUnavailable
from tests.store.samples import (
    COMPUTER,
    IN_NEPAL,
    LARGEST_ID,
    NOON,
    ROBIN,
    WREN,
    a_header,
    add_moves,
    after_move,
    header_of,
    revised,
    texts,
)
from tests.support.databases import Databases

Connect = Callable[[], Awaitable[SqlStore]]

OPEN = [Status.LOBBY, Status.PLAYING, Status.HELD]
CLOSED = [Status.FINISHED, Status.CANCELLED, Status.EXPIRED]


def test_is_a_store(store: SqlStore) -> None:
    as_the_host_sees_it: Store = store
    assert as_the_host_sees_it is store


class TestRoundTrip:
    async def test_everything_comes_back_to_another_process(self, connect: Connect) -> None:
        writer, reader = await connect(), await connect()
        opened = Header(
            id=0,
            game="fortune",
            version=3,
            options='{"name": "žluťoučký 🐎"}',
            place=Place(guild_id=LARGEST_ID, channel_id=LARGEST_ID - 1),
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
        )
        seats = (Occupant('Rob\'in "%s" 🪺', LARGEST_ID, None, "77"), Occupant("Computer", None, "hard", ""))
        header = await writer.open(opened, seats)
        assert await reader.load(header.id) == Record(replace(opened, id=header.id), seats, ())

        later = NOON + timedelta(microseconds=1)
        header = replace(header, salt="a1b2", status=Status.PLAYING, step=1, to_move=1, revision=2, updated_at=later)
        header = replace(header, lobby_click_id=LARGEST_ID)
        first = Entry(1, 0, "roll 1 3", "0badc0de", LARGEST_ID, NOON)
        await writer.save(header, None, first)
        header = replace(header, status=Status.FINISHED, step=2, to_move=None, revision=3)
        second = Entry(2, 1, "stop", "", None, later)
        await writer.save(header, None, second)
        assert await reader.load(header.id) == Record(header, seats, (first, second))

    async def test_a_direct_message_has_no_server(self, store: SqlStore) -> None:
        header = await store.open(replace(a_header(), place=Place(None, 7)), [ROBIN])
        assert (await header_of(store, header.id)).place == Place(None, 7)

    async def test_moments_of_any_zone_come_back_in_utc(self, store: SqlStore) -> None:
        there = datetime(2026, 3, 1, 17, 45, 0, 123456, tzinfo=IN_NEPAL)
        header = await store.open(a_header(at=there), [ROBIN])
        after, entry = after_move(header)
        await store.save(after, None, replace(entry, at=there))
        record = await store.load(header.id)
        assert record is not None
        for moment in (record.header.created_at, record.entries[0].at):
            assert moment == NOON
            assert moment.tzinfo is UTC

    async def test_moves_come_in_the_order_of_their_steps(self, store: SqlStore) -> None:
        header = await store.open(a_header(), [ROBIN])
        for step in range(1, 13):
            header, entry = after_move(header, f"move {step}")
            await store.save(header, None, entry)
        assert await texts(store, header.id) == [f"move {step}" for step in range(1, 13)]

    async def test_tables_do_not_mix(self, store: SqlStore) -> None:
        one = await store.open(a_header(1), [ROBIN])
        two = await store.open(a_header(2), [WREN, COMPUTER])
        assert one.id != two.id
        await add_moves(store, one, 2)
        record = await store.load(two.id)
        assert record == Record(two, (WREN, COMPUTER), ())

    async def test_what_does_not_exist_is_none(self, store: SqlStore) -> None:
        assert await store.load(12345) is None
        assert await store.find_open(12345) is None


class TestSave:
    async def test_writes_what_changes_while_a_table_is_open(self, store: SqlStore) -> None:
        header = await store.open(a_header(), [ROBIN])
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
        await store.save(changed, None, None)
        assert await header_of(store, header.id) == changed

    async def test_leaves_alone_what_was_fixed_at_the_opening(self, store: SqlStore) -> None:
        header = await store.open(a_header(), [ROBIN])
        other = replace(
            header,
            game="other",
            version=9,
            place=Place(1, 1),
            seed=b"another",
            created_at=NOON + timedelta(days=1),
            revision=2,
        )
        await store.save(other, None, None)
        assert await header_of(store, header.id) == replace(header, revision=2)

    async def test_replaces_the_seats_only_when_given_some(self, store: SqlStore) -> None:
        header = await store.open(a_header(), [ROBIN, COMPUTER])
        await store.save(revised(header, Status.LOBBY), None, None)
        record = await store.load(header.id)
        assert record is not None
        assert record.seats == (ROBIN, COMPUTER)
        await store.save(replace(header, revision=3), [WREN], None)
        record = await store.load(header.id)
        assert record is not None
        assert record.seats == (WREN,)
        await store.save(replace(header, revision=4), [], None)
        record = await store.load(header.id)
        assert record is not None
        assert record.seats == ()

    @pytest.mark.parametrize("seats", [None, [WREN]])
    @pytest.mark.parametrize("revision", [1, 2, 4])
    async def test_another_revision_conflicts_and_writes_nothing(
        self, store: SqlStore, revision: int, seats: list[Occupant] | None
    ) -> None:
        header = await store.open(a_header(), [ROBIN])
        header = revised(header, Status.LOBBY)
        await store.save(header, None, None)
        after, entry = after_move(header)
        with pytest.raises(Conflict):
            await store.save(replace(after, revision=revision), seats, entry)
        assert await store.load(header.id) == Record(header, (ROBIN,), ())

    @pytest.mark.parametrize("seats", [None, [WREN]])
    async def test_a_step_that_is_taken_conflicts_and_writes_nothing(
        self, store: SqlStore, seats: list[Occupant] | None
    ) -> None:
        header = await store.open(a_header(), [ROBIN])
        header, entry = after_move(header)
        await store.save(header, None, entry)
        with pytest.raises(Conflict):
            await store.save(revised(header, Status.FINISHED), seats, replace(entry, text="another"))
        assert await store.load(header.id) == Record(header, (ROBIN,), (entry,))

    async def test_a_table_that_does_not_exist_conflicts(self, store: SqlStore) -> None:
        header, entry = after_move(replace(a_header(), id=12345))
        with pytest.raises(Conflict):
            await store.save(header, None, entry)

    async def test_of_many_that_are_saved_at_once_those_that_conflict_spoil_no_other(self, store: SqlStore) -> None:
        opened = [await store.open(a_header(channel_id), [ROBIN]) for channel_id in range(1, 21)]
        saves, expected = [], []
        for number, header in enumerate(opened):
            after, entry = after_move(header)
            conflicts = number % 4 == 3
            saves.append(store.save(replace(after, revision=9) if conflicts else after, None, entry))
            expected.append(Record(header, (ROBIN,), ()) if conflicts else Record(after, (ROBIN,), (entry,)))
        answers = await asyncio.gather(*saves, return_exceptions=True)
        assert [isinstance(answer, Conflict) for answer in answers] == [number % 4 == 3 for number in range(20)]
        assert [await store.load(header.id) for header in opened] == expected

    async def test_of_two_writers_of_a_step_one_wins(self, connect: Connect) -> None:
        stores = await connect(), await connect()
        header = await stores[0].open(a_header(), [ROBIN])
        winners = []
        for step in range(1, 16):
            after, entry = after_move(header)
            rivals = [replace(entry, text=f"{step} of {name}") for name in ("one", "two")]
            results = await asyncio.gather(
                *(s.save(after, None, rival) for s, rival in zip(stores, rivals, strict=True)),
                return_exceptions=True,
            )
            assert {type(result) for result in results} == {type(None), Conflict}
            winners.append(rivals[results.index(None)].text)
            header = after
        assert await texts(stores[0], header.id) == winners
        assert await texts(stores[1], header.id) == winners


class TestInvitations:
    async def test_are_noted_once_for_each_person_and_table(self, connect: Connect) -> None:
        store, other = await connect(), await connect()
        one, two = await store.open(a_header(1), [ROBIN]), await store.open(a_header(2), [ROBIN])
        await store.invite(Invitation(one.id, LARGEST_ID, LARGEST_ID - 1))
        for again in (LARGEST_ID - 1, 5):
            with pytest.raises(AlreadyInvited) as earlier:
                await other.invite(Invitation(one.id, LARGEST_ID, again))
            assert earlier.value.click_id == LARGEST_ID - 1
        await other.invite(Invitation(one.id, 12, 5))
        await other.invite(Invitation(two.id, LARGEST_ID, 5))

    async def test_of_two_at_once_one_is_noted(self, connect: Connect) -> None:
        stores = await connect(), await connect()
        header = await stores[0].open(a_header(), [ROBIN])
        for guest in range(1, 11):
            both = (s.invite(Invitation(header.id, guest, at)) for at, s in enumerate(stores))
            results = await asyncio.gather(*both, return_exceptions=True)
            assert {type(result) for result in results} == {type(None), AlreadyInvited}

    async def test_that_nobody_was_told_of_are_taken_back(self, store: SqlStore) -> None:
        header = await store.open(a_header(), [ROBIN])
        invitation = Invitation(header.id, 12, 5)
        await store.invite(invitation)
        await store.withdraw(replace(invitation, click_id=6))
        with pytest.raises(AlreadyInvited):
            await store.invite(invitation)
        await store.withdraw(invitation)
        await store.invite(invitation)

    @pytest.mark.parametrize("status", [status for status in Status if status is not Status.LOBBY])
    async def test_are_dropped_when_the_lobby_is_over_and_not_before(self, store: SqlStore, status: Status) -> None:
        header, other = await store.open(a_header(1), [ROBIN]), await store.open(a_header(2), [ROBIN])
        guests = Invitation(header.id, 12, 5), Invitation(other.id, 12, 5)
        for invitation in guests:
            await store.invite(invitation)
        header = revised(header, Status.LOBBY)
        await store.save(header, [ROBIN, WREN], None)
        with pytest.raises(AlreadyInvited):
            await store.invite(guests[0])
        await store.save(revised(header, status), None, None)
        await store.invite(guests[0])
        with pytest.raises(AlreadyInvited):
            await store.invite(guests[1])

    async def test_to_no_table_are_a_fault(self, store: SqlStore) -> None:
        with pytest.raises(IntegrityError):
            await store.invite(Invitation(12345, 12, 5))


class TestChannels:
    @pytest.mark.parametrize("status", OPEN)
    async def test_an_open_table_occupies_its_channel(self, store: SqlStore, status: Status) -> None:
        header = await store.open(a_header(7, status), [ROBIN])
        assert await store.find_open(7) == header.id
        assert await store.find_open(8) is None
        with pytest.raises(ChannelTaken) as taken:
            await store.open(a_header(7), [WREN])
        assert taken.value.table_id == header.id
        await store.open(a_header(8), [WREN])

    async def test_solo_games_stand_beside_the_table_of_a_channel(self, store: SqlStore) -> None:
        shared = await store.open(a_header(7), [ROBIN])
        own = {}
        for player in (1, 2):
            header = a_header(7)
            place = replace(header.place, solo_id=player)
            own[player] = await store.open(replace(header, place=place), [ROBIN])
            with pytest.raises(ChannelTaken) as taken:
                await store.open(replace(header, place=place), [ROBIN])
            assert taken.value.table_id == own[player].id
        assert await store.find_open(7) == shared.id
        assert [await store.find_open(7, player) for player in (1, 2, 3)] == [own[1].id, own[2].id, None]
        record = await store.load(own[2].id)
        assert record is not None
        assert record.header.place.solo_id == 2

    @pytest.mark.parametrize("status", CLOSED)
    async def test_a_table_that_is_over_frees_its_channel(self, store: SqlStore, status: Status) -> None:
        old = await store.open(a_header(7), [ROBIN])
        await store.save(revised(old, status), None, None)
        assert await store.find_open(7) is None
        new = await store.open(a_header(7), [WREN])
        assert await store.find_open(7) == new.id
        assert new.id > old.id

    @pytest.mark.parametrize("status", [*OPEN, *CLOSED])
    async def test_the_newest_table_of_a_channel_may_be_open_or_over(self, store: SqlStore, status: Status) -> None:
        await store.open(a_header(7, Status.FINISHED), [ROBIN])
        newest = await store.open(a_header(7, status), [ROBIN])
        await store.open(a_header(8), [ROBIN])
        solo = await store.open(replace(a_header(7, status), place=Place(3, 7, solo_id=5)), [ROBIN])
        assert await store.find_newest(7) == newest.id
        assert await store.find_newest(7, 6) == newest.id
        assert await store.find_newest(7, 5) == solo.id
        assert await store.find_newest(9) is None

    async def test_many_tables_may_have_been_in_a_channel(self, store: SqlStore) -> None:
        opened = [await store.open(a_header(7, Status.FINISHED), [ROBIN]) for _ in range(3)]
        assert len({header.id for header in opened}) == 3

    async def test_of_two_openers_one_wins(self, connect: Connect) -> None:
        stores = await connect(), await connect()
        for channel_id in range(1, 11):
            results = await asyncio.gather(
                *(s.open(a_header(channel_id), [ROBIN]) for s in stores), return_exceptions=True
            )
            (opened,) = (result for result in results if isinstance(result, Header))
            (taken,) = (result for result in results if isinstance(result, ChannelTaken))
            assert taken.table_id == opened.id

    async def test_a_table_that_is_closed_in_the_same_moment_is_in_nobodys_way(
        self, monkeypatch: pytest.MonkeyPatch, store: SqlStore
    ) -> None:
        await store.open(a_header(7), [ROBIN])

        def too_late(connection: Connection, *_: int) -> None:
            connection.execute(update(tables).values(status=Status.FINISHED.value))

        with monkeypatch.context() as patch:
            patch.setattr(statements, "_find_open", too_late)
            opened = await store.open(a_header(7), [WREN])
        assert await store.find_open(7) == opened.id


class TestPublished:
    async def test_is_kept_and_never_moves_back(self, store: SqlStore) -> None:
        header = await store.open(a_header(), [ROBIN])
        header = await add_moves(store, header, 4)
        for revision, message_id, expected in [
            (2, 70, (2, 70)),
            (4, 71, (4, 71)),
            (3, 72, (4, 71)),
            (4, 73, (4, 73)),  # posted anew
            (5, None, (5, None)),
        ]:
            await store.mark_published([Published(header.id, revision, message_id)])
            shown = await header_of(store, header.id)
            assert (shown.published, shown.message_id) == expected
            assert replace(shown, published=0, message_id=None) == header

    async def test_a_save_does_not_undo_it(self, store: SqlStore) -> None:
        header = await store.open(a_header(), [ROBIN])
        await store.mark_published([Published(header.id, 1, 70)])
        await store.save(revised(header, Status.LOBBY), None, None)
        shown = await header_of(store, header.id)
        assert (shown.revision, shown.published, shown.message_id) == (2, 1, 70)

    async def test_takes_many_and_none(self, store: SqlStore) -> None:
        headers = [await store.open(a_header(channel_id), [ROBIN]) for channel_id in (1, 2, 3)]
        await store.mark_published([])
        await store.mark_published([Published(h.id, 1, 70 + h.id) for h in headers[:2]] + [Published(999, 1, 1)])
        shown = [(await header_of(store, h.id)).message_id for h in headers]
        assert shown == [70 + headers[0].id, 70 + headers[1].id, None]

    async def test_two_processes_may_note_the_same_tables_in_any_order(self, connect: Connect) -> None:
        stores = await connect(), await connect()
        shown = [Published((await stores[0].open(a_header(n), [ROBIN])).id, 1, n) for n in range(1, 41)]
        for _ in range(5):
            await asyncio.gather(stores[0].mark_published(shown), stores[1].mark_published(shown[::-1]))
        assert [(await header_of(stores[0], note.table_id)).message_id for note in shown] == list(range(1, 41))


class TestUnsettled:
    async def opened(
        self, store: SqlStore, minute: int, *, shown: bool, status: Status, awaits_computer: bool = False
    ) -> int:
        """A table last changed at a minute."""
        header = a_header(100 + minute, status, at=NOON + timedelta(minutes=minute))
        header = await store.open(replace(header, awaits_computer=awaits_computer), [ROBIN, COMPUTER])
        if shown:
            await store.mark_published([Published(header.id, 1, 70)])
        return header.id

    async def test_both_reasons_and_no_other_oldest_change_first(self, store: SqlStore) -> None:
        unshown = await self.opened(store, 5, shown=False, status=Status.LOBBY)
        ended = await self.opened(store, 2, shown=False, status=Status.FINISHED)
        computers = await self.opened(store, 3, shown=True, status=Status.PLAYING, awaits_computer=True)
        both = await self.opened(store, 1, shown=False, status=Status.PLAYING, awaits_computer=True)
        held = await self.opened(store, 4, shown=False, status=Status.HELD)
        # These need nothing:
        for minute, status in enumerate(Status, 10):
            await self.opened(store, minute, shown=True, status=status)
        assert list(await store.unsettled(100)) == [both, ended, computers, held, unshown]
        assert list(await store.unsettled(2)) == [both, ended]

    async def test_settles_when_it_is_shown_and_comes_back_when_it_changes(self, store: SqlStore) -> None:
        header = await store.open(a_header(), [ROBIN])
        assert list(await store.unsettled(9)) == [header.id]
        await store.mark_published([Published(header.id, 1, 70)])
        assert list(await store.unsettled(9)) == []
        await add_moves(store, header, 1)
        assert list(await store.unsettled(9)) == [header.id]

    async def test_of_the_same_moment_the_older_table_comes_first(self, store: SqlStore) -> None:
        opened = [(await store.open(a_header(channel_id), [ROBIN])).id for channel_id in (9, 8, 7)]
        assert list(await store.unsettled(9)) == opened


class TestIdleLobbies:
    async def test_are_lobbies_that_nobody_has_changed_since_oldest_first(self, store: SqlStore) -> None:
        opened = {}
        for channel_id, (minute, status) in enumerate([(3, Status.LOBBY), (1, Status.LOBBY), (9, Status.LOBBY)]):
            header = a_header(channel_id, status, at=NOON + timedelta(minutes=minute))
            opened[minute] = (await store.open(header, [ROBIN])).id
        for channel_id, status in enumerate((status for status in Status if status is not Status.LOBBY), 10):
            await store.open(a_header(channel_id, status), [ROBIN])
        since = NOON + timedelta(minutes=3)
        assert list(await store.idle_lobbies(since, 9)) == [opened[1], opened[3]]
        assert list(await store.idle_lobbies(since, 1)) == [opened[1]]


class TestNotes:
    async def test_are_kept_and_replaced(self, connect: Connect) -> None:
        store, other = await connect(), await connect()
        assert await store.recall("digest") is None
        await store.remember("digest", "one")
        await store.remember("colour", "green")
        await store.remember("digest", "two ✓")
        assert await other.recall("digest") == "two ✓"
        assert await other.recall("colour") == "green"

    async def test_two_processes_may_keep_the_same_fact(self, connect: Connect) -> None:
        stores = await connect(), await connect()
        for number in range(15):
            await asyncio.gather(*(s.remember(f"fact {number}", "true") for s in stores))
            assert await stores[0].recall(f"fact {number}") == "true"


class TestCancellation:
    @pytest.mark.parametrize("turns", range(1, 5))
    async def test_a_cancelled_caller_leaves_a_complete_write(self, connect: Connect, turns: int) -> None:
        store, other = await connect(), await connect()
        header = await store.open(a_header(), [ROBIN])
        after, entry = after_move(header)
        caller = asyncio.create_task(store.save(after, [ROBIN, WREN], entry))
        for _ in range(turns):
            await asyncio.sleep(0)
        caller.cancel()
        await asyncio.gather(caller, return_exceptions=True)
        await store.close()
        assert await other.load(header.id) == Record(after, (ROBIN, WREN), (entry,))

    async def test_a_crowd_of_cancelled_callers_leaves_a_usable_store(self, connect: Connect) -> None:
        store, other = await connect(), await connect()
        callers: list[asyncio.Task[object]] = []
        expected: list[Record] = []
        for channel_id in range(1, 31):
            header = await store.open(a_header(channel_id), [ROBIN])
            after, entry = after_move(header, f"move in {channel_id}")
            callers.append(asyncio.create_task(store.save(after, None, entry)))
            callers.append(asyncio.create_task(store.load(header.id)))
            expected.append(Record(after, (ROBIN,), (entry,)))
        await asyncio.sleep(0)
        for caller in callers:
            caller.cancel()
        await asyncio.gather(*callers, return_exceptions=True)
        await store.remember("still", "there")
        assert await store.recall("still") == "there"
        await store.close()
        assert [await other.load(record.header.id) for record in expected] == expected

    async def test_a_write_goes_on_when_its_caller_is_cancelled_in_the_middle(self, connect: Connect) -> None:
        store, other = await connect(), await connect()
        halfway, go_on = threading.Event(), threading.Event()

        def in_two_halves(connection: Connection) -> None:
            connection.execute(notes.insert(), {"key": "first", "value": "half"})
            halfway.set()
            go_on.wait(5)
            connection.execute(notes.insert(), {"key": "second", "value": "half"})

        caller = asyncio.create_task(store._database.write(in_two_halves))
        await asyncio.to_thread(halfway.wait, 5)
        caller.cancel()
        with pytest.raises(asyncio.CancelledError):
            await caller
        assert await store.recall("first") is None
        go_on.set()
        await store.close()
        assert [await other.recall(key) for key in ("first", "second")] == ["half", "half"]


class TestFailure:
    async def test_a_write_that_fails_in_the_middle_leaves_nothing(self, store: SqlStore) -> None:
        def stumble(connection: Connection) -> None:
            connection.execute(notes.insert(), {"key": "first", "value": "half"})
            raise RuntimeError("stumbled")

        with pytest.raises(RuntimeError, match="stumbled"):
            await store._database.write(stumble)
        assert await store.recall("first") is None
        await store.remember("first", "whole")
        assert await store.recall("first") == "whole"

    async def test_readers_cannot_write(self, store: SqlStore) -> None:
        with pytest.raises(StoreUnavailable, match=r"read-?only"):
            await store._database.read(lambda c: c.execute(notes.insert(), {"key": "a", "value": "b"}))
        assert await store.recall("a") is None

    async def test_a_reader_sees_one_state(self, store: SqlStore) -> None:
        header = await store.open(a_header(), [ROBIN])
        half_read, written = threading.Event(), threading.Event()

        def slowly(connection: Connection) -> tuple[int, int]:
            count = "SELECT count(*) FROM moves"
            before = connection.exec_driver_sql(count).scalar_one()
            half_read.set()
            written.wait(5)
            return before, connection.exec_driver_sql(count).scalar_one()

        reading = asyncio.create_task(store._database.read(slowly))
        await asyncio.to_thread(half_read.wait, 5)
        await add_moves(store, header, 1)
        written.set()
        assert await reading == (0, 0)

    async def test_a_queue_that_is_too_long(self, monkeypatch: pytest.MonkeyPatch, store: SqlStore) -> None:
        with monkeypatch.context() as patch:
            for backend in (postgres, sqlite):
                patch.setattr(backend, "QUEUE_SECONDS", -1.0)
            with pytest.raises(StoreUnavailable, match="waiting"):
                await store.remember("a", "b")
        assert await store.recall("a") is None

    async def test_a_database_without_the_tables(self, databases: Databases) -> None:
        address = databases.empty()
        if address.startswith("sqlite"):
            Path(address.removeprefix("sqlite:///")).parent.mkdir()
        store = SqlStore(address)
        with pytest.raises(StoreUnavailable, match=r"no such table|does not exist"):
            await store.load(1)
        await store.close()

    async def test_a_time_without_a_zone_is_refused_and_nothing_stored(self, store: SqlStore) -> None:
        header = a_header()
        with pytest.raises(StatementError, match="without a zone"):
            await store.open(replace(header, created_at=header.created_at.replace(tzinfo=None)), [ROBIN])
        assert await store.find_open(header.place.channel_id) is None

    async def test_a_value_that_is_missing_is_no_taken_channel(self, store: SqlStore) -> None:
        nameless = replace(a_header(), game=None)  # type: ignore[arg-type]
        with pytest.raises(IntegrityError, match=r"(?i)not[ -]null"):
            await store.open(nameless, [ROBIN])

    async def test_what_is_stored_does_not_get_into_tracebacks(self, store: SqlStore) -> None:
        header = replace(a_header(), seed=b"thirty-two secret bytes in here!", salt="secret too")
        await store.open(header, [ROBIN])
        with pytest.raises(ChannelTaken) as taken:
            await store.open(header, [ROBIN])
        with pytest.raises(IntegrityError) as missing:
            await store.open(replace(header, game=None, place=Place(3, 8)), [ROBIN])  # type: ignore[arg-type]
        for error in (taken.value, missing.value):
            said = "".join(traceback.format_exception(error))
            assert "IntegrityError" in said
            assert "secret" not in said
            assert header.seed.hex() not in said


class TestSeries:
    LINK = Link(1, LinkKind.TOURNAMENT, 2, (12, 0, 300))

    async def linked(self, store: SqlStore, channel_id: int = 8, **other: Any) -> Header:
        return await store.open(replace(a_header(channel_id), link=replace(self.LINK, **other)), [ROBIN])

    async def test_a_link_comes_back_and_stays_as_it_was(self, store: SqlStore) -> None:
        header = await self.linked(store)
        assert (await header_of(store, header.id)).link == self.LINK
        after, entry = after_move(replace(header, link=None))
        await store.save(after, None, entry)
        assert (await header_of(store, header.id)).link == self.LINK
        assert (await header_of(store, (await store.open(a_header(9), [ROBIN])).id)).link is None

    async def test_a_tie_break_carries_nothing(self, store: SqlStore) -> None:
        header = await self.linked(store, kind=LinkKind.TIE_BREAK, carried=())
        assert (await header_of(store, header.id)).link == Link(1, LinkKind.TIE_BREAK, 2)

    async def test_a_part_of_a_series_has_one_table(self, store: SqlStore) -> None:
        header = await self.linked(store)
        for channel_id in (8, 9):
            with pytest.raises(AlreadyContinued) as continued:
                await self.linked(store, channel_id, carried=(1,))
            assert continued.value.table_id == header.id
        await self.linked(store, 10, part=3)
        await self.linked(store, 11, first_id=2)
        await self.linked(store, 12, kind=LinkKind.TIE_BREAK)

    @pytest.mark.parametrize("status", Status)
    async def test_what_came_to_nothing_can_be_opened_anew(self, store: SqlStore, status: Status) -> None:
        header = await self.linked(store)
        await store.save(revised(header, status), None, None)
        if status in (Status.CANCELLED, Status.EXPIRED):
            assert (await self.linked(store)).id != header.id
        else:
            with pytest.raises(AlreadyContinued):
                await self.linked(store, 9)

    async def test_a_channel_may_be_taken_by_something_else(self, store: SqlStore) -> None:
        await store.open(a_header(8), [ROBIN])
        with pytest.raises(ChannelTaken):
            await self.linked(store)

    async def test_one_of_two_processes_goes_on(self, connect: Connect) -> None:
        stores = [await connect(), await connect()]
        results = await asyncio.gather(
            *(self.linked(store, at) for at, store in enumerate(stores)), return_exceptions=True
        )
        (opened,) = (result for result in results if isinstance(result, Header))
        (continued,) = (result for result in results if isinstance(result, AlreadyContinued))
        assert continued.table_id == opened.id


class TestClosing:
    async def test_finishes_what_is_running(self, connect: Connect) -> None:
        store, other = await connect(), await connect()
        headers = [await store.open(a_header(channel_id), [ROBIN]) for channel_id in range(1, 21)]
        writes = []
        for header in headers:
            after, entry = after_move(header)
            writes.append(asyncio.create_task(store.save(after, None, entry)))
        await asyncio.sleep(0)
        await store.close()
        await asyncio.gather(*writes)
        assert [len(await texts(other, header.id)) for header in headers] == [1] * 20

    async def test_leaves_a_store_that_says_so(self, store: SqlStore) -> None:
        await store.close()
        await store.close()
        with pytest.raises(StoreUnavailable, match="closed"):
            await store.load(1)
        with pytest.raises(StoreUnavailable, match="closed"):
            await store.remember("a", "b")
        with pytest.raises(StoreUnavailable, match="closed"):
            await store.upgrade()
