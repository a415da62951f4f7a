"""What a process has to do now; without players there is nothing, and asking costs one query."""

from dataclasses import dataclass


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
