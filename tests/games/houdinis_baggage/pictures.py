"""Pictures of Mr. Houdini's Baggage for tests, and what can be seen there."""

from collections.abc import Sequence

from bot.games.houdinis_baggage.cards import CARD_KEYS as LOOKS
from bot.games.houdinis_baggage.picture.composition import build_picture, table_layout
from bot.games.houdinis_baggage.pieces import GameEvent, State
from bot.rules.picture import Box, ColourRole, Label, Mark, Picture, Rect, Sprite
from tests.games.houdinis_baggage.positions import GAME
from tests.support.picture_checks import find_flaws

ART = "houdinis_baggage/"
TABLE = table_layout()


def draw(state: State, events: Sequence[GameEvent] = ()) -> Picture:
    shown = build_picture(GAME.view(state, None), events)
    assert list(find_flaws(shown)) == []
    return shown


def sprites(shown: Picture, *names: str) -> list[Sprite]:
    wanted = {ART + name for name in names}
    return [mark for mark in shown.iter_marks() if isinstance(mark, Sprite) and mark.name in wanted]


def cards(shown: Picture, within: Rect | None = None) -> list[str]:
    """Return the looks of the cards in a part of the picture, in the order in which they are drawn."""
    found = sprites(shown, *LOOKS)
    return [mark.name.removeprefix(ART) for mark in found if within is None or within.contains(mark.at)]


def texts(shown: Picture, within: Rect) -> list[str]:
    return [mark.text for mark in shown.iter_marks() if isinstance(mark, Label) and within.contains(mark.at)]


def framed_boxes(shown: Picture, ink: ColourRole = ColourRole.MARK) -> list[Rect]:
    frames = (mark for mark in shown.marks if isinstance(mark, Box) and mark.fill is None and mark.border is ink)
    return [frame.at for frame in frames]


def is_framed(frames: Sequence[Rect], mark: Mark) -> bool:
    """Tell whether one of the frames is just about a mark."""
    return any(frame.contains(mark.at) and frame.width <= mark.at.width + 84 for frame in frames)


def bracketed_marks(shown: Picture) -> list[Rect]:
    """Return what stands in brackets."""
    corners = [mark.at for mark in shown.marks if isinstance(mark, Sprite) and mark.name == "bracket"]
    return [
        Rect(each[0].x, each[0].y, each[2].right - each[0].x, each[2].bottom - each[0].y)
        for each in (corners[first : first + 4] for first in range(0, len(corners), 4))
    ]
