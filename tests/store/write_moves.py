"""Opens tables and adds moves for ever, at all of them at once; says each step that is saved, and of which table."""

import asyncio
import sys

from bot.app.store import SqlStore
from bot.tables.model import TableUpdate
from tests.store.samples import ROBIN, make_header, make_move


def print_saved_step(table_id: int, step: int) -> None:
    sys.stdout.write(f"{table_id} {step}\n")
    sys.stdout.flush()


async def write_moves(store: SqlStore, channel_id: int) -> None:
    header = await store.open_table(make_header(channel_id), [ROBIN])
    while True:
        header, entry = make_move(header, f"move {header.step + 1}")
        await store.save(TableUpdate(header, entry))
        print_saved_step(header.id, header.step)


async def write_all(address: str, tables: int) -> None:
    store = SqlStore(address)
    await asyncio.gather(*(write_moves(store, channel_id) for channel_id in range(1, tables + 1)))


asyncio.run(write_all(sys.argv[1], int(sys.argv[2])))
