"""How people want to be told that it is their turn."""

from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from enum import StrEnum
from typing import Final

from bot.features.reminders.time_zones import UnknownZone, load_zone

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
