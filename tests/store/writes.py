"""Opens tables and adds moves for ever, at all of them at once; says each step that is saved, and of which table."""

import asyncio
import sys

from bot.store.store import SqlStore
from tests.store.samples import ROBIN, a_header, after_move


def say(table_id: int, step: int) -> None:
    sys.stdout.write(f"{table_id} {step}\n")
    sys.stdout.flush()


async def write(store: SqlStore, channel_id: int) -> None:
    header = await store.open(a_header(channel_id), [ROBIN])
    while True:
        header, entry = after_move(header, f"move {header.step + 1}")
        await store.save(header, None, entry)
        say(header.id, header.step)


async def write_all(address: str, tables: int) -> None:
    store = SqlStore(address)
    await asyncio.gather(*(write(store, channel_id) for channel_id in range(1, tables + 1)))


asyncio.run(write_all(sys.argv[1], int(sys.argv[2])))
