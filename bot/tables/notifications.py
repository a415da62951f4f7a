"""Messages beside a table's own: reminders. Each is stored before it is sent."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final, Protocol, TypeAlias

from bot.platform.places import Location
from bot.rules.game import Seat
from bot.tables.model import TableId

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
class Reminder:
    """A message about a player who keeps a table waiting; a table has one at most, and a turn one of each stage."""

    table_id: TableId
    location: Location
    seat: Seat
    """The seat to move."""
    step: int
    """The table's step."""
    since: datetime
    """When the player was last active."""
    noted_at: datetime | None = None
    """When the reminder was stored, before the message was sent; None if it is not stored yet."""
    message_id: int | None = None
    """None as long as it is not known, as after a crash."""
    stands: bool = True
    """Whether the message may still be in the channel. Afterwards the reminder only records that the turn had one."""
    stage: ReminderStage = ReminderStage.TURN
    channel_id: int | None = None
    """The channel of the direct messages where the message is; None if it is in the table's channel."""
    send_at: datetime | None = None
    """When it is to be sent, after the player's quiet hours; None if it is not held back."""


Notification: TypeAlias = Reminder
"""A message beside a table's own, stored before it is sent so that it is sent once and can be deleted."""


class MessageRemover(Protocol):
    """Deletes the messages of reminders, invitations and announcements."""

    async def remove(self, posted: Notification) -> None:
        """Delete a message, if it exists and can be deleted.

        Raises:
            DeliveryFailed: Deleting failed for now.
        """
