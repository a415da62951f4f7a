"""The periods for which results are added up: days begin at midnight UTC, weeks on Mondays (ISO 8601)."""

from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from typing import Final

from bot.features.settings.preferences import SeasonLength

ALL_TIME: Final = "all"

WITH_HINTS: Final = "hints"
"""Not a time: the results for which hints were used. Profiles count them as played, and they are on no leaderboard."""

LIFETIME: Final = (ALL_TIME, WITH_HINTS)
"""Together, everything that a person has played."""


def year_of(moment: datetime) -> str:
    """Return the year at a time, such as `2026`."""
    return f"{_utc(moment).year:04}"


def quarter_of(moment: datetime) -> str:
    """Return the quarter at a time, such as `2026-Q4`."""
    return f"{_utc(moment):%Y}-Q{(_utc(moment).month + 2) // 3}"


def month_of(moment: datetime) -> str:
    """Return the month at a time, such as `2026-11`."""
    return f"{_utc(moment):%Y-%m}"


def week_of(moment: datetime) -> str:
    """Return the week at a time, such as `2026-W48`; its year is that of its Thursday."""
    year, week, _ = _utc(moment).isocalendar()
    return f"{year:04}-W{week:02}"


def season_of(length: SeasonLength, moment: datetime) -> str | None:
    """Return the season at a time, or None in a server without seasons."""
    match length:
        case SeasonLength.OFF:
            return None
        case SeasonLength.MONTH:
            return month_of(moment)
        case SeasonLength.QUARTER:
            return quarter_of(moment)
        case SeasonLength.YEAR:
            return year_of(moment)


def periods_at(moment: datetime) -> tuple[str, ...]:
    """Return all periods in which a result at a time counts."""
    return _periods_on(_utc(moment).date())


@lru_cache(maxsize=8)
def _periods_on(day: date) -> tuple[str, ...]:
    moment = _midnight(day)
    return ALL_TIME, year_of(moment), quarter_of(moment), month_of(moment), week_of(moment)


def bounds_of(period: str) -> tuple[datetime, datetime]:
    """Return when a week, month, quarter or year begins, and when the next one does.

    Raises:
        ValueError: It is none of these.
    """
    year, _, part = period.partition("-")
    if not part:
        return _midnight(date(int(year), 1, 1)), _midnight(date(int(year) + 1, 1, 1))
    if part.startswith("W"):
        monday = _midnight(date.fromisocalendar(int(year), int(part[1:]), 1))
        return monday, monday + timedelta(weeks=1)
    if part.startswith("Q"):
        first = 3 * int(part[1:]) - 2
        return _month(int(year), first), _month(int(year), first + 3)
    return _month(int(year), int(part)), _month(int(year), int(part) + 1)


def next_month(moment: datetime) -> datetime:
    """Return when the next month begins; every season ends with a month."""
    return bounds_of(month_of(moment))[1]


def _month(year: int, month: int) -> datetime:
    return _midnight(date(year + (month - 1) // 12, (month - 1) % 12 + 1, 1))


def _midnight(day: date) -> datetime:
    return datetime(day.year, day.month, day.day, tzinfo=UTC)


def _utc(moment: datetime) -> datetime:
    return moment.astimezone(UTC)
