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
    FinishedTable,
    HistoryFilter,
    PersonFilter,
    PersonInChannelsFilter,
    PlayerStats,
    periods_at,
)
from bot.platform.database.database import Database
from bot.tables import storage as table_storage
from bot.tables.model import Company, Departure, Header, Result, Status, TableUpdate
from bot.tables.storage import Conflict
from tests.store.queries.fillable_archives import FillableArchive
from tests.store.queries.recounted_results import RecountedResults
from tests.store.samples import IN_NEPAL, LARGEST_ID, NOON, ROBIN, WREN, load_header, make_header, make_move, revise
from tests.support.ended_tables import save_end
from tests.support.sample_results import ELSEWHERE, HERE, make_game_results, make_random_results, make_result

UNRANKED = 999


class TestFinishedTables:
    async def tables(self, filled: FillableArchive, shelf: HistoryFilter, offset: int = 0, limit: int = 9) -> list[int]:
        found = await filled.archive.read(result_storage.played_tables, shelf, offset, limit)
        return [table.results[0].table_id for table in found.tables]

    async def test_the_newest_tables_come_first(self, filled: FillableArchive) -> None:
        moments = [NOON, NOON.replace(hour=15), NOON.replace(hour=9), NOON.replace(hour=15)]
        await filled.put(*(make_game_results(at, 1, 2, finished_at=moment) for at, moment in enumerate(moments, 1)))
        assert await self.tables(filled, ChannelsFilter(HERE, frozenset({70}))) == [4, 2, 1, 3]
        assert await self.tables(filled, PersonFilter(1, None)) == [4, 2, 1, 3]

    async def test_the_latest_of_a_server_are_those_of_its_last_day_in_any_channel(
        self, filled: FillableArchive
    ) -> None:
        moments = [NOON, NOON + timedelta(days=2), NOON + timedelta(days=2, hours=1), NOON + timedelta(days=3)]
        servers = [HERE, HERE, HERE, ELSEWHERE]
        tables = zip(moments, servers, strict=True)
        await filled.put(
            *(
                make_game_results(at, 1, 2, finished_at=moment, guild_id=server, channel_id=70 + at)
                for at, (moment, server) in enumerate(tables, 1)
            )
        )
        found = await filled.archive.read(result_storage.latest_tables, HERE, 2)
        assert [table.results[0].table_id for table in found] == [3, 2]
        assert await filled.archive.read(result_storage.latest_tables, 99, 2) == ()

    async def test_tables_come_whole_best_place_first_with_their_message(self, filled: FillableArchive) -> None:
        game = make_game_results(1, 1, None, 2, places=(2, 1, 2))
        await filled.put(game, make_game_results(2, 3, 4))
        for shelf in (PersonFilter(1, HERE), PersonFilter(2, None)):
            (table,) = (await filled.archive.read(result_storage.played_tables, shelf, 0, 9)).tables
            assert table == FinishedTable((game[1], game[0], game[2]), 1001)

    async def test_seats_that_share_a_place_are_in_seat_order(self, filled: FillableArchive) -> None:
        game = make_game_results(1, 1, 2, 3, 4, places=(1, 1, 1, 1))
        await filled.put([game[2], game[0], game[3], game[1]])
        (table,) = (await filled.archive.read(result_storage.played_tables, PersonFilter(1, HERE), 0, 9)).tables
        assert table.results == tuple(game)

    async def test_seats_that_resigned_or_used_hints_are_marked(self, filled: FillableArchive) -> None:
        first, *others = make_game_results(1, 1, 2, 3)
        gone = zip(others, (Departure.RESIGNED, Departure.SUBSTITUTED), strict=True)
        game = [replace(first, used_hints=True)]
        game += [replace(result, departure=departure) for result, departure in gone]
        await filled.put(game)
        (table,) = (await filled.archive.read(result_storage.played_tables, PersonFilter(1, HERE), 0, 9)).tables
        assert table.results == tuple(game)
        assert {type(result.company) for result in table.results} == {Company}

    async def test_a_persons_tables_can_be_limited_to_channels(self, filled: FillableArchive) -> None:
        await filled.put(
            make_game_results(1, 1, 2, channel_id=70),
            make_game_results(2, 1, 2, channel_id=71),
            make_game_results(3, 3, 2, channel_id=71),
            make_game_results(4, 1, 2, channel_id=71, guild_id=ELSEWHERE),
        )
        assert await self.tables(filled, PersonInChannelsFilter(1, HERE, frozenset({71, 72}))) == [2]
        assert await self.tables(filled, PersonInChannelsFilter(1, HERE, frozenset())) == []

    async def test_tables_of_channels_are_those_of_the_server(self, filled: FillableArchive) -> None:
        await filled.put(
            make_game_results(1, 1, 2),
            make_game_results(2, 1, 2, channel_id=71),
            make_game_results(3, 1, 2, channel_id=72),
            make_game_results(4, 1, 2, guild_id=ELSEWHERE),
            make_game_results(5, 1, 2, guild_id=None),
        )
        for channels, expected in [({70}, [1]), ({70, 71}, [2, 1]), ({99}, []), (set[int](), [])]:
            assert await self.tables(filled, ChannelsFilter(HERE, frozenset(channels))) == expected

    async def test_a_persons_tables_are_those_they_sat_at(self, filled: FillableArchive) -> None:
        await filled.put(
            make_game_results(1, 1, 2),
            make_game_results(2, 2, 3),
            make_game_results(3, 3, 1, guild_id=ELSEWHERE),
            make_game_results(4, 1, guild_id=None),
        )
        assert await self.tables(filled, PersonFilter(1, HERE)) == [1]
        assert await self.tables(filled, PersonFilter(1, ELSEWHERE)) == [3]
        assert await self.tables(filled, PersonFilter(1, None)) == [4, 3, 1]

    async def test_tables_come_in_pages(self, filled: FillableArchive) -> None:
        await filled.put(*(make_game_results(at, 1, 2, 3) for at in range(1, 8)))
        shelf = ChannelsFilter(HERE, frozenset({70}))
        assert [await self.tables(filled, shelf, offset, 3) for offset in (0, 3, 6, 9)] == [
            [7, 6, 5],
            [4, 3, 2],
            [1],
            [],
        ]
        assert (await filled.archive.read(result_storage.played_tables, shelf, 9, 3)).total == 7


