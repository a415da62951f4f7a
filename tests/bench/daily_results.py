"""Attempts at daily bags of very many people, and what is asked about them."""

import random
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import timedelta
from typing import Final

from sqlalchemy import Connection, insert

from bot.features.daily_bag.model import BoardKey
from bot.features.daily_bag.service import DailyBagService
from bot.features.daily_bag.storage import daily_attempts, daily_consents, daily_servers
from bot.platform.database.sql import Values
from bot.platform.places import Day, start_of_day
from tests.bench.databases import write_rows

DAYS: Final = 10
SHARE: Final = 0.4
"""How many of the people play the bag of a day."""
FIRST_TABLE: Final = 10_000_000
"""Attempts have tables of their own, which nothing here reads."""

Question = Callable[[random.Random], Awaitable[object]]


def fill_daily(connection: Connection, server: int, people: int, last: Day) -> None:
    """Write the attempts of the last days; every fourth person is shown across servers."""
    source, attempts = random.Random(4), list[Values]()
    for day in range(last - DAYS + 1, last + 1):
        began_at = start_of_day(day)
        for user_id in range(1, people + 1):
            if source.random() < SHARE:
                attempts.append(
                    {
                        "user_id": user_id,
                        "day": day,
                        "table_id": FIRST_TABLE + (day - last + DAYS) * people + user_id,
                        "guild_id": server,
                        "channel_id": 100,
                        "name": f"Player {user_id}",
                        "started_at": began_at,
                        "ended_at": began_at + timedelta(minutes=9),
                        "score": source.randrange(900),
                        "is_shown": user_id % 4 == 0,
                    }
                )
        write_rows(connection, daily_attempts, attempts)
        connection.execute(insert(daily_servers), {"guild_id": server, "day": day})
    consents: list[Values] = [
        {"user_id": user_id, "name": f"Player {user_id}", "given_at": start_of_day(last)}
        for user_id in range(4, people, 4)
    ]
    write_rows(connection, daily_consents, consents)


def daily_questions(
    bags: DailyBagService, server: int, anyone: Callable[[random.Random], int]
) -> Mapping[str, Question]:
    """Return what is asked about the daily bag, each by someone at random."""

    def board(guild_id: int | None, pages: Sequence[int]) -> Question:
        return lambda source: bags.board(BoardKey(bags.today, guild_id), anyone(source), source.choice(pages))

    return {
        "daily board of the server, first pages": board(server, (1, 2, 3)),
        "daily board of the server, far pages": board(server, (50, 500, 1500)),
        "daily board of all servers, first pages": board(None, (1, 2, 3)),
        "daily board of all servers, far pages": board(None, (50, 200, 400)),
        "daily bag of a person": lambda source: bags.facts(anyone(source), server),
    }
