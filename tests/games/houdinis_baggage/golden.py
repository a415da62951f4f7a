"""Short finished games, kept move by move with a digest of each position, so that a changed engine is noticed.

`python -m tests.games.houdinis_baggage.golden` regenerates them. Do so only when games are meant to go another way, and
count up the version in the game's info then: recorded games of people would not replay either.
"""

import hashlib
from collections.abc import Iterator
from pathlib import Path

from bot.games.houdinis_baggage.minds.evaluation import evaluate_plans
from bot.games.houdinis_baggage.pieces import BaggageOptions
from bot.games.houdinis_baggage.rules import HoudinisBaggage
from bot.rules.chance import FairChance
from bot.rules.evaluation import BestMove
from tests.games.houdinis_baggage.positions import DECK

FOLDER = Path(__file__).parent / "golden"
SEATS = (2, 3, 4)
OPTIONS = BaggageOptions(target=10)
GAME = HoudinisBaggage(DECK)
NORMAL = BestMove(evaluate_plans)


def chance_of(seats: int, step: int) -> FairChance:
    return FairChance(bytes([seats] * 32), "golden", step)


def digest(position: str) -> str:
    return hashlib.sha256(position.encode()).hexdigest()[:12]


def read_game(seats: int) -> list[str]:
    """Read a stored game: in each line a move and the digest of the position after it; the first line is the start."""
    return (FOLDER / f"{seats}_seats.txt").read_text(encoding="utf-8").splitlines()


def replay(seats: int, moves: list[str]) -> Iterator[str]:
    """Make the moves of a game again and write its lines."""
    state = GAME.start(OPTIONS, seats, chance_of(seats, 0))
    yield f"start | {digest(GAME.encode_position(state))}"
    for step, text in enumerate(moves, 1):
        state, _ = GAME.play(state, state.mover or 0, GAME.parse_move(text), chance_of(seats, step))
        yield f"{text} | {digest(GAME.encode_position(state))}"
    yield f"end | {GAME.outcome(state)}"


def play_game(seats: int) -> list[str]:
    """Let the sensible player play a game and return its moves."""
    state, moves = GAME.start(OPTIONS, seats, chance_of(seats, 0)), list[str]()
    while state.mover is not None:
        move = NORMAL(state, GAME.legal_moves(state), chance_of(seats, 0))
        moves.append(str(move))
        state, _ = GAME.play(state, state.mover, move, chance_of(seats, len(moves)))
    return moves


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for seats in SEATS:
        lines = replay(seats, play_game(seats))
        (FOLDER / f"{seats}_seats.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
