"""Renders streaks of days, alike for the daily bag and the daily puzzle."""

from bot.features.daily_bag.model import DailyStreak
from bot.features.puzzles.model import Streak
from bot.words import format_number, gettext as _, ngettext


def own_streak_line(streak: DailyStreak | Streak) -> str:
    """Return the line of a person's own streak."""
    return _with_numbers(_("🔥 Your streak: {days}, longest {longest}"), streak)


def server_streak_line(streak: DailyStreak | Streak) -> str:
    """Return the line of a server's streak."""
    return _with_numbers(_("🏠 This server's streak: {days}, longest {longest}"), streak)


def format_days(count: int) -> str:
    """Return a number of days with the unit."""
    return ngettext("{count} day", "{count} days", count).format(count=format_number(count))


def _with_numbers(line: str, streak: DailyStreak | Streak) -> str:
    return line.format(days=format_days(streak.current), longest=format_number(streak.longest))
