"""Draws the space that a turn has led to large enough to read, and what it says in words."""

from collections.abc import Iterator, Sequence
from typing import Final

from bot.games.change.board import CornerAction
from bot.games.change.events import GameEvent, Landed, Moved, TrackRolled
from bot.games.change.guide import summarize_space
from bot.games.change.picture.board import set_colour, space_colours, space_sprite
from bot.games.change.pieces import PublicState
from bot.rules.picture import Align, Box, ColourRole, Label, Mark, Rect, Sprite, text_colour_on

CARD_HEIGHT: Final = 78
_BAND, _PICTURE, _PLACE, _NAME, _WORDS = 38, 62, 64, 34, 30


def space_card_marks(public: PublicState, turn: Sequence[GameEvent], at: Rect) -> Iterator[Mark]:
    """Yield the card of the space that the turn has led to: its picture, its name, what it says, and who came."""
    moves = [event for event in turn if isinstance(event, TrackRolled | Landed | Moved)]
    if not moves:
        return
    seat, entry = moves[-1].seat, public.board.spaces[moves[-1].space]
    fill, ink = space_colours(entry)
    band = set_colour(public.board, entry) if entry.set else fill
    yield Box(at, fill, ColourRole.SURFACE_LINE, 12, 3)
    words = Rect(at.x + _PICTURE + 20, at.y, at.width - _PICTURE - 84, at.height)
    if entry.set:
        yield Box(Rect(words.x - 4, at.y + 3, at.right + 1 - words.x, _BAND - 2), band, radius=8)
    yield space_sprite(entry, Rect(at.x + 4, at.y, _PICTURE + 8, at.height).center(*_picture_size(entry.action)), ink)
    name = words._replace(x=words.x + 4, y=at.y + 3, height=_BAND - 2)
    yield Label(entry.name, name, text_colour_on(band) if entry.set else ink, _NAME, Align.LEFT, bold=True)
    rule = Rect(name.x, at.y + _BAND, words.width, at.height - _BAND - 2)
    yield Label(summarize_space(entry), rule, ink, _WORDS, Align.LEFT)
    yield Sprite(f"change/ragz-{seat + 1}", Rect(at.right - 52, at.y + 8, 45, 60), may_overlap=True)


def _picture_size(action: CornerAction | None) -> tuple[int, int]:
    return (_PICTURE, _PICTURE) if action is None else (_PLACE, _PLACE * 3 // 4)
