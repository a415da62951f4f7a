"""The picture checks name each planted flaw, and accept what is intended."""

from itertools import chain

import pytest

from bot.rules.components import Nameplate, Species, action_frame, change_brackets, die_marks, tag_marks, token_marks
from bot.rules.picture import Box, ColourRole, Label, Mark, Picture, Rect, Sprite
from bot.rules.seat_rows import RowFormat, SeatRow, SeatSign, place_rows, score_bar_marks, seat_rows_marks
from tests.support.each_case import each_case
from tests.support.picture_checks import find_flaws

CARD = Box(Rect(100, 100, 200, 200), ColourRole.PAPER, ColourRole.TEXT, radius=10, border_width=4)
TEXT = Label("12", Rect(120, 120, 100, 50), ColourRole.TEXT)
DIE = Sprite("die", Rect(140, 140, 100, 100))


def make_picture(*marks: Mark, description: str = "a test") -> list[str]:
    return list(find_flaws(Picture((600, 400), (), marks, description)))


FLAWED: dict[str, tuple[str, tuple[Mark, ...]]] = {
    "beyond the right": ("leaves the picture", (CARD._replace(at=Rect(450, 100, 200, 200)),)),
    "beyond the left": ("leaves the picture", (CARD._replace(at=Rect(-1, 100, 200, 200)),)),
    "turned beyond the top": ("leaves the picture", (DIE._replace(at=Rect(140, 4, 100, 100), rotation=45),)),
    "boxes": ("in each other's way", (CARD, CARD._replace(at=Rect(250, 250, 100, 100)))),
    "sprites": ("in each other's way", (DIE, DIE._replace(at=DIE.at.shift(right=99)))),
    "hidden wholly": ("in each other's way", (DIE, CARD)),
    "on a text": ("in each other's way", (TEXT, DIE._replace(may_overlap=True))),
    "texts": ("in each other's way", (TEXT, TEXT._replace(at=TEXT.at.shift(right=10), may_overlap=True))),
    "frame across a text": (
        "in each other's way",
        (TEXT, Box(Rect(165, 110, 50, 70), None, ColourRole.MARK, border_width=4)),
    ),
    "wide text": ("does not fit", (TEXT._replace(text="far too much for it"),)),
    "high text": ("does not fit", (TEXT._replace(at=Rect(120, 120, 100, 16)),)),
    "small text": ("too small to be read", (TEXT._replace(size=25),)),
    "no text": ("says nothing", (TEXT._replace(text=" "),)),
    "strange sign": ("the font lacks", (TEXT._replace(text="美"),)),
    "no such art": ("no art called die-7", (DIE._replace(name="die-7"),)),
    "enlarged": ("larger than its file", (DIE._replace(at=Rect(140, 140, 190, 190)),)),
    "a little wider than its file": ("larger than its file", (DIE._replace(at=Rect(140, 140, 181, 180)),)),
    "stretched": ("other proportions", (DIE._replace(at=Rect(140, 140, 100, 80)),)),
    "not to be inked": ("does not ask for a colour role", (Sprite("crown", Rect(140, 140, 54, 40), ColourRole.RED),)),
    "round corners": ("too small for its corners", (CARD._replace(at=Rect(100, 100, 18, 100)),)),
    "edge without width": ("edge without a width", (CARD._replace(border_width=0),)),
    "width without edge": ("edge without a width", (CARD._replace(border=None),)),
    "nothing": ("shows nothing", (Box(Rect(10, 10, 50, 50), None),)),
    "stripes on nothing": ("shows nothing", (CARD._replace(fill=None, is_striped=True),)),
}


@each_case("planted", FLAWED)
def test_a_flaw_is_named(planted: str) -> None:
    words, marks = FLAWED[planted]
    assert any(words in flaw for flaw in make_picture(*marks)), make_picture(*marks)


