"""Brings a database to the present schema once a line comes on standard input."""

import asyncio
import sys

from bot.app.databases import migrate
from bot.platform.database.database import open_database


async def upgrade(address: str) -> None:
    db = open_database(address)
    await migrate(db)
    await db.close()


sys.stdout.write("ready\n")
sys.stdout.flush()
sys.stdin.readline()
asyncio.run(upgrade(sys.argv[1]))
