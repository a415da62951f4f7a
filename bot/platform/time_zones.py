"""Time zones, and the full hours of their days."""

from collections.abc import Mapping
from datetime import UTC, datetime, time, timedelta
from functools import lru_cache
from importlib.resources import files
from typing import Final
from zoneinfo import ZoneInfo

from babel.dates import format_skeleton

from bot.languages import current_language

NO_ZONE: Final = "UTC"
"""Stands in for a time zone that was not chosen or no longer exists."""

# Time zones come from this package, so that every machine has the same ones: a system's own data may be missing or of
# another version, or lack old names such as `US/Eastern`.
_DATA: Final = "tzdata"
_NO_ZONES: Final = frozenset({"Factory", "localtime", "posixrules"})
"""Names for a machine's own setting, or for no time zone."""


class UnknownZone(Exception):
    """No time zone has this name."""


def find_zone(name: str) -> str:
    """Return the exact name of a time zone that somebody typed, ignoring case.

    Raises:
        UnknownZone: No time zone has this name.
    """
    try:
        return _zones()[_fold(name)]
    except KeyError:
        raise UnknownZone(name) from None


def search_zones(part: str) -> list[str]:
    """Return the names that contain a text, ignoring case, in alphabetical order."""
    wanted = _fold(part)
    return [name for folded, name in _zones().items() if wanted in folded]


@lru_cache(maxsize=1024)
def load_zone(name: str) -> ZoneInfo:
    """Return the time zone with an exact name.

    Raises:
        UnknownZone: No time zone has this name; a process with other data may have stored it.
    """
    if _zones().get(_fold(name)) != name:
        raise UnknownZone(name)
    with files(_DATA).joinpath("zoneinfo", *name.split("/")).open("rb") as file:
        return ZoneInfo.from_file(file, key=name)


@lru_cache(maxsize=1)
def _zones() -> Mapping[str, str]:
    """Return all names, by the text used to search for them."""
    names = sorted(set(files(_DATA).joinpath("zones").read_text(encoding="utf-8").split()) - _NO_ZONES)
    return {_fold(name): name for name in names}


def _fold(name: str) -> str:
    return name.strip().casefold().replace(" ", "_")


def load_zone_or_utc(name: str) -> ZoneInfo:
    """Return a time zone; UTC stands in for one that no longer exists."""
    try:
        return load_zone(name)
    except UnknownZone:
        return load_zone(NO_ZONE)


def format_clock(moment: time) -> str:
    """Return a time of day, such as 20:00."""
    return format_skeleton("Hm", moment, locale=current_language().locale)


def zone_label(name: str, now: datetime) -> str:
    """Return the name of a time zone with its present time."""
    return f"{name} · {format_clock(now.astimezone(load_zone(name)).time())}"


def next_hour(now: datetime, hour: int, zone_name: str) -> datetime:
    """Return the next moment after another at which a full hour begins in a time zone.

    An hour that the clocks skip is that after it; of an hour that they repeat, the first counts.
    """
    local = now.astimezone(load_zone_or_utc(zone_name))
    days = (local.replace(hour=hour, minute=0, second=0, microsecond=0, fold=0) + timedelta(days=day) for day in (0, 1))
    return next(moment for day in days if (moment := day.astimezone(UTC)) > now)
