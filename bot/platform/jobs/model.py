"""Jobs and leases, and the times that processes keep to."""

from dataclasses import dataclass
from datetime import datetime, timedelta
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


ALIVE_EVERY: Final = timedelta(seconds=20)
"""How often it is noted that a process runs."""

MAX_PAUSE: Final = timedelta(seconds=90)
"""A longer time without a note is downtime, though a process runs: the machine slept, or the database was away."""

MAX_RESTART: Final = timedelta(seconds=30)
"""A longer time without a note before a process starts is downtime."""
EXCUSING_DOWNTIME: Final = timedelta(hours=1)
"""If the bot did not run for so long on a day, nobody has missed the bag of that day."""


@dataclass(frozen=True, slots=True)
class Job:
    """Something to be done at a time."""

    kind: str
    """Names who does it."""
    key: str
    """Says what it is about; a kind has one job per key."""
    due_at: datetime
    counts_from: datetime | None = None
    """Since when its time runs, if it is due later by any downtime in it, as a person's deadline is."""
    guild_id: int | None = None
    """The server whose process does it, 0 for direct messages; None if any process may."""


@dataclass(frozen=True, slots=True)
class Lease:
    """Which process has a range."""

    shards: ShardRange
    owner: str
    """Stands for a process."""
    is_ready: bool
    """Whether the owner is connected."""
