"""Shards: each of Discord's has a share of a bot's servers, and each process of the bot has a range of them."""

from dataclasses import dataclass
from typing import Final

SERVER_BITS: Final = 22
"""The low bits of a server's id, which do not decide its shard.

Source: https://docs.discord.com/developers/events/gateway#sharding
"""


@dataclass(frozen=True, slots=True, order=True)
class ShardRange:
    """Neighbouring shards, of all that the bot has."""

    first: int
    last: int
    """Of the range, too."""
    count: int
    """How many shards the bot has in all its processes."""

    def __str__(self) -> str:
        return f"{self.first}-{self.last}/{self.count}"

    @property
    def numbers(self) -> range:
        """The numbers of the shards."""
        return range(self.first, self.last + 1)

    def overlaps(self, other: "ShardRange") -> bool:
        """Return whether a server may belong to both; those of another number of shards may have any servers."""
        return self.count != other.count or (self.first <= other.last and other.first <= self.last)


ALL_SHARDS: Final = ShardRange(0, 0, 1)
"""Serves every server, however many shards there are."""
