"""Bans: members who may not play in a server."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

from bot.rules.refusals import RefusalFacts, RefusalReason
from bot.tables.model import Status, TableId
from bot.words import N_

MAX_BANS: Final = 1000
"""The most members banned in a server."""

MAX_REASON: Final = 200
"""The longest reason, in characters."""


class ModerationReason(RefusalReason):
    """Why a member may not play, or a moderator's request is refused."""

    BANNED = "banned"
    BANNED_FOR_REASON = "banned_for_reason"
    BANNED_UNTIL = "banned_until"
    BANNED_UNTIL_FOR_REASON = "banned_until_for_reason"
    NOTHING_TO_MODERATE = "nothing_to_moderate"
    MODERATORS_ONLY = "moderators_only"
    BAN_OF_YOURSELF = "ban_of_yourself"
    BAN_OF_BOT = "ban_of_bot"
    BAN_OF_MODERATOR = "ban_of_moderator"
    TOO_MANY_BANS = "too_many_bans"
    NOT_BANNED = "not_banned"


MODERATION_ERROR_MESSAGES: Final[Mapping[RefusalReason, str]] = {
    ModerationReason.BANNED: N_("The moderators of this server have decided that you can't play here."),
    ModerationReason.BANNED_FOR_REASON: N_(
        "The moderators of this server have decided that you can't play here. Their reason: “{reason}”."
    ),
    ModerationReason.BANNED_UNTIL: N_(
        "The moderators of this server have decided that you can't play here until {end}."
    ),
    ModerationReason.BANNED_UNTIL_FOR_REASON: N_(
        "The moderators of this server have decided that you can't play here until {end}. Their reason: “{reason}”."
    ),
    ModerationReason.NOTHING_TO_MODERATE: N_("There is nothing to moderate in a direct message."),
    ModerationReason.MODERATORS_ONLY: N_("Only moderators of this server can do that."),
    ModerationReason.BAN_OF_YOURSELF: N_("That's you. You can only ban others."),
    ModerationReason.BAN_OF_BOT: N_("That's a bot. You can only ban people."),
    ModerationReason.BAN_OF_MODERATOR: N_(
        "They moderate this server, so they can't be banned. Take the role or the permission from them first."
    ),
    ModerationReason.TOO_MANY_BANS: N_(
        "This server can't have more bans: the limit is {most}. `/server bans` lifts bans."
    ),
    ModerationReason.NOT_BANNED: N_("They aren't banned here. `/server bans` lists the banned members."),
}
"""The message for each reason."""


class BanTime(StrEnum):
    """How long a ban lasts."""

    HOUR = "hour"
    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    QUARTER = "quarter"

    @property
    def time(self) -> timedelta:
        """The time."""
        return _TIMES[self]


_TIMES: Final = {
    BanTime.HOUR: timedelta(hours=1),
    BanTime.DAY: timedelta(days=1),
    BanTime.WEEK: timedelta(days=7),
    BanTime.MONTH: timedelta(days=30),
    BanTime.QUARTER: timedelta(days=90),
}


@dataclass(frozen=True, slots=True)
class Ban:
    """A member may not play in a server."""

    guild_id: int
    user_id: int
    by_id: int | None
    """The moderator; None once that person is erased."""
    reason: str
    """The moderator's reason; may be empty."""
    tells_reason: bool
    """Whether the member reads the reason."""
    banned_at: datetime
    ends_at: datetime | None
    """None for a ban without an end."""


@dataclass(frozen=True)
class BanFacts(RefusalFacts):
    """The end of a ban and the reason for it, in words; empty if there is none, or the member does not read it."""

    end: str
    reason: str


@dataclass(frozen=True, slots=True)
class OpenTable:
    """An open table of a server."""

    table_id: TableId
    game: str
    guild_id: int
    channel_id: int
    message_id: int | None
    status: Status
    opened_at: datetime
    names: tuple[str, ...]
    """The names of its seats."""
    is_arranged: bool
    """Whether it is a game of a tournament, which opens another table once this one is closed."""
