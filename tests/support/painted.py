"""Magpie with a picture and a reading of the tests' own, whatever its own are."""

from collections.abc import Sequence
from dataclasses import replace

from bot.games.magpie import PACKAGE as MAGPIE
from bot.games.magpie.pieces import State
from bot.rules.game import Event
from bot.rules.picture import Box, Ink, Label, Picture, Rect
from bot.tables.registry import Registry

SIZE = (1000, 400)


def pictured(view: State, news: Sequence[Event]) -> Picture:
    """Show the dice as numbers."""
    faces = " ".join(map(str, view.faces))
    paper = Rect(100, 100, 800, 200)
    marks = (Box(paper, Ink.PAPER, radius=20), Label(faces, paper.inset(20), Ink.TEXT, size=80))
    return Picture(SIZE, (), marks, f"The dice show {faces}; {len(news)} things happened.")


def read_out(view: State, names: Sequence[str]) -> str:
    """Tell the scores."""
    scores = ", ".join(f"{name} {score}" for name, score in zip(names, view.scores, strict=True))
    return f"The scores are {scores}."


PICTURED = replace(MAGPIE, picture=pictured, reading=read_out)
WITH_PICTURES = Registry([PICTURED])
