"""Leaderboards and figures of players, on every database."""

from dataclasses import replace
from typing import Any

import pytest

from bot.features.boards import storage as board_storage
from bot.features.boards.model import BoardKey, BoardOrder, Standings
from bot.features.profiles import storage as profile_storage
from bot.features.results.model import PlayerStats
from bot.tables.model import Company
from tests.store.queries.fillable_archives import FillableArchive
from tests.store.samples import NOON
from tests.support.sample_results import ELSEWHERE, HERE, make_game_results, make_result

MAGPIE = BoardKey(HERE, "magpie", Company.PEOPLE, BoardOrder.WINS)
UNRANKED = 999


async def rows(
    filled: FillableArchive, contest: BoardKey = MAGPIE, offset: int = 0, limit: int = 10
) -> list[tuple[int, int]]:
    """Ask for a stretch of a ranking: places and people."""
    found = await filled.archive.read(board_storage.standings, contest, UNRANKED, offset, limit)
    return [(row.place, row.user_id) for row in found.rows]


class TestStandings:
    async def test_tables_ended_by_resignations_have_no_best_score(self, filled: FillableArchive) -> None:
        await filled.put(
            make_game_results(1, 1, 2, score=0, reason="resigned"),
            make_game_results(2, 1, 3, score=-7),
            make_game_results(3, 1, 3, score=-9),
        )
        found = (await filled.archive.read(board_storage.standings, MAGPIE, UNRANKED, 0, 10)).rows
        assert {row.user_id: (row.stats.lowest, row.stats.highest) for row in found} == {
            1: (-9, -7),
            2: (None, None),
            3: (-9, -7),
        }

    @pytest.mark.parametrize("lower_is_better", [False, True])
    async def test_results_with_hints_are_neither_ranked_nor_best_scores(
        self, filled: FillableArchive, *, lower_is_better: bool
    ) -> None:
        alone = replace(MAGPIE, company=Company.ALONE, by=BoardOrder.BEST, lower_is_better=lower_is_better)
        own: dict[str, Any] = {"company": Company.ALONE}
        await filled.put(
            make_game_results(1, 1, score=50, **own),
            make_game_results(2, 1, score=99, used_hints=True, **own),
            make_game_results(3, 1, score=1, used_hints=True, **own),
            make_game_results(4, 2, score=70, used_hints=True, **own),
        )
        found = await filled.archive.read(board_storage.standings, alone, 2, 0, 10)
        assert [(row.user_id, row.stats) for row in found.rows] == [(1, PlayerStats(1, 1, 0, 50, 50, 50))]
        assert (found.total, found.own) == (1, None)
        (profile,) = (await filled.archive.read(profile_storage.person_record, 1, HERE)).stats
        assert profile.stats == PlayerStats(games=1, wins=1, shared_wins=0, points=50, highest=50, lowest=50)
        assert (profile.with_hints, profile.played) == (2, 3)

    async def test_who_used_no_hints_is_ranked_although_another_did(self, filled: FillableArchive) -> None:
        first, second = make_game_results(1, 1, 2)
        await filled.put([replace(first, used_hints=True), second])
        assert await rows(filled) == [(1, 2)]

    async def test_a_name_is_the_newest_in_this_server_whatever_was_played(self, filled: FillableArchive) -> None:
        await filled.put(
            [make_result(1, name="First")],
            [make_result(2, name="In another game", game="fortune")],
            [make_result(3, name="In another server", guild_id=ELSEWHERE)],
            [make_result(4, name="In private", guild_id=None)],
        )
        (row,) = (await filled.archive.read(board_storage.standings, MAGPIE, UNRANKED, 0, 10)).rows
        assert row.name == "In another game"

    async def test_of_names_at_the_same_time_that_of_the_later_table_counts(self, filled: FillableArchive) -> None:
        await filled.put(*([make_result(at, name=f"Name {at}", finished_at=NOON)] for at in (1, 2)))
        (row,) = (await filled.archive.read(board_storage.standings, MAGPIE, UNRANKED, 0, 10)).rows
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
        whole = await filled.archive.read(board_storage.standings, MAGPIE, UNRANKED, 0, 100)
        assert whole.own is None
        for standing in whole.rows:
            found = await filled.archive.read(board_storage.standings, MAGPIE, standing.user_id, 4, 2)
            assert (found.total, found.own, len(found.rows)) == (12, standing, 2)
        assert (await filled.archive.read(board_storage.standings, MAGPIE, 1, 50, 5)) == Standings(
            12, (), whole.rows[0]
        )

    async def test_an_empty_contest_has_no_standings(self, filled: FillableArchive) -> None:
        assert await filled.archive.read(board_storage.standings, MAGPIE, 1, 0, 10) == Standings(0, (), None)


class TestFigures:
    async def test_figures_are_grouped_by_game_and_company(self, filled: FillableArchive) -> None:
        await filled.put(
            make_game_results(1, 1, 2),
            make_game_results(2, 2, 1),
            make_game_results(3, 1, None, company=Company.COMPUTERS, score=7),
            make_game_results(4, 1, 2, game="fortune"),
        )
        found = {
            (each.game, each.company): each.stats
            for each in (await filled.archive.read(profile_storage.person_record, 1, HERE)).stats
        }
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
            return [
                each.stats.games for each in (await filled.archive.read(profile_storage.person_record, 1, server)).stats
            ]

        assert (await games(HERE), await games(ELSEWHERE), await games(None)) == ([1], [1], [3])
        assert await games(55) == []

    async def test_a_person_without_games_has_no_figures(self, filled: FillableArchive) -> None:
        await filled.put(make_game_results(1, None, 1))
        assert list((await filled.archive.read(profile_storage.person_record, UNRANKED, None)).stats) == []
