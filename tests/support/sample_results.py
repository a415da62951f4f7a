"""Made-up results to count and to rank."""

import random
from collections.abc import Sequence
from datetime import timedelta

from bot.tables.model import Company, Result, TableId
from tests.support.fakes import NOON

HERE, ELSEWHERE = 3, 4
"""Two servers."""


def make_result(table_id: TableId, seat: int = 0, user_id: int | None = 11, **more: object) -> Result:
    """Make the result of a seat; a later table has ended later."""
    facts: dict[str, object] = {
        "table_id": table_id,
        "seat": seat,
        "game": "magpie",
        "company": Company.PEOPLE,
        "guild_id": HERE,
        "channel_id": 70,
        "user_id": user_id,
        "name": f"P{user_id}" if user_id is not None else "",
        "level": None if user_id is not None else "normal",
        "place": 1,
        "is_shared": False,
        "score": 100,
        "seats": 2,
        "steps": 40,
        "opened_at": NOON,
        "finished_at": NOON + timedelta(minutes=table_id),
        "reason": "target_reached",
    }
    return Result(**(facts | more))  # type: ignore[arg-type]


def make_game_results(
    table_id: TableId, *people: int | None, places: Sequence[int] = (), **more: object
) -> list[Result]:
    """Make the results of a table; None is a computer player, and the first seat wins unless places are given."""
    places = places or range(1, len(people) + 1)
    return [
        make_result(table_id, seat, who, place=place, seats=len(people), is_shared=place == 1 < places.count(1), **more)
        for seat, (who, place) in enumerate(zip(people, places, strict=True))
    ]


def make_random_results(source: random.Random, count: int) -> list[list[Result]]:
    """Make tables of a few people, games and servers, with ties in everything that can tie."""
    return [_make_random_game(source, table_id) for table_id in range(1, count + 1)]


def _make_random_game(source: random.Random, table_id: TableId) -> list[Result]:
    company = source.choice(list(Company))
    people: list[int | None] = list(source.sample(range(1, 9), source.randint(2, 4)))
    if company is Company.ALONE:
        people = people[:1]
    if company is Company.COMPUTERS:
        people[1:] = [None] * (len(people) - 1)
    places = sorted(source.randint(1, len(people)) for _ in people)
    places = [1 + sum(other < place for other in places) for place in places]
    guild_id = source.choice([HERE, HERE, ELSEWHERE, None])
    return make_game_results(
        table_id,
        *people,
        places=places,
        game=source.choice(["magpie", "fortune"]),
        company=company,
        guild_id=guild_id,
        channel_id=source.choice([70, 71]) + 10 * (guild_id or 0),
        # On both sides of midnight of a day, week, month and quarter.
        finished_at=NOON + timedelta(days=source.choice([0, 1, 30, 31]), minutes=source.randint(1, 9)),
        score=source.choice([50, 60, 70]),
        name=f"Player of table {table_id}",
        used_hints=source.random() < 0.2,
    )
