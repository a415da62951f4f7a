"""The card of a result, made to be shared: the game's cover, who won, what was remarkable, and the race."""

from collections.abc import Iterator
from typing import Final

from bot.rules.components import FRAME_WIDTH, cover_marks, name_labels, token_marks
from bot.rules.game import Seat
from bot.rules.picture import (
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
from bot.tables.shown.race_chart import chart_marks
from bot.tables.shown.result import FinalResult, ResultWords, wrap_sentence
from bot.tables.shown.result_picture import podium_marks, solo_marks
from bot.words import format_number, gettext as _

CARD_SIZE: Final = (1200, 630)
"""The size that other sites show without cutting anything off."""

_SMALL: Final = least_text_size(CARD_SIZE[0])
_COVER: Final = Rect(32, 32, 518, 228)
_TITLE: Final = Rect(32, 270, 538, 62)
_WINNER: Final = Rect(32, 334, 538, 44)
_LINES_BOTTOM: Final = 572
_LINE_HEIGHT, _LINE_LENGTH, _WINNER_LENGTH = 38, 40, 32
_FOOTER: Final = Rect(32, 576, 538, 40)
_RESULT: Final = Rect(584, 28, 584, 240)
_CHART_BELOW_SCORE: Final = Rect(584, 150, 584, 458)
_CHART_BELOW_GRADE: Final = Rect(584, 270, 584, 338)
_PODIUM: Final = Rect(584, 12, 584, 326)
_CHART_BELOW_PODIUM: Final = Rect(584, 342, 584, 278)
_CONFETTI: Final = Rect(584, 6, 584, 47)
_CONFETTI_OVER_THREE: Final = Rect(570, 6, 420, 34)
_MOST_STEPS, _STEPS_BESIDE_PLATES = 4, 3
"""More steps would be too narrow for names: then the best three have steps, and the others plates beside them."""
_PODIUM_OF_THREE: Final = Rect(570, 12, 420, 326)
_PLATES: Final = Rect(994, 24, 178, 314)
_HIGHEST_PLATE, _GAP = 102, 7
_LONGEST_BESIDE_PLACE: Final = 5
"""Longer scores leave no room for the place beside them."""


def victory_card(
    result: FinalResult, surface: Surface, cover: str | None, words: ResultWords, description: str
) -> Picture:
    """Lay out the card.

    Args:
        result: The result.
        surface: The surface of the game.
        cover: The art of the game, if it has any.
        words: What is written on it.
        description: The alternative text.
    """
    marks = (*_game_marks(result.title, cover, words), *_result_marks(result))
    seats = len(result.places)
    confetti = Sprite("confetti", _CONFETTI if seats <= _MOST_STEPS else _CONFETTI_OVER_THREE, may_overlap=True)
    # The score of a solo game has no room for it.
    return Picture(CARD_SIZE, () if seats == 1 else (confetti,), marks, description, surface)


def _game_marks(title: str, cover: str | None, words: ResultWords) -> Iterator[Mark]:
    """Yield the left half: the cover, the title, and what is written."""
    if cover is not None:
        yield from cover_marks(cover, _COVER)
    yield Label(title, _TITLE, ColourRole.SURFACE_TEXT, 52, Align.LEFT, bold=True)
    at = _WINNER
    for line in wrap_sentence(words.winner, _WINNER_LENGTH):
        yield Label(line, at, ColourRole.SURFACE_TEXT, 34, Align.LEFT, bold=True, is_name=True)
        at = at.shift(down=at.height)
    at = at._replace(height=_LINE_HEIGHT)
    for fact in words.facts:
        lines = wrap_sentence(fact, _LINE_LENGTH)
        if at.y + len(lines) * _LINE_HEIGHT > _LINES_BOTTOM:
            break
        for line in lines:
            yield Label(line, at, ColourRole.SURFACE_TEXT_FAINT, _SMALL, Align.LEFT, is_name=True)
            at = at.shift(down=_LINE_HEIGHT)
    yield Label(words.footer, _FOOTER, ColourRole.SURFACE_TEXT_FAINT, _SMALL, Align.LEFT, is_name=True)


def _result_marks(result: FinalResult) -> Iterator[Mark]:
    """Yield the right half: who came how far, and the race."""
    seats = len(result.places)
    if seats == 1:
        yield from solo_marks(result, _RESULT, _SMALL)
    elif seats <= _MOST_STEPS:
        yield from podium_marks(result, _PODIUM, _SMALL)
    else:
        yield from podium_marks(result, _PODIUM_OF_THREE, _SMALL, _STEPS_BESIDE_PLATES)
        plates = _PLATES.split_rows(len(result.places) - _STEPS_BESIDE_PLATES, _GAP)
        for seat, plate in zip(result.ranking[_STEPS_BESIDE_PLATES:], plates, strict=True):
            yield from _plate_marks(result, seat, plate.center(plate.width, min(plate.height, _HIGHEST_PLATE)))
    if result.has_chart:
        below_score = _CHART_BELOW_SCORE if result.grade is None else _CHART_BELOW_GRADE
        area = below_score if seats == 1 else _CHART_BELOW_PODIUM
        lower = result.score_kind.lower_is_better
        yield from chart_marks(result.race, result.winners, area, lower_is_better=lower, text_size=_SMALL)


def _plate_marks(result: FinalResult, seat: Seat, plate: Rect) -> Iterator[Mark]:
    """Yield a seat's name, and below it its token, score and place; a winner has a crown."""
    has_won = result.places[seat] == 1
    edge, width = (ColourRole.GOLD, FRAME_WIDTH) if has_won else (ColourRole.SURFACE_LINE, 3)
    yield Box(plate, ColourRole.SURFACE_SHADE, edge, 14, width)
    name = Rect(plate.x + 8, plate.y + 8, plate.width - 16, 38)
    yield from name_labels(result.names, seat, name, align=Align.CENTRE)
    below = Rect(plate.x + 8, name.bottom, plate.width - 16, plate.bottom - 8 - name.bottom)
    yield from token_marks(seat, below._replace(width=44).center(44, 44), _SMALL)
    rest = below._replace(x=below.x + 48, width=below.width - 48)
    if seat in result.resigned:
        yield Label(_("resigned"), rest, ColourRole.SURFACE_TEXT_FAINT, _SMALL)
        return
    text = format_number(result.scores[seat]) if result.scores else ""
    if len(text) <= _LONGEST_BESIDE_PLACE:
        sign = rest._replace(x=rest.right - 38, width=38)
        rest = rest._replace(width=rest.width - 38)
        if has_won:
            yield Sprite(Badge.CROWN.value, sign.center(38, 28))
        else:
            yield Label(f"{result.places[seat]}.", sign, ColourRole.SURFACE_TEXT_FAINT, _SMALL)
    yield Label(text, rest, ColourRole.SURFACE_TEXT, _SMALL, bold=True)
