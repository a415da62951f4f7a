"""Tournaments, on every database."""

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import Connection, func, select

from bot.features.blocks.service import Blocks
from bot.features.tournaments import actions, offers, storage as tournament_storage
from bot.features.tournaments.model import (
    ADVANCE_KIND,
    DEADLINE_KIND,
    START_KIND,
    Format,
    Pairing,
    Stage,
    Tournament,
    TournamentConflict,
    TournamentReason,
    jobs_after,
    jobs_at_opening,
    round_key,
)
from bot.features.tournaments.rounds import settle_round
from bot.features.tournaments.service import TournamentService
from bot.platform.clock import Downtime
from bot.platform.database.database import Database
from bot.platform.jobs import storage as job_storage
from bot.platform.jobs.storage import Job
from bot.platform.places import Location, Person
from bot.rules.refusals import Refusal
from bot.tables import storage as table_storage, sweep
from bot.tables.model import Status, TableUpdate
from bot.tables.saving import save_change
from bot.tables.storage import AlreadyContinued
from tests.store.samples import LARGEST_ID, NOON, ROBIN, WREN, Connect, make_lobby_header, revise
from tests.support.ended_tables import save_end
from tests.support.fakes import FakeClock
from tests.support.sample_results import make_game_results

MOST = 3
HOST, WREN_TOO, GUEST = Person(11, "Robin"), Person(13, "Wren"), Person(77, "Guest")
JOB = Job(ADVANCE_KIND, "", NOON)


def make_tournament(guild_id: int = 3) -> Tournament:
    location = Location(guild_id, 7)
    return Tournament(0, "Cup", "magpie", "{}", location, HOST, NOON, 24, Format.SWISS, is_by_organizer=True)


async def add(db: Database, guild_id: int = 3) -> Tournament:
    return await db.write(tournament_storage.add, make_tournament(guild_id), MOST, [JOB])


async def load(db: Database, tournament_id: int) -> Tournament:
    found = await db.read(tournament_storage.find, tournament_id)
    assert found is not None
    return found


async def save(db: Database, before: Tournament, after: Tournament, *jobs: Job) -> Tournament:
    await db.write(tournament_storage.save, before, replace(after, revision=before.revision + 1), jobs)
    return await load(db, before.id)


async def begin(db: Database) -> Tournament:
    """Store a tournament of three people in its first round."""
    joined = before = await add(db)
    for user_id in (11, 12, LARGEST_ID):
        joined = actions.join(joined, Person(user_id, f"Player {user_id}"), user_id - 1)
    return await save(db, before, actions.start(joined, "s", ()))


@pytest.mark.every_database
async def test_a_tournament_comes_back_as_it_was(db: Database) -> None:
    added = await add(db)
    assert await load(db, added.id) == added
    joined = actions.open_check_in(actions.join(replace(added, check_in_minutes=30), Person(12, "Wren"), 1))
    here = actions.take_out(actions.join(actions.check_in(joined, 12), WREN_TOO, 2), WREN_TOO, 3)
    assert await save(db, added, here) == replace(here, revision=2)
    begun = await begin(db)
    assert [each.number for each in begun.players] == [1, 2, 3]
    late = replace(
        begun,
        is_late=True,
        pairings=(replace(begun.pairings[0], thread_id=LARGEST_ID, is_reminded=True), *begun.pairings[1:]),
    )
    assert await save(db, begun, late) == replace(late, revision=begun.revision + 1)
    left = actions.withdraw(await load(db, begun.id), 12)
    assert await save(db, await load(db, begun.id), left) == replace(left, revision=begun.revision + 2)
    assert await db.read(tournament_storage.find, 99) is None


async def test_who_leaves_before_the_start_is_gone_and_the_others_keep_their_order(db: Database) -> None:
    before = await add(db)
    joined = before
    for user_id in (14, 13, 12):
        joined = actions.join(joined, Person(user_id, "Wren"), user_id)
    stored = await save(db, before, joined)
    stored = await save(db, stored, actions.leave(stored, 14))
    assert [each.user_id for each in stored.players] == [13, 12]


async def test_a_place_is_offered_until_its_player_leaves_or_the_guest_plays_and_once_a_day(db: Database) -> None:
    begun = await begin(db)

    async def offer(player_id: int, guest_id: int, *, days: int = 0, tournament_id: int = begun.id) -> None:
        of = replace(begun, id=tournament_id)
        await db.write(offers.add, of, player_id, guest_id, NOON + timedelta(days=days))

    async def offered_to(guest_id: int) -> int | None:
        return await db.read(offers.find_place, begun.id, guest_id)

    await offer(12, GUEST.id)
    await offer(12, 78)
    assert [await offered_to(GUEST.id), await offered_to(78)] == [None, 12], "a place is offered to one member"
    with pytest.raises(Refusal, match=TournamentReason.OFFERED_ALREADY):
        await offer(11, GUEST.id)
    await offer(11, GUEST.id, days=1)
    left = await save(db, begun, actions.withdraw(begun, 12))
    assert [await offered_to(GUEST.id), await offered_to(78)] == [11, None]
    await save(db, left, actions.join(left, GUEST, 5))
    assert await offered_to(GUEST.id) is None
    for number in range(offers.MOST_OFFERS):
        await offer(11, 79, tournament_id=90 + number)
    with pytest.raises(Refusal, match=TournamentReason.PLACE_REFUSED):
        await offer(11, 79)
    await db.maintain(offers.prune, NOON + timedelta(days=1))
    assert (await db.read(_count_offers)) == 1 + offers.MOST_OFFERS


