"""Kept games are played again; whoever means to change them finds in `golden.py` how to make them anew."""

import pytest

from tests.games.houdinis_baggage.golden import SEATS, kept, replayed


@pytest.mark.parametrize("seats", SEATS)
def test_a_kept_game_leads_to_the_same_positions_again(seats: int) -> None:
    lines = kept(seats)
    moves = [line.split(" | ")[0] for line in lines[1:-1]]
    assert list(replayed(seats, moves)) == lines


@pytest.mark.parametrize("seats", SEATS)
def test_a_kept_game_is_a_whole_one(seats: int) -> None:
    verbs = {line.split(" ")[0] for line in kept(seats)}
    assert verbs >= {"start", "open", "stop", "place", "done", "take", "keep", "end"}
    assert "target_reached" in kept(seats)[-1]
