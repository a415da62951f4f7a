"""Draws rolled dice as the bot draws those of a table."""

import asyncio
from dataclasses import replace
from functools import cache
from typing import Final

from bot.pictures.rolls import RollPainter
from bot.pictures.service import ANIMATION_NAME, PictureFile, PictureService
from bot.platform.content import DATA
from bot.rules.components import die_marks
from bot.rules.motion import Motion, MovingPiece, RollOutcome, tumble
from bot.rules.picture import ColourRole, Mark, Picture, Rect, Theme

_SIZE: Final = (440, 200)
_AREAS: Final = Rect(20, 20, 400, 160).split_columns(2, 20)


@cache
def draw_roll() -> tuple[PictureFile, PictureFile]:
    """Return a picture of two dice, and the animation in which they roll; call this in a thread of its own."""
    pieces = tuple(
        MovingPiece(area, tumble(area, place, range(1, 7), _draw_die), _draw_die(5 + place, area.center(120, 120), 0))
        for place, area in enumerate(_AREAS)
    )
    before = Picture(_SIZE, (), (), "Two dice are rolled.")
    motion = Motion(before, pieces)
    marks = tuple(mark for piece in pieces for mark in piece.rest)
    picture = Picture(_SIZE, (), marks, "Two dice show 5 and 6.", motion=motion)
    with PictureService(DATA) as service:
        still = asyncio.run(service.draw(picture))
    drawn = RollPainter(DATA).draw(still.data, picture, motion, Theme.STANDARD)
    if isinstance(drawn, RollOutcome):
        raise RuntimeError(f"a roll of two dice can't be drawn: {drawn}")  # noqa: TRY004 - no matter of types
    return still, replace(still, data=drawn, name=ANIMATION_NAME)


def _draw_die(face: int, at: Rect, turn: int) -> tuple[Mark, ...]:
    return die_marks(face, at, ColourRole.PAPER, turn)
