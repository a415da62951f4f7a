"""The pictures of a result, the same for every game: one at the end of its table, and a card for sharing."""

from collections.abc import Iterator, Sequence
from textwrap import wrap
from typing import Final

from bot.rules.components import FRAME_WIDTH, cover_marks, name_labels, token_marks
from bot.rules.game import Seat
from bot.rules.picture import (
    MIN_SHEET_TEXT_SIZE,
    PICTURE_WIDTH,
    Align,
    Box,
    ColourRole,
    Label,
    Mark,
    Picture,
    Rect,
    Sprite,
    Surface,
    least_text_size,
)
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
"""The relative heights of the first three steps."""
_LOW_STEP: Final = 84
_ABOVE_STEP: Final = 164
"""The height in pixels of the name, token and crown on a step."""
_WIDEST_STEP, _GAP, _SMALL_GAP, _MANY_SEATS = 250, 12, 6, 5
_SCORE_SIZES, _SOLO_SIZES = (38, 34, 30, 26), (84, 72, 60, 48, 36)
_CHARACTER_WIDTH: Final = 0.58
"""The usual width of a bold character, as a share of its size."""


def result_picture(result: FinalResult, cover: str | None, words: ResultWords, description: str) -> Picture:
    """Lay out a result: the game's cover beside winner, place and date, then a podium, the race and the facts.

    Args:
        result: The result.
        cover: The art of the game, if it has any.
        words: The texts on it.
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
        marks += chart_marks(
            result.race,
            result.winners,
            area,
            lower_is_better=result.score_kind.lower_is_better,
            nameplates=result.nameplates,
        )
        bottom = area.bottom
    facts = list(_fact_marks(words, bottom + 12))
    bottom = max((label.at.bottom for label in facts), default=bottom)
    return Picture(
        (PICTURE_WIDTH, bottom + 20),
        tuple(_scenery(room, cover, is_solo=is_solo)),
        (*marks, *facts),
        description,
    )


def _header_marks(title: str, words: ResultWords, area: Rect) -> Iterator[Label]:
    """Yield title, winner, and place with date, stacked in the middle of an area."""
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
    yield Label(words.footer, where, ColourRole.SURFACE_TEXT_FAINT, MIN_SHEET_TEXT_SIZE, is_name=True)


def _fact_marks(words: ResultWords, top: int) -> Iterator[Label]:
    """Yield the facts, downwards from a height."""
    at = Rect(_EDGE, top, _WIDTH, _FACT_HEIGHT)
    for fact in words.facts:
        for line in wrap_sentence(fact, _FACT_LENGTH):
            yield Label(line, at, ColourRole.SURFACE_TEXT, _FACT_SIZE, is_name=True)
            at = at.shift(down=at.height)


def _scenery(room: Rect, cover: str | None, *, is_solo: bool) -> Iterator[Mark]:
    """Yield the scenery behind a result in an area, and the cover above."""
    width, height = _RAYS_SIZE
    yield Sprite("rays", Rect(0, room.bottom - height, width, height), may_overlap=True)
    if not is_solo:
        # A solo score leaves no room for confetti.
        yield Sprite("confetti", Rect(0, room.y, *_CONFETTI_SIZE), may_overlap=True)
    if cover is not None:
        yield from cover_marks(cover, _COVER)


def podium_marks(
    result: FinalResult, room: Rect, least_size: int = MIN_SHEET_TEXT_SIZE, most_steps: int | None = None
) -> Iterator[Mark]:
    """Yield a podium at the bottom of an area: a step for each of the best seats, with the winner in the middle.

    Args:
        result: The result.
        room: The area.
        least_size: The smallest size of text.
        most_steps: The most steps; None for one per seat.
    """
    ranked = result.ranking[:most_steps]
    # The second seat stands on the left of the first, the third on the right, and so on.
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
    yield from name_labels(result.nameplates, seat, name, align=Align.CENTRE)
    token = Rect(step.x + step.width // 2 - 36, name.y - 74, 72, 72)
    yield from token_marks(result.nameplates, seat, token)
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


def solo_marks(result: FinalResult, room: Rect, least_size: int = MIN_SHEET_TEXT_SIZE) -> Iterator[Mark]:
    """Yield the score of the only seat and its grade at the top of an area at least 196 pixels high.

    The name is left out, because it has more room elsewhere.
    """
    score = result.score_kind.format_score(result.scores[0]) if result.scores else ""
    at = Rect(room.x + 110, room.y + 10, room.width - 220, 104)
    size = fitting_size(score, at.width, _SOLO_SIZES)
    beside = min(at.width, round(len(score) * size * _CHARACTER_WIDTH)) // 2
    yield from token_marks(result.nameplates, 0, Rect(room.x + room.width // 2 - beside - 96, room.y + 28, 68, 68))
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
    """Return the largest size at which a text fits, or else the smallest of the sizes."""
    return next((size for size in sizes if len(text) * size * _CHARACTER_WIDTH <= width), sizes[-1])


CARD_SIZE: Final = (1200, 630)
"""The size that other sites show uncropped."""

_CARD_TEXT_SIZE: Final = least_text_size(CARD_SIZE[0])
_CARD_COVER: Final = Rect(32, 32, 518, 228)
_CARD_TITLE: Final = Rect(32, 270, 538, 62)
_CARD_WINNER: Final = Rect(32, 334, 538, 44)
_CARD_LINES_BOTTOM: Final = 572
_CARD_LINE_HEIGHT, _CARD_LINE_LENGTH, _CARD_WINNER_LENGTH = 38, 40, 32
_CARD_FOOTER: Final = Rect(32, 576, 538, 40)
_CARD_RESULT: Final = Rect(584, 28, 584, 240)
_CARD_CHART_BELOW_SCORE: Final = Rect(584, 150, 584, 458)
_CARD_CHART_BELOW_GRADE: Final = Rect(584, 270, 584, 338)
_CARD_PODIUM: Final = Rect(584, 12, 584, 326)
_CARD_CHART_BELOW_PODIUM: Final = Rect(584, 342, 584, 278)
_CARD_CONFETTI: Final = Rect(584, 6, 584, 47)
_CARD_CONFETTI_OVER_THREE: Final = Rect(570, 6, 420, 34)
_CARD_MOST_STEPS, _STEPS_BESIDE_PLATES = 4, 3
"""The most steps with room for names; beyond that, only the best three get steps, beside plates for the rest."""
_CARD_PODIUM_OF_THREE: Final = Rect(570, 12, 420, 326)
_CARD_PLATES: Final = Rect(994, 24, 178, 314)
_HIGHEST_PLATE, _CARD_GAP = 102, 7
_LONGEST_BESIDE_PLACE: Final = 5
"""The longest score, in characters, with room for the place beside it."""


def victory_card(
    result: FinalResult, surface: Surface, cover: str | None, words: ResultWords, description: str
) -> Picture:
    """Lay out the card for sharing a result: the game's cover, the winner, the facts and the race.

    Args:
        result: The result.
        surface: The surface of the game.
        cover: The art of the game, if it has any.
        words: The texts on it.
        description: The alternative text.
    """
    marks = (*_card_game_marks(result.title, cover, words), *_card_result_marks(result))
    seats = len(result.places)
    confetti = Sprite(
        "confetti", _CARD_CONFETTI if seats <= _CARD_MOST_STEPS else _CARD_CONFETTI_OVER_THREE, may_overlap=True
    )
    # The score of a solo game leaves no room for confetti.
    return Picture(CARD_SIZE, () if seats == 1 else (confetti,), marks, description, surface)


def _card_game_marks(title: str, cover: str | None, words: ResultWords) -> Iterator[Mark]:
    """Yield the left half: the cover, the title and the texts."""
    if cover is not None:
        yield from cover_marks(cover, _CARD_COVER)
    yield Label(title, _CARD_TITLE, ColourRole.SURFACE_TEXT, 52, Align.LEFT, bold=True)
    at = _CARD_WINNER
    for line in wrap_sentence(words.winner, _CARD_WINNER_LENGTH):
        yield Label(line, at, ColourRole.SURFACE_TEXT, 34, Align.LEFT, bold=True, is_name=True)
        at = at.shift(down=at.height)
    at = at._replace(height=_CARD_LINE_HEIGHT)
    for fact in words.facts:
        lines = wrap_sentence(fact, _CARD_LINE_LENGTH)
        if at.y + len(lines) * _CARD_LINE_HEIGHT > _CARD_LINES_BOTTOM:
            break
        for line in lines:
            yield Label(line, at, ColourRole.SURFACE_TEXT_FAINT, _CARD_TEXT_SIZE, Align.LEFT, is_name=True)
            at = at.shift(down=_CARD_LINE_HEIGHT)
    yield Label(words.footer, _CARD_FOOTER, ColourRole.SURFACE_TEXT_FAINT, _CARD_TEXT_SIZE, Align.LEFT, is_name=True)


def _card_result_marks(result: FinalResult) -> Iterator[Mark]:
    """Yield the right half: the scores and the race."""
    seats = len(result.places)
    if seats == 1:
        yield from solo_marks(result, _CARD_RESULT, _CARD_TEXT_SIZE)
    elif seats <= _CARD_MOST_STEPS:
        yield from podium_marks(result, _CARD_PODIUM, _CARD_TEXT_SIZE)
    else:
        yield from podium_marks(result, _CARD_PODIUM_OF_THREE, _CARD_TEXT_SIZE, _STEPS_BESIDE_PLATES)
        plates = _CARD_PLATES.split_rows(len(result.places) - _STEPS_BESIDE_PLATES, _CARD_GAP)
        for seat, plate in zip(result.ranking[_STEPS_BESIDE_PLATES:], plates, strict=True):
            yield from _plate_marks(result, seat, plate.center(plate.width, min(plate.height, _HIGHEST_PLATE)))
    if result.has_chart:
        below_score = _CARD_CHART_BELOW_SCORE if result.grade is None else _CARD_CHART_BELOW_GRADE
        area = below_score if seats == 1 else _CARD_CHART_BELOW_PODIUM
        lower = result.score_kind.lower_is_better
        yield from chart_marks(
            result.race,
            result.winners,
            area,
            lower_is_better=lower,
            nameplates=result.nameplates,
            text_size=_CARD_TEXT_SIZE,
        )


def _plate_marks(result: FinalResult, seat: Seat, plate: Rect) -> Iterator[Mark]:
    """Yield a seat's name above its token, score and place, with a crown for a winner."""
    has_won = result.places[seat] == 1
    edge, width = (ColourRole.GOLD, FRAME_WIDTH) if has_won else (ColourRole.SURFACE_LINE, 3)
    yield Box(plate, ColourRole.SURFACE_SHADE, edge, 14, width)
    name = Rect(plate.x + 8, plate.y + 8, plate.width - 16, 38)
    yield from name_labels(result.nameplates, seat, name, align=Align.CENTRE)
    below = Rect(plate.x + 8, name.bottom, plate.width - 16, plate.bottom - 8 - name.bottom)
    yield from token_marks(result.nameplates, seat, below._replace(width=44).center(44, 44), _CARD_TEXT_SIZE)
    rest = below._replace(x=below.x + 48, width=below.width - 48)
    if seat in result.resigned:
        yield Label(_("resigned"), rest, ColourRole.SURFACE_TEXT_FAINT, _CARD_TEXT_SIZE)
        return
    text = format_number(result.scores[seat]) if result.scores else ""
    if len(text) <= _LONGEST_BESIDE_PLACE:
        sign = rest._replace(x=rest.right - 38, width=38)
        rest = rest._replace(width=rest.width - 38)
        if has_won:
            yield Sprite(Badge.CROWN.value, sign.center(38, 28))
        else:
            yield Label(f"{result.places[seat]}.", sign, ColourRole.SURFACE_TEXT_FAINT, _CARD_TEXT_SIZE)
    yield Label(text, rest, ColourRole.SURFACE_TEXT, _CARD_TEXT_SIZE, bold=True)
