"""Counts invalid requests and slows the bot down before Discord bans it."""

import logging
from collections import deque
from typing import Final

log = logging.getLogger(__name__)

USUAL_PACE: Final = 45
"""Requests per second with the bot's token; Discord's limit is 50."""

_REDUCED_PACES: Final = ((4000, 1), (1000, 10))
"""Invalid requests in ten minutes, and requests per second from then on. Discord bans a bot at 10,000."""

_WINDOW_SECONDS: Final = 600.0


class InvalidRequests:
    """Counts the responses with status 401, 403 or 429 in the last ten minutes.

    Discord counts those of all processes together, so each slows down at its share of the limits.
    """

    def __init__(self) -> None:
        self._times: deque[float] = deque()
        self._is_slow = False

    def note(self, now: float, share: float) -> None:
        """Count an invalid request; log it if the bot slows down from now on."""
        self._times.append(now)
        if not self._is_slow and self.pace(now, share) < USUAL_PACE:
            self._is_slow = True
            log.warning(
                "Discord has refused %d requests in ten minutes (401, 403 or 429): the bot slows down, because it would"
                " be banned at 10,000",
                len(self._times),
            )

    def count(self, now: float) -> int:
        """Return the number of invalid requests in the last ten minutes."""
        while self._times and self._times[0] <= now - _WINDOW_SECONDS:
            self._times.popleft()
        return len(self._times)

    def pace(self, now: float, share: float) -> int:
        """Return the number of requests that all processes may send per second, as far as this one knows."""
        invalid = self.count(now)
        pace = next((pace for threshold, pace in _REDUCED_PACES if invalid >= threshold * share), USUAL_PACE)
        if self._is_slow and pace == USUAL_PACE:
            self._is_slow = False
            log.info("requests are sent at the usual pace again")
        return pace
