"""Leaderboards, profiles and histories, page by page."""

from dataclasses import replace

import pytest

from bot.community.model import Contest, Figures, InChannels, Page, companies_of, page_of
from bot.community.service import STANDINGS_A_PAGE, TABLES_A_PAGE, Community
from bot.games.magpie import PACKAGE as MAGPIE
from bot.tables.model import Company
from tests.support.archive import FakeArchive
from tests.support.results import HERE, a_game, a_result

CONTEST = Contest(HERE, "magpie", Company.PEOPLE)
CHANNEL = InChannels(HERE, frozenset({70}))


@pytest.fixture
def archive() -> FakeArchive:
    return FakeArchive()


@pytest.fixture
def community(archive: FakeArchive) -> Community:
    return Community(archive)


@pytest.mark.parametrize(
    ("number", "total", "page"),
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
def test_a_page_that_is_not_there_is_the_nearest(number: int, total: int, page: Page) -> None:
    assert page_of(number, total, 10) == page


@pytest.mark.parametrize(
    ("least", "most", "companies"),
    [
        (2, 6, (Company.PEOPLE, Company.COMPUTERS)),
        (1, 4, (Company.PEOPLE, Company.COMPUTERS, Company.ALONE)),
        (1, 1, (Company.ALONE,)),
    ],
)
def test_a_game_can_be_played_in_these_companies(least: int, most: int, companies: tuple[Company, ...]) -> None:
    assert companies_of(replace(MAGPIE.game.info, least_seats=least, most_seats=most)) == companies


@pytest.mark.parametrize("page", [1, 2, 3, 0, -1, 7])
async def test_every_page_of_a_leaderboard_has_its_rows(community: Community, archive: FakeArchive, page: int) -> None:
    for at in range(1, 25):
        archive.results += a_game(at, at, at + 1)
    everybody = (await archive.standings(CONTEST, 3, 0, 100)).rows
    board = await community.leaderboard(CONTEST, 3, page)
    number = min(max(page, 1), 3)
    assert board.page == Page(number, 3)
    assert board.rows == everybody[(number - 1) * STANDINGS_A_PAGE : number * STANDINGS_A_PAGE]
    assert board.own is not None
    assert board.own.user_id == 3
    assert board.contest == CONTEST


async def test_pages_do_not_overlap(community: Community, archive: FakeArchive) -> None:
    for at in range(1, 25):
        archive.results += a_game(at, at, at + 1)
    people = [row.user_id for page in (1, 2, 3) for row in (await community.leaderboard(CONTEST, 0, page)).rows]
    assert len(people) == len(set(people)) == 25


async def test_a_page_that_is_there_is_asked_for_once(community: Community, archive: FakeArchive) -> None:
    archive.results += a_game(1, 1, 2)
    await community.leaderboard(CONTEST, 1)
    await community.history(CHANNEL)
    assert archive.asked == [("standings", 0, STANDINGS_A_PAGE), ("played", 0, TABLES_A_PAGE)]


async def test_an_empty_leaderboard_has_one_page(community: Community) -> None:
    board = await community.leaderboard(CONTEST, 1, 4)
    assert (board.page, board.rows, board.own) == (Page(1, 1), (), None)


@pytest.mark.parametrize(("page", "tables"), [(1, [12, 11, 10, 9, 8]), (2, [7, 6, 5, 4, 3]), (3, [2, 1]), (9, [2, 1])])
async def test_a_history_is_turned_from_new_to_old(
    community: Community, archive: FakeArchive, page: int, tables: list[int]
) -> None:
    for at in range(1, 13):
        archive.results += a_game(at, 1, 2)
    history = await community.history(CHANNEL, page)
    assert [played.results[0].table_id for played in history.tables] == tables
    assert history.page == Page(min(page, 3), 3)


async def test_a_profile_tells_figures_and_the_newest_tables(community: Community, archive: FakeArchive) -> None:
    for at in range(1, 8):
        archive.results += a_game(at, 1, 2, score=at)
    archive.results += a_game(8, 1, guild_id=None, company=Company.ALONE, game="fortune")
    here = await community.profile(1, HERE)
    assert [(each.game, each.figures) for each in here.figures] == [("magpie", Figures(7, 7, 0, 28, 7, 1))]
    assert [played.results[0].table_id for played in here.latest] == [7, 6, 5, 4, 3]
    anywhere = await community.profile(1, None)
    assert [each.game for each in anywhere.figures] == ["fortune", "magpie"]
    assert [played.results[0].table_id for played in anywhere.latest] == [8, 7, 6, 5, 4]
    only = anywhere.of_game("fortune")
    assert ([each.game for each in only.figures], only.latest) == (["fortune"], ())


async def test_an_average_is_points_by_games(community: Community, archive: FakeArchive) -> None:
    archive.results += [a_result(1, score=10), a_result(2, score=11), a_result(3, score=11)]
    ((own),) = (await community.profile(11, HERE)).figures
    assert own.figures.average == pytest.approx(10.667, abs=0.001)
