"""Blocks between people, on every database."""

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest

from bot.features.blocks import storage as block_storage
from bot.features.blocks.storage import Block, BlockReason
from bot.features.invitations import storage as invitation_storage
from bot.features.invitations.model import Invitation, InvitationReason, NotInvitable
from bot.features.invitations.storage import INVITATION
from bot.games.magpie import PACKAGE as MAGPIE
from bot.platform.database.database import Database
from bot.platform.notices import storage as notice_storage
from bot.rules.refusals import Refusal
from bot.tables import storage as table_storage
from bot.tables.events import CalledHooks, Happened, NotTogether, TableEvent, hooks_for
from bot.tables.model import NO_LIMITS, Header, Occupant, SeriesLink, SeriesLinkKind, Status, TableUpdate, people_in
from bot.tables.refusals import HostReason
from bot.tables.saving import save_change
from bot.tables.table import Table
from tests.store.samples import (
    COMPUTER,
    LARGEST_ID,
    NOON,
    ROBIN,
    WREN,
    Connect,
    load_header,
    make_lobby_header,
    revise,
)
from tests.support.apps import shared_app

MOST, DAY = 3, timedelta(days=1)


def make_invitation(header: Header, guest_id: int) -> Invitation:
    return Invitation(header.id, header.location.channel_id, 11, guest_id, 5, 4, noted_at=NOON)


def make_join(header: Header, *seats: Occupant) -> tuple[TableUpdate, CalledHooks | None]:
    """Return how the last of some people joins, with what features have to say about it."""
    after, newcomers = revise(header, Status.LOBBY), people_in(seats[-1:])
    event = TableEvent(Table(after, seats, MAGPIE), Happened.SEATED, newcomers)
    return TableUpdate(after, seats=seats), hooks_for(event, shared_app().tables.hooks)


async def open_checked(db: Database, header: Header, *seats: Occupant) -> Header:
    """Open a table as the service does."""
    hooks = hooks_for(
        TableEvent(Table(header, seats, MAGPIE), Happened.OPENED, people_in(seats)), shared_app().tables.hooks
    )
    return await db.write(table_storage.open_table, header, seats, NO_LIMITS, hooks)


async def test_blocks_are_found_in_both_directions_and_only_between_the_people_asked_about(db: Database) -> None:
    for block in (Block(11, 12), Block(13, 11), Block(12, LARGEST_ID)):
        assert await db.write(block_storage.add, block, NOON, MOST)
    assert await db.read(block_storage.find_between, [11, 12, 13]) == {Block(11, 12), Block(13, 11)}
    for people in ([12, 13], []):
        assert await db.read(block_storage.find_between, people) == frozenset()


async def test_a_block_is_stored_once_listed_in_the_order_of_blocking_and_removed_once(db: Database) -> None:
    for minutes, blocked in ((2, 15), (1, 19), (0, 17), (3, 19)):
        assert await db.write(block_storage.add, Block(11, blocked), NOON + timedelta(minutes=minutes), MOST)
    assert await db.read(block_storage.find_blocked, 11) == [17, 19, 15]
    assert await db.read(block_storage.find_blocked, 19) == []
    assert [await db.write(block_storage.remove, Block(11, 19)) for _ in range(2)] == [True, False]
    assert await db.read(block_storage.find_blocked, 11) == [17, 15]


async def test_two_processes_keep_the_limit_together(connect: Connect) -> None:
    stores = await connect(), await connect()
    for blocked in (19, 15):
        assert await stores[0].write(block_storage.add, Block(11, blocked), NOON, MOST)
    both = (db.write(block_storage.add, Block(11, 20 + number), NOON, MOST) for number, db in enumerate(stores))
    assert sorted(await asyncio.gather(*both)) == [False, True]
    assert await stores[0].write(block_storage.add, Block(11, 15), NOON, MOST), "it is stored already"
    assert len(await stores[1].read(block_storage.find_blocked, 11)) == MOST


async def test_nobody_takes_a_seat_beside_someone_they_block_or_who_blocks_them(connect: Connect) -> None:
    db, other = await connect(), await connect()
    header = await db.write(table_storage.open_table, make_lobby_header(), [ROBIN])
    joined = make_join(header, ROBIN, WREN)
    reasons = {Block(11, 12): HostReason.NO_SEAT_FOR_YOU, Block(12, 11): BlockReason.YOU_BLOCK_SOMEONE}
    for block, reason in reasons.items():
        await other.write(block_storage.add, block, NOON, MOST)
        with pytest.raises(Refusal) as refused:
            await save_change(db, *joined)
        assert refused.value.reason is reason
        assert (await load_header(other, header.id)).revision == header.revision
        await other.write(block_storage.remove, block)
    await save_change(db, *joined)


async def test_a_block_between_others_keeps_nobody_out(db: Database) -> None:
    header = await db.write(table_storage.open_table, make_lobby_header(), [ROBIN, WREN])
    await db.write(block_storage.add, Block(11, 12), NOON, MOST)
    await save_change(db, *make_join(header, ROBIN, WREN, replace(WREN, user_id=13)))


@pytest.mark.every_database
async def test_a_table_of_people_who_block_each_other_is_opened_only_within_a_series(db: Database) -> None:
    await db.write(block_storage.add, Block(12, 11), NOON, MOST)
    with pytest.raises(NotTogether):
        await open_checked(db, make_lobby_header(), ROBIN, WREN, COMPUTER)
    first = await open_checked(db, make_lobby_header(8), ROBIN)
    link = SeriesLink(first.id, SeriesLinkKind.TOURNAMENT, 2)
    await open_checked(db, replace(make_lobby_header(9), link=link), ROBIN, WREN, COMPUTER)


async def test_an_invitation_between_them_is_refused_and_an_earlier_one_lapses(db: Database) -> None:
    header = await db.write(table_storage.open_table, make_lobby_header(), [ROBIN])
    await db.write(invitation_storage.add, make_invitation(header, 12), NOON - DAY, MOST)
    assert await db.read(notice_storage.find_lapsed, db.shards, INVITATION, 9) == []
    await db.write(block_storage.add, Block(12, 11), NOON, MOST)
    assert [each.user_id for each in await db.read(notice_storage.find_lapsed, db.shards, INVITATION, 9)] == [12]
    for block, reason in (
        (Block(13, 11), InvitationReason.INVITATIONS_REFUSED),
        (Block(11, 14), InvitationReason.YOU_BLOCK_THEM),
    ):
        await db.write(block_storage.add, block, NOON, MOST)
        guest_id = max(block.blocker_id, block.blocked_id)
        with pytest.raises(NotInvitable) as refused:
            await db.write(invitation_storage.add, make_invitation(header, guest_id), NOON - DAY, MOST)
        assert refused.value.reason is reason
