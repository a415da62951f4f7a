"""Random play: games played to their end by players who know nothing but what they may do."""

from collections.abc import Sequence
from typing import Any, TypeVar

from bot.rules.chance import Chance
from bot.rules.game import AnyGame, Options

MoveT = TypeVar("MoveT")


class Endless(Exception):
    """A game passed its alarm bound."""


def random_move(moves: Sequence[MoveT], chance: Chance) -> MoveT:
    """Choose a kind of move first and then one of that kind; moves of a kind stand side by side.

    Uniform choice over all moves need not end: where stopping is one of many moves, hardly anybody ever stops.
    """
    if type(moves[0]) is type(moves[-1]):
        return moves[chance.below(len(moves))]
    kind_of = list(map(type, moves))
    kinds = list(dict.fromkeys(kind_of))
    kind = kinds[chance.below(len(kinds))]
    return moves[kind_of.index(kind) + chance.below(kind_of.count(kind))]


def play_at_random(game: AnyGame, options: Options, seats: int, chance: Chance) -> tuple[Any, int]:
    """Play one game and return its last state and the number of moves; raises Endless."""
    state = game.start(options, seats, chance)
    to_move, moves_of, play = game.to_move, game.moves, game.play
    for step in range(game.info.longest + 1):
        seat = to_move(state)
        if seat is None:
            return state, step
        state, _ = play(state, seat, random_move(moves_of(state), chance), chance)
    raise Endless(f"{game.info.title} is not over after {game.info.longest} moves")
