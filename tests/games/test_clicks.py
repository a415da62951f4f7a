"""How many clicks moves take: most are one click away, and the page about tables tells how many it is on average."""

import re
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from statistics import mean
from typing import Any

import pytest

from bot.rules.chance import FairChance
from bot.rules.game import Event, Seat
from bot.rules.package import GamePackage, moves_told_of
from bot.rules.screen import Draft, Screen, ScreenMaker, news_of
from bot.rules.showcase import Moment, seen_by
from tests.pictures.golden import games
from tests.support.display_limits import NAMES
from tests.support.presses import BUTTON, clicks_for

PAGE = Path(__file__).parents[2] / "docs" / "tables.md"
ROW = re.compile(r"^\| ([^|]+) \| (\d\.\d\d) \| .*:", re.MULTILINE)

GAMES = 4


def played(package: GamePackage, number: int) -> Iterator[int | None]:
    """Yield how many clicks each move of a game among the best computer players takes."""
    rules, best = package.game, list(package.players.values())[-1]
    seats, chance = max(rules.info.least_seats, min(2, rules.info.most_seats)), FairChance(b"clicks", f"{number}", 0)
    state = rules.start(rules.info.options(), seats, chance)
    latest = deque[tuple[Event, ...]](maxlen=moves_told_of(package, seats))
    while (seat := rules.to_move(state)) is not None:
        move = best(rules.view(state, seat), rules.moves(state), chance)
        moment = Moment(state, tuple(event for events in latest for event in events))
        yield clicks_at(package, moment, NAMES[:seats], seat, str(move))
        state, events = rules.play(state, seat, move, chance)
        latest.append(events)


def clicks_at(package: GamePackage, moment: Moment, names: Sequence[str], seat: Seat, move: str) -> int | None:
    """Return how many clicks a move takes on the table, or else in the hand, which has to be asked for."""

    def look(make: ScreenMaker[Any], viewer: Seat | None) -> Callable[[Draft], Screen]:
        view, news = package.game.view(moment.state, viewer), seen_by(viewer, moment.news)
        return lambda draft: make(view, news_of(news, names), names, draft)

    clicks = clicks_for(move, look(package.screen, None))
    if clicks is None and package.hand is not None:
        in_hand = clicks_for(move, look(package.hand, seat))
        return None if in_hand is None else BUTTON + in_hand
    return clicks


@cache
def clicks_of(key: str) -> tuple[int, ...]:
    """Return the clicks of all moves of some games, each of which can be made somehow."""
    taken = [clicks for number in range(GAMES) for clicks in played(games()[key], number)]
    found = tuple(clicks for clicks in taken if clicks is not None)
    assert len(found) == len(taken)
    return found


@pytest.mark.parametrize("key", games())
def test_the_page_about_tables_tells_how_many_clicks_a_move_takes(key: str) -> None:
    told = dict(ROW.findall(PAGE.read_text(encoding="utf-8")))
    assert told[games()[key].game.info.title] == f"{mean(clicks_of(key)):.2f}"


@pytest.mark.parametrize("key", games())
def test_most_moves_take_a_single_click(key: str) -> None:
    assert sum(clicks == BUTTON for clicks in clicks_of(key)) > 0.6 * len(clicks_of(key))
