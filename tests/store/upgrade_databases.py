"""Brings databases to the present schema, each when told to on standard input."""

import asyncio
import sys

from bot.app.databases import migrate
from bot.platform.database.database import open_database


async def upgrade(address: str) -> None:
    db = open_database(address)
    await migrate(db)
    await db.close()


for argument in sys.argv[1:]:
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    sys.stdin.readline()
    asyncio.run(upgrade(argument))
