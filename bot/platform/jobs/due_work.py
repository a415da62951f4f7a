"""What a process has to do now; without players there is nothing, and asking costs one query."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol


@dataclass(frozen=True, slots=True)
class DueWork:
    """What a process has to do now for the servers of its shards."""

    reminders: bool
    """Whether any is to be sent or deleted."""
    invitations: bool
    """Whether any is to be deleted."""
    jobs: bool
    """Whether any is due that no process has claimed; perhaps of a kind that this one does not know."""
    deletions: int = 0
    """How often any process has deleted something that others may have in memory."""


class DueWorkStore(Protocol):
    """Tells whether there is anything to do; methods behave as those of `TableStore`."""

    async def look_for_work(
        self, games: Collection[str], after: datetime, until: Mapping[int, datetime], now: datetime
    ) -> DueWork:
        """Return what is due at a time, in one query; the first arguments are those of `due_reminders`."""
