"""A computer player for Fortune: exact about its turn, with an eye on the finish line."""

from collections.abc import Iterator, Sequence
from itertools import product
from operator import attrgetter
from typing import NamedTuple

from bot.games.fortune.deck import CardKind
from bot.games.fortune.hands import Hand, hand_of
from bot.games.fortune.notation import STOP, Move, Revive, Roll
from bot.games.fortune.pieces import ALL_PLACES, FACES, LEAST_ROLLED, Places, State, Turn
from bot.games.fortune.prospects import Aim, Prospects, prospects
from bot.rules.chance import Chance

_WITHIN_REACH = 2500
"""So far from the line it is not thought of: few turns bring more."""

_CROSSING = 1500.0
"""What crossing the line is worth on top of the points: from there on the others have a turn each."""

_WINNING = 1000.0
"""What being ahead in the last round is worth; points are a pittance beside it."""

_LAST_SLOPE = 0.05
_NINE = 20_000.0
"""What winning at once is worth."""


def best_expected_turn(view: State, moves: Sequence[Move], chance: Chance) -> Move:
    """Choose the move that promises most of this turn; the first of equals."""
    turn = view.turn
    if len(moves) == 1 or turn.island:
        return moves[0]
    expected = prospects(turn.card, aim_of(view), spell=turn.spell)
    return _move(turn, max(_ways(turn, expected), key=attrgetter("worth")))


def aim_of(view: State) -> Aim:
    """Say what points are worth to the seat to move. Rules FO-E1 and FO-E2."""
    seat = view.mover or 0
    own, target = view.scores[seat], view.options.target
    nine = _NINE if view.options.nine_wins else 0.0
    if view.crosser is not None:
        others = max(score for other, score in enumerate(view.scores) if other != seat)
        return Aim(_LAST_SLOPE, max(others, target) - own, _WINNING, nine)
    gap = target - own
    return Aim(line=gap, prize=_CROSSING, nine=nine) if gap <= _WITHIN_REACH else Aim(nine=nine)


class _Way(NamedTuple):
    """Something that can be done, with what is to be expected of it."""

    worth: float
    kept: Hand | None
    """What is kept of the faces that are no skulls; None to stop."""
    revives: bool = False


def _ways(turn: Turn, expected: Prospects) -> Iterator[_Way]:
    """Return what can be done; dice that are alike are told apart by nothing."""
    skulls, *counts = whole = hand_of(turn.faces)
    may_revive, may_roll = turn.spell and skulls > 0, turn.rolls_left and not turn.is_in_doubt
    yield _Way(expected.of_stopping(whole), None)
    for kept in product(*(range(count + 1) for count in counts)):
        if may_revive:
            yield _Way(expected.of_reviving((skulls - 1, *kept)), kept, revives=True)
        if may_roll and len(turn.free) - sum(kept) >= LEAST_ROLLED:
            yield _Way(expected.of_rolling((skulls, *kept)), kept)


def _move(turn: Turn, way: _Way) -> Move:
    """Roll what is not kept; what is kept goes into the chest, where there is one, for it costs nothing."""
    if way.kept is None:
        return STOP
    places = _places(turn, way.kept)
    rest = tuple(place for place in turn.free if place not in places)
    if way.revives:
        return Revive(_first_skull(turn), rest)
    return Roll(rest, places if turn.card.kind is CardKind.TREASURE_CHEST else ())


def _places(turn: Turn, kept: Hand) -> Places:
    """Return the places of dice to keep: the first that show the right faces."""
    left = dict(zip(FACES[1:], kept, strict=True))
    places = []
    for place in turn.free:
        face = turn.faces[place - 1]
        if left[face]:
            left[face] -= 1
            places.append(place)
    return tuple(places)


def _first_skull(turn: Turn) -> int:
    return next(place for place in ALL_PLACES if place not in turn.free)
