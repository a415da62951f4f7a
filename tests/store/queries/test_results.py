"""What leaderboards and histories rely on, whatever the results are kept in: a fake keeps the same promises."""

import asyncio
import random
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any, Protocol

import pytest

from bot.community.model import (
    ChannelsFilter,
    FinishedTable,
    HistoryFilter,
    LeaderboardKey,
    PersonFilter,
    PersonInChannelsFilter,
    PlayerStats,
    Standing,
    Standings,
)
from bot.community.ports import ResultStore
from bot.store.store import SqlStore
from bot.tables.model import Company, Departure, Header, PublishedRevision, Result, Status
from bot.tables.ports import Conflict
from tests.store.samples import IN_NEPAL, LARGEST_ID, NOON, ROBIN, WREN, load_header, make_header, make_move, revise
from tests.support.fake_archive import FakeArchive
from tests.support.sample_results import ELSEWHERE, HERE, make_game_results, make_random_results, make_result

MAGPIE = LeaderboardKey(HERE, "magpie", Company.PEOPLE)
NOBODY = 999


class FillableArchive(Protocol):
    """An archive that results can be put into."""

    @property
    def archive(self) -> ResultStore: ...

    async def put(self, *games: list[Result]) -> None:
        """Keep the results of tables, numbered from 1 in this order."""
        ...


class FillableFake:
    def __init__(self) -> None:
        self.archive = FakeArchive()

    async def put(self, *games: list[Result]) -> None:
        for game in games:
            self.archive.results.extend(game)


class FillableStore:
    def __init__(self, store: SqlStore) -> None:
        self.archive = store

    async def put(self, *games: list[Result]) -> None:
        for game in games:
            header = await self.archive.open_table(make_header(), [])
            await self.archive.mark_published([PublishedRevision(header.id, 1, 1000 + header.id)])
            assert header.id == game[0].table_id
            await self.archive.save(revise(header, Status.FINISHED), None, None, game)


@pytest.fixture(params=["fake", "store"])
def filled(request: pytest.FixtureRequest, store: SqlStore) -> FillableArchive:
    return FillableFake() if request.param == "fake" else FillableStore(store)


async def rows(
    filled: FillableArchive, contest: LeaderboardKey = MAGPIE, offset: int = 0, limit: int = 10
) -> list[tuple[int, int]]:
    """Ask for a stretch of a ranking: places and people."""
    found = await filled.archive.standings(contest, NOBODY, offset, limit)
    return [(row.place, row.user_id) for row in found.rows]


