"""Two services on two stores over one database, as in two processes: every click reaches both."""

import asyncio

import pytest

from bot.features.invitations.model import Invitation, InvitationReason
from bot.features.invitations.service import store_invitation
from bot.games.magpie.pieces import MagpieOptions
from bot.platform.database.database import Database
from bot.platform.places import Location
from bot.rules.refusals import Refusal
from bot.tables import storage as table_storage
from bot.tables.lobby import digest_of_options
from bot.tables.model import Status
from bot.tables.opening import open_game
from bot.tables.refusals import DuplicateInteraction, HostReason, Stale
from bot.tables.service import TableService
from bot.tables.table import Table
from tests.store.samples import Connect, load_move_texts
from tests.support.fakes import ALL_FIVE, GAMES, JAY, LINNET, ROBIN, WREN, mover_of, open_lobby, start_game
from tests.support.games import load_games_once

MOVES = 15


@pytest.fixture
async def services(connect: Connect, db: Database) -> tuple[TableService, TableService]:
    return TableService(db, GAMES), TableService(await connect(), GAMES)


async def test_one_click_in_two_processes_makes_one_move(
    services: tuple[TableService, TableService], db: Database
) -> None:
    table = await start_game(services[0], ROBIN, WREN, options=MagpieOptions(target=500))
    for step in range(MOVES):
        mover = mover_of(table)
        both = (s.play(table.id, mover, step, ALL_FIVE, 9000 + step) for s in services)
        results = await asyncio.gather(*both, return_exceptions=True)
        (table,) = (result for result in results if isinstance(result, Table))
        assert {type(result) for result in results} == {Table, DuplicateInteraction}
        for service in services:
            seen = await service.table(table.id, step=step + 1)
            assert (seen.header.revision, seen.state) == (table.header.revision, table.state)
    assert len(await load_move_texts(db, table.id)) == MOVES


async def test_one_command_in_two_processes_opens_one_table(services: tuple[TableService, TableService]) -> None:
    for channel_id in range(1, 11):
        location, options = Location(3, channel_id), MagpieOptions()
        both = (open_game(s, "magpie", options, ROBIN, location, click_id=channel_id) for s in services)
        results = await asyncio.gather(*both, return_exceptions=True)
        assert {type(result) for result in results} == {Table, DuplicateInteraction}
        with pytest.raises(Refusal) as refused:
            await open_game(services[0], "magpie", options, ROBIN, location, click_id=99)
        assert refused.value.reason is HostReason.CHANNEL_TAKEN


async def test_one_command_in_two_processes_makes_one_invitation(
    services: tuple[TableService, TableService], db: Database
) -> None:
    table = await open_lobby(services[0], ROBIN)
    for guest_id in range(100, 105):
        both = (store_invitation(s, db, table.id, ROBIN, guest_id, 9000 + guest_id) for s in services)
        results = await asyncio.gather(*both, return_exceptions=True)
        assert {type(result) for result in results} == {Invitation, DuplicateInteraction}
        with pytest.raises(Refusal) as refused:
            await store_invitation(services[1], db, table.id, ROBIN, guest_id, 1)
        assert refused.value.reason is InvitationReason.ALREADY_INVITED


async def test_of_two_choices_from_the_same_options_one_counts(
    services: tuple[TableService, TableService], db: Database
) -> None:
    table = await open_lobby(services[0], ROBIN)
    shown = digest_of_options(table)
    both = (
        s.choose_option(table.id, ROBIN, "target", value, shown)
        for s, value in zip(services, ("200", "300"), strict=True)
    )
    results = await asyncio.gather(*both, return_exceptions=True)
    (after,) = (result for result in results if isinstance(result, Table))
    assert {type(result) for result in results} == {Table, Stale}
    record = await db.read(table_storage.load, table.id)
    assert record is not None
    assert record.header.options == after.header.options


async def test_people_who_join_simultaneously_all_get_a_seat(services: tuple[TableService, TableService]) -> None:
    table = await open_lobby(services[0], ROBIN)
    await services[1].table(table.id)
    joining = [service.join(table.id, person, person.id) for person, service in zip((WREN, JAY), services, strict=True)]
    await asyncio.gather(*joining)
    await services[0].join(table.id, LINNET, LINNET.id)
    seats = (await services[0].table(table.id)).seats
    assert {who.name for who in seats} == {"Robin", "Wren", "Jay", "Linnet"}
    assert len(seats) == 4


async def test_a_simultaneous_start_and_cancellation_end_in_one_of_the_two(
    services: tuple[TableService, TableService], db: Database
) -> None:
    table = await open_lobby(services[0], ROBIN, WREN)
    await asyncio.gather(
        services[0].start(table.id, ROBIN, 600),
        services[1].cancel(table.id, ROBIN, is_moderator=False),
        return_exceptions=True,
    )
    record = await db.read(table_storage.load, table.id)
    assert record is not None
    # A table that has started can still be cancelled, one that is cancelled can't start.
    assert record.header.status is Status.CANCELLED


async def test_one_command_in_two_processes_makes_one_move_even_if_one_has_just_started(db: Database) -> None:
    """A command names no step, so the process that reads second finds the table one step later."""
    games = load_games_once()
    first, late = (TableService(db, games) for _ in range(2))
    table = await open_game(
        first, "magic_bag", games["magic_bag"].game.info.options(), ROBIN, Location(3, 70), click_id=1
    )
    table = await first.start(table.id, ROBIN, 2)
    await first.play(table.id, ROBIN, 0, "roll sun", 3)
    table = await late.table(table.id)
    with pytest.raises(DuplicateInteraction):
        await late.play(table.id, ROBIN, table.header.step, "roll sun", 3)
    assert await load_move_texts(db, table.id) == ["roll sun"]
    await late.play(table.id, ROBIN, table.header.step, "roll sun", 4)
    assert await load_move_texts(db, table.id) == ["roll sun", "roll sun"]
