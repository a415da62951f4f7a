"""Attempts at the daily challenge of very many people, and what is asked about them."""

import random
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import timedelta
from typing import Final

from sqlalchemy import Connection, insert

from bot.features.challenges import storage
from bot.features.challenges.model import BoardKey
from bot.features.challenges.service import ROWS_ON_PAGE, ChallengeService
from bot.features.challenges.storage import attempts as attempt_rows, board_consents, streak_days
from bot.platform.database.database import Database
from bot.platform.database.sql import Values
from bot.platform.places import Day, start_of_day
from bot.tables.kinds import Cadence, edition_on
from tests.bench.databases import write_rows

DAYS: Final = 10
SHARE: Final = 0.4
"""How many of the people play on a day."""
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
                        "cadence": Cadence.DAILY.value,
                        "day": day,
                        "table_id": FIRST_TABLE + (day - last + DAYS) * people + user_id,
                        "guild_id": server,
                        "name": f"Player {user_id}",
                        "started_at": began_at,
                        "ended_at": began_at + timedelta(minutes=9),
                        "score": source.randrange(150),
                        "counted_on": day,
                        "is_shown": user_id % 4 == 0,
                    }
                )
        write_rows(connection, attempt_rows, attempts)
        connection.execute(insert(streak_days), {"guild_id": server, "day": day})
    consents: list[Values] = [
        {"user_id": user_id, "name": f"Player {user_id}", "given_at": start_of_day(last)}
        for user_id in range(4, people, 4)
    ]
    write_rows(connection, board_consents, consents)


def daily_questions(
    db: Database, challenges: ChallengeService, server: int, anyone: Callable[[random.Random], int]
) -> Mapping[str, Question]:
    """Return what is asked about the daily challenge, each by someone at random."""
    edition = edition_on(Cadence.DAILY, challenges.today)

    def board(guild_id: int | None, pages: Sequence[int]) -> Question:
        # Not by the service, which refuses people who have not played.
        key = BoardKey(edition, guild_id)
        return lambda source: db.read(
            storage.find_board, key, anyone(source), ROWS_ON_PAGE * source.choice(pages), ROWS_ON_PAGE
        )

    async def compare(source: random.Random) -> None:
        if attempt := await challenges.attempt(anyone(source), edition):
            await challenges.standing(attempt)

    return {
        "daily board of the server, first pages": board(server, (1, 2, 3)),
        "daily board of the server, far pages": board(server, (50, 500, 1500)),
        "daily board of all servers, first pages": board(None, (1, 2, 3)),
        "daily board of all servers, far pages": board(None, (50, 200, 400)),
        "menu of a person": lambda source: challenges.menu(anyone(source), server),
        "end of a person's daily challenge": compare,
    }
