"""The odds of completing a set: which spaces are lacking, how likely a roll leads there, and a challenge succeeds."""

from collections.abc import Iterable
from itertools import product
from typing import Final

from bot.games.change.board import SPACE_COUNT, Board, CardKind, Markers, Space
from bot.games.change.pieces import CHALLENGE_TARGET, MARKERS_PER_SEAT, Hand
from bot.games.change.prospects import landing_chances

_FACES: Final = range(1, 7)


def lacking_spaces(board: Board, markers: Markers) -> tuple[Space, ...]:
    """Return the spaces on which a marker would complete a set, clockwise. Rules CH-9 and CH-11."""
    if markers.bit_count() == MARKERS_PER_SEAT:
        return ()
    return tuple(space for space in range(SPACE_COUNT) if board.set_of[space] & ~markers == 1 << space)


def chance_of_landing(board: Board, start: Space, spaces: Iterable[Space]) -> float:
    """Return the chance that the next track roll of a Ragz leads to one of some challenge spaces."""
    chances = landing_chances(board, start)
    return float(sum(chances[space] for space in spaces))


def chance_of_success(board: Board, hand: Hand) -> float:
    """Return the chance that a challenge succeeds with the help of all Add cards of a hand. Rules CH-6 and CH-7."""
    faces = (board.cards[card] for card in hand)
    needed = CHALLENGE_TARGET - sum(face.amount for face in faces if face.kind is CardKind.ADD)
    ways = [_ways_to_roll(*faces) for faces in product(_FACES, repeat=3) if sum(faces) >= needed]
    return sum(ways) / len(_FACES) ** 6


def _ways_to_roll(of_three: int, of_two: int, _of_one: int) -> int:
    """Return in how many ways six dice have these faces: the largest of three, the largest of two, and one."""
    return (of_three**3 - (of_three - 1) ** 3) * (of_two**2 - (of_two - 1) ** 2)
