"""Most moves take one click; the page about tables states the average."""

import re
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import mean
from typing import Any

import pytest

from bot.rules.chance import FairChance
from bot.rules.game import Event, Seat, visible_events
from bot.rules.package import shown_moves_of
from bot.rules.screen import Draft, Screen, ScreenBuilder, to_news
from bot.tables.registry import AnyPackage, usual_level
from bot.tools.contract.screen_checks import NAMES
from bot.tools.showcases import Moment
from tests.pictures.golden import games
from tests.support.click_counts import BUTTON_CLICKS, count_clicks

PAGE = Path(__file__).parents[2] / "docs" / "tables.md"
ROW = re.compile(r"^\| ([^|]+) \| (\d\.\d\d) \| .*:", re.MULTILINE)

GAMES = 2

MOST_CLICKS = {"magpie": 1.3, "fortune": 2.2, "magic_bag": 2.0, "houdinis_baggage": 1.3, "change": 1.3}
"""The clicks that a move may take on average."""


def play_and_count_clicks(package: AnyPackage, number: int) -> Iterator[int | None]:
    """Yield how many clicks each move of a game among the usual computer players takes."""
    rules, best = package.game, package.mind.strategies[usual_level(package)]
    seats, chance = max(rules.info.least_seats, min(2, rules.info.most_seats)), FairChance(b"clicks", f"{number}", 0)
    state = rules.start(rules.info.options(), seats, chance)
    latest = deque[tuple[Event, ...]](maxlen=shown_moves_of(package, seats))
    while (seat := rules.seat_to_move(state)) is not None:
        move = best(rules.view(state, seat), rules.legal_moves(state), chance)
        moment = Moment(state, tuple(event for events in latest for event in events), seat)
        yield clicks_at(package, moment, NAMES[:seats], seat, str(move))
        state, events = rules.play(state, seat, move, chance)
        latest.append(events)


def clicks_at(package: AnyPackage, moment: Moment[Any, Any], names: Sequence[str], seat: Seat, move: str) -> int | None:
    """Return how many clicks a move takes on the table, or else in the hand, which has to be asked for."""

    def look(make: ScreenBuilder[Any, Any], viewer: Seat | None) -> Callable[[Draft], Screen]:
        view, news = package.game.view(moment.state, viewer), visible_events(viewer, moment.events)
        return lambda draft: make(view, to_news(news, names), names, draft)

    clicks = count_clicks(move, look(package.words.build_screen, None))
    if clicks is None and package.words.build_hand_screen is not None:
        in_hand = count_clicks(move, look(package.words.build_hand_screen, seat))
        return None if in_hand is None else BUTTON_CLICKS + in_hand
    return clicks


def clicks_of(key: str) -> tuple[int, ...]:
    """Return the clicks of all moves of some games, each of which can be made somehow."""
    taken = [clicks for number in range(GAMES) for clicks in play_and_count_clicks(games()[key], number)]
    found = tuple(clicks for clicks in taken if clicks is not None)
    assert len(found) == len(taken)
    return found


@pytest.mark.parametrize("key", games())
def test_most_moves_take_one_click_and_the_docs_state_the_average(key: str) -> None:
    documented, clicks = dict(ROW.findall(PAGE.read_text(encoding="utf-8"))), clicks_of(key)
    assert mean(clicks) <= MOST_CLICKS[key]
    assert documented.get(games()[key].game.info.title) == f"{mean(clicks):.2f}", "in docs/tables.md"
    assert sum(each == BUTTON_CLICKS for each in clicks) > 0.6 * len(clicks)
