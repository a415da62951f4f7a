"""The odds of the next card, counted a second time by opening every card."""

from collections.abc import Callable
from functools import partial

import pytest

from bot.games.houdinis_baggage.cards import CARD_KEYS
from bot.games.houdinis_baggage.facts import can_fill, chance_to_fill, chance_to_place, last_items
from bot.games.houdinis_baggage.pieces import Phase, Spot, State
from tests.games.hint_lines import hint_odds
from tests.games.houdinis_baggage.positions import at, legal, play_move, player
from tests.support.each_case import each_case
from tests.support.games import load_games_once

PACKAGE = load_games_once()["houdinis_baggage"]

ONE_BLUE = at(player("2 green-star red-star -; 3"), opened="blue-square", phase=Phase.SEARCH)
"""#2 lacks blue 2, and #3 square 2, circle 2 and triangle 1."""

POSITIONS = (
    ONE_BLUE,
    at(player("2 green-star red-star -", bank="red-circle"), opened="blue-square blue-star", phase=Phase.SEARCH),
    at(player("15 blue-star - red-star - -; 4 red-star -", "3 5 9"), opened="red-star red-circle", phase=Phase.SEARCH),
    at(player("7; 13", "12 8 4"), opened="green-circle", phase=Phase.SEARCH),
    at(player("2 green-star red-star -"), opened="blue-square", phase=Phase.SEARCH, discards=None),
)


def share_of_cards(state: State, is_good: Callable[[State], bool]) -> float:
    """Open each card that may come, stop, and return how many of them leave a good position."""
    good = 0
    for card, copies in enumerate(state.draw_pile):
        if copies:
            after, _ = play_move(state, "open", CARD_KEYS[card])
            if after.phase is Phase.SEARCH:
                after, _ = play_move(after, "stop")
            good += copies * (after.phase is Phase.PLACE and is_good(after))
    return good / sum(state.draw_pile)


@pytest.mark.parametrize("state", POSITIONS)
def test_the_odds_are_those_of_opening_every_card(state: State) -> None:
    assert chance_to_place(state) == pytest.approx(share_of_cards(state, lambda after: legal(after) != ["done"]))
    for spot in last_items(state):
        assert chance_to_fill(state, spot) == pytest.approx(share_of_cards(state, partial(is_offered, spot)))
        assert can_fill(state, spot) is is_offered(spot, play_move(state, "stop")[0])


def is_offered(spot: Spot, state: State) -> bool:
    """Return whether a card can be placed on an item."""
    return any(f" on {spot}" in move for move in legal(state))


def test_the_last_item_is_what_alone_is_free() -> None:
    assert [[str(spot) for spot in last_items(state)] for state in POSITIONS[:4]] == [["2c"], ["2c"], ["4b"], []]


@each_case(
    "opened, lines",
    [
        # 61 cards are left: of them four blue ones of each of three shapes, and for the square 2 of #3 also three
        # kinds of squares; three more blue squares are twins.
        ("blue-square", ["something fits after the next card", "the next card lets you fill the last item of #2 20%"]),
        ("blue-square blue-circle", ["the last item of #2 fits now, and after the next card"]),
    ],
)
def test_a_hint_tells_what_the_next_card_may_fill(opened: str, lines: list[str]) -> None:
    state = at(player("2 green-star red-star -; 3"), opened=opened, phase=Phase.SEARCH)
    twin, *others = hint_odds(PACKAGE, state, PACKAGE.game.legal_moves(state))
    assert twin.startswith("the next card is a twin ")
    assert [line[: len(start)] for line, start in zip(others, lines, strict=True)] == lines
