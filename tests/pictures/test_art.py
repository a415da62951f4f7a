"""All art there is: drawn in the inks of a theme, at the size it says, and nothing else."""

import re

import pytest

from bot.pictures.themes import colour_of
from bot.rules.picture import Ink, Theme
from tests.support.pictured import art

FOREIGN = re.compile(r"#[0-9a-fA-F]{3,8}\b|rgb|<text|<image|<style|<script|href|font", re.ASCII)
VIEW = re.compile(r'viewBox="0 0 (\d+(?:\.\d+)?) (\d+(?:\.\d+)?)"')
LARGEST = 40_000
"""Bytes of a file: art is drawn by hand, not traced."""


@pytest.mark.parametrize("name", art())
def test_a_piece_names_inks_and_holds_shapes_alone(name: str) -> None:
    source = art()[name].source
    assert FOREIGN.findall(source) == []
    assert len(source) <= LARGEST


@pytest.mark.parametrize("name", art())
def test_a_piece_is_as_wide_and_high_as_it_says(name: str) -> None:
    piece = art()[name]
    view = VIEW.search(piece.source)
    assert view is not None
    width, height = piece.size
    assert float(view[1]) * height == pytest.approx(float(view[2]) * width, rel=0.01)


@pytest.mark.parametrize("theme", Theme)
@pytest.mark.parametrize("name", art())
def test_a_piece_can_be_seen_in_every_theme(name: str, theme: Theme) -> None:
    piece = art()[name]
    drawn = piece.drawn(theme, Ink.PAPER)
    assert drawn.size == piece.size
    colours = drawn.getcolors(drawn.width * drawn.height) or []
    seen = {pixel for _, pixel in colours if isinstance(pixel, tuple) and pixel[3] == 255}
    assert seen & {(*colour_of(theme, ink), 255) for ink in Ink} - {(*colour_of(theme, Ink.FELT), 255)}
