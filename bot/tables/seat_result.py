"""The result of one seat at a finished table."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from bot.rules.game import Seat


class Company(StrEnum):
    """Who played: only results of the same company are compared."""

    PEOPLE = "people"
    """At least two people."""
    COMPUTERS = "computers"
    """One person and computer players."""
    ALONE = "alone"
    """One person alone."""
    DAILY = "daily"
    """One person alone with a daily bag, whose dice others may have shown before."""

    @property
    def is_solo(self) -> bool:
        """Whether one person played without opponents."""
        return self in (Company.ALONE, Company.DAILY)


class Departure(StrEnum):
    """Why a computer player was playing a person's seat when the game ended."""

    RESIGNED = "resigned"
    SUBSTITUTED = "substituted"


@dataclass(frozen=True, slots=True)
class Result:
    """The result of one seat at a finished table."""

    table_id: int
    seat: Seat
    game: str
    company: Company
    guild_id: int | None
    channel_id: int
    user_id: int | None
    name: str
    level: str | None
    place: int
    """The place in the ranking; 1 is best."""
    is_shared: bool
    """Whether it is a first place shared with another seat."""
    score: int
    seats: int
    """How many seats the table had."""
    steps: int
    opened_at: datetime
    finished_at: datetime
    reason: str
    """Why the game ended: the value of the game's end reason."""
    departure: Departure | None = None
    """None if the person played to the end."""
    used_hints: bool = False
    """Whether the person asked for hints."""
    had_substitute: bool = False
    """Whether a computer player took the place of any absent person of the table, for a while or to the end."""
    resigned_early: bool = False
    """Whether anyone at the table resigned before every seat had moved."""

    @property
    def is_unaided(self) -> bool:
        """Whether the person used no hints. Otherwise it counts as a game played and for nothing else.

        docs/ratings.md says what that means; in the database it is `UNAIDED`.
        """
        return not self.used_hints
