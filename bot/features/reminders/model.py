"""Reminders, and what a person has chosen about them: how and when, and quiet hours in their time zone."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from enum import StrEnum
from functools import lru_cache
from importlib.resources import files
from typing import Final
from zoneinfo import ZoneInfo

from bot.platform.notices.storage import Notice
from bot.rules.game import Seat
from bot.rules.refusals import RefusalReason
from bot.words import N_


class PingReason(RefusalReason):
    """Why pings can't be chosen."""

    NO_PINGS_HERE = "no_pings_here"
    UNKNOWN_ZONE = "unknown_zone"
    NO_QUIET_HOURS = "no_quiet_hours"


PING_ERROR_MESSAGES: Final[Mapping[RefusalReason, str]] = {
    PingReason.NO_PINGS_HERE: N_("There are no pings here: no one else is waiting, or the game is over."),
    PingReason.UNKNOWN_ZONE: N_("I don't know that time zone. Choose one from the list, such as `Europe/Berlin`."),
    PingReason.NO_QUIET_HOURS: N_("Quiet hours must end at another hour than they begin. `/ping anytime` ends them."),
}
"""What is said for each reason."""

LOST_AFTER: Final = timedelta(minutes=5)
"""Who was noted to be pinged this long ago, without a known message, may have got none, and can be pinged elsewhere."""

IGNORED_AFTER: Final = timedelta(days=1)
"""A ping that nobody has answered for this long holds no others back: its table may be abandoned."""


class ReminderStage(StrEnum):
    """What a reminder is about; a later one replaces an earlier one."""

    TURN = "turn"
    """It is somebody's turn."""
    HALF_TIME = "half_time"
    """Half the time of the turn clock has passed."""
    TIME_UP = "time_up"
    """The others decide what happens, as the time is up."""


@dataclass(frozen=True, slots=True)
class Reminder(Notice):
    """A message about a player who keeps a table waiting; a table has one at most, and a turn one of each stage."""

    seat: Seat
    """The seat to move."""
    step: int
    """The table's step."""
    since: datetime
    """When the player was last active."""
    stage: ReminderStage = ReminderStage.TURN
    send_at: datetime | None = None
    """When it is to be sent, after the player's quiet hours; None if it is not held back."""

    @property
    def is_held(self) -> bool:
        """Whether it is sent later."""
        return self.send_at is not None


# Time zones are read from this package, so that every machine knows the same ones: systems leave out old names such as
# `US/Eastern`, have another version, or none.
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


DELAYS: Final = (0, 2, 5, 15, 60, 240)
"""After how many minutes of silence a ping can come."""

NEVER: Final = datetime(9999, 1, 1, tzinfo=UTC)
"""The end of quiet hours in a time zone that is no longer known."""


class PingMode(StrEnum):
    """How a ping comes."""

    MENTION = "mention"
    """A message in the table's channel."""
    DIRECT = "direct"
    """A direct message."""
    OFF = "off"


@dataclass(frozen=True, slots=True)
class PingChoice:
    """When and how to be pinged."""

    mode: PingMode = PingMode.MENTION
    delay: int = 2
    """In minutes of silence; one of DELAYS."""


@dataclass(frozen=True, slots=True)
class QuietHours:
    """The part of each day in which nobody is pinged, in a person's time zone."""

    zone: str
    """The name of the time zone in the IANA database."""
    start: int
    end: int
    """Full hours; the end may be on the next day."""

    @property
    def is_zone_known(self) -> bool:
        """Whether there is such a time zone; one that was chosen may have been removed from the data since."""
        try:
            load_zone(self.zone)
        except UnknownZone:
            return False
        return True

    def end_after(self, moment: datetime) -> datetime | None:
        """Return when the quiet hours end in which a moment lies; None if it lies in none.

        Any moment may lie in those of an unknown time zone.
        """
        try:
            zone = load_zone(self.zone)
        except UnknownZone:
            return NEVER
        local = moment.astimezone(zone)
        is_quiet = (local.hour - self.start) % 24 < (self.end - self.start) % 24
        if not is_quiet:
            return None
        day = local.date() + timedelta(days=local.hour >= self.end)
        ends_at = datetime.combine(day, time(self.end), local.tzinfo)
        if ends_at.astimezone(UTC) <= moment:
            # The clocks are set back, and this hour comes a second time.
            ends_at = ends_at.replace(fold=1)
        return ends_at.astimezone(UTC)


@dataclass(frozen=True, slots=True)
class PersonPings:
    """What a person has chosen about pings, as far as it matters at a table."""

    always: PingChoice | None = None
    here: PingChoice | None = None
    """The choice for the table alone."""
    quiet: QuietHours | None = None
    refuses_direct: bool = False
    """Whether Discord has refused a direct message to them since they chose one."""
    may_mention: bool = True
    """Whether the table's server allows reminders."""

    @property
    def choice(self) -> PingChoice:
        """What applies at the table."""
        return self.here or self.always or PingChoice()

    def quiet_until(self, moment: datetime) -> datetime | None:
        """Return when the quiet hours end; None outside them."""
        return None if self.quiet is None else self.quiet.end_after(moment)
