"""The turn clock of a table, as stored with its header."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from bot.features.settings.preferences import TurnClock

HALF_TIME: Final = "half time"
TIME_UP: Final = "time up"
"""The kinds of the jobs that are due when half a turn's time, and all of it, has passed."""


@dataclass(frozen=True, slots=True)
class ClockState:
    """How long a turn may take at a table, and when the present one ends."""

    limit: TurnClock = TurnClock.NONE
    """Chosen in the lobby."""
    ends_at: datetime | None = None
    """When the time of the player to move ends; None while the clock is stopped."""
    is_up: bool = False
    """Whether that time is up. It is noted when the job is done, because time without a running bot does not count."""


STOPPED: Final = ClockState()
