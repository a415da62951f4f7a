"""The settings of a host."""

from dataclasses import dataclass, field
from datetime import timedelta

from bot.tables.memory import CACHE_BYTES


@dataclass(frozen=True, slots=True)
class IdleLimits:
    """The limits after which an idle table loses its place; None for never."""

    put_aside_after: timedelta | None = timedelta(days=1)
    """Then anyone who wants to open another table in its channel can put it aside."""
    abandon_after: timedelta | None = timedelta(days=30)
    """Then it is closed."""


@dataclass(frozen=True, slots=True)
class HostSettings:
    """How a host treats its tables."""

    computer_pause: float = 0.0
    """Seconds before each turn of a computer player, so that people see the previous one; longer after a banner."""
    reminders: bool = True
    """Whether players are reminded of their turn."""
    cache_bytes: int = CACHE_BYTES
    """The size of the table cache."""
    max_open_tables: int | None = None
    """How many open tables a person can have opened per server, or in direct messages; None for any number."""
    idle_limits: IdleLimits = field(default_factory=IdleLimits)
