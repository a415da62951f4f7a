"""What processes share over a database: the work of their servers, leases of shards, and the times of identifies."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from bot.community.jobs import Job
from bot.community.shard_leases import Lease
from bot.store.store import SqlStore
from bot.tables.model import Header, Status, TableUpdate
from bot.tables.notifications import Announcement, Invitation, Reminder
from bot.tables.pings import DELAYS
from bot.tables.shards import ALL_SHARDS, ShardRange
from tests.store.samples import NOON, ROBIN, WREN, Connect, load_header, make_header, make_move, revise

SERVERS = [(number << 22) + 1000 + number for number in range(4)]
"""A server on each of four shards."""

HALVES = (ShardRange(0, 1, 4), ShardRange(2, 3, 4))
LATER = NOON + timedelta(days=1)
SECOND = timedelta(seconds=1)
LEASE = 20 * SECOND
EVERY = 5 * SECOND
MOST = timedelta(hours=1)


async def open_everywhere(store: SqlStore, status: Status) -> list[Header]:
    """Open a table in each server, and one in a direct message."""
    return [
        await store.open_table(make_header(100 + number, status, guild_id=guild_id), [ROBIN, WREN])
        for number, guild_id in enumerate([*SERVERS, None])
    ]


async def look(store: SqlStore, shards: ShardRange, work: str) -> Sequence[int]:
    """Return the tables that a process with some of the shards finds for a kind of work."""
    store.shards = shards
    until = dict.fromkeys(DELAYS, LATER)
    found: dict[str, Callable[[], Awaitable[Sequence[Any]]]] = {
        "lobbies": lambda: store.idle_lobbies(LATER, 0, 9),
        "pending": lambda: store.list_pending_tables({"magpie"}, 0, 9),
        "unannounced": lambda: store.tables_to_announce({"magpie"}, LATER, 9),
        "announced": lambda: store.tables_to_abandon({"magpie"}, LATER, LATER, 9),
        "lapsed announcements": lambda: store.lapsed_announcements(9),
        "reminders": lambda: store.due_reminders({"magpie"}, NOON - LEASE, until, 9),
        "lapsed reminders": lambda: store.lapsed_reminders(9),
        "held reminders": lambda: store.held_reminders(LATER, 9),
        "invitations": lambda: store.lapsed_invitations(9),
    }
    return sorted(each if isinstance(each, int) else each.table_id for each in await found[work]())


async def prepare(store: SqlStore, work: str) -> list[Header]:
    """Make work of a kind in each server, and in a direct message."""
    tables = await open_everywhere(store, Status.LOBBY if work in {"lobbies", "invitations"} else Status.PLAYING)
    if work in {"lobbies", "pending", "unannounced"}:
        return tables
    for number, table in enumerate(tables):
        if "announce" in work:
            assert await store.claim_announcement(Announcement(table.id, table.location, table.updated_at, NOON, 5))
        if work == "invitations":
            await store.add_invitation(
                Invitation(table.id, table.location, 90 + number, 11, 70 + number, 9, NOON), NOON, 9
            )
        if "reminder" in work and table.location.guild_id is not None:
            moved, entry = make_move(table)
            await store.save(TableUpdate(replace(moved, awaited_since=NOON), entry))
        if work in {"lapsed reminders", "held reminders"} and table.location.guild_id is not None:
            held = LATER if work == "held reminders" else None
            reminder = Reminder(table.id, table.location, 0, 1, NOON, noted_at=NOON, send_at=held)
            assert await store.claim_reminder(reminder)
        if work in {"lapsed reminders", "lapsed announcements", "invitations"}:
            stored = await load_header(store, table.id)
            await store.save(TableUpdate(replace(revise(stored, Status.CANCELLED), awaited_since=LATER)))
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
    store: SqlStore, work: str
) -> None:
    first, second, third, fourth, *direct = [table.id for table in await prepare(store, work)]
    if "reminder" in work:
        direct = []  # There are no reminders in direct messages.
    assert await look(store, ALL_SHARDS, work) == [first, second, third, fourth, *direct]
    assert await look(store, HALVES[0], work) == [first, second, *direct]
    assert await look(store, HALVES[1], work) == [third, fourth]
    assert await look(store, ShardRange(1, 1, 4), work) == [second]


async def test_a_job_of_a_server_is_its_process_s_and_any_other_is_anyone_s(store: SqlStore) -> None:
    for key, guild_id in [("direct", 0), ("anyone", None), ("first", SERVERS[0]), ("last", SERVERS[3])]:
        await store.schedule_job(Job("kind", key, NOON, guild_id=guild_id))
    store.shards = HALVES[1]
    claimed = await store.claim_jobs(["kind"], NOON, LATER, 9)
    assert sorted(job.key for job in claimed) == ["anyone", "last"]
    store.shards = HALVES[0]
    claimed = await store.claim_jobs(["kind"], NOON, LATER, 9)
    assert sorted(job.key for job in claimed) == ["direct", "first"]


async def lease(store: SqlStore, owner: str, seconds: float, shards: ShardRange = HALVES[0]) -> bool:
    """Lease a range some seconds after noon."""
    now = NOON + seconds * SECOND
    return await store.lease_shards(Lease(shards, owner, now + LEASE), now)


async def test_a_range_has_one_owner_until_its_lease_ends_or_is_given_back(connect: Connect) -> None:
    one, two = await connect(), await connect()
    assert await one.find_lease(HALVES[0]) is None
    results = await asyncio.gather(lease(one, "one", 0), lease(two, "two", 0))
    assert sorted(results) == [False, True]
    owner, other = ("one", "two") if results[0] else ("two", "one")
    assert await lease(one, other, 0, HALVES[1]), "the other half is free"
    assert await lease(one, owner, 15), "it is renewed"
    assert not await lease(two, other, 34)
    assert await lease(two, other, 35)
    assert not await lease(one, owner, 36), "it has lapsed"
    await one.release_shards(HALVES[0], owner, NOON + 36 * SECOND)
    assert not await lease(one, owner, 36), "one gives back only one's own"
    await two.release_shards(HALVES[0], other, NOON + 36 * SECOND)
    assert await lease(one, owner, 36)


async def test_a_lease_tells_whether_its_owner_is_connected(connect: Connect) -> None:
    one, two = await connect(), await connect()
    for is_ready in (False, True):
        kept = Lease(HALVES[0], "one", NOON + LEASE, is_ready)
        assert await one.lease_shards(kept, NOON)
        assert await two.find_lease(HALVES[0]) == kept
    await one.release_shards(HALVES[0], "one", NOON)
    assert await lease(two, "two", 1)
    assert await one.find_lease(HALVES[0]) == Lease(HALVES[0], "two", NOON + SECOND + LEASE)


async def test_shards_of_a_bucket_identify_one_after_another_in_all_processes(connect: Connect) -> None:
    stores = await connect(), await connect()
    times = await asyncio.gather(
        *(stores[number % 2].reserve_identify(bucket, NOON, EVERY, MOST) for bucket in (0, 1) for number in range(4))
    )
    for bucket in (times[:4], times[4:]):
        assert sorted(bucket) == [NOON + number * EVERY for number in range(4)]
    assert await stores[0].reserve_identify(0, NOON + MOST, EVERY, MOST) == NOON + MOST, "nobody has to wait any more"


async def test_a_time_too_far_away_to_be_right_is_not_waited_for(store: SqlStore) -> None:
    await store.reserve_identify(0, LATER, EVERY, MOST)
    assert await store.reserve_identify(0, NOON, EVERY, MOST) == NOON
