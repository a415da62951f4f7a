"""Recorded games of Fortune replay to the same positions, or the rules have changed.

If it was changed on purpose, count the game's version up and run `python -m tests.games.fortune.golden`.
"""

from tests.games.fortune.golden import SEATS, read_game, replay
from tests.games.fortune.positions import GAME
from tests.support.each_case import each_case


@each_case("seats", SEATS)
def test_a_recorded_game_leads_to_the_same_positions(seats: int) -> None:
    kept = read_game(seats)
    state, found = replay(kept, seats)
    assert found == kept
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert len(outcome.places) == seats
    assert len(kept) > 10
