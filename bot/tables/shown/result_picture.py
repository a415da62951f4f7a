"""The picture at the end of a table, the same for every game: who won, the race, and what was remarkable."""

from collections.abc import Iterator
from typing import Final

from bot.rules.components import cover_marks
from bot.rules.picture import MIN_TEXT_SIZE, PICTURE_WIDTH, ColourRole, Label, Mark, Picture, Rect, Sprite
from bot.tables.shown.podium import PODIUM_HEIGHT, SOLO_HEIGHT, FinalResult, fitting_size, podium_marks, solo_marks
from bot.tables.shown.race_chart import HEADING_HEIGHT, chart_height, chart_marks
from bot.tables.shown.result import ResultWords, wrap_sentence

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
_NO_SCORES_YET: Final = 2


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
    room = Rect(_EDGE, top, _WIDTH, SOLO_HEIGHT if is_solo else PODIUM_HEIGHT)
    marks = [*_header_marks(result.title, words, header), *(solo_marks if is_solo else podium_marks)(result, room)]
    bottom = room.bottom
    if len(result.race) > _NO_SCORES_YET:
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
