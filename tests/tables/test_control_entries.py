"""Control entries: steps of a table that are no moves of its game."""

from dataclasses import dataclass

import pytest

from bot.rules.game import EndReason, Outcome
from bot.rules.refusals import CommonReason
from bot.tables.control_entries import (
    CONTROL_ENTRY_PREFIX,
    AskForSubstitute,
    ComeBack,
    ControlEntry,
    Remove,
    Resign,
    Substitute,
    TableEndReason,
    TakeBack,
    parse_control_entry,
    rank_resigned_last,
)
from tests.support.each_case import each_case
from tests.support.games import load_games_once
from tests.tables.refusals import refused_for


class GameEnd(EndReason):
    DONE = "done"


GAMES = load_games_once()
ENTRIES: list[ControlEntry] = [
    Resign(),
    AskForSubstitute(0),
    AskForSubstitute(5),
    Substitute(2),
    ComeBack(),
    TakeBack(),
    Remove(),
]


@each_case("entry", ENTRIES)
def test_control_entries_are_parsed_from_their_own_text(entry: ControlEntry) -> None:
    assert str(entry).startswith(CONTROL_ENTRY_PREFIX)
    assert parse_control_entry(str(entry)) == entry


@each_case(
    "text",
    [
        "",
        "!",
        "resign",
        "!fly",
        "!resign ",
        "! resign",
        "!Resign",
        "!resign 1",
        "!ask",
        "!ask 12",
        "!ask x",
        "!substitute -1",
        "!back 0",
    ],
)
def test_other_text_is_no_control_entry(text: str) -> None:
    with refused_for(CommonReason.UNREADABLE):
        parse_control_entry(text)


@pytest.mark.parametrize("key", GAMES)
@each_case("entry", ENTRIES)
def test_control_entries_are_no_moves_of_any_game(key: str, entry: ControlEntry) -> None:
    with refused_for(CommonReason.UNREADABLE):
        GAMES[key].game.parse_move(str(entry))


@dataclass(frozen=True)
class Ranking:
    places: tuple[int, ...]
    resigned: set[int]
    expected: tuple[int, ...]


@each_case(
    "case",
    [
        Ranking((1, 2, 3), {0}, (3, 1, 2)),
        Ranking((1, 2, 3), {2}, (1, 2, 3)),
        Ranking((1, 2, 3), {0, 1}, (2, 2, 1)),
        Ranking((2, 1, 2, 4), {1}, (1, 4, 1, 3)),
        Ranking((1, 1, 3, 4), {0, 3}, (3, 1, 2, 3)),
        Ranking((1, 2), {0, 1}, (1, 1)),
    ],
)
def test_players_who_resigned_share_the_last_place(case: Ranking) -> None:
    outcome = Outcome(case.places, tuple(range(len(case.places))), GameEnd.DONE)
    after = rank_resigned_last(outcome, frozenset(case.resigned), len(case.places))
    assert after.places == case.expected
    assert (after.scores, after.reason) == (outcome.scores, GameEnd.DONE)


def test_a_game_ended_by_resignations_has_no_scores() -> None:
    assert rank_resigned_last(None, frozenset({1}), 3) == Outcome((1, 3, 1), (0, 0, 0), TableEndReason.RESIGNED)
