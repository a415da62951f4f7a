"""Magpie with a picture and a reading made for tests."""

from collections.abc import Sequence
from dataclasses import replace

from bot.games.magpie import PACKAGE as MAGPIE
from bot.games.magpie.pieces import GameEvent, State
from bot.rules.components import Nameplate
from bot.rules.game import Event
from bot.rules.motion import Motion, MovingPiece, Played
from bot.rules.picture import Box, ColourRole, Label, Picture, Rect
from bot.tables.registry import GameRegistry
from bot.tables.table import Table

SIZE = (1000, 400)


def draw_picture(view: State, events: Sequence[Event], _nameplates: Sequence[Nameplate] = ()) -> Picture:
    """Show the dice as numbers."""
    faces = " ".join(map(str, view.faces))
    paper = Rect(100, 100, 800, 200)
    marks = (Box(paper, ColourRole.PAPER, radius=20), Label(faces, paper.inset(20), ColourRole.TEXT, size=80))
    return Picture(SIZE, (), marks, f"The dice show {faces}; {len(events)} things happened.")


def find_motion(played: Played[State, GameEvent], nameplates: Sequence[Nameplate]) -> Motion | None:
    """Return a box that moves whatever was rolled."""
    area = Rect(10, 10, 80, 80)
    looks = tuple((Box(area.inset(by), ColourRole.PAPER),) for by in (0, 10))
    return Motion(draw_picture(played.before, played.earlier, nameplates), (MovingPiece(area, looks, looks[0]),))


def picture_description(table: Table) -> str:
    """Return the description of a table's picture."""
    return draw_picture(table.state, table.recent_events_for(None)).description


def read_out(view: State, names: Sequence[str]) -> str:
    """List the scores."""
    scores = ", ".join(f"{name} {score}" for name, score in zip(names, view.scores, strict=True))
    return f"The scores are {scores}."


MAGPIE_WITH_PICTURE = replace(
    MAGPIE,
    look=replace(MAGPIE.look, build_picture=draw_picture, find_motion=find_motion),
    words=replace(MAGPIE.words, build_reading=read_out),
    study=replace(MAGPIE.study, find_tips=None),
)
PICTURE_REGISTRY = GameRegistry([MAGPIE_WITH_PICTURE])
