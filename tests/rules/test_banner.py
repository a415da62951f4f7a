"""The banner below a picture."""

import pytest

from bot.rules.banner import BANNER_HEIGHT, with_banner
from bot.rules.direction import mirror_area
from bot.rules.package import on_surface
from bot.rules.picture import Box, ColourRole, Label, Picture, Rect, Sprite
from bot.rules.story import PIECE_AREA, Highlight, HighlightPiece
from tests.support.games import load_games_once
from tests.support.picture_checks import find_flaws

TABLE = Picture((1000, 200), (), (), "A table.")
STRIP = Rect(0, 200, 1000, BANNER_HEIGHT)
PLATES = {key: package.look.surface.banner for key, package in load_games_once().items() if package.look.surface.banner}
"""The art of the plate of each game that has one of its own."""

DIE = HighlightPiece("skull", (Sprite("die", PIECE_AREA),))


@pytest.mark.parametrize(("is_good", "colour"), [(True, ColourRole.GOOD), (False, ColourRole.BAD)])
@pytest.mark.parametrize("key", PLATES)
def test_a_game_has_a_plate_of_its_own_in_a_colour_that_says_whether_it_is_good(
    key: str, is_good: bool, colour: ColourRole
) -> None:
    highlight = Highlight("Five of a kind", "+1,200", 2, is_good)
    drawn = with_banner(on_surface(load_games_once()[key], TABLE), highlight, 1, "Banner")
    assert list(find_flaws(drawn)) == []
    assert drawn.marks[0] == Sprite(PLATES[key], STRIP, colour)
    assert all(STRIP.contains(mark.at) for mark in drawn.marks)


def test_without_art_the_plate_is_plain() -> None:
    plate = with_banner(TABLE, Highlight("Bust!", "-200", 2, is_good=False), None, "Banner").marks[0]
    assert isinstance(plate, Box)
    assert plate.fill is ColourRole.BAD


def test_equal_pieces_without_room_are_counted() -> None:
    drawn = with_banner(TABLE, Highlight("Everyone else", "−1,600", 3, pieces=(DIE,) * 7), 0, "Banner")
    assert list(find_flaws(drawn)) == []
    assert [mark.name for mark in drawn.marks if isinstance(mark, Sprite)] == ["token-1", "die"]
    assert "×7" in [mark.text for mark in drawn.marks if isinstance(mark, Label)]


def test_different_pieces_without_room_are_the_first_ones() -> None:
    arts = [f"token-{number}" for number in range(2, 7)] * 2
    pieces = tuple(HighlightPiece(art, (Sprite(art, PIECE_AREA),)) for art in arts)
    drawn = with_banner(TABLE, Highlight("Completed!", "+12", 3, pieces=pieces), 0, "Banner")
    assert list(find_flaws(drawn)) == []
    shown = [mark.name for mark in drawn.marks if isinstance(mark, Sprite)]
    assert shown == ["token-1", *arts[: len(shown) - 1]]
    assert 4 <= len(shown) - 1 < len(arts)
    assert "…" in [mark.text for mark in drawn.marks if isinstance(mark, Label)]


def test_a_banner_that_runs_to_the_left_has_pieces_that_look_the_same() -> None:
    piece = HighlightPiece("die", (Sprite("die", Rect(4, 0, 20, 64)),))
    moment = Highlight("Bust!", "+0", 2, pieces=(piece,) * 2)
    usual, mirrored = (with_banner(TABLE, moment, 0, "Banner", runs_left=each).marks for each in (False, True))
    (left, right), turned = ([mark.at.x - 4 for mark in marks if mark.at.width == 20] for marks in (usual, mirrored))
    assert turned == [1000 - left - 64, 1000 - right - 64]
    assert [mark.at for mark in mirrored if isinstance(mark, Label)] == [
        mirror_area(mark.at, STRIP) for mark in usual if isinstance(mark, Label)
    ]


def test_pieces_with_room_are_all_shown() -> None:
    drawn = with_banner(TABLE, Highlight("Bust!", "+0", 2, pieces=(DIE,) * 3), 0, "Banner")
    assert [mark.name for mark in drawn.marks if isinstance(mark, Sprite)] == ["token-1", *["die"] * 3]
