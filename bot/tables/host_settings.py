"""The settings of a host."""

from dataclasses import dataclass, field

from bot.features.idle_tables.actions import IdleLimits
from bot.tables.memory import CACHE_BYTES


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
