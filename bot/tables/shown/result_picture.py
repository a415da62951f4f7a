"""The pictures of a result, the same for every game: one at the end of its table, and a card for sharing.

Both are about one seat: a moment of the game that it can be proud of, its score and its name. Who has beaten it stands
above, and all others follow by place.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from bot.reading_order import in_reading_order
from bot.rules.components import cover_marks, name_labels, token_marks
from bot.rules.game import Seat
from bot.rules.hero import BUILT_AREA, HERO_AREA, Hero
from bot.rules.motion import Motion
from bot.rules.picture import (
    COVER_SIZE,
    MIN_TEXT_SIZE,
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
)
from bot.rules.seat_rows import SeatSign
from bot.tables.shown.result import FinalResult
from bot.words import format_number

CARD_SIZE: Final = (1000, 1250)

_COVER: Final = HERO_AREA._replace(width=500, x=250, height=500 * COVER_SIZE[1] // COVER_SIZE[0])
_RAYS: Final = Rect(0, 0, 1000, 1250)
_CONFETTI: Final = Rect(0, 0, 1000, 720)

_GAIN: Final = (44, 96, 66)
"""The padding, height and size of the text of the plate with what a moment brought."""
_CROWN: Final = (108, 80)
_NAME_SIZE, _ROW_NAME_SIZE, _ROW_SCORE_SIZE = 84, 56, 60
_ROW_HEIGHT, _ROW_GAP, _ROW_CROWN, _TOKEN = 98, 12, (65, 48), 66
_EDGE: Final = HERO_AREA.x
_TOP: Final = 24
_CHARACTER_WIDTH: Final = 0.58
"""The usual width of a bold character, as a share of its size."""

_PLATE: Final = Rect(_EDGE, 776, HERO_AREA.width, BUILT_AREA.height)
_PLATE_SIZE: Final = 84
_DARE: Final = Rect(_EDGE, 990, HERO_AREA.width, 212)


class _Sizes(NamedTuple):
    """The sizes of a score, the largest first, and the room for it."""

    score: Sequence[int]
    height: int


_TABLE_SIZES: Final = _Sizes((220, 190, 160, 130), 206)
_CARD_SIZES: Final = _Sizes((270, 230, 190, 150), 252)
_ABOVE_DIGITS, _BELOW_DIGITS = 52, 22
"""How far a label reaches beyond the room for a score: commas hang below the digits."""


@dataclass(frozen=True, slots=True)
class Dare:
    """What a card says to those who see it."""

    challenge: str
    command: str
    """How to take it up."""


def result_picture(
    result: FinalResult, hero: Hero | None, cover: str | None, surface: Surface, description: str
) -> Picture:
    """Lay out the result at the end of a table.

    Args:
        result: The result.
        hero: What the seat did best that the picture is about; None shows the cover of the game.
        cover: The art of the game, if it has any.
        surface: The surface of the game.
        description: The alternative text.
    """
    above, below = _split_others(result)
    at = Rect(_EDGE, _TOP, HERO_AREA.width, _ROW_HEIGHT)
    marks = list[Mark]()
    for seat in above:
        marks += in_reading_order(_row_marks(result, seat, at), at)
        at = at.shift(down=_ROW_HEIGHT + _ROW_GAP)
    marks += _shift(_head_marks(result, hero, cover, _TABLE_SIZES), at.y - _TOP)
    at = at._replace(y=marks[-1].at.bottom + 16)
    for seat in below:
        marks += in_reading_order(_row_marks(result, seat, at), at)
        at = at.shift(down=_ROW_HEIGHT + _ROW_GAP)
    height = max(mark.at.bottom for mark in marks) + 24
    return Picture((PICTURE_WIDTH, height), tuple(_scenery(result)), tuple(marks), description, surface)


def share_card(
    result: FinalResult, hero: Hero | None, cover: str | None, surface: Surface, dare: Dare, description: str
) -> Picture:
    """Lay out the card for sharing a result.

    Args:
        result: The result.
        hero: What the seat did best that the card is about; None shows the cover of the game.
        cover: The art of the game, if it has any.
        surface: The surface of the game.
        dare: What it says to those who see it.
        description: The alternative text.
    """
    marks = list(_head_marks(result, hero, cover, _CARD_SIZES))
    above, below = _split_others(result)
    plate = _PLATE._replace(y=_TOP) if above else _PLATE
    room = _PLATE.y - max(mark.at.bottom for mark in marks)
    marks = _shift(marks, room // 2 - 8 + (_PLATE.height if above else 0))
    if others := (*above, *below):
        marks += in_reading_order(_row_marks(result, others[0], plate), plate)
    elif hero is not None and hero.built:
        marks.append(_plate(_PLATE))
        marks += [mark._replace(at=mark.at.shift(_PLATE.x, _PLATE.y)) for mark in hero.built]
    marks.append(Box(_DARE, ColourRole.GOLD, ColourRole.TEXT, 40, 8))
    upper, lower = (_DARE.inset(16)._replace(height=height).shift(down=down) for height, down in ((112, 0), (68, 112)))
    size = fitting_size(dare.challenge, upper.width, (88, 76, 64, 52))
    marks.append(Label(dare.challenge, upper, ColourRole.TEXT, size, bold=True))
    size = fitting_size(dare.command, lower.width, (58, 50, 42))
    marks.append(Label(dare.command, lower, ColourRole.TEXT, size))
    return Picture(CARD_SIZE, tuple(_scenery(result)), tuple(marks), description, surface)


def after_last_roll(result: Picture, motion: Motion) -> Picture:
    """Return the picture of a result to which the game's last roll leads, at least as high as the table was."""
    size = (PICTURE_WIDTH, max(result.size[1], motion.before.size[1]))
    room = size[1] - result.size[1]
    marks = tuple(_shift(result.marks, room // 2))
    before, *staging = (
        replace(shown, size=size, backdrop=(_rays(), *shown.backdrop)) for shown in (motion.before, *motion.staging)
    )
    motion = replace(motion, before=before, staging=tuple(staging), is_moment=True)
    return replace(result, size=size, marks=marks, motion=motion)


def _split_others(result: FinalResult) -> tuple[Sequence[Seat], Sequence[Seat]]:
    """Return who stands above the seat that a picture is about, which are winners alone, and who stands below."""
    others = [seat for seat in result.ranking if seat != result.featured]
    above = [] if result.has_featured_won else [seat for seat in others if seat in result.winners]
    return above, [seat for seat in others if seat not in above]


def _shift(marks: Iterable[Mark], down: int) -> list[Mark]:
    return [mark._replace(at=mark.at.shift(down=down)) for mark in marks]


def on_card(picture: Picture) -> Picture:
    """Return the picture of a table in the middle of a card, so that an animation that ends with one does not jump."""
    down = (CARD_SIZE[1] - picture.size[1]) // 2
    backdrop, marks = (tuple(_shift(group, down)) for group in (picture.backdrop, picture.marks))
    return replace(picture, size=CARD_SIZE, backdrop=(_rays(), *backdrop), marks=marks, motion=None)


def _rays() -> Sprite:
    return Sprite("rays", _RAYS, may_overlap=True)


def _scenery(result: FinalResult) -> Iterator[Mark]:
    """Yield rays, and confetti if a person's win is a triumph."""
    yield _rays()
    if result.is_triumph and result.featured in result.people:
        yield Sprite("confetti", _CONFETTI, may_overlap=True)


def _head_marks(result: FinalResult, hero: Hero | None, cover: str | None, sizes: _Sizes) -> Iterator[Mark]:
    """Yield the moment, and below it the crown, the score and the name, which comes last."""
    moment = list(hero.marks if hero is not None else () if cover is None else cover_marks(cover, _COVER))
    yield from moment
    bottom = max((mark.at.bottom for mark in moment), default=HERO_AREA.y)
    gain = "" if hero is None else hero.gain
    if gain:
        padding, height, size = _GAIN
        width = 2 * padding + round(len(gain) * size * _CHARACTER_WIDTH)
        right = max(mark.at.right for mark in moment)
        # Beside the crown, however few pieces there are.
        left = max(right - width + 8, (PICTURE_WIDTH + _CROWN[0]) // 2 + 24)
        plate = Rect(left, bottom - 16, width, height)
        yield Box(plate, ColourRole.NEW, ColourRole.TEXT, height // 2, 8, may_overlap=True)
        yield Label(gain, plate.inset(8), ColourRole.TEXT, size, bold=True)
    at = Rect(_EDGE, bottom + 20, HERO_AREA.width, 0)
    if result.is_triumph and len(result.places) > 1:
        at = at._replace(height=_CROWN[1])
        yield Sprite(SeatSign.CROWN.value, at.center(*_CROWN))
    elif gain:
        at = at.shift(down=_GAIN[1] - 36)
    if result.scores is not None:
        text = format_number(result.scores[result.featured])
        at = Rect(at.x, at.bottom, at.width, sizes.height)
        size = fitting_size(text, at.width, sizes.score)
        digits = at._replace(y=at.y - _ABOVE_DIGITS, height=at.height + _ABOVE_DIGITS + _BELOW_DIGITS)
        yield Label(text, digits, ColourRole.SURFACE_TEXT, size, bold=True)
    if result.nameplates:
        name, text = Rect(at.x, at.bottom, at.width, 100), result.nameplates[result.featured].name
        yield Label(text, name, ColourRole.MARK, _NAME_SIZE, bold=True, is_name=True)


def _plate(at: Rect, *, has_won: bool = False) -> Box:
    line, width = (ColourRole.GOLD, 8) if has_won else (ColourRole.SURFACE_LINE, 3)
    return Box(at, ColourRole.SURFACE_SHADE, line, 32, width)


def _row_marks(result: FinalResult, seat: Seat, at: Rect) -> Iterator[Mark]:
    """Yield the plate of a seat: its token, its name, and its score, with a crown if it has won."""
    is_out, large = seat in result.resigned, at.height > _ROW_HEIGHT
    ink = ColourRole.SURFACE_TEXT_FAINT if is_out else ColourRole.SURFACE_TEXT
    yield _plate(at, has_won=seat in result.winners)
    token = Rect(at.x + 24, at.y, 96 if large else _TOKEN, at.height)
    yield from token_marks(result.nameplates, seat, token.center(token.width, token.width), MIN_TEXT_SIZE)
    right = at.right - 30
    if result.scores is not None:
        text, size = format_number(result.scores[seat]), _PLATE_SIZE if large else _ROW_SCORE_SIZE
        score = Rect(0, at.y, round(len(text) * size * _CHARACTER_WIDTH) + 8, at.height)
        score = score._replace(x=right - score.width)
        yield Label(text, score, ink, size, Align.RIGHT, bold=True)
        right = score.x - 16
    if seat in result.winners or is_out:
        width, height = (_CROWN if large else _ROW_CROWN) if seat in result.winners else (40, 40)
        badge = Rect(right - width, at.y, width, at.height).center(width, height)
        yield Sprite(SeatSign.CROWN.value if seat in result.winners else "cross", badge)
        right = badge.x - 16
    name = Rect(token.right + 32, at.y + 4, right - token.right - 32, at.height - 8)
    yield from name_labels(result.nameplates, seat, name, ink, size=_PLATE_SIZE if large else _ROW_NAME_SIZE)


def fitting_size(text: str, width: int, sizes: Sequence[int]) -> int:
    """Return the largest size at which a text fits, or else the smallest of the sizes."""
    return next((size for size in sizes if len(text) * size * _CHARACTER_WIDTH <= width), sizes[-1])
