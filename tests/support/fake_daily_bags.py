"""Daily bags in memory, without results: whoever needs those uses a database."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime

from bot.features.daily_bag.model import Attempt, Board, BoardKey, DailyFacts, DailyScores
from bot.platform.days import Day
from bot.tables.daily import DailyBag
from bot.tables.model import Person


class FakeDailyBags:
    """Keeps bags, consents, and the attempts that a test says there are."""

    def __init__(self) -> None:
        self.bags: dict[Day, DailyBag] = {}
        self.consents: dict[int, str] = {}
        """The names by which people are shown."""
        self.attempts: dict[tuple[int, Day], Attempt] = {}

    async def commit_bag(self, bag: DailyBag) -> DailyBag:
        return self.bags.setdefault(bag.day, bag)

    async def find_bags(self, first: Day, last: Day) -> Mapping[Day, DailyBag]:
        return {day: bag for day, bag in self.bags.items() if first <= day <= last}

    async def publish_bag(self, day: Day, at: datetime) -> None:
        self.bags[day] = replace(self.bags[day], published_at=self.bags[day].published_at or at)

    async def has_open_attempt(self, day: Day, now: datetime) -> bool:
        return False

    async def find_attempt(self, user_id: int, day: Day) -> Attempt | None:
        return self.attempts.get((user_id, day))

    async def load_daily_facts(self, user_id: int, guild_id: int | None, today: Day) -> DailyFacts:
        bags = await self.find_bags(today - 1, today + 1)
        return DailyFacts(bags, {}, (), (), frozenset(), None, None)

    async def load_daily_scores(self, user_id: int, guild_id: int | None, day: Day) -> DailyScores:
        return DailyScores((), frozenset(), {})

    async def find_daily_board(self, board: BoardKey, asker_id: int, offset: int, limit: int) -> Board:
        return Board((), 0, None, is_shown=asker_id in self.consents)

    async def set_daily_consent(self, person: Person, at: datetime, *, consents: bool) -> None:
        self.consents.pop(person.id, None)
        if consents:
            self.consents[person.id] = person.name