async def test_what_is_kept_of_results_is_what_counting_them_anew_gives(db: Database) -> None:
    games = make_random_results(random.Random(0), 60)
    recounted = RecountedResults([result for game in games for result in game])
    await FillableArchive(db).put(*games)
    shelves: list[HistoryFilter] = [
        *(
            ChannelsFilter(server, frozenset(channels))
            for server in (HERE, ELSEWHERE)
            for channels in ([100], [100, 111])
        ),
        *(PersonFilter(user, server) for user in range(1, 10) for server in (HERE, ELSEWHERE, None)),
    ]
    askers = random.Random(2)
    for contest in contests():
        asker = askers.choice((1, 5, UNRANKED))
        kept = await db.read(board_storage.standings, contest, asker, 2, 3)
        assert without_ratings(kept) == without_ratings(await recounted.standings(contest, asker, 2, 3)), asker
    for shelf in shelves:
        assert await db.read(result_storage.played_tables, shelf, 1, 4) == await recounted.finished_tables(shelf, 1, 4)
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


def stats(record: PersonRecord) -> list[tuple[str, Company, PlayerStats]]:
    return [(each.game, each.company, each.stats) for each in record.stats]


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
        await save_end(db, TableUpdate(revise(header, Status.FINISHED)), [result])
        (table,) = (await db.read(result_storage.played_tables, PersonFilter(LARGEST_ID, None), 0, 9)).tables
        assert table.results == (result,)

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
