"""Recorded games of Change: an engine that plays them otherwise has changed, and its version has to count up.

`python -m tests.games.change.test_golden` regenerates them.
"""

import json
from pathlib import Path
from random import Random
from typing import Any

from bot.games.change.minds.evaluation import evaluate_turn
from bot.games.change.pieces import ChangeOptions
from bot.rules.chance import FairChance, FastChance
from bot.rules.evaluation import BestMove
from bot.tables.table import digest_of
from tests.games.change.positions import GAME
from tests.support.each_case import each_case

HOME = Path(__file__).parent / "golden"
SEATS = (2, 3, 4, 5, 6)
SEED = bytes(range(32))


def options_for(seats: int) -> ChangeOptions:
    """Return the options of a recorded game: a short one, and without sets for an odd number of seats."""
    return ChangeOptions(credits=50, sets=seats % 2 == 0)


def chance(step: int) -> FairChance:
    return FairChance(SEED, "golden", step)


def record_game(seats: int) -> list[list[str]]:
    """Play a game of computer players, and return every move with the digest of the position after it."""
    normal, taste = BestMove(evaluate_turn), FastChance(Random(seats))
    record: list[list[str]] = []
    state = GAME.start(options_for(seats), seats, chance(0))
    while (seat := GAME.seat_to_move(state)) is not None:
        move = normal(GAME.view(state, seat), GAME.legal_moves(state), taste)
        state, _ = GAME.play(state, seat, move, chance(len(record) + 1))
        record.append([str(move), digest_of(GAME.encode_position(state))])
    return record


@each_case("seats", SEATS)
def test_a_recorded_game_leads_to_the_same_positions(seats: int) -> None:
    golden: dict[str, Any] = json.loads((HOME / f"{seats}.json").read_text(encoding="utf-8"))
    state = GAME.start(options_for(seats), seats, chance(0))
    assert digest_of(GAME.encode_position(state)) == golden["start"]
    for step, (text, digest) in enumerate(golden["moves"], 1):
        seat = GAME.seat_to_move(state)
        assert seat is not None
        state, _ = GAME.play(state, seat, GAME.parse_move(text), chance(step))
        assert digest_of(GAME.encode_position(state)) == digest, (step, text)
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert list(outcome.scores) == golden["scores"]


def write_golden_games() -> None:
    """Regenerate the recorded games."""
    HOME.mkdir(exist_ok=True)
    for seats in SEATS:
        moves = record_game(seats)
        state = GAME.start(options_for(seats), seats, chance(0))
        start = digest_of(GAME.encode_position(state))
        for step, (text, _digest) in enumerate(moves, 1):
            state, _ = GAME.play(state, GAME.seat_to_move(state) or 0, GAME.parse_move(text), chance(step))
        head = f'"start": {json.dumps(start)}, "scores": {json.dumps(state.public.credits)}'
        lines = ",\n".join(f"  {json.dumps(move)}" for move in moves)
        (HOME / f"{seats}.json").write_text(f'{{{head}, "moves": [\n{lines}\n]}}\n', encoding="utf-8")


if __name__ == "__main__":
    write_golden_games()
