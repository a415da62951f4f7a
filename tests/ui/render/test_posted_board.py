"""The picture of a board: everything fits, and says the same in words."""

from bot.features.boards.messages import ShownBoard, describe_board, render_posted_board
from bot.features.boards.model import BoardKey, BoardOrder, BoardRating, Leaderboard, Span, Standing, orders_of
from bot.features.results.model import PlayerStats
from bot.platform.paging import Page
from bot.rules.picture import Label, Sprite, isolate_name
from bot.rules.screen import LONGEST_DESCRIPTION
from bot.tables.model import Company
from bot.tables.results import companies_of
from tests.support.each_case import each_case
from tests.support.games import load_games_once
from tests.support.picture_checks import find_flaws

GAMES = load_games_once()
NAMES = ("Robin", "W" * 32, "李雷", "🐦", "محمد عبد الله", "שלום 123", "@everyone **x**", "\u200b", "Ελένη", "i" * 32)


def make_board(game: str, company: Company, by: BoardOrder, first: int = 1, rows: int = 10) -> ShownBoard:
    package = GAMES[game]
    standings = tuple(
        Standing(
            place=first + at - (at == 2),
            user_id=at,
            name=NAMES[at],
            stats=PlayerStats(10_000, 9_999 - at, 3, 123_456_789, 1_234_567, -12_300),
            rating=BoardRating(12_345 - at, 5 if at == 1 else 50),
        )
        for at in range(rows)
    )
    key = BoardKey(3, game, company, by, "2026-Q3", lower_is_better=package.results.score_kind.lower_is_better)
    return ShownBoard(package, Leaderboard(key, Page(4999, 5000), standings, None), Span.SEASON, tuple(Span))


@each_case("game", sorted(GAMES))
def test_every_board_fits_into_its_picture(game: str) -> None:
    package = GAMES[game]
    for company in companies_of(package.game.info):
        for by in orders_of(package.results.score_kind, company):
            for first, rows in ((1, 10), (49_990, 1)):
                shown = make_board(game, company, by, first, rows)
                make_picture = render_posted_board(shown, "W" * 32, "N" * 100).make_picture
                assert make_picture is not None
                assert list(find_flaws(make_picture())) == []


def test_only_the_first_three_places_have_medals_and_ties_share_them() -> None:
    shown = make_board("magpie", Company.PEOPLE, BoardOrder.RATING)
    make_picture = render_posted_board(shown, "Robin", "").make_picture
    assert make_picture is not None
    marks = make_picture().marks
    medals = [mark for mark in marks if isinstance(mark, Sprite) and mark.name == "medal"]
    texts = [mark.text for mark in marks if isinstance(mark, Label)]
    assert len(medals) == 3
    assert [text for text in texts if text in ("1", "2", "3", "4.")] == ["1", "2", "2", "4."]


def test_names_that_can_not_be_drawn_stand_below_the_picture() -> None:
    shown = make_board("magpie", Company.PEOPLE, BoardOrder.RATING)
    content = render_posted_board(shown, "Robin", "The Nest")
    assert f"🥈 **李雷** · **4.** **{isolate_name('🐦')}**" in content.picture_embed_json["description"]
    assert "محمد" not in content.picture_embed_json["description"]


def test_the_alternative_text_has_every_row_and_fits() -> None:
    text = describe_board(make_board("magpie", Company.PEOPLE, BoardOrder.RATING, rows=4))
    for row in ("1. Robin: 12,345", "2. 李雷: 12,343"):
        assert row in text
    assert len(describe_board(make_board("magpie", Company.PEOPLE, BoardOrder.RATING))) <= LONGEST_DESCRIPTION
