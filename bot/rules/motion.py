"""Motion: the pieces of a picture that tumble or turn over, and come to rest, before it shows what they brought.

A picture with motion is sent as an animation that plays once. How pieces move is fixed here and never drawn from a
table's chance, so records, replays and pictures stay the same.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import IntEnum, StrEnum
from math import ceil, cos, radians, sin
from typing import Final, Generic, NamedTuple, TypeVar

from bot.rules.game import EventT, ViewT
from bot.rules.picture import Mark, Picture, Rect

FaceT = TypeVar("FaceT")

_TUMBLES: Final = ((-31, 0.1, 0), (22, 0.9, 3), (-14, 0.35, 1), (38, 0.7, 4), (-24, 0.25, 2))
"""The looks of a tumbling die: its angle in degrees, how far down in its area it is, and the number of its face."""

_STEEPEST: Final = radians(38)

START_MILLISECONDS: Final = 60
"""How long everything is as it was before, with each moving piece in its first look."""

STAGING_MILLISECONDS: Final = 120
"""How long each picture between rest and result stays, and how long the last piece of a moment rests before it."""

_SHORTEST, _LONGEST = 20, 80
"""Milliseconds of a step: the shortest delay that browsers keep, and that of a single piece."""

_ROUTINE_MILLISECONDS: Final = 540
"""How long all steps take together, unless there are very many pieces."""

_MOST_IN_ROW: Final = 5
"""Up to so many pieces come to rest one by one; more of them in pairs."""


class MotionLevel(IntEnum):
    """What moves."""

    NOTHING = 0
    MOMENTS = 1
    ALL = 2


class RollOutcome(StrEnum):
    """How a roll is shown: moving, or without motion for some reason."""

    MOVING = "moving"
    OFF = "off"
    """The server, or everybody at the table, has chosen so."""
    BUSY = "busy"
    """Too many pictures wait."""
    LATE = "late"
    TOO_LARGE = "too_large"
    TOO_MANY_COLOURS = "too_many_colours"
    FAILED = "failed"


class MovingPiece(NamedTuple):
    """A die that tumbles, or a card that turns over, in an area that no other piece reaches into."""

    area: Rect
    looks: tuple[tuple[Mark, ...], ...]
    """How it looks on the way; the first follows the last."""
    rest: tuple[Mark, ...]
    """How it looks at rest, before anything tells what it brought."""


class Step(NamedTuple):
    """A step of an animation: a piece takes another look, or comes to rest."""

    piece: int
    look: int | None
    """The number of the look; None at rest."""
    milliseconds: int


@dataclass(frozen=True, slots=True)
class Motion:
    """How a picture comes about."""

    before: Picture
    """Everything as it was before, without the moving pieces."""
    pieces: tuple[MovingPiece, ...]
    """In the order in which they come to rest."""
    staging: tuple[Picture, ...] = ()
    """What is shown between rest and result."""
    is_moment: bool = False
    """Whether the last piece comes to rest alone, and words wait for it."""
    in_turn: bool = False
    """Whether each piece stays in its first look until the one before it rests, as cards do."""

    @property
    def seconds(self) -> float:
        """The time until the result is shown."""
        steps = sum(step.milliseconds for step in self.steps())
        return (START_MILLISECONDS + steps + STAGING_MILLISECONDS * len(self.staging)) / 1000

    def steps(self) -> Sequence[Step]:
        """Return all steps from the start, at which each piece has its first look, to rest."""
        steps = self._steps_in_turn() if self.in_turn else self._steps_together()
        if not self.is_moment:
            return steps
        # The last piece takes all its looks once more, while all others rest.
        last, count = len(self.pieces) - 1, len(self.pieces[-1].looks)
        *_, latest = (step.look for step in steps if step.piece == last and step.look is not None)
        alone = [Step(last, (latest + at) % count, _LONGEST) for at in range(1, count + 1)]
        return (*steps[:-1], *alone, Step(last, None, STAGING_MILLISECONDS))

    def first_look(self, place: int) -> int:
        """Return the number of the look that a piece has at the start: neighbours differ, unless they wait."""
        return 0 if self.in_turn else place % len(self.pieces[place].looks)

    def _steps_in_turn(self) -> Sequence[Step]:
        count = sum(len(piece.looks) for piece in self.pieces)
        milliseconds = min(max(_SHORTEST, _ROUTINE_MILLISECONDS // count // 10 * 10), _LONGEST)
        return [
            Step(place, look, milliseconds)
            for place, piece in enumerate(self.pieces)
            for look in (*range(1, len(piece.looks)), None)
        ]

    def _steps_together(self) -> Sequence[Step]:
        count = len(self.pieces)
        milliseconds = max(_SHORTEST, -(-_LONGEST // count // 10) * 10)
        waits = [place if count <= _MOST_IN_ROW else place // 2 for place in range(count)]
        room = _ROUTINE_MILLISECONDS // milliseconds - sum(waits)
        turns = min(max(room // count - 1, 1), len(self.pieces[0].looks) - 1)
        return [
            Step(place, (place + at) % len(self.pieces[place].looks) if at <= turns + wait else None, milliseconds)
            for at in range(1, turns + waits[-1] + 2)
            for place, wait in enumerate(waits)
            if at <= turns + wait + 1
        ]


class Played(NamedTuple, Generic[ViewT, EventT]):
    """A move, as a motion is built from it."""

    before: ViewT
    """The view before the move."""
    earlier: Sequence[EventT]
    """The events that the picture before the move was built from."""
    after: ViewT
    """The view after it."""
    events: Sequence[EventT]
    """Its own events."""


def tumble(
    area: Rect, place: int, faces: Sequence[FaceT], draw: Callable[[FaceT, Rect, int], Iterable[Mark]]
) -> tuple[tuple[Mark, ...], ...]:
    """Return the looks of a tumbling die, which is smaller than one at rest because it stays in its area.

    Args:
        area: The area.
        place: The number of the die, so that no two neighbours show the same faces.
        faces: What it may show.
        draw: Draws a face in an area, turned by some degrees.
    """
    size = int((min(area.width, area.height) - 3) / (cos(_STEEPEST) + sin(_STEEPEST)))
    looks = []
    for angle, down, face in _TUMBLES:
        turn = radians(abs(angle))
        reach = ceil(size * (cos(turn) + sin(turn)))
        at = Rect(area.x, area.y + round(down * (area.height - reach)), area.width, reach).center(size, size)
        looks.append(tuple(draw(faces[(face + place) % len(faces)], at, angle)))
    return tuple(looks)
