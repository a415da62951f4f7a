"""What is told of turns beside their sentences: how long they are shown, who won by them, how a round went."""

import re
from collections.abc import Sequence

from bot.games.change.facts import changes_in_own_turns
from bot.games.change.news import NARRATION
from bot.games.change.pieces import GameEvent, State
from bot.rules.screen import to_news
from bot.tools.showcases import SHOWCASE_NAMES
from tests.games.change.positions import GAME, play_step, read
from tests.support.each_case import each_case
from tests.support.games import load_games_once


def play(position: str, moves: str) -> tuple[State, Sequence[GameEvent]]:
    """Make moves, and return the position and all events."""
    state, events = read(position), list[GameEvent]()
    for move in moves.split(", "):
        state, told = play_step(state, *move.split(":"))
        events += told
    return state, events


def brief(position: str, moves: str) -> str:
    state, events = play(position, moves)
    return NARRATION.brief(GAME.view(state, None), to_news(events, SHOWCASE_NAMES[: len(state.hands)]))


@each_case(
    "position, moves, told, shortest",
    [
        ("120@0 desires/120@0", "roll: 41, option greed: 111 11 1", ["-5", "+10", "+5"], ["+5"]),
        ("120@0 desires gossip envy/120@0 · sets", "roll: 41, option greed: 666 66 6", ["-5", "+10", "+5"], ["+5"]),
        ("120@0/120@0 desires", "roll: 41", ["+5", "-5"], ["+5", "-5"]),
        ("120@0/120@0 desires/120@0 desires", "roll: 41", ["+5", "-5"], ["+5", "-5"]),
        ("120@0/120@0 desires/120@0 desires habits excuses · sets", "roll: 41", ["+5", "-15"], ["+5", "-15"]),
        # Arrogance: the other one has the fewest credits.
        ("120@21/30@0", "roll: 12 661", ["+13"], ["+13"]),
    ],
)
def test_a_turn_adds_up_its_changes_and_tells_those_of_others(
    position: str, moves: str, told: list[str], shortest: list[str]
) -> None:
    state, events = play(position, moves)
    view, news = GAME.view(state, None), to_news(events, SHOWCASE_NAMES[: len(state.hands)])
    for words, numbers in ((NARRATION.brief, told), (NARRATION.brief_change, shortest)):
        assert re.findall(r"[+-]\d+", words(view, news).replace("−", "-")) == numbers


@each_case(
    "position, move, is_long",
    [
        ("120@5 [add-1]/120@0 · 0 free missing 1", "card add-1", True),
        ("120@5 [greed]/120@0 · 0 free", "card greed", True),
        ("120@5 [replace-1 add-1]/120@0 · 0 free", "card replace-1 add-1", True),
        ("120@5/120@0 · 0 free challenge", "challenge: 666 66 6", False),
        ("120@22 [any greed]/120@0 · 0 keep", "keep any", False),
    ],
)
def test_people_have_time_to_see_what_a_card_did(position: str, move: str, is_long: bool) -> None:
    _state, events = play(position, move)
    assert NARRATION.needs_a_look(events) is is_long


@each_case(
    "position, moves, changes",
    [
        ("120@0/120@0/120@0", "roll: 41", (5, 0, 0)),
        ("120@0/120@0/120@0", "roll: 41, done, roll: 42", (5, 10, 0)),
        ("120@0/120@0/120@0", "roll: 41, done, roll: 42, done, roll: 43, done", (5, 10, 10)),
        ("120@0/120@0/120@0", "roll: 41, done, roll: 42, done, roll: 43, done, roll: 31", (10, 10, 10)),
        ("120@0 greed/120@0/120@0", "roll: 41, done, roll: 42", (5, 10, 0)),
    ],
)
def test_the_change_of_a_seats_own_turn_is_shown_until_its_next_one(
    position: str, moves: str, changes: tuple[int, ...]
) -> None:
    """The story tells the same; what another's turn changes is told with that turn."""
    _state, events = play(position, moves)
    assert changes_in_own_turns(events, 3) == changes


def test_a_turn_whose_beginning_is_no_longer_known_changes_nothing() -> None:
    _state, events = play("120@0/120@0/120@0", "roll: 41, option greed: 111 11 1, roll: 42")
    assert changes_in_own_turns(events[2:], 3) == (0, 10, 0)


@each_case(
    "position, is_explained",
    [("120@0/5@0 desires", True), ("5@0 desires/120@0", False), ("5@0 desires/5@0 desires", False)],
)
def test_a_win_by_the_roll_of_another_is_explained(position: str, is_explained: bool) -> None:
    state, events = play(position, "roll: 41")
    names = SHOWCASE_NAMES[:2]
    build_screen = load_games_once()["change"].words.build_screen
    verdict = build_screen(GAME.view(state, None), to_news(events, names), names, frozenset()).verdict
    assert all(name in verdict for name in names) is is_explained
    assert bool(verdict) is is_explained


@each_case(
    "position, one, other",
    [
        ("120@0/120@0", "roll: 41, challenge: 666 66 6", "roll: 41, challenge: 111 11 1"),
        ("120@0 [any]/120@0", "roll: 41, challenge: 111 11 1", "roll: 41, card any desires"),
        ("120@0 [add-1 add-5]/120@0", "roll: 41, challenge: 411 41 2, card add-1", "roll: 41, challenge: 411 41 2"),
        ("120@0/120@0", "roll: 12, choose myself", "roll: 12, choose 1"),
        ("120@0/120@0", "roll: 22", "roll: 12, choose myself, done"),
    ],
)
def test_the_story_tells_turns_apart(position: str, one: str, other: str) -> None:
    assert brief(position, one) != brief(position, other)
