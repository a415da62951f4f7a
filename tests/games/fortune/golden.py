"""Short finished games of Fortune, kept beside the tests: `python -m tests.games.fortune.golden` regenerates them.

A file holds a game for a number of seats: a line for the set-up and one for each move, each with its seat, the move and
the digest of the position after it. Where the rules change on purpose, the version of the game counts up too.
"""

from collections.abc import Iterator
from pathlib import Path

from bot.games.fortune.pieces import FortuneOptions, State
from bot.rules.chance import FairChance, FastChance
from bot.rules.game import Seat
from bot.tables.table import digest_of
from tests.games.fortune.positions import GAME, PACKAGE

FOLDER = Path(__file__).parent / "golden"
SEATS = range(2, 5)
OPTIONS = FortuneOptions(target=1500, nine_wins=True)

_SET_UP = "start"


def chance(seats: int, step: int) -> FairChance:
    """Return the chance of a step, the same whenever it is asked for."""
    return FairChance(bytes([seats]) * 32, "golden", step)


def read_game(seats: int) -> list[str]:
    """Return a kept game."""
    return (FOLDER / f"{seats}.txt").read_text(encoding="utf-8").splitlines()


def replay(lines: list[str], seats: int) -> tuple[State, list[str]]:
    """Play the moves of a kept game again, and return its end with the lines that they lead to."""
    state = GAME.start(OPTIONS, seats, chance(seats, 0))
    found = [_line(state.mover, _SET_UP, GAME.encode_position(state))]
    for step, line in enumerate(lines[1:], 1):
        seat, *words, _digest = line.split(" ")
        move = " ".join(words)
        state, _events = GAME.play(state, int(seat), GAME.parse_move(move), chance(seats, step))
        found.append(_line(int(seat), move, GAME.encode_position(state)))
    return state, found


def make_game(seats: int) -> Iterator[str]:
    """Play a game of sensible computer players."""
    state, step = GAME.start(OPTIONS, seats, chance(seats, 0)), 0
    yield _line(state.mover, _SET_UP, GAME.encode_position(state))
    own = FastChance(_NoChance())
    while (seat := GAME.seat_to_move(state)) is not None:
        step += 1
        move = PACKAGE.strategies["normal"](state, GAME.legal_moves(state), own)
        state, _events = GAME.play(state, seat, move, chance(seats, step))
        yield _line(seat, str(move), GAME.encode_position(state))


def _line(seat: Seat | None, move: str, position: str) -> str:
    return f"{seat} {move} {digest_of(position)}"


class _NoChance:
    """Chance that must not be used."""

    def random(self) -> float:
        raise AssertionError("the computer player asked for chance")


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for count in SEATS:
        (FOLDER / f"{count}.txt").write_text("\n".join(make_game(count)) + "\n", encoding="utf-8")
