"""Most moves take one click; the page about tables states the averages per move and per turn."""

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
from bot.tools.showcases import ShownState
from tests.pictures.golden import games
from tests.support.click_counts import BUTTON_CLICKS, count_clicks

PAGE = Path(__file__).parents[2] / "docs" / "tables.md"
ROW = re.compile(r"^\| ([^|]+) \| (\d\.\d\d) \| (\d\.\d) in (\d\.\d) moves \| .*:", re.MULTILINE)

GAMES = 2

MOST_CLICKS = 1.3
"""The clicks that a move may take on average; a turn takes as many moves as it has decisions."""


def play_and_count_clicks(package: AnyPackage, number: int) -> Iterator[tuple[int | None, bool]]:
    """Yield for each move of a game among the usual computer players its clicks, and whether it ends a turn.

    A forced end takes no click, because it comes by itself.
    """
    rules, best = package.game, package.mind.strategies[usual_level(package)]
    seats, chance = max(rules.info.least_seats, min(2, rules.info.most_seats)), FairChance(b"clicks", f"{number}", 0)
    state = rules.start(rules.info.options(), seats, chance)
    latest = deque[tuple[Event, ...]](maxlen=shown_moves_of(package, seats))
    while (seat := rules.seat_to_move(state)) is not None:
        move = best(rules.view(state, seat), rules.legal_moves(state), chance)
        moment = ShownState(state, tuple(event for events in latest for event in events), seat)
        view, turn = rules.view(state, seat), rules.turn_of(state)
        find_forced_end = package.mind.find_forced_end
        is_forced = find_forced_end is not None and find_forced_end(view) is not None
        clicks = 0 if is_forced else clicks_at(package, moment, NAMES[:seats], seat, str(move))
        state, events = rules.play(state, seat, move, chance)
        yield clicks, rules.seat_to_move(state) is None or rules.turn_of(state) != turn
        latest.append(events)


def clicks_at(
    package: AnyPackage, moment: ShownState[Any, Any], names: Sequence[str], seat: Seat, move: str
) -> int | None:
    """Return how many clicks a move takes on the table, or else in the hand, which has to be asked for."""

    def look(make: ScreenBuilder[Any, Any], viewer: Seat | None) -> Callable[[Draft], Screen]:
        view, news = package.game.view(moment.state, viewer), visible_events(viewer, moment.events)
        return lambda draft: make(view, to_news(news, names), names, draft)

    clicks = count_clicks(move, look(package.words.build_screen, None))
    if clicks is None and package.words.build_hand_screen is not None:
        in_hand = count_clicks(move, look(package.words.build_hand_screen, seat))
        return None if in_hand is None else BUTTON_CLICKS + in_hand
    return clicks


@pytest.mark.parametrize("key", games())
def test_most_moves_take_one_click_and_the_docs_state_the_averages(key: str) -> None:
    documented = {title: tuple(figures) for title, *figures in ROW.findall(PAGE.read_text(encoding="utf-8"))}
    moves = [move for number in range(GAMES) for move in play_and_count_clicks(games()[key], number)]
    clicks, turns = [each for each, _ in moves if each is not None], sum(ends_turn for _, ends_turn in moves)
    assert len(clicks) == len(moves), "each move can be made somehow"
    assert mean(clicks) <= MOST_CLICKS
    figures = f"{mean(clicks):.2f}", f"{sum(clicks) / turns:.1f}", f"{len(moves) / turns:.1f}"
    assert documented.get(games()[key].game.info.title) == figures, "in docs/tables.md"
    assert sum(each == BUTTON_CLICKS for each in clicks) > 0.6 * len(clicks)
