"""What docs/ratings.md says a hint costs, in every place where results are kept or shown."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeAlias

import pytest

from bot.features.badges import storage as badge_storage
from bot.features.boards import storage as board_storage
from bot.features.boards.model import BoardKey, BoardOrder
from bot.features.profiles import storage as profile_storage
from bot.features.profiles.model import Duel
from bot.features.results import storage as result_storage
from bot.features.results.model import ALL_TIME, GameStats, PersonFilter, month_of, quarter_of, week_of, year_of
from bot.features.results.rebuild import rebuild
from bot.platform.database.database import Database
from bot.tables.model import Company
from tests.store.samples import NOON, end_table
from tests.support.sample_results import HERE

ROBIN, WREN = 1, 2
PERIODS = (ALL_TIME, week_of(NOON), month_of(NOON), quarter_of(NOON), year_of(NOON))
"""Seasons are months, quarters and years."""

Ask: TypeAlias = Callable[[Database], Awaitable[object]]
Places: TypeAlias = Mapping[str, tuple[Ask, object, object]]
"""By place: what is asked, and what it is for a win without hints and for one with them."""


def ranked(by: BoardOrder, period: str, company: Company = Company.PEOPLE) -> Ask:
    async def ask(db: Database) -> bool:
        found = await db.read(board_storage.standings, BoardKey(HERE, "magpie", company, by, period), 0, 0, 9)
        return any(row.user_id == ROBIN for row in found.rows)

    return ask


def in_profile(read: Callable[[GameStats], object], *, everywhere: bool = False) -> Ask:
    async def ask(db: Database) -> object:
        (stats,) = (await db.read(profile_storage.person_record, ROBIN, None if everywhere else HERE)).stats
        return read(stats)

    return ask


async def rated(db: Database) -> list[int]:
    return [change.user_id for change in await db.read(result_storage.find_changes, 1)]


async def form(db: Database) -> list[int]:
    return [result.place for result in (await db.read(profile_storage.person_record, ROBIN, HERE)).form]


async def average(db: Database) -> list[float]:
    return [each.average for each in (await db.read(profile_storage.person_record, ROBIN, HERE)).solo_scores]


async def duel(db: Database) -> list[tuple[int, int]]:
    found = await db.read(profile_storage.versus, Duel(HERE, ROBIN, WREN), frozenset({70}), 5)
    return [(each.wins, each.losses) for each in found.encounters]


async def badges(db: Database) -> list[str]:
    return [each.award.badge for each in await db.read(badge_storage.badges_of, ROBIN)]


async def history(db: Database) -> int:
    return len(await db.read(result_storage.newest_tables, PersonFilter(ROBIN, HERE), 9))


TOGETHER: Places = {
    **{
        f"board by {by} of {period}": (ranked(by, period), True, False)
        for by in (BoardOrder.RATING, BoardOrder.WINS, BoardOrder.POINTS, BoardOrder.BEST)
        for period in PERIODS
    },
    "wins": (in_profile(lambda each: each.stats.wins), 1, 0),
    "wins everywhere": (in_profile(lambda each: each.stats.wins, everywhere=True), 1, 0),
    "points": (in_profile(lambda each: each.stats.points), 70, 0),
    "best score": (in_profile(lambda each: each.stats.highest), 70, None),
    "streak": (in_profile(lambda each: (each.streak, each.longest_streak)), (1, 1), (0, 0)),
    "form": (form, [1], []),
    "ratings": (rated, [ROBIN, WREN], []),
    "duel": (duel, [(1, 0)], []),
    "badges": (badges, ["overall/first_game", "overall/first_win"], ["overall/first_game"]),
    "games played": (in_profile(lambda each: each.played), 1, 1),
    "games with hints": (in_profile(lambda each: each.with_hints), 0, 1),
    "history": (history, 1, 1),
}

ALONE: Places = {
    "best scores": (ranked(BoardOrder.BEST, ALL_TIME, Company.ALONE), True, False),
    "best score": (in_profile(lambda each: each.stats.lowest), 70, None),
    "average of all": (in_profile(lambda each: each.stats.average), 70.0, 0.0),
    "average of the newest": (average, [70.0], []),
    "badges": (badges, ["overall/first_game"], ["overall/first_game"]),
    "games played": (in_profile(lambda each: each.played), 1, 1),
}


@pytest.mark.parametrize("used_hints", [False, True])
@pytest.mark.parametrize(
    ("places", "people", "facts"), [(TOGETHER, (ROBIN, WREN), {}), (ALONE, (ROBIN,), {"company": Company.ALONE})]
)
async def test_a_game_with_hints_only_counts_as_played(
    db: Database, places: Places, people: tuple[int, ...], facts: dict[str, Any], *, used_hints: bool
) -> None:
    await end_table(db, *people, score=70, used_hints=used_hints, **facts)
    found = {place: await ask(db) for place, (ask, *_expected) in places.items()}
    assert found == {place: expected[used_hints] for place, (_ask, *expected) in places.items()}
    await db.run_exclusively(rebuild)
    assert {place: await ask(db) for place, (ask, *_expected) in places.items()} == found
