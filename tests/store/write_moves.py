"""Opens tables and adds moves for ever, at all of them at once; says each step that is saved, and of which table."""

import asyncio
import sys

from bot.platform.database.database import Database, open_database
from bot.tables import storage as table_storage
from bot.tables.model import TableUpdate
from bot.tables.saving import save_change
from tests.store.samples import ROBIN, make_header, make_move


def print_saved_step(table_id: int, step: int) -> None:
    sys.stdout.write(f"{table_id} {step}\n")
    sys.stdout.flush()


async def write_moves(db: Database, channel_id: int) -> None:
    header = await db.write(table_storage.open_table, make_header(channel_id), [ROBIN])
    while True:
        header, entry = make_move(header, f"move {header.step + 1}")
        await save_change(db, TableUpdate(header, entry))
        print_saved_step(header.id, header.step)


async def write_all(address: str, tables: int) -> None:
    db = open_database(address)
    await asyncio.gather(*(write_moves(db, channel_id) for channel_id in range(1, tables + 1)))


asyncio.run(write_all(sys.argv[1], int(sys.argv[2])))
