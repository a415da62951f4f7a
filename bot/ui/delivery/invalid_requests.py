"""Counts the requests that Discord holds against the bot, and tells how fast it may go on."""

import logging
from collections import deque
from typing import Final

log = logging.getLogger(__name__)

USUAL_PACE: Final = 45
"""So many requests a second with the bot's token; Discord takes 50."""

_REDUCED_PACES: Final = ((4000, 1), (1000, 10))
"""From so many invalid requests in ten minutes on, so many requests a second. Discord bans a bot at 10,000."""

_WINDOW_SECONDS: Final = 600.0


class InvalidRequests:
    """Counts the refusals (401, 403, 429) of the last ten minutes."""

    def __init__(self) -> None:
        self._times: deque[float] = deque()
        self._is_slow = False

    def note(self, now: float) -> None:
        """Count one more; tells the log when the bot begins to slow down."""
        self._times.append(now)
        if not self._is_slow and self.pace(now) < USUAL_PACE:
            self._is_slow = True
            log.warning(
                "Discord has refused %d requests in ten minutes (401, 403 or 429): the bot slows down, because it would"
                " be banned at 10,000",
                len(self._times),
            )

    def count(self, now: float) -> int:
        """Return how many there were in the last ten minutes."""
        while self._times and self._times[0] <= now - _WINDOW_SECONDS:
            self._times.popleft()
        return len(self._times)

    def pace(self, now: float) -> int:
        """Return how many requests may be sent a second."""
        found = self.count(now)
        pace = next((pace for least, pace in _REDUCED_PACES if found >= least), USUAL_PACE)
        if self._is_slow and pace == USUAL_PACE:
            self._is_slow = False
            log.info("the bot sends requests at its usual pace again")
        return pace
