"""Boards, seasons, ratings and the history of two people as they are shown."""

import re
from datetime import UTC, datetime

from bot.features.boards.messages import SeasonId, ShownBoard, describe_board, period_name, render_posted_board
from bot.features.boards.model import BoardKey, BoardOrder, BoardRating, Leaderboard, Span, Standing, orders_of
from bot.features.profiles.messages import render_duel
from bot.features.profiles.model import Duel, Encounters, Versus
from bot.features.results.messages import rating_line
from bot.features.results.model import FinishedTable, PlayerStats
from bot.features.results.ratings import NotRated, Rating, RatingChange, Strength
from bot.features.results.service import RatingOutcome
from bot.features.seasons.messages import render_season
from bot.features.seasons.model import Champion, Season
from bot.platform.discord.content import MessageContent
from bot.platform.paging import Page
from bot.platform.places import Person
from bot.rules.picture import Label, Sprite, isolate_name
from bot.rules.screen import LONGEST_DESCRIPTION
from bot.tables.model import Company
from bot.tables.results import companies_of
from tests.support.each_case import each_case
from tests.support.fakes import ROBIN
from tests.support.games import load_games_once
from tests.support.picture_checks import find_flaws
from tests.support.sample_results import HERE, make_game_results

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


ENDED = datetime(2026, 7, 1, tzinfo=UTC)

PAST = tuple(Season(period, ENDED, ()) for period in ("2026-Q2", "2026-Q1", "2025"))


def seasons_offered(content: MessageContent) -> list[str]:
    return [button.custom_id for row in content.rows for button in row]


@each_case(
    "period, name",
    [
        ("2026-Q4", "October\N{THIN SPACE}–\N{THIN SPACE}December 2026"),
        ("2026-02", "February 2026"),
        ("2025", "2025"),
        ("2026-W01", "December 29, 2025"),
    ],
)
def test_periods_have_readable_names(period: str, name: str) -> None:
    assert period_name(period).endswith(name)


CHAMPIONS = (
    Champion("fortune", 9, "*Wren*", BoardOrder.RATING, 1512),
    Champion("fortune", ROBIN.id, "Robin", BoardOrder.RATING, 1512),
    Champion("magic_bag", 8, "Jay", BoardOrder.BEST, 42),
    Champion("old_maid", 8, "Jay", BoardOrder.BEST, 7),
)

WITH_CHAMPIONS = Season("2026-Q2", ENDED, CHAMPIONS)


def test_a_past_season_names_its_champions_and_ties_share_the_title() -> None:
    past = (WITH_CHAMPIONS, *PAST[1:])
    content = render_season(WITH_CHAMPIONS, "2026-Q3", past, load_games_once(), asker_id=ROBIN.id, now=ENDED)
    lines = [line for line in str(content.text_embed.description).splitlines() if line.startswith("🏆")]
    assert [re.findall(r"\*\*(.+?)\*\*(?!\*)", line) for line in lines] == [[r"\*Wren\*", "Robin"], ["Jay"], ["Jay"]]
    assert [re.findall(r"[\d,]+", line) for line in lines] == [["1,512"], ["42"], ["7"]]


def test_one_goes_from_season_to_season() -> None:
    games = load_games_once()
    present = render_season(None, "2026-Q3", PAST, games, asker_id=1, now=ENDED)
    assert seasons_offered(present) == [str(SeasonId("2026-Q2"))]
    newest = render_season(PAST[0], "2026-Q3", PAST, games, asker_id=1, now=ENDED)
    assert seasons_offered(newest) == [str(SeasonId("2026-Q1")), str(SeasonId(Span.SEASON))]
    oldest = render_season(PAST[2], "2026-Q3", PAST, games, asker_id=1, now=ENDED)
    assert seasons_offered(oldest) == [str(SeasonId("2026-Q1"))]


def test_a_server_without_seasons_keeps_the_champions_of_earlier_ones() -> None:
    content = render_season(None, None, PAST, load_games_once(), asker_id=1, now=ENDED)
    assert seasons_offered(content) == [str(SeasonId("2026-Q2"))]
    assert content.menus == ()
    last = render_season(PAST[0], None, PAST, load_games_once(), asker_id=1, now=ENDED)
    assert seasons_offered(last) == [str(SeasonId("2026-Q1"))]


FOUR = ("Robin", "Wren", "Jay", "Linnet")


def change(seat: int, before: float, after: float, games: int = 20) -> RatingChange:
    """Make a change between two shown numbers."""
    mean_before, mean_after = (3 + (shown - 1000) / 25 for shown in (before, after))
    return RatingChange(
        1, seat, seat, Rating(Strength(mean_before, 1.0), games - 1), Rating(Strength(mean_after, 1.0), games)
    )


@each_case("outcome", [NotRated.NO_SERVER, NotRated.NO_OPPONENT, None])
def test_what_surprises_nobody_is_not_told(outcome: RatingOutcome | None) -> None:
    assert rating_line(outcome, FOUR, "Vesper") == ""


def test_every_surprising_reason_has_words() -> None:
    unsurprising = {NotRated.NO_SERVER, NotRated.NO_OPPONENT}
    assert {reason for reason in NotRated if not rating_line(reason, FOUR, "Vesper")} == unsurprising


DUEL = Duel(HERE, ROBIN.id, 12)


def test_the_longest_history_fits_discords_limits() -> None:
    people = (ROBIN.id, 12, 13, 14, 15, 16)
    tables = tuple(
        FinishedTable(tuple(make_game_results(at, *people, name="*" * 32, score=10**9)), 10**18) for at in range(1, 6)
    )
    encounters = tuple(Encounters(key, 10**6, 10**6, 10**6) for key in sorted(load_games_once()))
    embed = render_duel(Versus(DUEL, encounters, tables), load_games_once(), Person(12, "_" * 32)).text_embed
    assert len(str(embed.description)) <= 4096
    assert all(len(str(field.value)) <= 1024 for field in embed.fields)
