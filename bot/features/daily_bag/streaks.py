"""Streaks of the daily bag, with one forgiven day in each month."""

from collections.abc import Collection, Sequence

from bot.features.daily_bag.model import DailyStreak
from bot.platform.days import Day, start_of_day


def find_streak(days: Sequence[Day], today: Day, excused: Collection[Day] = ()) -> DailyStreak:
    """Return the streak at a day.

    A missed day between two finished ones is forgiven if none of its month was before; it does not count itself. A
    streak that ends uses up nothing.

    Args:
        days: The days whose bag was finished, in order.
        today: The present day, which is not missed before it is over.
        excused: Days that nobody has missed.
    """
    length, longest = 0, 0
    forgiven = set[int]()
    last = today
    for day in days:
        used = _forgive(range(last + 1, day), excused, forgiven) if length else None
        length, forgiven = (1, forgiven) if used is None else (length + 1, used)
        longest, last = max(longest, length), day
    now = _forgive(range(last + 1, today), excused, forgiven) if length else None
    return DailyStreak(0 if now is None else length, longest, _month_of(today) not in (now or forgiven))


def _forgive(between: range, excused: Collection[Day], forgiven: set[int]) -> set[int] | None:
    """Return the months with a forgiven day once those between two days are forgiven, or None if they can't be."""
    missed = [day for day in between if day not in excused]
    months = {_month_of(day) for day in missed}
    return None if len(months) < len(missed) or months & forgiven else forgiven | months


def _month_of(day: Day) -> int:
    """Return a number for the month of a day, which differs from that of any other month."""
    start = start_of_day(day)
    return 12 * start.year + start.month
