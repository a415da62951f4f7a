"""Messages that mention people or announce something, as they are stored: one row each, written before sending."""

from dataclasses import dataclass
from datetime import datetime

from bot.rules.game import Seat
from bot.tables.model import Place, TableId


@dataclass(frozen=True, slots=True)
class Announcement:
    """A message which says that a silent table will be closed; at most one for each silence."""

    table_id: TableId
    place: Place
    since: datetime
    """Since when nobody has changed the table."""
    noted_at: datetime
    """When it was decided to announce it, which is before the message is sent."""
    message_id: int | None = None
    """None as long as it is not known, as after a crash."""


@dataclass(frozen=True, slots=True)
class Invitation:
    """Somebody who is asked to a table that has not started: once at most, whoever asks."""

    table_id: TableId
    place: Place
    inviter_id: int
    user_id: int
    """Who is asked."""
    click_id: int
    """The interaction that asked."""
    most_seats: int
    """Once so many seats are taken the message is of no more use."""
    noted_at: datetime
    """When it was decided to ask them, which is before they are asked."""
    message_id: int | None = None
    """None as long as it is not known, as after a crash."""
    stands: bool = True
    """Whether the message may still be in the channel; without it the invitation counts for what is allowed a day."""


@dataclass(frozen=True, slots=True)
class Reminder:
    """A message that calls somebody whose turn it is and who has long been silent; at most one a turn."""

    table_id: TableId
    place: Place
    seat: Seat
    """Whose turn it is."""
    step: int
    """Where the table stood."""
    since: datetime
    """Since when nothing was heard of them."""
    noted_at: datetime | None = None
    """When it was decided to call them, which is before they are called; None while it is not."""
    message_id: int | None = None
    """None as long as it is not known, as after a crash."""
    stands: bool = True
    """Whether the message may still be in the channel; without it the reminder says that this turn has had its one."""
