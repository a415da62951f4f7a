"""Blocks in memory, as the port promises."""

from collections.abc import Collection, Sequence
from datetime import datetime

from bot.features.blocks.model import Block, SeatBlocked


class FakeBlocks:
    """Keeps whom people block, in order."""

    def __init__(self) -> None:
        self.blocks: dict[Block, datetime] = {}

    async def add_block(self, block: Block, at: datetime, most: int) -> bool:
        if block not in self.blocks and len(await self.list_blocked(block.blocker_id)) >= most:
            return False
        self.blocks.setdefault(block, at)
        return True

    async def remove_block(self, block: Block) -> bool:
        return self.blocks.pop(block, None) is not None

    async def list_blocked(self, blocker_id: int) -> Sequence[int]:
        return [block.blocked_id for block in self.blocks if block.blocker_id == blocker_id]

    async def find_blocks(self, people: Collection[int]) -> frozenset[Block]:
        return frozenset(block for block in self.blocks if {block.blocker_id, block.blocked_id} <= set(people))

    def require_unblocked(self, people: Collection[int], newcomers: Collection[int]) -> None:
        """Refuse newcomers who may not share a table with all the people, whom they are among."""
        between = [each for each in self.blocks if {each.blocker_id, each.blocked_id} <= set(people)]
        if found := {each for each in between if {each.blocker_id, each.blocked_id} & set(newcomers)}:
            raise SeatBlocked(found)
