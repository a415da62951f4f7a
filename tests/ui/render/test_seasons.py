"""Seasons as they are shown."""

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


def buttons_of(content: MessageContent) -> list[tuple[str, str]]:
    return [(button.label, button.custom_id) for row in content.rows for button in row]


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


def test_a_past_season_names_its_champions_and_ties_share_the_title() -> None:
    champions = (
        Champion("fortune", 9, "*Wren*", BoardOrder.RATING, 1512),
        Champion("fortune", ROBIN.id, "Robin", BoardOrder.RATING, 1512),
        Champion("magic_bag", 8, "Jay", BoardOrder.BEST, 42),
        Champion("old_maid", 8, "Jay", BoardOrder.BEST, 7),
    )
    season = Season("2026-Q2", ENDED, champions)
    content = render_season(season, "2026-Q3", (season, *PAST[1:]), load_games_once(), asker_id=ROBIN.id, now=ENDED)
    lines = str(content.text_embed.description).splitlines()
    assert content.text_embed.title == "Season April to June 2026"
    assert lines[:4] == [
        r"🏆 Fortune: **\*Wren\*** and **Robin** (you) · 1,512",
        "🏆 The Magic Bag: **Jay** · 42 points",
        "🏆 Old Maid: **Jay** · 7",
        "",
    ]


def test_one_goes_from_season_to_season() -> None:
    games = load_games_once()
    earlier, later = "◀ April to June 2026", "This season ▶"
    present = render_season(None, "2026-Q3", PAST, games, asker_id=1, now=ENDED)
    assert buttons_of(present) == [(earlier, str(SeasonId("2026-Q2")))]
    newest = render_season(PAST[0], "2026-Q3", PAST, games, asker_id=1, now=ENDED)
    assert buttons_of(newest) == [
        ("◀ January to March 2026", str(SeasonId("2026-Q1"))),
        (later, str(SeasonId(Span.SEASON))),
    ]
    assert buttons_of(render_season(PAST[2], "2026-Q3", PAST, games, asker_id=1, now=ENDED)) == [
        ("January to March 2026 ▶", str(SeasonId("2026-Q1")))
    ]


def test_a_server_without_seasons_keeps_the_champions_of_earlier_ones() -> None:
    content = render_season(None, None, PAST, load_games_once(), asker_id=1, now=ENDED)
    assert "This server has no seasons" in str(content.text_embed.description)
    assert buttons_of(content) == [("◀ April to June 2026", str(SeasonId("2026-Q2")))]
    assert content.menus == ()
    last = render_season(PAST[0], None, PAST, load_games_once(), asker_id=1, now=ENDED)
    assert [label for label, _ in buttons_of(last)] == ["◀ January to March 2026"]
