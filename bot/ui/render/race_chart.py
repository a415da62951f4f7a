"""A chart of a race: a line of steps for each seat, up is better."""

from collections.abc import Callable, Iterator, Sequence
from itertools import cycle, pairwise
from typing import Final, NamedTuple

from bot.rules.components import token_marks
from bot.rules.game import Seat
from bot.rules.picture import MIN_TEXT_SIZE, Align, Box, ColourRole, Label, Mark, Rect, seat_colour
from bot.rules.race import Race
from bot.words import format_number, gettext as _, ngettext

HEADING_HEIGHT: Final = 36
_AXIS_WIDTH, _TOKEN, _TOKEN_PITCH = 116, 44, 46
_MIN_HEIGHT, _SOLO_HEIGHT = 196, 384
_MARGIN: Final = 14
"""Between the frame and the lines."""

_DASHES: Final = ((), (34, 14), (14, 12), (34, 10, 8, 10), (24, 24), (8, 8))
"""Lengths of dashes and gaps by seat, so that lines differ in more than their colour; none for a solid line."""


class _Point(NamedTuple):
    x: int
    y: int


class _Stretch(NamedTuple):
    """A straight part of a line."""

    start: _Point
    end: _Point
    width: int
    ink: ColourRole

    def piece(self, done: int, length: int) -> Box:
        """Return a piece of a length, which begins some pixels after the start."""
        (start, end, width, ink), half = self, self.width // 2
        if start.y == end.y:
            at = Rect(start.x + done - half, start.y - half, length + width, width)
        else:
            top = start.y + done if end.y > start.y else start.y - done - length
            at = Rect(start.x - half, top - half, width, length + width)
        return Box(at, ink, may_overlap=True)


def chart_height(seats: int) -> int:
    """Return the height of a chart without its heading; each seat's token needs room at the end of its line."""
    return _SOLO_HEIGHT if seats == 1 else max(_MIN_HEIGHT, _TOKEN_PITCH * seats)


class ChartWords(NamedTuple):
    """What is written on a chart."""

    heading: str
    length: str
    """How much time it covers."""
    format_value: Callable[[int], str] = format_number


def race_words(race: Race) -> ChartWords:
    """Return the words for the scores of a game."""
    turns = len(race) - 1
    length = ngettext("{count} turn", "{count} turns", turns).format(count=format_number(turns))
    return ChartWords(_("score after each turn"), length)


def chart_marks(
    race: Race,
    winners: Sequence[Seat],
    area: Rect,
    *,
    lower_is_better: bool,
    words: ChartWords | None = None,
    text_size: int = MIN_TEXT_SIZE,
    has_tokens: bool = True,
) -> Iterator[Mark]:
    """Yield the marks of a chart: frame, range of scores, a line for each seat, and its token at the end."""
    turns, words = len(race) - 1, words or race_words(race)
    taken = _AXIS_WIDTH + (_TOKEN + 8 if has_tokens else 0)
    heading = Rect(area.x + _AXIS_WIDTH, area.y, area.width - taken, HEADING_HEIGHT)
    frame = Rect(heading.x, heading.bottom, heading.width, area.height - HEADING_HEIGHT)
    yield Label(words.heading, heading, ColourRole.SURFACE_TEXT_FAINT, text_size, Align.LEFT)
    yield Label(words.length, heading, ColourRole.SURFACE_TEXT_FAINT, text_size, Align.RIGHT)
    yield Box(frame, ColourRole.SURFACE_SHADE, ColourRole.SURFACE_LINE, 12, 3)
    scores = sorted({score for row in race for score in row}, reverse=not lower_is_better)
    best, worst = scores[0], scores[-1]
    for score, top in ((best, frame.y), (worst, frame.bottom - 36))[: len(scores)]:
        place = Rect(area.x, top, _AXIS_WIDTH - 10, 36)
        yield Label(words.format_value(score), place, ColourRole.SURFACE_TEXT_FAINT, text_size, Align.RIGHT)
    plot, span = frame.inset(_MARGIN), abs(best - worst) or 1
    seats = range(len(race[0]))
    ends: dict[Seat, int] = {}
    # Winners last, so that their lines lie on top.
    for seat in sorted(seats, key=lambda seat: (seat in winners, seat)):
        points = [
            _Point(plot.x + turn * plot.width // turns, plot.y + abs(row[seat] - best) * plot.height // span)
            for turn, row in enumerate(race)
        ]
        ends[seat] = points[-1].y
        yield from _line_marks(points, seat, 8 if seat in winners else 6)
    for seat, top in _token_tops(ends, frame).items() if has_tokens else ():
        yield from token_marks(seat, Rect(frame.right + 8, top, _TOKEN, _TOKEN), text_size)


def _token_tops(ends: dict[Seat, int], frame: Rect) -> dict[Seat, int]:
    """Return where the tokens lie: near the ends of their lines, without overlaps."""
    order = sorted(ends, key=lambda seat: (ends[seat], seat))
    tops: dict[Seat, int] = {}
    for rank, seat in enumerate(order):
        least = frame.y + rank * _TOKEN_PITCH if not rank else tops[order[rank - 1]] + _TOKEN_PITCH
        most = frame.bottom - _TOKEN - (len(order) - 1 - rank) * _TOKEN_PITCH
        tops[seat] = min(most, max(least, ends[seat] - _TOKEN // 2))
    return tops


def _line_marks(points: Sequence[_Point], seat: Seat, width: int) -> Iterator[Box]:
    """Yield the boxes of a line of steps: along at the old score, then up or down to the new one."""
    dashes = _DASHES[seat % len(_DASHES)]
    lengths = cycle([(length, at % 2 == 0) for at, length in enumerate(dashes)]) if dashes else None
    left, is_drawn = next(lengths) if lengths else (0, True)
    for start, end in pairwise(_corners(points)):
        whole = _Stretch(start, end, width, seat_colour(seat))
        length, done = abs(end.x - start.x) + abs(end.y - start.y), 0
        while done < length:
            piece = length - done if lengths is None else min(left, length - done)
            if is_drawn:
                yield whole.piece(done, piece)
            done += piece
            if lengths is not None:
                left -= piece
                if not left:
                    left, is_drawn = next(lengths)


def _corners(points: Sequence[_Point]) -> list[_Point]:
    """Return the ends of the straight parts of a line of steps."""
    corners = [points[0]]
    for before, after in pairwise(points):
        if before.y != after.y:
            corners += [_Point(after.x, before.y), after]
    return [*corners, points[-1]]
