"""Ratings and totals, as kept while tables end and as made anew from the results, on every database."""

import asyncio
import random
from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import combinations, permutations
from typing import Any

import pytest
from sqlalchemy import Connection, select

from bot.features.boards import storage as board_storage
from bot.features.boards.model import BoardKey, BoardOrder
from bot.features.profiles import storage as profile_storage
from bot.features.profiles.model import Duel
from bot.features.results import storage as result_storage
from bot.features.results.ratings import DAILY_GAMES_OF_PAIR, NEW
from bot.features.results.rebuild import rebuild
from bot.features.results.storage import boards, encounters, played_days, rating_changes, ratings, totals
from bot.platform.database.database import Database
from bot.tables import storage as table_storage
from bot.tables.model import Company, Departure, Status, TableUpdate
from tests.store.samples import NOON, Connect, end_table, make_header, revise
from tests.support.ended_tables import save_end
from tests.support.sample_results import HERE, make_game_results

BY_RATING = BoardKey(HERE, "magpie", Company.PEOPLE, BoardOrder.RATING)
SEEN = frozenset({70})
BEFORE_MIDNIGHT = datetime(2026, 3, 31, 23, 59, 59, 999_000, tzinfo=UTC)


async def read_accounts(db: Database) -> dict[str, list[tuple[Any, ...]]]:
    """Everything that is kept of results, in an order that does not depend on ids of boards."""

    def read(connection: Connection) -> dict[str, list[tuple[Any, ...]]]:
        joined = select(*boards.c[1:], *totals.c[1:]).join(boards, boards.c.id == totals.c.board_id)
        found = {
            "totals": joined,
            **{table.name: select(table) for table in (ratings, rating_changes, encounters, played_days)},
        }
        return {name: sorted(map(tuple, connection.execute(query)), key=str) for name, query in found.items()}

    return await db.read(read)


async def shown_ratings(db: Database) -> dict[int, int]:
    found = await db.read(board_storage.standings, BY_RATING, 0, 0, 50)
    return {row.user_id: row.rating.shown for row in found.rows if row.rating is not None}


async def is_rated(db: Database, table_id: int) -> bool:
    return bool(await db.read(result_storage.find_changes, table_id))


@pytest.mark.every_database
@pytest.mark.slow
async def test_ratings_and_totals_made_anew_are_the_same(db: Database) -> None:
    source = random.Random(7)
    for number in range(60):
        people: list[int | None] = list(source.sample(range(1, 7), source.randint(1, 4)))
        places = sorted(source.randint(1, 3) for _ in people)
        table = {
            "places": [1 + sum(other < place for other in places) for place in places],
            "game": source.choice(["magpie", "fortune"]),
            "guild_id": source.choice([HERE, HERE, HERE, 4, None]),
            # Often at the same time or before the table that was saved before.
            "finished_at": BEFORE_MIDNIGHT + timedelta(seconds=number - 30 + source.choice([0, 0, -1, -40])),
            "used_hints": source.random() < 0.1,
            "had_substitute": source.random() < 0.1,
            "resigned_early": source.random() < 0.1,
        }
        await end_table(db, *people, **table, company=Company.PEOPLE if len(people) > 1 else Company.ALONE)
    before = await read_accounts(db)
    assert min(map(len, before.values())) > 2
    assert await db.run_exclusively(rebuild) == 60
    assert without_streaks(await read_accounts(db)) == without_streaks(before)


def without_streaks(accounts: dict[str, list[tuple[Any, ...]]]) -> dict[str, list[tuple[Any, ...]]]:
    """Streaks depend on the order of tables that ended at the same time."""
    at = len(boards.c) - 1 + [column.name for column in totals.c].index("streak") - 1
    return accounts | {"totals": sorted((row[:at] + row[at + 2 :] for row in accounts["totals"]), key=str)}


async def test_five_games_of_two_people_a_day_count(db: Database) -> None:
    days = [BEFORE_MIDNIGHT, BEFORE_MIDNIGHT + timedelta(milliseconds=1)]
    for day in days:
        counted = [
            await is_rated(db, await end_table(db, 1, 2, finished_at=day)) for _ in range(DAILY_GAMES_OF_PAIR + 1)
        ]
        assert counted == [True] * DAILY_GAMES_OF_PAIR + [False]
    assert await is_rated(db, await end_table(db, 1, 3, finished_at=days[1]))
    assert not await is_rated(db, await end_table(db, 3, 2, 1, finished_at=days[1]))
    assert await is_rated(db, await end_table(db, 1, 2, game="fortune", finished_at=days[1]))


async def test_a_table_tells_what_it_did_to_ratings(db: Database) -> None:
    first, second = await end_table(db, 1, 2), await end_table(db, 2, 3, 1)
    changes = await db.read(result_storage.find_changes, second)
    assert [(change.seat, change.user_id) for change in changes] == [(0, 2), (1, 3), (2, 1)]
    ratings = {change.user_id: change.after for change in await db.read(result_storage.find_changes, first)}
    assert [change.before for change in changes] == [ratings[2], NEW, ratings[1]]
    assert await shown_ratings(db) == {change.user_id: change.after.shown for change in changes}
    assert not await is_rated(db, await end_table(db, 1, None, company=Company.COMPUTERS))
    assert not await is_rated(db, await end_table(db, 1, None, 2))


