"""Time zones by their names in the IANA database.

They are read from the package `tzdata`, so that every machine knows the same ones: systems leave out old names such as
`US/Eastern`, have another version, or none.
"""

from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from typing import Final
from zoneinfo import ZoneInfo

_DATA: Final = "tzdata"
_NO_ZONES: Final = frozenset({"Factory", "localtime", "posixrules"})
"""Names for what a machine is set to, or for nothing."""


class UnknownZone(Exception):
    """There is no time zone of a name."""


def find_zone(name: str) -> str:
    """Return the exact name of a time zone that somebody typed, in whatever case.

    Raises:
        UnknownZone: There is none.
    """
    try:
        return _zones()[_fold(name)]
    except KeyError:
        raise UnknownZone(name) from None


def search_zones(part: str) -> list[str]:
    """Return the names that contain a text, in whatever case, in alphabetical order."""
    wanted = _fold(part)
    return [name for folded, name in _zones().items() if wanted in folded]


@lru_cache(maxsize=1024)
def load_zone(name: str) -> ZoneInfo:
    """Return the time zone of an exact name.

    Raises:
        UnknownZone: There is none; it may have been chosen when a process with another version of the data ran.
    """
    if _zones().get(_fold(name)) != name:
        raise UnknownZone(name)
    with files(_DATA).joinpath("zoneinfo", *name.split("/")).open("rb") as file:
        return ZoneInfo.from_file(file, key=name)


@lru_cache(maxsize=1)
def _zones() -> Mapping[str, str]:
    """Return all names by what they are searched with."""
    names = sorted(set(files(_DATA).joinpath("zones").read_text(encoding="utf-8").split()) - _NO_ZONES)
    return {_fold(name): name for name in names}


def _fold(name: str) -> str:
    return name.strip().casefold().replace(" ", "_")
