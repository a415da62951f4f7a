"""Time zones are the same on every machine, and have exact names."""

import zoneinfo
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bot.features.reminders.model import UnknownZone, find_zone, load_zone, search_zones
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
