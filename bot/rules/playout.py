"""Random playouts."""

from bisect import bisect_left
from collections.abc import Sequence

from bot.rules.chance import Chance
from bot.rules.game import EventT, Game, MoveT, OptionsT, StateT, ViewT


class GameTooLong(Exception):
    """A game reached its step limit."""


def random_move(moves: Sequence[MoveT], chance: Chance) -> MoveT:
    """Choose a type of move at random, and then a move of that type.

    A uniform choice of moves may never end a game: if stopping is one of hundreds of moves, it is hardly ever chosen.
    """
    last = type(moves[-1])
    if type(moves[0]) is last:
        return moves[chance.randbelow(len(moves))]
    bounds = [0]
    while type(moves[bounds[-1]]) is not last:
        bounds.append(_end_of_kind(moves, bounds[-1]))
    bounds.append(len(moves))
    kind = chance.randbelow(len(bounds) - 1)
    first = bounds[kind]
    return moves[first + chance.randbelow(bounds[kind + 1] - first)]


def _end_of_kind(moves: Sequence[MoveT], first: int) -> int:
    """Return where moves of another type follow, by bisection because there may be hundreds."""
    kind = type(moves[first])
    if type(moves[first + 1]) is not kind:
        return first + 1
    if type(moves[-2]) is kind:
        return len(moves) - 1  # such as the one way to stop
    return bisect_left(moves, 1, lo=first, key=lambda move: int(type(move) is not kind))


def play_random_game(
    game: Game[OptionsT, StateT, MoveT, EventT, ViewT], options: OptionsT, seats: int, chance: Chance
) -> tuple[StateT, int]:
    """Play one game and return its last state and the number of moves.

    Raises:
        GameTooLong: The game reached its step limit.
    """
    state = game.start(options, seats, chance)
    to_move, moves_of, play = game.seat_to_move, game.legal_moves, game.play
    for step in range(game.info.step_limit + 1):
        seat = to_move(state)
        if seat is None:
            return state, step
        state, _ = play(state, seat, random_move(moves_of(state), chance), chance)
    raise GameTooLong(f"{game.info.title} is not over after {game.info.step_limit} moves")
