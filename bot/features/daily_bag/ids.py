"""Custom ids of the daily bag."""

from dataclasses import dataclass
from enum import StrEnum

from bot.platform.discord.ids import CustomId


class DailyBagButton(StrEnum):
    """The buttons about the daily bag."""

    SHOW = "show"
    PLAY = "play"
    """Plays today's, whatever the day."""
    SERVER = "server"
    """Shows the board of a day in the server."""
    EVERYWHERE = "all"
    """Shows the board of a day across servers."""
    CONSENT = "consent"
    """Shows the user on that board from now on."""
    WITHDRAW = "withdraw"
    """Takes the user off it."""
    SEEDS = "seeds"


@dataclass(frozen=True)
class DailyBagId(CustomId, prefix="B"):
    """A button about the bag of a day; whose it is comes from who clicks, and the server from where."""

    button: DailyBagButton
    day: int
    page: int
