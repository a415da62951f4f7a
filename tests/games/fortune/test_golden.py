"""Kept games of Fortune lead where they led when they were played: an engine that has changed fails here.

If it was changed on purpose, count the game's version up and run `python -m tests.games.fortune.golden`.
"""

import pytest

from tests.games.fortune.golden import SEATS, lines_of, replayed
from tests.games.fortune.positions import GAME


@pytest.mark.parametrize("seats", SEATS)
def test_a_kept_game_is_played_again(seats: int) -> None:
    kept = lines_of(seats)
    state, found = replayed(kept, seats)
    assert found == kept
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert len(outcome.places) == seats
    assert len(kept) > 10