class TestStandings:
    async def test_most_wins_come_first(self, filled: FillableArchive) -> None:
        await filled.put(
            make_game_results(1, 1, 2),
            make_game_results(2, 2, 1),
            make_game_results(3, 2, 1),
            make_game_results(4, 3, 1),
        )
        assert await rows(filled) == [(1, 2), (2, 3), (3, 1)]

    async def test_of_equal_wins_the_greater_share_comes_first(self, filled: FillableArchive) -> None:
        await filled.put(make_game_results(1, 1, 2), make_game_results(2, 2, 1), make_game_results(3, 3, 2))
        assert await rows(filled) == [(1, 3), (2, 1), (3, 2)]

    async def test_equal_standings_share_a_place_and_the_next_is_skipped(self, filled: FillableArchive) -> None:
        await filled.put(
            make_game_results(1, 9, 7),
            make_game_results(2, 8, 6),
            make_game_results(3, 6, 5, 4),
            make_game_results(4, 4, 5),
        )
        assert await rows(filled) == [(1, 8), (1, 9), (3, 4), (3, 6), (5, 5), (5, 7)]

    async def test_without_wins_the_number_of_games_makes_no_difference(self, filled: FillableArchive) -> None:
        await filled.put(make_game_results(1, 1, 2), make_game_results(2, 1, 2), make_game_results(3, 1, 3))
        assert await rows(filled) == [(1, 1), (2, 2), (2, 3)]

    async def test_a_shared_win_is_a_win(self, filled: FillableArchive) -> None:
        await filled.put(make_game_results(1, 1, 2, 3, places=(1, 1, 3)), make_game_results(2, 1, 2))
        found = await filled.archive.standings(MAGPIE, NOBODY, 0, 10)
        assert [(row.place, row.user_id, row.stats.wins, row.stats.shared_wins) for row in found.rows] == [
            (1, 1, 2, 1),
            (2, 2, 1, 1),
            (3, 3, 0, 0),
        ]

    async def test_figures_add_up(self, filled: FillableArchive) -> None:
        await filled.put(
            make_game_results(1, 1, 2, score=30),
            make_game_results(2, 2, 1, score=-5),
            make_game_results(3, 1, 2, score=12),
        )
        (first, second) = (await filled.archive.standings(MAGPIE, NOBODY, 0, 10)).rows
        assert first == Standing(
            1, 1, "P1", PlayerStats(games=3, wins=2, shared_wins=0, points=37, highest=30, lowest=-5)
        )
        assert second.stats == PlayerStats(games=3, wins=1, shared_wins=0, points=37, highest=30, lowest=-5)

    async def test_solo_games_rank_by_best_score_then_average(self, filled: FillableArchive) -> None:
        alone = replace(MAGPIE, company=Company.ALONE)
        scores = [(1, 50), (2, 90), (2, 10), (3, 90), (3, 40), (4, 90), (4, 40), (5, 89)]
        await filled.put(
            *(
                make_game_results(at, who, company=Company.ALONE, score=score)
                for at, (who, score) in enumerate(scores, 1)
            )
        )
        assert await rows(filled, alone) == [(1, 3), (1, 4), (3, 2), (4, 5), (5, 1)]

    async def test_solo_games_may_rank_by_lowest_score(self, filled: FillableArchive) -> None:
        alone = replace(MAGPIE, company=Company.ALONE, lower_is_better=True)
        scores = [(1, 50), (2, 10), (2, 90), (3, 10), (3, 40), (4, 11)]
        await filled.put(
            *(
                make_game_results(at, who, company=Company.ALONE, score=score)
                for at, (who, score) in enumerate(scores, 1)
            )
        )
        assert await rows(filled, alone) == [(1, 3), (2, 2), (3, 4), (4, 1)]

    async def test_tables_ended_by_resignations_have_no_best_score(self, filled: FillableArchive) -> None:
        await filled.put(
            make_game_results(1, 1, 2, score=0, reason="resigned"),
            make_game_results(2, 1, 3, score=-7),
            make_game_results(3, 1, 3, score=-9),
        )
        found = (await filled.archive.standings(MAGPIE, NOBODY, 0, 10)).rows
        assert {row.user_id: (row.stats.lowest, row.stats.highest) for row in found} == {
            1: (-9, -7),
            2: (None, None),
            3: (-9, -7),
        }

    async def test_computers_are_not_ranked(self, filled: FillableArchive) -> None:
        against = replace(MAGPIE, company=Company.COMPUTERS)
        await filled.put(make_game_results(1, None, 1, company=Company.COMPUTERS), make_game_results(2, None, 1, 2))
        assert await rows(filled, against) == [(1, 1)]
        assert await rows(filled) == [(1, 1), (1, 2)]
        assert (await filled.archive.standings(against, NOBODY, 0, 10)).total == 1

    @pytest.mark.parametrize(
        "other",
        [{"guild_id": ELSEWHERE}, {"guild_id": None}, {"game": "fortune"}, {"company": Company.COMPUTERS}],
        ids=str,
    )
    async def test_other_contests_do_not_count(self, filled: FillableArchive, other: dict[str, Any]) -> None:
        await filled.put(
            make_game_results(1, 1, 2, **other), make_game_results(2, 2, 1, **other), make_game_results(3, 1, 2)
        )
        found = await filled.archive.standings(MAGPIE, 2, 0, 10)
        assert [(row.user_id, row.stats.games) for row in found.rows] == [(1, 1), (2, 1)]
        assert found.total == 2
        assert found.own == found.rows[1]

    async def test_a_name_is_the_newest_in_this_server_whatever_was_played(self, filled: FillableArchive) -> None:
        await filled.put(
            [make_result(1, name="First")],
            [make_result(2, name="In another game", game="fortune")],
            [make_result(3, name="In another server", guild_id=ELSEWHERE)],
            [make_result(4, name="In private", guild_id=None)],
        )
        (row,) = (await filled.archive.standings(MAGPIE, NOBODY, 0, 10)).rows
        assert row.name == "In another game"

    async def test_of_names_at_the_same_time_that_of_the_later_table_counts(self, filled: FillableArchive) -> None:
        await filled.put(*([make_result(at, name=f"Name {at}", finished_at=NOON)] for at in (1, 2)))
        (row,) = (await filled.archive.standings(MAGPIE, NOBODY, 0, 10)).rows
        assert row.name == "Name 2"

    async def test_a_page_continues_where_the_last_one_ended(self, filled: FillableArchive) -> None:
        await filled.put(*(make_game_results(at, at, at + 1) for at in range(1, 12)))
        whole = await rows(filled, limit=100)
        assert len(whole) == 12
        for size in (1, 5, 12):
            stretches = [await rows(filled, offset=offset, limit=size) for offset in range(0, 15, size)]
            assert [row for stretch in stretches for row in stretch] == whole

    async def test_the_readers_own_standing_comes_with_every_page(self, filled: FillableArchive) -> None:
        await filled.put(*(make_game_results(at, at, at + 1) for at in range(1, 12)))
        whole = await filled.archive.standings(MAGPIE, NOBODY, 0, 100)
        assert whole.own is None
        for standing in whole.rows:
            found = await filled.archive.standings(MAGPIE, standing.user_id, 4, 2)
            assert (found.total, found.own, len(found.rows)) == (12, standing, 2)
        assert (await filled.archive.standings(MAGPIE, 1, 50, 5)) == Standings(12, (), whole.rows[0])

    async def test_an_empty_contest_has_no_standings(self, filled: FillableArchive) -> None:
        assert await filled.archive.standings(MAGPIE, 1, 0, 10) == Standings(0, (), None)


