"""Leaderboards, profiles and histories, page by page."""

from dataclasses import replace

import pytest

from bot.features.boards import storage as board_storage
from bot.features.boards.model import BoardKey, BoardOrder
from bot.features.boards.service import STANDINGS_PER_PAGE, load_leaderboard
from bot.features.results import storage as result_storage
from bot.features.results.model import ChannelsFilter
from bot.features.results.service import ResultsService
from bot.games.magpie import PACKAGE as MAGPIE
from bot.platform.paging import Page, clamp_page
from bot.tables.model import Company
from bot.tables.results import companies_of
from tests.support.each_case import each_case
from tests.support.memory_database import MemoryDatabase
from tests.support.sample_results import HERE, make_game_results

CONTEST = BoardKey(HERE, "magpie", Company.PEOPLE, BoardOrder.WINS)
CHANNEL = ChannelsFilter(HERE, frozenset({70}))


@pytest.fixture
def db() -> MemoryDatabase:
    return MemoryDatabase()


@pytest.fixture
def community(db: MemoryDatabase) -> ResultsService:
    return ResultsService(db)


@each_case(
    "number, total, page",
    [
        (1, 0, Page(1, 1)),
        (5, 0, Page(1, 1)),
        (1, 10, Page(1, 1)),
        (2, 10, Page(1, 1)),
        (2, 11, Page(2, 2)),
        (3, 11, Page(2, 2)),
        (999_999, 25, Page(3, 3)),
        (0, 25, Page(1, 3)),
        (-4, 25, Page(1, 3)),
    ],
)
def test_a_page_out_of_range_is_the_nearest(number: int, total: int, page: Page) -> None:
    assert clamp_page(number, total, 10) == page


@each_case(
    "least, most, companies",
    [
        (2, 2, (Company.PEOPLE, Company.COMPUTERS)),
        (2, 6, (Company.PEOPLE, Company.COMPUTERS)),
        (1, 4, (Company.PEOPLE, Company.COMPUTERS, Company.ALONE)),
        (1, 1, (Company.ALONE,)),
    ],
)
def test_companies_follow_from_the_numbers_of_seats(least: int, most: int, companies: tuple[Company, ...]) -> None:
    assert companies_of(replace(MAGPIE.game.info, least_seats=least, most_seats=most)) == companies


@pytest.mark.parametrize("page", [1, 2, 3, 0, -1, 7])
async def test_every_page_of_a_leaderboard_has_its_rows(db: MemoryDatabase, page: int) -> None:
    for at in range(1, 25):
        db.add_results(*make_game_results(at, at, at + 1))
    everybody = (await db.read(board_storage.standings, CONTEST, 3, 0, 100)).rows
    board = await load_leaderboard(db, CONTEST, 3, page)
    number = min(max(page, 1), 3)
    assert board.page == Page(number, 3)
    assert board.rows == everybody[(number - 1) * STANDINGS_PER_PAGE : number * STANDINGS_PER_PAGE]
    assert board.own is not None
    assert board.own.user_id == 3
    assert board.key == CONTEST


async def test_an_existing_page_is_read_once(community: ResultsService, db: MemoryDatabase) -> None:
    db.add_results(*make_game_results(1, 1, 2))
    await load_leaderboard(db, CONTEST, 1)
    await community.history(CHANNEL)
    assert db.calls == [board_storage.standings, result_storage.played_tables]


@pytest.mark.parametrize(("page", "tables"), [(1, [12, 11, 10, 9, 8]), (2, [7, 6, 5, 4, 3]), (3, [2, 1]), (9, [2, 1])])
async def test_a_history_is_paged_from_new_to_old(
    community: ResultsService, db: MemoryDatabase, page: int, tables: list[int]
) -> None:
    for at in range(1, 13):
        db.add_results(*make_game_results(at, 1, 2))
    history = await community.history(CHANNEL, page)
    assert [played.results[0].table_id for played in history.tables] == tables
    assert history.page == Page(min(page, 3), 3)
