"""Stored games are replayed and must match; `golden.py` says how to regenerate them after a change of rules."""

from tests.games.houdinis_baggage.golden import SEATS, read_game, replay
from tests.support.each_case import each_case


@each_case("seats", SEATS)
def test_a_recorded_game_leads_to_the_same_positions(seats: int) -> None:
    lines = read_game(seats)
    moves = [line.split(" | ")[0] for line in lines[1:-1]]
    assert list(replay(seats, moves)) == lines


@each_case("seats", SEATS)
def test_a_recorded_game_is_complete(seats: int) -> None:
    verbs = {line.split(" ")[0] for line in read_game(seats)}
    assert verbs >= {"start", "open", "stop", "place", "done", "take", "keep", "end"}
    assert "target_reached" in read_game(seats)[-1]
