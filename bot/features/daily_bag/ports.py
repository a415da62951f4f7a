"""The store that the daily bag needs."""

from collections.abc import Mapping
from datetime import datetime
from typing import Protocol

from bot.features.daily_bag.model import Attempt, Board, BoardKey, DailyFacts, DailyScores
from bot.platform.days import Day
from bot.tables.daily import DailyBag
from bot.tables.model import Person


class DailyBagStore(Protocol):
    """Stores seeds and attempts. Each method is a transaction and may raise StoreUnavailable.

    Attempts begin when their tables are opened, and end with them.
    """

    async def commit_bag(self, bag: DailyBag) -> DailyBag:
        """Store the bag of a day unless there is one, and return the one that is stored."""

    async def find_bags(self, first: Day, last: Day) -> Mapping[Day, DailyBag]:
        """Return the bags of some days."""

    async def publish_bag(self, day: Day, at: datetime) -> None:
        """Note that the seed of a day is public from now on, if it was not before."""

    async def has_open_attempt(self, day: Day, now: datetime) -> bool:
        """Return whether an attempt at the bag of a day has not ended, and still keeps its seed secret."""

    async def find_attempt(self, user_id: int, day: Day) -> Attempt | None:
        """Return the attempt of a person at the bag of a day, or None."""

    async def load_daily_facts(self, user_id: int, guild_id: int | None, today: Day) -> DailyFacts:
        """Return what is stored about a person and a server before and on a day."""

    async def load_daily_scores(self, user_id: int, guild_id: int | None, day: Day) -> DailyScores:
        """Return the other results that a person's result of a day's bag is compared with.

        Everyone in a server sees that, so it tells nothing about other servers.
        """

    async def find_daily_board(self, board: BoardKey, asker_id: int, offset: int, limit: int) -> Board:
        """Return a page of a board, and the asker's own row.

        The best score is first. Equal scores share a place and are sorted by id.
        """

    async def set_daily_consent(self, person: Person, at: datetime, *, consents: bool) -> None:
        """Store whether a person consents to be shown across servers by their name, with the results of all days."""
