"""The picture at the end of a table, the same for every game: who won, the race, and what was remarkable."""

from collections.abc import Iterator, Sequence
from textwrap import wrap
from typing import Final

from bot.rules.components import FRAME_WIDTH, cover_marks, name_labels, token_marks
from bot.rules.game import Seat
from bot.rules.picture import MIN_TEXT_SIZE, PICTURE_WIDTH, Align, Box, ColourRole, Label, Mark, Picture, Rect, Sprite
from bot.rules.seat_rows import Badge
from bot.tables.shown.race_chart import HEADING_HEIGHT, chart_height, chart_marks
from bot.tables.shown.result import FinalResult, ResultWords, describe_grade, wrap_sentence
from bot.words import format_number, gettext as _

_EDGE: Final = 40
_WIDTH: Final = PICTURE_WIDTH - 2 * _EDGE
_COVER: Final = Rect(_EDGE, 16, 370, 163)
_BESIDE_COVER: Final = Rect(434, 16, PICTURE_WIDTH - _EDGE - 434, 163)
_WITHOUT_COVER: Final = Rect(_EDGE, 14, _WIDTH, 163)
_ABOVE_RESULT: Final = 6
_TITLE_HEIGHT, _WINNER_HEIGHT, _FOOTER_HEIGHT, _FACT_HEIGHT = 62, 34, 33, 40
_TITLE_SIZES, _WINNER_SIZE, _FACT_SIZE = (52, 48, 42, 36), 30, 30
_WINNER_LENGTH, _FACT_LENGTH = 32, 60
_RAYS_SIZE, _CONFETTI_SIZE = (1000, 520), (1000, 80)
_SOLO_CHART: Final = 270

_PODIUM_HEIGHT: Final = 326
_SOLO_HEIGHT: Final = 196
_NAME_HEIGHT: Final = 40
_STEP_SHARES: Final = (1.0, 0.81, 0.66)
"""The heights of the first three places."""
_LOW_STEP: Final = 84
_ABOVE_STEP: Final = 164
"""The height of what stands on a step: name, token and crown."""
_WIDEST_STEP, _GAP, _SMALL_GAP, _MANY_SEATS = 250, 12, 6, 5
_SCORE_SIZES, _SOLO_SIZES = (38, 34, 30, 26), (84, 72, 60, 48, 36)
_CHARACTER_WIDTH: Final = 0.58
"""The usual width of a bold character, as a share of its size."""


def result_picture(result: FinalResult, cover: str | None, words: ResultWords, description: str) -> Picture:
    """Lay out a result: the game's cover beside who won where and when, a podium, the race, and what was remarkable.

    Args:
        result: The result.
        cover: The art of the game, if it has any.
        words: What is written on it.
        description: The alternative text.
    """
    is_solo = len(result.places) == 1
    header = _WITHOUT_COVER if cover is None else _BESIDE_COVER
    top = header.bottom + _ABOVE_RESULT
    room = Rect(_EDGE, top, _WIDTH, _SOLO_HEIGHT if is_solo else _PODIUM_HEIGHT)
    marks = [*_header_marks(result.title, words, header), *(solo_marks if is_solo else podium_marks)(result, room)]
    bottom = room.bottom
    if result.has_chart:
        chart = _SOLO_CHART if is_solo else chart_height(len(result.places))
        area = Rect(_EDGE, bottom + 8, _WIDTH, HEADING_HEIGHT + chart)
        marks += chart_marks(result.race, result.winners, area, lower_is_better=result.score_kind.lower_is_better)
        bottom = area.bottom
    facts = list(_fact_marks(words, bottom + 12))
    bottom = max((each.at.bottom for each in facts), default=bottom)
    return Picture(
        (PICTURE_WIDTH, bottom + 20),
        tuple(_scenery(room, cover, is_solo=is_solo)),
        (*marks, *facts),
        description,
    )


def _header_marks(title: str, words: ResultWords, area: Rect) -> Iterator[Label]:
    """Yield the title, who won, and where and when, below each other in the middle of an area."""
    winner = wrap_sentence(words.winner, _WINNER_LENGTH)
    height = _TITLE_HEIGHT + len(winner) * _WINNER_HEIGHT + _FOOTER_HEIGHT
    at = area.center(area.width, height)._replace(height=_TITLE_HEIGHT)
    size = fitting_size(title, at.width, _TITLE_SIZES)
    yield Label(title, at, ColourRole.SURFACE_TEXT, size, bold=True)
    at = at._replace(y=at.bottom, height=_WINNER_HEIGHT)
    for line in winner:
        yield Label(line, at, ColourRole.SURFACE_TEXT, _WINNER_SIZE, bold=True, is_name=True)
        at = at.shift(down=at.height)
    where = at._replace(height=_FOOTER_HEIGHT)
    yield Label(words.footer, where, ColourRole.SURFACE_TEXT_FAINT, MIN_TEXT_SIZE, is_name=True)


def _fact_marks(words: ResultWords, top: int) -> Iterator[Label]:
    """Yield what was remarkable, from a height downwards."""
    at = Rect(_EDGE, top, _WIDTH, _FACT_HEIGHT)
    for fact in words.facts:
        for line in wrap_sentence(fact, _FACT_LENGTH):
            yield Label(line, at, ColourRole.SURFACE_TEXT, _FACT_SIZE, is_name=True)
            at = at.shift(down=at.height)


