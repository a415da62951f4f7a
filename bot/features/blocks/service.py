"""The service that stores and removes blocks."""

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime
from typing import Final

from bot.features.blocks import storage
from bot.features.blocks.storage import Block, BlockReason
from bot.platform.database.database import Database
from bot.rules.refusals import RefusalReason
from bot.words import N_

MAX_BLOCKS: Final = 100
"""The most people that one person can block."""


BLOCK_ERROR_MESSAGES: Final[Mapping[RefusalReason, str]] = {
    BlockReason.BLOCKED_YOURSELF: N_("That's you. You can only block others."),
    BlockReason.BLOCKED_COMPUTER: N_("That's a bot. You can only block people."),
    BlockReason.TOO_MANY_BLOCKS: N_("You can't block anyone else: the limit is {most}. `/unblock` makes room."),
    BlockReason.YOU_BLOCK_SOMEONE: N_(
        "Someone you have blocked has a seat at this table, so you can't take one. No one else sees this. "
        "`/unblock` lists the people you have blocked."
    ),
    BlockReason.NOT_BLOCKED: N_(
        "You haven't blocked them. `/unblock` without a name lists the people you have blocked."
    ),
}
"""The message for each reason."""


class Blocks:
    """Stores blocks between people. A blocked person is never told."""

    def __init__(self, db: Database, clock: Callable[[], datetime]) -> None:
        self._db = db
        self._clock = clock

    async def add(self, blocker_id: int, blocked_id: int) -> bool:
        """Block a person, if not blocked already; return False if the blocker has reached the limit."""
        return await self._db.write(storage.add, Block(blocker_id, blocked_id), self._clock(), MAX_BLOCKS)

    async def remove(self, blocker_id: int, blocked_id: int) -> bool:
        """Unblock a person; return whether they were blocked."""
        return await self._db.write(storage.remove, Block(blocker_id, blocked_id))

    async def list_by(self, blocker_id: int) -> Sequence[int]:
        """Return the people whom a person blocks, in the order of blocking."""
        return await self._db.read(storage.find_blocked, blocker_id)

    async def between(self, people: Collection[int]) -> frozenset[frozenset[int]]:
        """Return the pairs of these people in which one blocks the other."""
        found = await self._db.read(storage.find_between, people)
        return frozenset(frozenset((block.blocker_id, block.blocked_id)) for block in found)
