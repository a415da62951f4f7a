"""Custom ids of tournaments."""

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from bot.features.tournaments.model import Verdict
from bot.platform.discord.ids import CustomId


class TournamentButton(StrEnum):
    """The buttons about a tournament; whether someone may press one is decided when it is pressed."""

    JOIN = "join"
    LEAVE = "leave"
    START = "start"
    ORGANIZE = "organize"
    """Shows the organizers what they can do."""
    MORE_TIME = "time"
    ASK_TO_CANCEL = "cancel"
    CANCEL = "really"
    WITHDRAW = "withdraw"
    """Confirms that one gives up the rest of a tournament."""


@dataclass(frozen=True)
class TournamentButtonId(CustomId, prefix="tn"):
    """A button about a tournament."""

    tournament: int
    button: TournamentButton


@dataclass(frozen=True)
class DecisionId(CustomId, prefix="td"):
    """The button that decides a pairing whose time is up."""

    tournament: int
    round: int
    board: int
    verdict: Verdict


TournamentComponentId: TypeAlias = TournamentButtonId | DecisionId
