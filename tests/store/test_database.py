"""What the backends share."""

import asyncio
from weakref import ref

from bot.store.database import RunningTransactions


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
