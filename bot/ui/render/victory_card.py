"""The card of a result, made to be shared: the game's cover, who won, what was remarkable, and the race."""

from collections.abc import Iterator, Sequence
from typing import Final

from bot.rules.picture import Align, Box, ColourRole, Label, Mark, Picture, Rect, Sprite, Surface
from bot.ui.render.podium import FinalResult, describe_result, podium_marks, solo_marks
from bot.ui.render.race_chart import chart_marks

CARD_SIZE: Final = (1200, 630)
"""The size that other sites show without cutting anything off."""

_COVER: Final = Rect(36, 36, 540, 238)
_TITLE: Final = Rect(36, 284, 540, 66)
_LINES: Final = Rect(36, 360, 540, 180)
_FOOTER: Final = Rect(36, 566, 540, 40)
_RESULT: Final = Rect(588, 8, 600, 284)
_CHART: Final = Rect(596, 300, 584, 312)
_LINE_HEIGHT: Final = 44
_SHORT_RACE: Final = 2


def victory_card(
    result: FinalResult, surface: Surface, cover: str | None, lines: Sequence[str], footer: str
) -> Picture:
    """Lay out the card.

    Args:
        result: The result.
        surface: The surface of the game.
        cover: The art of the game, if it has any.
        lines: Who won, and facts about the game; they may contain names.
        footer: Where and when it was played.
    """
    scenery = Sprite("confetti", Rect(CARD_SIZE[0] - 1000, -90, 1000, 160), may_overlap=True)
    return Picture(CARD_SIZE, (scenery,), tuple(_marks(result, cover, lines, footer)), describe_result(result), surface)


def _marks(result: FinalResult, cover: str | None, lines: Sequence[str], footer: str) -> Iterator[Mark]:
    if cover is not None:
        yield Sprite(cover, _COVER)
        yield Box(_COVER.inset(-4), None, ColourRole.GOLD, 18, 4, may_overlap=True)
    yield Label(result.title, _TITLE, ColourRole.SURFACE_TEXT, 52, Align.LEFT, bold=True)
    at = Rect(_LINES.x, _LINES.y, _LINES.width, _LINE_HEIGHT)
    for number, line in enumerate(lines):
        ink = ColourRole.SURFACE_TEXT_FAINT if number else ColourRole.SURFACE_TEXT
        yield Label(line, at, ink, 28 if number else 34, Align.LEFT, bold=not number, is_name=True)
        at = at.shift(down=_LINE_HEIGHT)
    yield Label(footer, _FOOTER, ColourRole.SURFACE_TEXT_FAINT, 26, Align.LEFT, is_name=True)
    if len(result.places) == 1:
        yield from solo_marks(result, Rect(_RESULT.x + 4, 60, _RESULT.width - 8, 196))
    else:
        yield from podium_marks(result, _RESULT)
    if len(result.race) > _SHORT_RACE:
        lower = result.score_kind.lower_is_better
        yield from chart_marks(result.race, result.winners, _CHART, lower_is_better=lower)
