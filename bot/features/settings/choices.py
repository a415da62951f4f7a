"""The values of settings with a few choices, and what they mean to the rest of the bot."""

from datetime import timedelta
from enum import StrEnum

from bot.rules.motion import MotionLevel
from bot.rules.picture import Theme


class PictureChoice(StrEnum):
    """How tables are shown."""

    STANDARD = "standard"
    DARK = "dark"
    HIGH_CONTRAST = "high_contrast"
    OFF = "off"

    @property
    def theme(self) -> Theme | None:
        """The theme of pictures; None for tables in words."""
        return None if self is PictureChoice.OFF else Theme(self.value)


class MotionChoice(StrEnum):
    """Which dice move in pictures."""

    USUAL = "usual"
    ALL = "all"
    MOMENTS = "moments"
    OFF = "off"

    def level(self, theme: Theme | None) -> MotionLevel:
        """Return how much moves in pictures of a theme."""
        match self:
            case MotionChoice.OFF:
                return MotionLevel.NOTHING
            case MotionChoice.MOMENTS:
                return MotionLevel.MOMENTS
            case MotionChoice.USUAL if theme is Theme.HIGH_CONTRAST:
                return MotionLevel.NOTHING
            case _:
                return MotionLevel.ALL


class TablesChoice(StrEnum):
    """Where the messages of tables are."""

    STAY = "stay"
    FOLLOW = "follow"
    THREAD = "thread"


class Most(StrEnum):
    """The limit of a number."""

    ONE = "1"
    TWO = "2"
    THREE = "3"
    FIVE = "5"
    TEN = "10"
    TWENTY_FIVE = "25"
    FIFTY = "50"
    HUNDRED = "100"
    ANY = "any"

    @property
    def number(self) -> int | None:
        """The largest number; None for any."""
        return None if self is Most.ANY else int(self)


class CoolDown(StrEnum):
    """How long a member waits before opening another table."""

    NONE = "none"
    TWENTY_SECONDS = "20"
    ONE_MINUTE = "60"
    FIVE_MINUTES = "300"

    @property
    def time(self) -> timedelta:
        """The time."""
        return timedelta(seconds=0 if self is CoolDown.NONE else int(self))


class AloneChoice(StrEnum):
    """What a game of one person against computer players does with its channel."""

    FREE = "free"
    TAKE = "take"


class ArchiveChoice(StrEnum):
    """When the thread of a table is archived."""

    NEVER = "never"
    AT_ONCE = "at_once"
    HOUR = "hour"
    DAY = "day"

    @property
    def delay(self) -> timedelta | None:
        """The time from the end of the table; None for never."""
        return _ARCHIVE_DELAYS.get(self)


_ARCHIVE_DELAYS = {
    # The message of a cancelled table is deleted first.
    ArchiveChoice.AT_ONCE: timedelta(seconds=20),
    ArchiveChoice.HOUR: timedelta(hours=1),
    ArchiveChoice.DAY: timedelta(days=1),
}


class SeasonLength(StrEnum):
    """How long a season of a server's leaderboards is."""

    OFF = "off"
    MONTH = "month"
    QUARTER = "quarter"
    YEAR = "year"
