"""What a person has played, and the badges that they have."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final, NamedTuple, TypeAlias

from bot.platform.places import Location
from bot.tables.model import Award
from bot.tables.seat_result import Company

OVERALL: Final = "overall"
"""Stands in keys for the game of badges that belong to none."""


class PlayRecord(NamedTuple):
    """What a person has played to the end of one game in one company, without hints."""

    game: str
    company: Company
    has_won: bool
    """Whether there is a first place, a shared one included."""
    first_at: datetime
    last_at: datetime


PlayRecords: TypeAlias = Sequence[PlayRecord]


class ShownAward(NamedTuple):
    """An award with where its table was shown."""

    award: Award
    location: Location | None
    """None if the table is gone."""
    message_id: int | None