async def test_two_processes_that_end_tables_of_the_same_people_lose_nothing(connect: Connect) -> None:
    stores = await connect(), await connect()
    people = list(combinations(range(1, 7), 2)) + list(permutations(range(4, 8), 3))
    moment = NOON + timedelta(days=1)
    await asyncio.gather(*(end_table(stores[at % 2], *seats, finished_at=moment) for at, seats in enumerate(people)))
    by_wins = await stores[0].read(board_storage.standings, replace(BY_RATING, by=BoardOrder.WINS), 0, 0, 50)
    games = {who: sum(who in seats for seats in people) for who in range(1, 8)}
    assert {row.user_id: row.stats.games for row in by_wins.rows} == games
    # Who is rated depends on which tables end first: five of a pair count in a day.
    found = await stores[0].read(board_storage.standings, BY_RATING, 0, 0, 50)
    assert await count_changes(stores[0]) == {row.user_id: row.rating.games for row in found.rows if row.rating}
    before = await read_accounts(stores[0])
    await stores[1].run_exclusively(rebuild)
    assert without_streaks(await read_accounts(stores[0])) == without_streaks(before)


async def count_changes(db: Database) -> dict[int, int]:
    changes = (await read_accounts(db))["rating_changes"]
    return Counter(user_id for _, _, _, _, user_id, *_ in changes)


async def test_a_board_of_a_period_ranks_by_the_rating_at_its_end(db: Database) -> None:
    await end_table(db, 1, 2, finished_at=BEFORE_MIDNIGHT)
    at_the_end = await shown_ratings(db)
    await end_table(db, 2, 1, finished_at=BEFORE_MIDNIGHT + timedelta(days=1))
    found = await db.read(board_storage.standings, replace(BY_RATING, period="2026-03"), 2, 0, 9)
    assert {row.user_id: row.rating.shown for row in found.rows if row.rating} == at_the_end
    assert (found.total, found.own) == (2, found.rows[1])
    assert await shown_ratings(db) != at_the_end


async def test_a_streak_is_won_in_a_row(db: Database) -> None:
    for at, winner in enumerate([1, 1, 1, 2, 1, 1]):
        await end_table(db, winner, 3 - winner, finished_at=NOON + timedelta(hours=at))
    (stats,) = (await db.read(profile_storage.person_record, 1, HERE)).stats
    assert (stats.streak, stats.longest_streak) == (2, 3)


async def test_a_curve_ends_with_the_present_rating_and_has_few_points(db: Database) -> None:
    for day in range(130):
        await end_table(db, 1, 2, finished_at=NOON + timedelta(days=day))
    (person,) = (await db.read(profile_storage.person_record, 1, HERE)).ratings
    numbers = [point.number for point in person.curve]
    assert numbers == list(range(1, 131, 3))
    assert person.curve[-1].shown == person.rating.shown == (await shown_ratings(db))[1]
    assert (await db.read(profile_storage.person_record, 3, HERE)).ratings == ()


async def test_solo_scores_average_the_newest_twenty_without_hints(db: Database) -> None:
    alone: dict[str, Any] = {"company": Company.ALONE}
    for score in (1000, *range(1, 21)):
        await end_table(db, 1, score=score, finished_at=NOON + timedelta(minutes=score % 1000), **alone)
    await end_table(db, 1, score=500, used_hints=True, finished_at=NOON + timedelta(days=1), **alone)
    (scores,) = (await db.read(profile_storage.person_record, 1, HERE)).solo_scores
    assert (scores.average, scores.games) == (10.5, 20)


async def test_two_people_see_who_placed_better_and_what_they_played(db: Database) -> None:
    tables = [
        await end_table(db, 1, 2),
        await end_table(db, 3, 2, 1, finished_at=NOON + timedelta(days=1)),
        await end_table(db, 2, 1, places=(1, 1), game="fortune", finished_at=NOON + timedelta(days=2)),
    ]
    await end_table(db, 1, 3, finished_at=NOON + timedelta(days=3))
    await end_table(db, 1, 2, guild_id=4)
    for first, second, magpie in ((1, 2, (1, 1, 0)), (2, 1, (1, 1, 0))):
        found = await db.read(profile_storage.versus, Duel(HERE, first, second), SEEN, 2)
        assert [(each.game, each.wins, each.losses, each.draws) for each in found.encounters] == [
            ("fortune", 0, 0, 1),
            ("magpie", *magpie),
        ]
        assert [table.results[0].table_id for table in found.latest] == tables[:0:-1]
    ahead = (await db.read(profile_storage.versus, Duel(HERE, 3, 1), SEEN, 2)).encounters
    assert [(each.wins, each.losses) for each in ahead] == [(1, 1)]
    assert (await db.read(profile_storage.versus, Duel(HERE, 1, 99), SEEN, 2)).encounters == ()


async def test_only_tables_in_given_channels_are_listed_between_two_people(db: Database) -> None:
    shown = await end_table(db, 1, 2, channel_id=71)
    await end_table(db, 1, 2, channel_id=72, finished_at=NOON + timedelta(days=1))
    found = await db.read(profile_storage.versus, Duel(HERE, 1, 2), frozenset({71}), 5)
    assert [table.results[0].table_id for table in found.latest] == [shown]
    assert [each.tables for each in found.encounters] == [2], "what they did against each other is no secret"
    assert (await db.read(profile_storage.versus, Duel(HERE, 1, 2), frozenset(), 5)).latest == ()


async def test_who_resigned_after_all_had_moved_is_rated_last(db: Database) -> None:
    header = await db.write(table_storage.open_table, make_header(), [])
    first, second = make_game_results(header.id, 1, 2)
    results = [replace(first, place=2, departure=Departure.RESIGNED), replace(second, place=1)]
    await save_end(db, TableUpdate(revise(header, Status.FINISHED)), results)
    shown = await shown_ratings(db)
    assert shown[2] > NEW.shown
    assert list(shown) == [2, 1]
