"""Quiet hours in people's own time zones, which are the same on every machine and have exact names."""

import zoneinfo
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bot.features.reminders.model import QuietHours
from bot.platform.time_zones import UnknownZone, find_zone, load_zone, search_zones
from tests.support.each_case import each_case

WINTER = datetime(2026, 1, 10, 12, tzinfo=UTC)


@pytest.fixture
def other_machine(tmp_path: Path) -> Iterator[None]:
    """The system's own data lacks all names but one, which it has wrong."""
    (tmp_path / "Europe").mkdir()
    (tmp_path / "Europe" / "Berlin").write_bytes(b"something else")
    load_zone.cache_clear()
    before = zoneinfo.TZPATH
    zoneinfo.reset_tzpath([str(tmp_path)])
    yield
    zoneinfo.reset_tzpath(before)


@each_case(
    "name, hours",
    [("Europe/Berlin", 1), ("US/Eastern", -5), ("America/Argentina/Buenos_Aires", -3), ("UTC", 0), ("Etc/GMT+5", -5)],
)
@pytest.mark.usefixtures("other_machine")
def test_the_systems_own_data_does_not_matter(name: str, hours: int) -> None:
    assert WINTER.astimezone(load_zone(name)).utcoffset() == timedelta(hours=hours)


def test_every_name_that_is_offered_can_be_loaded() -> None:
    names = search_zones("")
    assert len(names) > 500
    assert [name for name in names if load_zone(name).key != name] == []


@each_case(
    "typed, name",
    [
        ("europe/berlin", "Europe/Berlin"),
        ("EUROPE/BERLIN", "Europe/Berlin"),
        (" America/new york ", "America/New_York"),
        ("us/eastern", "US/Eastern"),
        ("utc", "UTC"),
        ("gb-eire", "GB-Eire"),
    ],
)
def test_a_name_is_found_in_any_case(typed: str, name: str) -> None:
    assert find_zone(typed) == name
    assert name in search_zones(typed)


@each_case(
    "name",
    [
        "localtime",
        "Factory",
        "factory",
        "posixrules",
        "posix/UTC",
        "Mars",
        "",
        "Europe",
        "../zones",
        "/etc/passwd",
        "a\0",
    ],
)
def test_what_is_no_time_zone_is_refused(name: str) -> None:
    for use in (find_zone, load_zone):
        with pytest.raises(UnknownZone):
            use(name)
    assert name not in search_zones("")


def test_only_exact_names_are_loaded() -> None:
    with pytest.raises(UnknownZone):
        load_zone("europe/berlin")


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
