"""Opens a table and adds moves for ever; says which table, and every step that is saved."""

import asyncio
import sys

from bot.store.store import SqlStore
from tests.store.samples import ROBIN, a_header, after_move


def say(number: int) -> None:
    sys.stdout.write(f"{number}\n")
    sys.stdout.flush()


async def write(address: str) -> None:
    store = SqlStore(address)
    header = await store.open(a_header(), [ROBIN])
    say(header.id)
    while True:
        header, entry = after_move(header, f"move {header.step + 1}")
        await store.save(header, None, entry)
        say(header.step)


asyncio.run(write(sys.argv[1]))
