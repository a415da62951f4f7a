"""Lines about what happened name whoever held the seat then; everything else names whoever holds it now."""

from collections.abc import Iterator
from itertools import islice

import pytest

from bot.rules.package import GamePackage
from bot.rules.screen import EMPTY_DRAFT, Screen, news_of
from bot.rules.showcase import Moment, seen_by
from bot.tables.registry import load_games
from tests.support.fact_coverage import moments

THEN = ("Robin", "Wren", "Jay", "Linnet", "Heron", "Siskin")
NOW = tuple(f"Computer{seat}" for seat in range(6))
GAMES = load_games()
MOST = 400
"""So many moments of a game are looked at."""


def shown(package: GamePackage, moment: Moment, seats: int, *, with_news: bool) -> Screen:
    """Return the screen of a moment at which all seats have changed hands since anything happened."""
    news = news_of(seen_by(None, moment.news), THEN[:seats]) if with_news else ()
    return package.screen(package.game.view(moment.state, None), news, NOW[:seats], EMPTY_DRAFT)


def told(package: GamePackage, moment: Moment, seats: int) -> Iterator[str]:
    """Yield the lines that stand on a screen because of what happened."""
    always = shown(package, moment, seats, with_news=False).text.splitlines()
    yield from (line for line in shown(package, moment, seats, with_news=True).text.splitlines() if line not in always)


@pytest.mark.parametrize("key", sorted(GAMES))
def test_what_happened_was_done_by_whoever_sat_there_then(key: str) -> None:
    package, named = GAMES[key], 0
    for seats in sorted({package.game.info.least_seats, package.game.info.most_seats}):
        for moment in islice(moments(package, seats, 1), MOST):
            for line in told(package, moment, seats):
                assert not any(name in line for name in NOW), line
                named += any(name in line for name in THEN)
    assert named or package.game.info.is_solo


@pytest.mark.parametrize("key", sorted(GAMES))
def test_how_things_stand_is_told_of_whoever_sits_there_now(key: str) -> None:
    package = GAMES[key]
    seats = package.game.info.most_seats
    for moment in islice(moments(package, seats, 1), MOST):
        screen = shown(package, moment, seats, with_news=True)
        present = (screen.title, screen.note, *(f"{field.title}{field.text}{field.brief}" for field in screen.fields))
        assert not any(name in part for name in THEN for part in present)
        assert any(name in screen.title for name in NOW[:seats]) or "share" in screen.title
