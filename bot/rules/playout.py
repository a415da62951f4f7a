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
    if type(moves[0]) is type(moves[-1]):
        return moves[chance.randbelow(len(moves))]
    ends = [_end_of_kind(moves, 0)]
    while ends[-1] < len(moves):
        ends.append(_end_of_kind(moves, ends[-1]))
    kind = chance.randbelow(len(ends))
    first = ends[kind - 1] if kind else 0
    return moves[first + chance.randbelow(ends[kind] - first)]


def _end_of_kind(moves: Sequence[MoveT], first: int) -> int:
    """Return the end of the moves of the same type, by bisection because there may be hundreds."""
    kind = type(moves[first])
    if type(moves[-1]) is kind:
        return len(moves)
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
