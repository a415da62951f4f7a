"""Brings databases to the present schema, each when told to on standard input."""

import asyncio
import sys

from bot.app.store import SqlStore


async def upgrade(address: str) -> None:
    store = SqlStore(address)
    await store.upgrade()
    await store.close()


for argument in sys.argv[1:]:
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    sys.stdin.readline()
    asyncio.run(upgrade(argument))
