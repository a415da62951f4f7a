"""Blocks between people, on every database."""

import asyncio
from datetime import timedelta

from bot.store.store import SqlStore
from bot.tables.blocks import Block
from tests.store.samples import LARGEST_ID, NOON, Connect

MOST = 3


async def test_blocks_are_found_in_both_directions_and_only_between_the_people_asked_about(store: SqlStore) -> None:
    blocks = {Block(11, 12), Block(13, 11), Block(12, LARGEST_ID)}
    for block in blocks:
        assert await store.add_block(block, NOON, MOST)
    assert await store.find_blocks([11, 12, 13]) == {Block(11, 12), Block(13, 11)}
    assert await store.find_blocks([12, 13]) == await store.find_blocks([]) == frozenset()


async def test_a_block_is_stored_once_and_removed_once(store: SqlStore) -> None:
    for _ in range(2):
        assert await store.add_block(Block(11, 12), NOON, MOST)
    assert await store.list_blocked(11) == [12]
    assert await store.list_blocked(12) == []
    assert [await store.remove_block(Block(11, 12)) for _ in range(2)] == [True, False]
    assert await store.list_blocked(11) == []


async def test_the_people_someone_blocks_are_listed_in_the_order_of_blocking(store: SqlStore) -> None:
    for minutes, blocked in ((2, 15), (1, 19), (0, 17)):
        await store.add_block(Block(11, blocked), NOON + timedelta(minutes=minutes), MOST)
    assert await store.list_blocked(11) == [17, 19, 15]


async def test_two_processes_keep_the_limit_together(connect: Connect) -> None:
    stores = await connect(), await connect()
    for blocked in (19, 15):
        assert await stores[0].add_block(Block(11, blocked), NOON, MOST)
    both = (store.add_block(Block(11, 20 + number), NOON, MOST) for number, store in enumerate(stores))
    assert sorted(await asyncio.gather(*both)) == [False, True]
    assert await stores[0].add_block(Block(11, 15), NOON, MOST), "it is stored already"
    assert len(await stores[1].list_blocked(11)) == MOST