class TestFigures:
    async def test_figures_are_grouped_by_game_and_company(self, filled: FillableArchive) -> None:
        await filled.put(
            make_game_results(1, 1, 2),
            make_game_results(2, 2, 1),
            make_game_results(3, 1, None, company=Company.COMPUTERS, score=7),
            make_game_results(4, 1, 2, game="fortune"),
        )
        found = {(each.game, each.company): each.stats for each in await filled.archive.game_stats(1, HERE)}
        assert found == {
            ("magpie", Company.PEOPLE): PlayerStats(2, 1, 0, 200, 100, 100),
            ("magpie", Company.COMPUTERS): PlayerStats(1, 1, 0, 7, 7, 7),
            ("fortune", Company.PEOPLE): PlayerStats(1, 1, 0, 100, 100, 100),
        }

    async def test_figures_are_those_of_a_server_or_of_all(self, filled: FillableArchive) -> None:
        await filled.put(
            *(make_game_results(at, 1, guild_id=server) for at, server in enumerate([HERE, ELSEWHERE, None], 1))
        )

        async def games(server: int | None) -> list[int]:
            return [each.stats.games for each in await filled.archive.game_stats(1, server)]

        assert (await games(HERE), await games(ELSEWHERE), await games(None)) == ([1], [1], [3])
        assert await games(55) == []

    async def test_a_person_without_games_has_no_figures(self, filled: FillableArchive) -> None:
        await filled.put(make_game_results(1, None, 1))
        assert list(await filled.archive.game_stats(NOBODY, None)) == []


class TestPlayed:
    async def tables(self, filled: FillableArchive, shelf: HistoryFilter, offset: int = 0, limit: int = 9) -> list[int]:
        found = await filled.archive.finished_tables(shelf, offset, limit)
        return [table.results[0].table_id for table in found.tables]

    async def test_the_newest_tables_come_first(self, filled: FillableArchive) -> None:
        moments = [NOON, NOON.replace(hour=15), NOON.replace(hour=9), NOON.replace(hour=15)]
        await filled.put(*(make_game_results(at, 1, 2, finished_at=moment) for at, moment in enumerate(moments, 1)))
        assert await self.tables(filled, ChannelsFilter(HERE, frozenset({70}))) == [4, 2, 1, 3]
        assert await self.tables(filled, PersonFilter(1, None)) == [4, 2, 1, 3]

    async def test_tables_come_whole_best_place_first_with_their_message(self, filled: FillableArchive) -> None:
        game = make_game_results(1, 1, None, 2, places=(2, 1, 2))
        await filled.put(game, make_game_results(2, 3, 4))
        for shelf in (PersonFilter(1, HERE), PersonFilter(2, None)):
            (table,) = (await filled.archive.finished_tables(shelf, 0, 9)).tables
            assert table == FinishedTable((game[1], game[0], game[2]), 1001)

    async def test_seats_that_share_a_place_are_in_seat_order(self, filled: FillableArchive) -> None:
        game = make_game_results(1, 1, 2, 3, 4, places=(1, 1, 1, 1))
        await filled.put([game[2], game[0], game[3], game[1]])
        (table,) = (await filled.archive.finished_tables(PersonFilter(1, HERE), 0, 9)).tables
        assert table.results == tuple(game)

    async def test_seats_that_resigned_are_marked(self, filled: FillableArchive) -> None:
        first, *others = make_game_results(1, 1, 2, 3)
        gone = zip(others, (Departure.RESIGNED, Departure.SUBSTITUTED), strict=True)
        game = [first, *(replace(result, departure=departure) for result, departure in gone)]
        await filled.put(game)
        (table,) = (await filled.archive.finished_tables(PersonFilter(1, HERE), 0, 9)).tables
        assert table.results == tuple(game)

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
        assert (await filled.archive.finished_tables(shelf, 9, 3)).total == 7


