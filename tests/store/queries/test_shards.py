"""What processes share over a database: the work of their servers, leases of shards, and the times of identifies."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest

from bot.features.idle_tables import storage as idle_table_storage
from bot.features.idle_tables.storage import CLOSING, Announcement
from bot.features.invitations import storage as invitation_storage
from bot.features.invitations.model import Invitation
from bot.features.invitations.storage import INVITATION
from bot.features.privacy import storage as privacy_storage
from bot.features.reminders import storage as reminder_storage
from bot.features.reminders.model import DELAYS, Reminder
from bot.features.reminders.storage import REMINDER
from bot.platform.database.database import Database
from bot.platform.jobs import storage as job_storage
from bot.platform.jobs.looks import Look, Looks
from bot.platform.jobs.shard_leases import (
    Lease,
    acquire_lease,
    find_leases,
    release_lease,
    renew_lease,
    reserve_identify,
)
from bot.platform.jobs.storage import Job
from bot.platform.notices import storage as notice_storage
from bot.platform.places import ALL_SHARDS, ShardRange
from bot.tables import storage as table_storage, sweep
from bot.tables.model import Header, Status, TableUpdate
from bot.tables.saving import save_change
from tests.store.samples import NOON, ROBIN, WREN, Connect, load_header, make_header, make_move, revise

pytestmark = pytest.mark.every_database

SERVERS = [(number << 22) + 1000 + number for number in range(4)]
"""A server on each of four shards."""

HALVES = (ShardRange(0, 1, 4), ShardRange(2, 3, 4))
NO_TIME = timedelta()
LATER = NOON + timedelta(days=1)
LEASE = timedelta(seconds=20)
EVERY = timedelta(minutes=1)
MOST = timedelta(hours=1)


async def open_everywhere(db: Database, status: Status) -> list[Header]:
    """Open a table of others in each server, and one in a direct message."""
    return [
        await db.write(
            table_storage.open_table,
            make_header(100 + number, status, guild_id=guild_id),
            [replace(ROBIN, user_id=100 + number), WREN],
        )
        for number, guild_id in enumerate([*SERVERS, None])
    ]


async def look(db: Database, shards: ShardRange, work: str) -> Sequence[int]:
    """Return the tables that a process with some of the shards finds for a kind of work."""
    db.shards = shards
    until = dict.fromkeys(DELAYS, LATER)
    found: dict[str, Callable[[], Awaitable[Sequence[Any]]]] = {
        "lobbies": lambda: db.read(sweep.idle_lobbies, db.shards, LATER, 0, 9),
        "pending": lambda: db.read(sweep.find_pending, db.shards, {"magpie"}, 0, 9),
        "unannounced": lambda: db.read(idle_table_storage.find_unannounced, db.shards, {"magpie"}, LATER, 9),
        "announced": lambda: db.read(idle_table_storage.find_announced, db.shards, {"magpie"}, LATER, LATER, 9),
        "lapsed announcements": lambda: db.read(notice_storage.find_lapsed, db.shards, CLOSING, 9),
        "reminders": lambda: db.read(reminder_storage.find_due, db.shards, {"magpie"}, NOON - LEASE, until, 9),
        "lapsed reminders": lambda: db.read(notice_storage.find_lapsed, db.shards, REMINDER, 9),
        "held reminders": lambda: db.read(reminder_storage.find_held, db.shards, LATER, 9),
        "invitations": lambda: db.read(notice_storage.find_lapsed, db.shards, INVITATION, 9),
    }
    return sorted(each if isinstance(each, int) else each.table_id for each in await found[work]())


async def prepare(db: Database, work: str) -> list[Header]:
    """Make work of a kind in each server, and in a direct message."""
    tables = await open_everywhere(db, Status.LOBBY if work in {"lobbies", "invitations"} else Status.PLAYING)
    if work in {"lobbies", "pending", "unannounced"}:
        return tables
    for number, table in enumerate(tables):
        if "announce" in work:
            announcement = Announcement(table.id, table.location.channel_id, table.updated_at, noted_at=NOON)
            assert await db.maintain(idle_table_storage.claim, announcement)
        if work == "invitations":
            await db.write(
                invitation_storage.add,
                Invitation(table.id, table.location.channel_id, 90 + number, 11, 70 + number, 9, noted_at=NOON),
                NOON,
                9,
            )
        if "reminder" in work and table.location.guild_id is not None:
            moved, entry = make_move(table)
            await save_change(db, TableUpdate(replace(moved, awaited_since=NOON), entry))
        if work in {"lapsed reminders", "held reminders"} and table.location.guild_id is not None:
            held = LATER if work == "held reminders" else None
            reminder = Reminder(table.id, table.location.channel_id, 0, 1, NOON, noted_at=NOON, send_at=held)
            assert await db.maintain(reminder_storage.claim, reminder)
        if work in {"lapsed reminders", "lapsed announcements", "invitations"}:
            stored = await load_header(db, table.id)
            await save_change(db, TableUpdate(replace(revise(stored, Status.CANCELLED), awaited_since=LATER)))
    return tables


@pytest.mark.parametrize(
    "work",
    [
        "lobbies",
        "pending",
        "unannounced",
        "announced",
        "lapsed announcements",
        "reminders",
        "lapsed reminders",
        "held reminders",
        "invitations",
    ],
)
async def test_a_process_finds_the_work_of_its_own_servers_and_the_first_shard_that_of_direct_messages(
    db: Database, work: str
) -> None:
    first, second, third, fourth, *direct = [table.id for table in await prepare(db, work)]
    if "reminder" in work:
        direct = []  # There are no reminders in direct messages.
    assert await look(db, ALL_SHARDS, work) == [first, second, third, fourth, *direct]
    assert await look(db, HALVES[0], work) == [first, second, *direct]
    assert await look(db, HALVES[1], work) == [third, fourth]
    assert await look(db, ShardRange(1, 1, 4), work) == [second]


async def do_nothing() -> None:
    """Do what a look finds due."""


async def names_of_due(db: Database, now: datetime, *looks: Look) -> list[str]:
    """Return the names of the looks that find something due."""
    return [each.name for each in await db.read(Looks(looks).find_due, db.shards, now)]


@pytest.mark.parametrize("work", ["reminders", "lapsed reminders", "held reminders", "invitations"])
async def test_one_question_tells_a_process_whether_its_servers_have_work(db: Database, work: str) -> None:
    values = reminder_storage.due_values(["magpie"], NOON - LEASE, dict.fromkeys(DELAYS, LATER), 1)
    looks = (
        Look("reminders", reminder_storage.HAS_WORK, lambda now: {**values, "now": now}, do_nothing),
        Look("invitations", INVITATION.lapsed.exists(), lambda _now: {"most": 1}, do_nothing),
    )
    assert await names_of_due(db, LATER, *looks) == []
    await prepare(db, work)
    due = [work.rsplit(maxsplit=1)[-1]]
    assert await names_of_due(db, LATER, *looks) == due
    db.shards = ShardRange(0, 3, 8)
    assert await names_of_due(db, LATER, *looks) == due
    db.shards = ShardRange(4, 7, 8)
    assert await names_of_due(db, LATER, *looks) == []


def deletions_since(known: int) -> Look:
    """Return the look of a process that knows of a number of deletions."""
    return Look("deletions", privacy_storage.HAS_NEWS, lambda _now: {"cleared": str(known)}, do_nothing)


async def test_every_process_is_told_of_deletions(db: Database) -> None:
    db.shards = ShardRange(4, 7, 8)
    for count in (1, 2):
        await db.maintain(privacy_storage.raise_deletion_count)
        for known in (0, 1, 2):
            assert await names_of_due(db, NOON, deletions_since(known)) == ([] if known == count else ["deletions"])


async def test_a_due_job_is_work_until_it_is_claimed(db: Database) -> None:
    look = Look("jobs", job_storage.HAS_DUE, lambda now: {"now": now}, do_nothing)

    async def look_at(now: datetime) -> bool:
        return bool(await names_of_due(db, now, look))

    await db.maintain(job_storage.put, Job("kind", "last", NOON + LEASE, guild_id=SERVERS[3]))
    assert not await look_at(NOON)
    assert await look_at(NOON + LEASE)
    db.shards = HALVES[0]
    assert not await look_at(NOON + LEASE)
    db.shards = HALVES[1]
    assert await db.maintain(job_storage.claim, db.shards, ["kind"], NOON + LEASE, LATER, 9)
    assert not await look_at(NOON + LEASE)
    assert await look_at(LATER)


async def test_a_job_of_a_server_is_its_process_s_and_any_other_is_anyone_s(db: Database) -> None:
    for key, guild_id in [("direct", 0), ("anyone", None), ("first", SERVERS[0]), ("last", SERVERS[3])]:
        await db.maintain(job_storage.put, Job("kind", key, NOON, guild_id=guild_id))
    db.shards = HALVES[1]
    claimed = await db.maintain(job_storage.claim, db.shards, ["kind"], NOON, LATER, 9)
    assert sorted(job.key for job in claimed) == ["anyone", "last"]
    db.shards = HALVES[0]
    claimed = await db.maintain(job_storage.claim, db.shards, ["kind"], NOON, LATER, 9)
    assert sorted(job.key for job in claimed) == ["direct", "first"]


async def test_a_range_has_one_owner_until_its_lease_ends_or_is_given_back(connect: Connect) -> None:
    one, two = await connect(), await connect()
    assert await one.read(find_leases, HALVES[0]) == []
    results = await asyncio.gather(
        one.maintain(acquire_lease, HALVES[0], "one", LEASE),
        two.maintain(acquire_lease, HALVES[0], "two", LEASE),
    )
    assert sorted(results) == [False, True]
    owner, other = ("one", "two") if results[0] else ("two", "one")
    assert await one.maintain(acquire_lease, HALVES[1], other, LEASE), "the other half is free"
    assert await one.maintain(renew_lease, HALVES[0], owner, NO_TIME, is_ready=True), "but it ends at once"
    assert await two.maintain(acquire_lease, HALVES[0], other, LEASE)
    assert not await one.maintain(renew_lease, HALVES[0], owner, LEASE, is_ready=True), "it has lapsed"
    await one.maintain(release_lease, HALVES[0], owner)
    assert not await one.maintain(acquire_lease, HALVES[0], owner, LEASE), "one gives back only one's own"
    await two.maintain(release_lease, HALVES[0], other)
    assert not await two.maintain(renew_lease, HALVES[0], other, LEASE, is_ready=True), (
        "what is given back is not renewed"
    )
    assert await one.maintain(acquire_lease, HALVES[0], owner, LEASE)


async def test_a_lease_that_has_ended_is_its_owner_s_until_another_process_takes_it(db: Database) -> None:
    assert await db.maintain(acquire_lease, HALVES[0], "one", NO_TIME)
    assert await db.maintain(renew_lease, HALVES[0], "one", LEASE, is_ready=False)
    assert not await db.maintain(acquire_lease, HALVES[0], "two", LEASE)


@pytest.mark.parametrize("second", [ShardRange(0, 5, 16), ShardRange(0, 15, 16), ShardRange(7, 8, 16)])
async def test_ranges_that_overlap_are_not_leased_at_once(connect: Connect, second: ShardRange) -> None:
    one, two, first = await connect(), await connect(), ShardRange(0, 7, 16)
    ranges = {"one": first, "two": second}
    results = await asyncio.gather(
        one.maintain(acquire_lease, first, "one", LEASE),
        two.maintain(acquire_lease, second, "two", LEASE),
    )
    assert sorted(results) == [False, True]
    owner, other = ("one", "two") if results[0] else ("two", "one")
    assert await one.maintain(renew_lease, ranges[owner], owner, NO_TIME, is_ready=True)
    assert await two.maintain(acquire_lease, ranges[other], other, LEASE)
    assert not await one.maintain(renew_lease, ranges[owner], owner, LEASE, is_ready=True), "a part of it is another's"
    assert not await one.maintain(acquire_lease, ranges[owner], owner, LEASE)


async def test_a_lease_that_ends_too_late_to_be_right_does_not_count(db: Database) -> None:
    assert await db.maintain(acquire_lease, HALVES[0], "one", timedelta(hours=1))
    assert await db.maintain(acquire_lease, HALVES[0], "two", LEASE)


async def test_a_lease_tells_whether_its_owner_is_connected(connect: Connect) -> None:
    one, two = await connect(), await connect()
    assert await one.maintain(acquire_lease, HALVES[0], "one", LEASE)
    for is_ready in (False, True):
        assert await one.maintain(renew_lease, HALVES[0], "one", LEASE, is_ready=is_ready)
        assert await two.read(find_leases, ShardRange(1, 2, 4)) == [Lease(HALVES[0], "one", is_ready)]
    await one.maintain(release_lease, HALVES[0], "one")
    assert await two.maintain(acquire_lease, HALVES[0], "two", LEASE)
    assert await one.read(find_leases, HALVES[0]) == [Lease(HALVES[0], "two", is_ready=False)]


async def test_shards_of_a_bucket_identify_one_after_another_in_all_processes(connect: Connect) -> None:
    stores = await connect(), await connect()
    pauses = await asyncio.gather(
        *(
            stores[number % 2].maintain(reserve_identify, bucket, EVERY, MOST)
            for bucket in (0, 1)
            for number in range(4)
        )
    )
    for bucket in (pauses[:4], pauses[4:]):
        for number, pause in enumerate(sorted(bucket)):
            assert (number - 1) * EVERY < pause <= number * EVERY


async def test_a_time_too_far_away_to_be_right_is_not_waited_for(db: Database) -> None:
    for _ in range(3):
        await db.maintain(reserve_identify, 0, MOST, 10 * MOST)
    assert await db.maintain(reserve_identify, 0, EVERY, MOST) == NO_TIME
    assert NO_TIME < await db.maintain(reserve_identify, 0, EVERY, MOST) <= EVERY
