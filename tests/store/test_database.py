"""What the backends share."""

import asyncio
from weakref import ref

from bot.platform.database.compiled import COMPILED
from bot.platform.database.database import RunningTransactions
from tests.store.samples import Connect


async def test_a_transaction_is_forgotten_once_it_has_ended() -> None:
    running = RunningTransactions()
    transaction = asyncio.get_running_loop().create_future()
    waiting = asyncio.create_task(running.wait_for(transaction))
    await asyncio.sleep(0)
    transaction.set_result("written")
    assert await waiting == "written"
    forgotten = ref(transaction)
    del transaction, waiting
    assert forgotten() is None


async def test_statements_are_compiled_once_for_all_connections_and_stores(connect: Connect) -> None:
    first = await connect()
    await first.set_value("one", "1")
    await first.get_value("one")
    compiled = len(COMPILED)
    for store in (first, await connect()):
        await store.set_value("two", "2")
        assert await asyncio.gather(*(store.get_value("two") for _ in range(8))) == ["2"] * 8
    assert len(COMPILED) == compiled
