"""Reminders, and each person's choices about them: when, how, and quiet hours in their time zone."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from enum import StrEnum
from typing import Final

from bot.platform.notices.storage import Notice
from bot.platform.time_zones import UnknownZone, load_zone
from bot.rules.game import Seat
from bot.rules.refusals import RefusalReason
from bot.words import N_


class PingReason(RefusalReason):
    """Why choices about pings are refused."""

    NO_PINGS_HERE = "no_pings_here"
    UNKNOWN_ZONE = "unknown_zone"
    NO_QUIET_HOURS = "no_quiet_hours"


PING_ERROR_MESSAGES: Final[Mapping[RefusalReason, str]] = {
    PingReason.NO_PINGS_HERE: N_("There are no pings here: no one else is waiting, or the game is over."),
    PingReason.UNKNOWN_ZONE: N_("I don't know that time zone. Choose one from the list, such as `Europe/Berlin`."),
    PingReason.NO_QUIET_HOURS: N_("Quiet hours can't begin and end at the same hour. `/ping anytime` turns them off."),
}
"""The message for each reason."""

LOST_AFTER: Final = timedelta(minutes=5)
"""A ping without a known message was perhaps never sent; after this long, the person can get one at another table."""

IGNORED_AFTER: Final = timedelta(days=1)
"""After this long, an unanswered ping no longer holds back other pings: its table may be abandoned."""


class ReminderStage(StrEnum):
    """The subject of a reminder; a later stage replaces an earlier one."""

    TURN = "turn"
    """It is the player's turn."""
    HALF_TIME = "half_time"
    """Half the time of the turn clock has passed."""
    TIME_UP = "time_up"
    """The time is up, and the other players decide."""


@dataclass(frozen=True, slots=True)
class Reminder(Notice):
    """A message about an awaited player. A table has at most one at a time, and a turn at most one of each stage."""

    seat: Seat
    """The seat to move."""
    step: int
    """The table's step."""
    since: datetime
    """When the player was last active."""
    stage: ReminderStage = ReminderStage.TURN
    send_at: datetime | None = None
    """When quiet hours end and the reminder is sent; None if it is not held back."""

    @property
    def is_held(self) -> bool:
        """Whether the reminder waits for the end of quiet hours."""
        return self.send_at is not None


DELAYS: Final = (0, 2, 5, 15, 60, 240)
"""The minutes of silence after which a ping can be sent."""

NEVER: Final = datetime(9999, 1, 1, tzinfo=UTC)
"""The end of quiet hours in a time zone that no longer exists in the data."""


class PingMode(StrEnum):
    """How a ping is sent."""

    MENTION = "mention"
    """A message in the table's channel."""
    DIRECT = "direct"
    """A direct message."""
    OFF = "off"


@dataclass(frozen=True, slots=True)
class PingChoice:
    """A person's choice of when and how to be pinged."""

    mode: PingMode = PingMode.MENTION
    delay: int = 2
    """In minutes of silence; one of `DELAYS`."""


@dataclass(frozen=True, slots=True)
class QuietHours:
    """The hours of each day in which a person is not pinged, in their time zone."""

    zone: str
    """The time zone's name in the IANA database."""
    start: int
    end: int
    """Full hours from 0 to 23; `end` may be on the next day."""

    @property
    def is_zone_known(self) -> bool:
        """Whether the time zone exists; newer data may lack one that was chosen earlier."""
        try:
            load_zone(self.zone)
        except UnknownZone:
            return False
        return True

    def end_after(self, moment: datetime) -> datetime | None:
        """Return the end of the quiet hours that contain a moment; None outside them.

        In an unknown time zone, every moment counts as quiet.
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
            # The clocks are set back, so this hour occurs a second time.
            ends_at = ends_at.replace(fold=1)
        return ends_at.astimezone(UTC)


@dataclass(frozen=True, slots=True)
class PersonPings:
    """A person's choices about pings that matter at a table."""

    always: PingChoice | None = None
    here: PingChoice | None = None
    """The choice for this table only."""
    quiet: QuietHours | None = None
    refuses_direct: bool = False
    """Whether Discord has refused a direct message to the person since they chose direct messages."""
    may_mention: bool = True
    """Whether the table's server allows mentions in reminders."""

    @property
    def choice(self) -> PingChoice:
        """The choice that applies at the table."""
        return self.here or self.always or PingChoice()

    def quiet_until(self, moment: datetime) -> datetime | None:
        """Return when the current quiet hours end; None outside them."""
        return None if self.quiet is None else self.quiet.end_after(moment)
