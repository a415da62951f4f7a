"""Finished tables and their results, on every database."""

import random
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

import pytest

from bot.features.boards import storage as board_storage
from bot.features.boards.model import BoardKey, BoardOrder, Standings
from bot.features.profiles import storage as profile_storage
from bot.features.profiles.model import PersonRecord
from bot.features.results import storage as result_storage
from bot.features.results.model import (
    ChannelsFilter,
    HistoryFilter,
    PersonFilter,
    PersonInChannelsFilter,
    PlayerStats,
    periods_at,
)
from bot.platform.database.database import Database
from bot.tables import storage as table_storage
from bot.tables.model import Company, Departure, Header, PublishedRevision, Result, Status, TableUpdate
from bot.tables.storage import Conflict
from tests.store.queries.recounted_results import RecountedResults
from tests.store.samples import (
    IN_NEPAL,
    LARGEST_ID,
    NOON,
    ROBIN,
    WREN,
    load_header,
    make_header,
    make_move,
    revise,
)
from tests.support.ended_tables import save_end
from tests.support.sample_results import ELSEWHERE, HERE, make_game_results, make_random_results, make_result

UNRANKED = 999


async def put(db: Database, *games: list[Result]) -> None:
    """Keep the results of tables, numbered from 1 in this order."""
    for game in games:
        header = await db.write(table_storage.open_table, make_header(), [])
        await db.maintain(table_storage.mark_published, [PublishedRevision(header.id, 1, 1000 + header.id)])
        assert header.id == game[0].table_id
        await save_end(db, TableUpdate(revise(header, Status.FINISHED)), game)


async def test_the_latest_of_a_server_are_those_of_its_last_day_in_any_channel(db: Database) -> None:
    moments = [NOON, NOON + timedelta(days=2), NOON + timedelta(days=2, hours=1), NOON + timedelta(days=3)]
    servers = [HERE, HERE, HERE, ELSEWHERE]
    tables = enumerate(zip(moments, servers, strict=True), 1)
    await put(
        db,
        *(
            make_game_results(at, 1, 2, finished_at=moment, guild_id=server, channel_id=70 + at)
            for at, (moment, server) in tables
        ),
    )
    found = await db.read(result_storage.latest_tables, HERE, 2)
    assert [table.results[0].table_id for table in found] == [3, 2]
    assert await db.read(result_storage.latest_tables, 99, 2) == ()


@pytest.mark.every_database
async def test_what_is_kept_of_results_is_what_counting_them_anew_gives(db: Database) -> None:
    source = random.Random(0)
    games = make_random_results(source, 60)
    games = [
        [replace(result, reason="resigned") for result in game] if at % 7 == 0 else game
        for at, game in enumerate(games)
    ]
    recounted = RecountedResults([result for game in games for result in game])
    await put(db, *(source.sample(game, len(game)) for game in games))
    channels = [frozenset(each) for each in ([], [99], [100], [100, 111])]
    shelves: list[HistoryFilter] = [
        *(ChannelsFilter(server, each) for server in (HERE, ELSEWHERE) for each in channels),
        *(PersonInChannelsFilter(user, HERE, each) for user in (1, 5) for each in channels),
        *(PersonFilter(user, server) for user in range(1, 10) for server in (HERE, ELSEWHERE, None)),
    ]
    for contest in contests():
        asker, offset = source.choice((1, 5, UNRANKED)), source.choice((0, 2, 50))
        kept = await db.read(board_storage.standings, contest, asker, offset, 3)
        assert without_ratings(kept) == without_ratings(await recounted.standings(contest, asker, offset, 3)), asker
    for shelf in shelves:
        for offset, limit in ((0, 9), (1, 4), (50, 4)):
            found = await db.read(result_storage.played_tables, shelf, offset, limit)
            assert found == await recounted.finished_tables(shelf, offset, limit)
    for user in range(1, 10):
        for server in (HERE, ELSEWHERE, None):
            record = await db.read(profile_storage.person_record, user, server)
            assert stats(record) == stats(await recounted.person_record(user, server))


def contests() -> Iterator[BoardKey]:
    """Every board of random results except those by rating, in every period at the end of which some of them lie."""
    periods = sorted({period for days in (0, 1, 30, 31) for period in periods_at(NOON + timedelta(days=days))})
    for period in periods:
        for company in Company:
            for order in (BoardOrder.WINS, BoardOrder.POINTS, BoardOrder.BEST):
                for game, lower in (("magpie", False), ("fortune", True)):
                    yield BoardKey(HERE, game, company, order, period, lower)


def without_ratings(found: Standings) -> Standings:
    rows = tuple(replace(row, rating=None) for row in found.rows)
    return Standings(found.total, rows, found.own and replace(found.own, rating=None))


def stats(record: PersonRecord) -> list[tuple[str, Company, PlayerStats, int]]:
    return [(each.game, each.company, each.stats, each.with_hints) for each in record.stats]


@pytest.mark.every_database
class TestSavingResults:
    async def opened(self, db: Database) -> Header:
        return await db.write(table_storage.open_table, make_header(), [ROBIN, WREN])

    async def kept(self, db: Database) -> list[Result]:
        found = await db.read(result_storage.played_tables, PersonFilter(11, None), 0, 9)
        return [result for table in found.tables for result in table.results]

    async def test_results_are_read_as_they_were_written(self, db: Database) -> None:
        header = await self.opened(db)
        result = make_result(
            header.id,
            user_id=LARGEST_ID,
            guild_id=LARGEST_ID - 1,
            channel_id=LARGEST_ID - 2,
            name='Rob\'in "%s" 🪺',
            is_shared=True,
            score=-7,
            opened_at=NOON.astimezone(IN_NEPAL),
        )
        gone = [
            make_result(header.id, seat, seat, place=2, departure=departure, used_hints=departure is None)
            for seat, departure in enumerate((Departure.RESIGNED, Departure.SUBSTITUTED, None), 1)
        ]
        await save_end(db, TableUpdate(revise(header, Status.FINISHED)), [result, *gone])
        (table,) = (await db.read(result_storage.played_tables, PersonFilter(LARGEST_ID, None), 0, 9)).tables
        assert table.results == (result, *gone)
        assert {type(each.company) for each in table.results} == {Company}

    async def test_results_and_the_last_move_are_saved_together_or_not_at_all(self, db: Database) -> None:
        header = await self.opened(db)
        after, entry = make_move(header)
        game = make_game_results(header.id, 11, 12)
        for spoiled in (replace(after, revision=5), replace(after, id=12345)):
            with pytest.raises(Conflict):
                await save_end(db, TableUpdate(spoiled, entry), game)
        assert await self.kept(db) == []
        await save_end(db, TableUpdate(after, entry), game)
        assert await self.kept(db) == game

    async def test_results_are_saved_once(self, db: Database) -> None:
        header = await self.opened(db)
        after, entry = make_move(header)
        game = make_game_results(header.id, 11, 12)
        await save_end(db, TableUpdate(after, entry), game)
        again, next_entry = make_move(after)
        with pytest.raises(Conflict):
            await save_end(db, TableUpdate(again, next_entry), [replace(game[0], score=999)])
        assert await self.kept(db) == game
        assert await load_header(db, header.id) == after
