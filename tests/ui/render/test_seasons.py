"""Seasons as they are shown."""

import re
from datetime import UTC, datetime

from bot.features.boards.messages import SeasonId, period_name
from bot.features.boards.model import BoardOrder, Span
from bot.features.seasons.messages import render_season
from bot.features.seasons.model import Champion, Season
from bot.platform.discord.content import MessageContent
from tests.support.each_case import each_case
from tests.support.fakes import ROBIN
from tests.support.games import load_games_once

ENDED = datetime(2026, 7, 1, tzinfo=UTC)
PAST = tuple(Season(period, ENDED, ()) for period in ("2026-Q2", "2026-Q1", "2025"))


def seasons_offered(content: MessageContent) -> list[str]:
    return [button.custom_id for row in content.rows for button in row]


@each_case(
    "period, name",
    [
        ("2026-Q4", "October to December 2026"),
        ("2026-02", "February 2026"),
        ("2025", "2025"),
        ("2026-W01", "week of December 29, 2025"),
        ("all", "all time"),
    ],
)
def test_periods_have_readable_names(period: str, name: str) -> None:
    assert period_name(period) == name


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
