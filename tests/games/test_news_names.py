"""News names the player who held the seat at the time; everything else names the player who holds it now."""

from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest

from bot.rules.screen import EMPTY_DRAFT, Screen, to_news
from bot.rules.showcase import Moment, visible_events
from bot.tables.registry import AnyPackage
from bot.tools.contract.fact_coverage import play_moments
from tests.support.games import load_games_once

NAMES_THEN = ("Robin", "Wren", "Jay", "Linnet", "Heron", "Siskin")
NAMES_NOW = tuple(f"Computer{seat}" for seat in range(6))
GAMES = load_games_once()
MAX_MOVES = 100
"""The number of moments of a game that are checked."""


def draw_after_seat_changes(package: AnyPackage, moment: Moment[Any, Any], seats: int, *, with_news: bool) -> Screen:
    """Return the screen of a moment at which all seats have changed hands since anything happened."""
    news = to_news(visible_events(None, moment.events), NAMES_THEN[:seats]) if with_news else ()
    return package.build_screen(package.game.view(moment.state, None), news, NAMES_NOW[:seats], EMPTY_DRAFT)


def news_lines(package: AnyPackage, moment: Moment[Any, Any], seats: int) -> Iterator[str]:
    """Yield the lines of a screen that describe events."""
    always = draw_after_seat_changes(package, moment, seats, with_news=False).text.splitlines()
    yield from (
        line
        for line in draw_after_seat_changes(package, moment, seats, with_news=True).text.splitlines()
        if line not in always
    )


@pytest.mark.parametrize("key", sorted(GAMES))
def test_news_name_the_seat_holder_of_that_moment(key: str) -> None:
    package, named = GAMES[key], 0
    for seats in sorted({package.game.info.least_seats, package.game.info.most_seats}):
        for moment in islice(play_moments(package, seats, 1), MAX_MOVES):
            for line in news_lines(package, moment, seats):
                assert not any(name in line for name in NAMES_NOW), line
                named += any(name in line for name in NAMES_THEN)
    assert named or package.game.info.is_solo


@pytest.mark.parametrize("key", sorted(GAMES))
def test_the_state_of_the_table_names_the_present_seat_holders(key: str) -> None:
    package = GAMES[key]
    seats = package.game.info.most_seats
    for moment in islice(play_moments(package, seats, 1), MAX_MOVES):
        screen = draw_after_seat_changes(package, moment, seats, with_news=True)
        present = (screen.title, screen.note, *(f"{field.title}{field.text}" for field in screen.fields))
        assert not any(name in part for name in NAMES_THEN for part in present)
        assert any(name in screen.title for name in NAMES_NOW[:seats]) or "share" in screen.title
