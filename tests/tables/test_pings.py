"""Quiet hours, in people's own time zones."""

from datetime import UTC, datetime

from bot.features.reminders.model import QuietHours
from tests.support.each_case import each_case


def at(text: str) -> datetime:
    """A time in UTC."""
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@each_case(
    "quiet, moment, end",
    [
        # Berlin is an hour ahead in winter, and two in summer.
        (QuietHours("Europe/Berlin", 22, 7), "2026-01-10 20:59", None),
        (QuietHours("Europe/Berlin", 22, 7), "2026-01-10 21:00", "2026-01-11 06:00"),
        (QuietHours("Europe/Berlin", 22, 7), "2026-01-11 05:59", "2026-01-11 06:00"),
        (QuietHours("Europe/Berlin", 22, 7), "2026-01-11 06:00", None),
        (QuietHours("Europe/Berlin", 22, 7), "2026-07-10 20:00", "2026-07-11 05:00"),
        (QuietHours("Europe/Berlin", 9, 17), "2026-01-10 08:00", "2026-01-10 16:00"),
        (QuietHours("Europe/Berlin", 20, 0), "2026-01-10 20:00", "2026-01-10 23:00"),
        # The night in which the clocks go forward is an hour shorter, and the one in which they go back an hour longer.
        (QuietHours("Europe/Berlin", 22, 7), "2026-03-28 21:00", "2026-03-29 05:00"),
        (QuietHours("Europe/Berlin", 22, 7), "2026-10-24 20:00", "2026-10-25 06:00"),
        # 2 o'clock is skipped, so the quiet hours end when it would be.
        (QuietHours("Europe/Berlin", 22, 2), "2026-03-29 00:30", "2026-03-29 01:00"),
        # 2 o'clock comes twice, and the first time ends them.
        (QuietHours("Europe/Berlin", 22, 2), "2026-10-24 23:30", "2026-10-25 00:00"),
        (QuietHours("Europe/Berlin", 22, 2), "2026-10-25 01:30", None),
        # At Troll two hours come twice.
        (QuietHours("Antarctica/Troll", 22, 2), "2026-10-25 01:30", "2026-10-25 02:00"),
        # Any hour may be a quiet one in a zone that is no longer known.
        (QuietHours("Europe/Atlantis", 22, 7), "2026-01-10 23:00", "9999-01-01 00:00"),
        (QuietHours("Europe/Atlantis", 22, 7), "2026-01-10 12:00", "9999-01-01 00:00"),
        (QuietHours("localtime", 22, 7), "2026-01-10 12:00", "9999-01-01 00:00"),
        (QuietHours("Asia/Kathmandu", 22, 7), "2026-01-10 16:15", "2026-01-11 01:15"),
        (QuietHours("Pacific/Kiritimati", 22, 7), "2026-01-10 08:00", "2026-01-10 17:00"),
    ],
)
def test_quiet_hours_end_by_the_clocks_of_their_zone(quiet: QuietHours, moment: str, end: str | None) -> None:
    assert quiet.end_after(at(moment)) == (None if end is None else at(end))
