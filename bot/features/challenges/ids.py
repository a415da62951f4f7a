"""The ids of the buttons and menus of challenges."""

from dataclasses import dataclass
from enum import StrEnum

import discord

from bot.platform.discord.content import Button
from bot.platform.discord.ids import CustomId
from bot.tables.kinds import Cadence, Edition


class ChallengeButton(StrEnum):
    """The actions of the buttons of challenges."""

    MENU = "menu"
    """Shows the menu of today, whatever edition the button names."""
    PLAY = "play"
    """Plays an edition that the person has begun and that goes on, or else the present one."""
    TODAY = "today"
    """Plays the present edition, whatever edition the button names: the button of a daily post."""
    SERVER = "server"
    """Shows the board of an edition in the server."""
    EVERYWHERE = "all"
    """Shows the board of an edition across servers."""
    CONSENT = "consent"
    """Shows the user on the boards across servers from now on."""
    WITHDRAW = "withdraw"
    """Removes the user from the boards across servers."""
    SEEDS = "seeds"
    SHARE = "share"
    PING = "ping"
    """Asks for a ping each day at this hour, or ends the pings."""


@dataclass(frozen=True)
class ChallengeId(CustomId, prefix="B"):
    """A button about an edition. The click tells the person and the server."""

    button: ChallengeButton
    cadence: Cadence
    day: int
    page: int

    @property
    def edition(self) -> Edition:
        """The edition; a forged id may name a day on which none begins."""
        return Edition(self.cadence, self.day)


@dataclass(frozen=True)
class OthersMenuId(CustomId, prefix="BM"):
    """The menu of a board that opens the game of one of its people."""

    cadence: Cadence
    day: int


def challenge_button(
    label: str,
    button: ChallengeButton,
    edition: Edition,
    style: discord.ButtonStyle = discord.ButtonStyle.secondary,
    page: int = 1,
) -> Button:
    """Return a button about an edition."""
    return Button(label, str(ChallengeId(button, edition.cadence, edition.day, page)), style)
