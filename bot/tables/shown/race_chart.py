"""A chart of a race: a step line for each seat, in which up is better."""

from collections.abc import Callable, Iterator, Sequence
from itertools import cycle, pairwise
from typing import Final, NamedTuple

from bot.rules.components import Nameplate, token_marks
from bot.rules.game import Seat
from bot.rules.picture import MIN_SHEET_TEXT_SIZE, Align, Box, ColourRole, Label, Mark, Rect, seat_colour
from bot.rules.race import Race
from bot.words import format_number, gettext as _, ngettext

HEADING_HEIGHT: Final = 36
_AXIS_WIDTH, _TOKEN, _TOKEN_PITCH = 116, 44, 46
_MIN_HEIGHT, _SOLO_HEIGHT = 196, 384
_MARGIN: Final = 14
"""Pixels between the frame and the lines."""
_WINNER_WIDTH, _WIDTH, _WIDTH_OF_MANY, _MANY_SEATS = 10, 6, 4, 5
"""Widths of lines: a winner's line shows on both sides of a line on top of it; many seats get thinner lines."""
_LEADER_WIDTH, _LANE = 4, 8
"""Widths of the connectors to tokens, and of the lanes for their vertical parts."""

_DASHES: Final = ((), (34, 14), (14, 12), (34, 10, 8, 10), (24, 24), (8, 8))
"""Lengths of dashes and gaps by seat, so that lines differ in more than their colour; a solid line has none."""


class _Point(NamedTuple):
    x: int
    y: int


class _Stretch(NamedTuple):
    """A straight part of a line."""

    start: _Point
    end: _Point
    width: int
    ink: ColourRole

    @property
    def length(self) -> int:
        """Its length in pixels; it is horizontal or vertical, so one difference is 0."""
        return abs(self.end.x - self.start.x) + abs(self.end.y - self.start.y)

    def piece(self, done: int, length: int) -> Box:
        """Return a piece of some length that begins `done` pixels after the start, with corners filled."""
        (start, end, width, ink), half = self, self.width // 2
        before, after = half if not done else 0, half if done + length == self.length else 0
        if start.y == end.y:
            at = Rect(start.x + done - before, start.y - half, before + length + after, width)
        elif end.y > start.y:
            at = Rect(start.x - half, start.y + done - before, width, before + length + after)
        else:
            at = Rect(start.x - half, start.y - done - length - after, width, before + length + after)
        return Box(at, ink, may_overlap=True)


def chart_height(seats: int) -> int:
    """Return the height of a chart without its heading; each seat's token needs room at the end of its line."""
    return _SOLO_HEIGHT if seats == 1 else max(_MIN_HEIGHT, _TOKEN_PITCH * seats)


class ChartWords(NamedTuple):
    """The texts on a chart."""

    heading: str
    length: str
    """The time that the chart covers."""
    format_value: Callable[[int], str] = format_number


def race_words(race: Race, *, lower_is_better: bool) -> ChartWords:
    """Return the words for the scores of a game."""
    turns = len(race) - 1
    length = ngettext("{count} turn", "{count} turns", turns).format(count=format_number(turns))
    return ChartWords(_("score, lower is better") if lower_is_better else _("score"), length)


