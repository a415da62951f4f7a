"""Whom people do not want to share a table with."""

from collections.abc import Callable, Collection, Sequence
from datetime import datetime
from typing import Final

from bot.features.blocks import storage
from bot.platform.database.database import Database
from bot.tables.lobby import Block

MAX_BLOCKS: Final = 100
"""How many people someone can block."""


class Blocks:
    """Keeps the blocks between people; those who are blocked are never told."""

    def __init__(self, db: Database, clock: Callable[[], datetime]) -> None:
        self._db = db
        self._clock = clock

    async def add(self, blocker_id: int, blocked_id: int) -> bool:
        """Block a person, which may be done already; return False if someone blocks too many."""
        return await self._db.write(storage.add, Block(blocker_id, blocked_id), self._clock(), MAX_BLOCKS)

    async def remove(self, blocker_id: int, blocked_id: int) -> bool:
        """Unblock a person; return whether they were blocked."""
        return await self._db.write(storage.remove, Block(blocker_id, blocked_id))

    async def list_by(self, blocker_id: int) -> Sequence[int]:
        """Return whom a person blocks, in the order in which they did so."""
        return await self._db.read(storage.find_blocked, blocker_id)

    async def between(self, people: Collection[int]) -> frozenset[Block]:
        """Return the blocks between some people, who should not be seated together."""
        return await self._db.read(storage.find_between, people)