@pytest.mark.parametrize(("players", "most"), [(2, offers.ALWAYS_OFFERED), (offers.ALWAYS_OFFERED + 1,) * 2])
async def test_the_larger_a_tournament_the_more_members_are_asked_in_a_day(
    db: Database, players: int, most: int
) -> None:
    begun = await begin(db)
    large = replace(begun, players=tuple(replace(begun.players[0], user_id=each) for each in range(players)))
    for guest_id in range(70, 70 + most):
        await db.write(offers.add, large, 0, guest_id, NOON)
    with pytest.raises(Refusal, match=TournamentReason.TOO_MANY_ASKED):
        await db.write(offers.add, large, 0, 99, NOON)
    await db.write(offers.add, large, 0, 99, NOON + offers.OFFER_AGAIN_AFTER)


def _count_offers(connection: Connection) -> int:
    return connection.execute(select(func.count()).select_from(offers.tournament_offers)).scalar_one()


async def test_of_two_processes_that_change_a_tournament_one_decides_anew(db: Database, connect: Connect) -> None:
    other, before = await connect(), await add(db)
    results = await asyncio.gather(
        *(
            save(each, before, actions.join(before, Person(user_id, "Wren"), user_id))
            for each, user_id in ((db, 12), (other, 13))
        ),
        return_exceptions=True,
    )
    assert sorted(isinstance(each, TournamentConflict) for each in results) == [False, True]
    assert len((await load(db, before.id)).players) == 1


async def test_jobs_are_stored_with_the_change_and_tell_when_the_round_ends(db: Database) -> None:
    begun = await begin(db)
    due = NOON + timedelta(hours=24)
    deadline = Job(DEADLINE_KIND, round_key(begun.id, 1), due, counts_from=NOON)
    assert (await save(db, begun, replace(begun, is_late=True), deadline)).due_at == due
    with pytest.raises(TournamentConflict):
        await save(db, begun, begun, replace(deadline, due_at=NOON))
    assert (await load(db, begun.id)).due_at == due, "a job of a change that was not made"
    claimed = await db.maintain(job_storage.claim, db.shards, [ADVANCE_KIND], NOON, NOON, 5)
    assert [each.key for each in claimed] == [str(begun.id)]


async def test_the_job_that_shows_who_has_left_is_one_of_the_server_whose_language_it_speaks(db: Database) -> None:
    begun, clock = await begin(db), FakeClock(NOON)
    service = TournamentService(db, Blocks(db, clock), clock)
    assert [each.guild_id for each in await service.leave_all(11)] == [begun.location.guild_id]
    await db.maintain(job_storage.remove, ADVANCE_KIND, [str(begun.id)])
    await service.leave_server(begun.location.guild_id or 0, 12)
    claimed = await db.maintain(job_storage.claim, db.shards, [ADVANCE_KIND], NOON, NOON, 5)
    assert [each.guild_id for each in claimed] == [begun.location.guild_id]


async def test_the_job_says_when_a_tournament_starts(db: Database) -> None:
    starts_at = NOON + timedelta(hours=2)
    timed = replace(make_tournament(), starts_at=starts_at, check_in_minutes=30)
    added = await db.write(tournament_storage.add, timed, MOST, jobs_at_opening(timed, NOON))
    assert (await load(db, added.id)).starts_at == starts_at
    shards = db.shards
    # Only the second downtime reaches into the check-in.
    for since, until in ((0, 60), (80, 110)):
        downtime = Downtime(NOON + timedelta(minutes=since), NOON + timedelta(minutes=until), shards)
        await db.write(job_storage.add_downtime, downtime)
    (start,) = await db.maintain(job_storage.claim, shards, [START_KIND], starts_at, starts_at, 5)
    assert start.due_at == NOON + timedelta(minutes=110)
    opened = actions.open_check_in(await load(db, added.id))
    now = NOON + timedelta(minutes=111)
    scheduled = jobs_after(added, opened, now)
    assert (await save(db, added, opened, *scheduled)).starts_at == now + timedelta(minutes=30)
    await db.maintain(job_storage.finish, start, None)
    assert (await load(db, added.id)).starts_at is not None, "what opened the check-in leaves the start alone"


