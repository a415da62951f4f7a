"""Snowflakes: ids that grow with time."""

import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

EPOCH_MS = 1_420_070_400_000
"""The first millisecond of 2015, Discord's epoch."""

_TIME_SHIFT = 22
_DIGITS = 20


class SnowflakeGenerator:
    """Generates ids, each greater than the one before."""

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        self._clock = clock
        self._last = 0

    def next_id(self) -> int:
        """Return the next id."""
        earliest = (int(self._clock() * 1000) - EPOCH_MS) << _TIME_SHIFT
        self._last = max(self._last + 1, earliest)
        return self._last


def creation_timestamp(snowflake: int) -> str:
    """Return the creation time of an id in ISO 8601."""
    return format_iso(((snowflake >> _TIME_SHIFT) + EPOCH_MS) / 1000)


def format_iso(seconds: float) -> str:
    """Return a Unix time in ISO 8601."""
    return datetime.fromtimestamp(seconds, UTC).isoformat()


def parse_snowflake(value: Any) -> int:
    """Return an id, or 0 if the value is none."""
    # Tests may pass people, roles and channels instead of their ids.
    raw = str(getattr(value, "id", value))
    return int(raw) if raw.isdecimal() and len(raw) <= _DIGITS else 0