def _scenery(room: Rect, cover: str | None, *, is_solo: bool) -> Iterator[Mark]:
    """Yield what lies behind a result in an area, and the cover above it."""
    width, height = _RAYS_SIZE
    yield Sprite("rays", Rect(0, room.bottom - height, width, height), may_overlap=True)
    if not is_solo:
        # A solo score has no room for it.
        yield Sprite("confetti", Rect(0, room.y, *_CONFETTI_SIZE), may_overlap=True)
    if cover is not None:
        yield from cover_marks(cover, _COVER)


def podium_marks(
    result: FinalResult, room: Rect, least_size: int = MIN_TEXT_SIZE, most_steps: int | None = None
) -> Iterator[Mark]:
    """Yield a step for each of the best seats at the bottom of an area, the best in the middle.

    Args:
        result: The result.
        room: The area.
        least_size: No text is smaller.
        most_steps: How many steps there are at most; None means one for each seat.
    """
    ranked = result.ranking[:most_steps]
    # The second is on the left of the first, the third on the right, and so on.
    order = [*ranked[1::2][::-1], *ranked[::2]]
    gap = _GAP if len(result.places) < _MANY_SEATS else _SMALL_GAP
    width = min(_WIDEST_STEP, (room.width - gap * (len(order) - 1)) // len(order))
    left = room.x + (room.width - len(order) * (width + gap) + gap) // 2
    for at, seat in enumerate(order):
        place = result.places[seat]
        share = _STEP_SHARES[place - 1] if place <= len(_STEP_SHARES) else 0.0
        height = max(_LOW_STEP, round(share * (room.height - _ABOVE_STEP)))
        step = Rect(left + at * (width + gap), room.bottom - height, width, height)
        yield from _step_marks(result, seat, step, least_size)


def _step_marks(result: FinalResult, seat: Seat, step: Rect, least_size: int) -> Iterator[Mark]:
    """Yield the step of a seat with its token on top."""
    has_won = result.places[seat] == 1
    edge = ColourRole.GOLD if has_won else ColourRole.SURFACE_LINE
    yield Box(step, ColourRole.SURFACE_SHADE, edge, 14, FRAME_WIDTH if has_won else 3)
    name = Rect(step.x - 2, step.y - _NAME_HEIGHT - 4, step.width + 4, _NAME_HEIGHT)
    yield from name_labels(result.names, seat, name, align=Align.CENTRE)
    token = Rect(step.x + step.width // 2 - 36, name.y - 74, 72, 72)
    yield from token_marks(seat, token)
    if has_won:
        yield Sprite(Badge.CROWN.value, Rect(step.x + step.width // 2 - 27, token.y - 46, 54, 40))
    note = _("resigned") if seat in result.resigned else f"{result.places[seat]}."
    ink = ColourRole.SURFACE_TEXT if has_won else ColourRole.SURFACE_TEXT_FAINT
    if result.scores is None:
        yield Label(note, step.inset(8), ink, 34 if len(note) < 3 else least_size, bold=True)
        return
    score = Rect(step.x + 4, step.y + 6, step.width - 8, (step.height - 12) * 3 // 5)
    text = format_number(result.scores[seat])
    sizes = [size for size in _SCORE_SIZES if size >= least_size]
    yield Label(text, score, ColourRole.SURFACE_TEXT, fitting_size(text, score.width, sizes), bold=True)
    yield Label(note, Rect(score.x, score.bottom, score.width, step.bottom - 6 - score.bottom), ink, least_size)


def solo_marks(result: FinalResult, room: Rect, least_size: int = MIN_TEXT_SIZE) -> Iterator[Mark]:
    """Yield the score of the only seat at the top of an area, and how good it is, in 196 pixels of height or more.

    The name, which has more room elsewhere, is not part of it.
    """
    score = result.score_kind.format_score(result.scores[0]) if result.scores else ""
    at = Rect(room.x + 110, room.y + 10, room.width - 220, 104)
    size = fitting_size(score, at.width, _SOLO_SIZES)
    beside = min(at.width, round(len(score) * size * _CHARACTER_WIDTH)) // 2
    yield from token_marks(0, Rect(room.x + room.width // 2 - beside - 96, room.y + 28, 68, 68))
    if score:
        yield Label(score, at, ColourRole.SURFACE_TEXT, size, bold=True)
    if result.grade is None:
        return
    bar = Rect(room.x, room.y + 122, room.width, 26)
    yield Box(bar, ColourRole.SURFACE, ColourRole.SURFACE_LINE, 8, 3)
    if reached := (bar.width - 6) * result.grade.percent // 100:
        yield Box(Rect(bar.x + 3, bar.y + 3, reached, 20), ColourRole.GOLD, radius=min(5, reached // 2))
    at = Rect(room.x, bar.bottom + 4, bar.width, 38)
    for line in wrap(describe_grade(result.grade), 2 * bar.width // least_size):
        yield Label(line, at, ColourRole.SURFACE_TEXT_FAINT, least_size)
        at = at.shift(down=at.height)


def fitting_size(text: str, width: int, sizes: Sequence[int]) -> int:
    """Return the largest of some sizes at which a text fits, or the smallest."""
    return next((size for size in sizes if len(text) * size * _CHARACTER_WIDTH <= width), sizes[-1])