@pytest.mark.parametrize("seed", range(2))
async def test_the_store_and_the_fake_agree_on_everything(store: SqlStore, seed: int) -> None:
    real, fake = FillableStore(store), FillableFake()
    games = make_random_results(random.Random(seed), 60)
    await real.put(*games)
    await fake.put(*games)
    shelves: list[HistoryFilter] = [
        *(
            ChannelsFilter(server, frozenset(channels))
            for server in (HERE, ELSEWHERE)
            for channels in ([100], [100, 111])
        ),
        *(PersonFilter(user, server) for user in range(1, 10) for server in (HERE, ELSEWHERE, None)),
    ]
    for contest in (LeaderboardKey(g, k, c) for g in (HERE, ELSEWHERE) for k in ("magpie", "fortune") for c in Company):
        for asker in (1, 5, NOBODY):
            answers = [await each.archive.standings(contest, asker, 2, 3) for each in (real, fake)]
            assert answers[0] == answers[1]
    for shelf in shelves:
        assert await store.finished_tables(shelf, 1, 4) == await fake.archive.finished_tables(shelf, 1, 4)
    for user in range(1, 10):
        for server in (HERE, ELSEWHERE, None):
            assert list(await store.game_stats(user, server)) == list(await fake.archive.game_stats(user, server))


class TestKeeping:
    async def opened(self, store: SqlStore) -> Header:
        return await store.open_table(make_header(), [ROBIN, WREN])

    async def kept(self, store: SqlStore) -> list[Result]:
        found = await store.finished_tables(PersonFilter(11, None), 0, 9)
        return [result for table in found.tables for result in table.results]

    async def test_results_are_read_as_they_were_written(self, store: SqlStore) -> None:
        header = await self.opened(store)
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
        await store.save(revise(header, Status.FINISHED), None, None, [result])
        (table,) = (await store.finished_tables(PersonFilter(LARGEST_ID, None), 0, 9)).tables
        assert table.results == (result,)

    async def test_results_and_the_last_move_are_saved_together_or_not_at_all(self, store: SqlStore) -> None:
        header = await self.opened(store)
        after, entry = make_move(header)
        game = make_game_results(header.id, 11, 12)
        for spoiled in (replace(after, revision=5), replace(after, id=12345)):
            with pytest.raises(Conflict):
                await store.save(spoiled, None, entry, game)
        assert await self.kept(store) == []
        await store.save(after, None, entry, game)
        assert await self.kept(store) == game

    async def test_results_are_saved_once(self, store: SqlStore) -> None:
        header = await self.opened(store)
        after, entry = make_move(header)
        game = make_game_results(header.id, 11, 12)
        await store.save(after, None, entry, game)
        again, next_entry = make_move(after)
        with pytest.raises(Conflict):
            await store.save(again, None, next_entry, [replace(game[0], score=999)])
        assert await self.kept(store) == game
        assert await load_header(store, header.id) == after

    async def test_of_two_processes_that_end_a_game_one_saves_its_results(
        self, connect: Callable[[], Awaitable[SqlStore]]
    ) -> None:
        stores = await connect(), await connect()
        header = await self.opened(stores[0])
        after, entry = make_move(header)
        games = [make_game_results(header.id, 11, 12, score=score) for score in (1, 2)]
        results = await asyncio.gather(
            *(store.save(after, None, entry, game) for store, game in zip(stores, games, strict=True)),
            return_exceptions=True,
        )
        assert {type(result) for result in results} == {type(None), Conflict}
        assert await self.kept(stores[0]) == games[results.index(None)]