async def test_a_server_has_so_many_open_tournaments_at_most(db: Database) -> None:
    *_, last = [await add(db) for _ in range(MOST)]
    with pytest.raises(Refusal, match=TournamentReason.TOO_MANY_OPEN):
        await add(db)
    await add(db, guild_id=4)
    await save(db, last, actions.abandon(last))
    by_member = replace(make_tournament(), is_by_organizer=False)
    with pytest.raises(Refusal, match=TournamentReason.OPENED_ONE_ALREADY):
        await db.write(tournament_storage.add, by_member, MOST, [JOB])
    newest = await add(db)
    assert [each.id for each in await db.read(tournament_storage.find_in_server, 3, {7}, 9)] == [
        newest.id,
        2,
        1,
        last.id,
    ]
    assert [each.id for each in await db.read(tournament_storage.find_in_server, 3, {7}, 2)] == [newest.id, 2]
    assert await db.read(tournament_storage.find_channels, 3) == {7}
    assert await db.read(tournament_storage.find_in_server, 3, {8}, 9) == []


async def test_of_two_messages_one_is_kept(db: Database) -> None:
    added = await add(db)
    assert await db.maintain(tournament_storage.set_message, added.id, 81, None)
    assert not await db.maintain(tournament_storage.set_message, added.id, 82, None)
    assert not await db.maintain(tournament_storage.set_message, added.id, 83, 82)
    assert (await load(db, added.id)).message_id == 81
    assert (await save(db, added, replace(added, round_hours=48))).message_id == 81, "a change leaves it alone"
    assert await db.maintain(tournament_storage.set_message, added.id, None, 81)


async def test_one_process_at_a_time_has_the_tables_of_a_tournament(db: Database, connect: Connect) -> None:
    other, added = await connect(), await add(db)
    until = NOON + timedelta(minutes=5)
    claims = await asyncio.gather(
        *(each.maintain(tournament_storage.claim, added.id, NOON, until) for each in (db, other))
    )
    assert sorted(claims) == [False, True]
    await db.maintain(tournament_storage.prolong, added.id, until + timedelta(minutes=1))
    assert not await other.maintain(tournament_storage.claim, added.id, until, until + timedelta(minutes=5)), (
        "it is still at it"
    )
    until += timedelta(minutes=1)
    assert await other.maintain(tournament_storage.claim, added.id, until, until + timedelta(minutes=5)), (
        "the process has died"
    )
    await other.maintain(tournament_storage.release, added.id)
    await other.maintain(tournament_storage.prolong, added.id, until)
    assert await db.maintain(tournament_storage.claim, added.id, NOON, until)
    assert not await db.maintain(tournament_storage.claim, 99, NOON, until)


async def open_table(db: Database, tournament: Tournament, pairing: Pairing, channel_id: int) -> TableUpdate:
    header = replace(make_lobby_header(channel_id), link=tournament.link_of(pairing))
    return TableUpdate(await db.write(table_storage.open_table, header, (ROBIN, WREN)))


async def test_a_pairing_has_one_table_until_that_is_cancelled(db: Database, connect: Connect) -> None:
    other, begun = await connect(), await begin(db)
    (pairing,) = begun.in_play
    opened = await asyncio.gather(
        *(open_table(each, begun, pairing, place) for place, each in enumerate((db, other), 20)),
        return_exceptions=True,
    )
    (table,) = [each for each in opened if isinstance(each, TableUpdate)]
    assert sum(isinstance(each, AlreadyContinued) for each in opened) == 1
    found = await db.read(tournament_storage.find_tables, begun.id)
    assert {part: each.table_id for part, each in found.items()} == {pairing.part: table.header.id}
    await save_change(db, TableUpdate(revise(table.header, Status.CANCELLED)))
    assert await db.read(tournament_storage.find_tables, begun.id) == {}
    await open_table(db, begun, pairing, 22)


async def test_a_result_decides_its_pairing_and_begins_the_next_round(db: Database) -> None:
    begun = await begin(db)
    (pairing,) = begun.in_play
    table = (await open_table(db, begun, pairing, 20)).header
    results = make_game_results(table.id, ROBIN.user_id, WREN.user_id, places=(2, 1))
    await save_end(db, TableUpdate(revise(table, Status.FINISHED)), results)
    tables = await db.read(tournament_storage.find_tables, begun.id)
    assert tables[pairing.part].places == (2, 1)
    after = settle_round(begun, tables, ())
    assert after.pairings[0].winner_id == pairing.people[1]
    assert (after.round, after.stage) == (2, Stage.RUNNING)


async def test_the_tables_of_tournaments_do_not_expire(db: Database) -> None:
    begun = await begin(db)
    await open_table(db, begun, begun.in_play[0], 20)
    ordinary = await db.write(table_storage.open_table, make_lobby_header(21), (ROBIN,))
    assert await db.read(sweep.idle_lobbies, db.shards, NOON + timedelta(days=9), 0, 9) == [ordinary.id]