def test_scenery_is_cut_off_and_lain_on_but_no_other_mark_is() -> None:
    scene = DIE._replace(at=Rect(-40, 330, 100, 100), may_overlap=True)
    on_it = DIE._replace(at=Rect(10, 320, 60, 60))
    assert list(find_flaws(Picture((600, 400), (scene,), (on_it,), "a test"))) == []
    for backdrop, marks in (((), (scene, on_it)), ((scene._replace(may_overlap=False),), (on_it,))):
        assert any("leaves the picture" in flaw for flaw in find_flaws(Picture((600, 400), backdrop, marks, "a test")))
    large = scene._replace(at=Rect(0, 0, 600, 600))
    assert any("larger than its file" in flaw for flaw in find_flaws(Picture((600, 400), (large,), (), "a test")))


@each_case("size, is_small", [(25, True), (26, False)])
def test_text_must_be_large_enough_for_a_phone(size: int, *, is_small: bool) -> None:
    flaws = list(find_flaws(Picture((1000, 400), (), (TEXT._replace(size=size),), "a test")))
    assert any("too small to be read" in flaw for flaw in flaws) is is_small


@each_case("description", ["", " \n", "x" * 1025])
def test_a_useless_description_is_a_flaw(description: str) -> None:
    assert any("description" in flaw for flaw in make_picture(CARD, description=description))


FLAWLESS: dict[str, tuple[Mark, ...]] = {
    "side by side": (DIE, DIE._replace(at=DIE.at.shift(right=100))),
    "on a card": (CARD, TEXT._replace(at=Rect(110, 105, 100, 30), size=26), DIE),
    "framed": (DIE, action_frame(DIE.at)),
    "framed text": (TEXT, action_frame(TEXT.at, radius=10)),
    "in brackets": (DIE, *change_brackets(DIE.at)),
    "on the edge of another": (CARD, DIE._replace(at=Rect(250, 250, 100, 100), may_overlap=True)),
}


@each_case("meant", FLAWLESS)
def test_an_allowed_overlap_is_no_flaw(meant: str) -> None:
    assert make_picture(*FLAWLESS[meant]) == []


@each_case("side", [44, 60, 96])
@each_case("species", [None, *Species])
def test_tokens_are_sound(species: Species | None, side: int) -> None:
    nameplates = [Nameplate("Robin", species)] * 6
    tokens = (token_marks(nameplates, seat, Rect(100 * seat, 100, side, side)) for seat in range(6))
    assert make_picture(*chain.from_iterable(tokens)) == []


@each_case("face", range(1, 7))
def test_dice_and_tags_are_sound(face: int) -> None:
    assert (
        make_picture(
            *die_marks(face, Rect(10, 10, 144, 144), ColourRole.GOLD), *tag_marks("+1200", Rect(200, 10, 108, 36))
        )
        == []
    )


@each_case("score", [0, 1, 7, 99, 100, 140, -3, 8000])
@each_case("gained", [None, 0, 1, 5, 40, -2, 1200])
@each_case("seats", [2, 6])
def test_seat_rows_are_sound(score: int, gained: int | None, seats: int) -> None:
    rows = [
        SeatRow(0, score, gained, is_to_move=True),
        SeatRow(1, score, gained, sign=SeatSign.CROWN),
        *(SeatRow(seat, score, sign=SeatSign.FLAG, lost=1200) for seat in range(2, seats)),
    ]
    areas = place_rows(seats, Rect(30, 20, 940, 0))
    marks = seat_rows_marks(rows, (), RowFormat(100, score_width=140, gain_width=140), areas)
    assert list(find_flaws(Picture((1000, areas[-1].bottom + 20), (), marks, "rows"))) == []


def test_a_bar_shows_the_gain_within_the_score() -> None:
    marks = score_bar_marks(SeatRow(0, 60, 20), 100, Rect(0, 0, 940, 14))
    whole, new = [mark for mark in marks if isinstance(mark, Box) and mark.fill in (ColourRole.SEAT_1, ColourRole.NEW)]
    bar = marks[0].at.inset(3)
    assert new.at.right == pytest.approx(bar.x + bar.width * 0.6, abs=1)
    assert new.at.width == pytest.approx(bar.width * 0.2, abs=1)
    assert 0 < new.at.x - whole.at.right < 5, "they don't touch"