def chart_marks(
    race: Race,
    winners: Sequence[Seat],
    area: Rect,
    *,
    lower_is_better: bool,
    nameplates: Sequence[Nameplate] = (),
    words: ChartWords | None = None,
    text_size: int = MIN_SHEET_TEXT_SIZE,
    has_tokens: bool = True,
) -> Iterator[Mark]:
    """Yield the marks of a chart: frame, range of scores, a line for each seat, and its token at the end."""
    turns, words = len(race) - 1, words or race_words(race, lower_is_better=lower_is_better)
    gutter = _LANE * (len(race[0]) + 1) if has_tokens else 0
    heading = Rect(
        area.x + _AXIS_WIDTH, area.y, area.width - _AXIS_WIDTH - (_TOKEN if has_tokens else 0), HEADING_HEIGHT
    )
    frame = Rect(heading.x, heading.bottom, heading.width - gutter, area.height - HEADING_HEIGHT)
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
    ends: dict[Seat, _Point] = {}
    # Draw winners first: their lines are wider. The solid line of seat 1 must not hide dashes of the same width.
    for seat in sorted(seats, key=lambda seat: (seat not in winners, seat)):
        points = [
            _Point(plot.x + turn * plot.width // turns, plot.y + abs(row[seat] - best) * plot.height // span)
            for turn, row in enumerate(race)
        ]
        ends[seat] = points[-1]
        width = _WIDTH if len(seats) < _MANY_SEATS else _WIDTH_OF_MANY
        yield from _line_marks(points, seat, _WINNER_WIDTH if seat in winners else width)
    if has_tokens:
        yield from _token_marks(ends, nameplates, frame, gutter, text_size)


def _token_marks(
    ends: dict[Seat, _Point], nameplates: Sequence[Nameplate], frame: Rect, gutter: int, text_size: int
) -> Iterator[Mark]:
    """Yield the tokens in the order of the lines' ends, with a connector from each line to its token."""
    # Tokens touch each other where a chart has little room.
    pitch = min(_TOKEN_PITCH, max(_TOKEN, frame.height // len(ends)))
    tops = _token_tops({seat: end.y - _TOKEN // 2 for seat, end in ends.items()}, frame, pitch)
    places = {seat: Rect(frame.right + gutter, top, _TOKEN, _TOKEN) for seat, top in tops.items()}
    middles = {seat: top + _TOKEN // 2 for seat, top in tops.items()}
    upward = [seat for seat in tops if middles[seat] < ends[seat].y]
    downward = [seat for seat in tops if middles[seat] >= ends[seat].y]
    # This order of lanes keeps connectors from crossing.
    for lane, seat in enumerate((*upward, *reversed(downward))):
        across = frame.right + _LANE * lane + _LANE // 2
        yield from _leader_marks(ends[seat], across, _Point(places[seat].x, middles[seat]), seat)
    for seat, at in places.items():
        yield from token_marks(nameplates, seat, at, text_size)


def _leader_marks(end: _Point, across: int, arrival: _Point, seat: Seat) -> Iterator[Box]:
    """Yield the connector from the end of a line to its token: horizontal, vertical in its lane, horizontal."""
    along = _Point(arrival.x - _LEADER_WIDTH // 2, arrival.y)
    for start, stop in pairwise((end, _Point(across, end.y), _Point(across, arrival.y), along)):
        stretch = _Stretch(start, stop, _LEADER_WIDTH, seat_colour(seat))
        yield stretch.piece(0, stretch.length)


def _token_tops(wanted: dict[Seat, int], frame: Rect, pitch: int) -> dict[Seat, int]:
    """Return the top of each token, as close to the wanted place as the other tokens permit."""
    order = sorted(wanted, key=lambda seat: (wanted[seat], seat))
    tops: dict[Seat, int] = {}
    least = frame.y
    for rank, seat in enumerate(order, 1):
        most = frame.bottom - _TOKEN - (len(order) - rank) * pitch
        tops[seat] = min(most, max(least, wanted[seat]))
        least = tops[seat] + pitch
    return tops


def _line_marks(points: Sequence[_Point], seat: Seat, width: int) -> Iterator[Box]:
    """Yield the boxes of a step line: horizontal at the old score, then vertical to the new one."""
    dashes = _DASHES[seat % len(_DASHES)]
    lengths = cycle([(length, at % 2 == 0) for at, length in enumerate(dashes)]) if dashes else None
    left, is_drawn = next(lengths) if lengths else (0, True)
    for start, end in pairwise(_corners(points)):
        whole = _Stretch(start, end, width, seat_colour(seat))
        length, done = whole.length, 0
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
    """Return the ends of the straight parts of a step line."""
    corners = [points[0]]
    for before, after in pairwise(points):
        if before.y != after.y:
            corners += [_Point(after.x, before.y), after]
    return [*corners, points[-1]]
