"""Blocks: a person who blocks another shares no new table with them, in any server."""

from collections.abc import Collection
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Block:
    """A person blocks another."""

    blocker_id: int
    blocked_id: int


class SeatBlocked(Exception):
    """People who are to share a table block each other."""

    def __init__(self, blocks: Collection[Block]) -> None:
        super().__init__()
        self.blocks = blocks
