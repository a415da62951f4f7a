"""Scenes: rows that stack without touching each other."""

from bot.rules.guide import (
    ListLine,
    Plate,
    SceneRow,
    caption,
    dice_row,
    list_row,
    make_dice,
    plates_row,
    side_by_side,
    stack_rows,
)
from bot.rules.picture import Box, ColourRole, Label, Picture, Rect, Sprite
from bot.tools.contract import find_flaws
from tests.support.each_case import each_case
from tests.support.picture_checks import project_assets

LINE = ListLine(lambda at: [Box(at, ColourRole.PAPER)], "a line")
ROWS = [
    caption("a line of text"),
    dice_row(make_dice((1, 2, 3, 4, 5), framed=(1, 2), new=(3,), faint=(4, 5))),
    dice_row(make_dice((6, 6)), note="twelve"),
    plates_row([Plate("100", "three"), Plate("200", "four", ColourRole.GOLD)]),
    list_row([LINE, LINE], width=100),
    side_by_side(list_row([LINE], width=80), caption("beside it")),
]


def labels_of(picture: Picture) -> list[Label]:
    return [mark for mark in picture.iter_marks() if isinstance(mark, Label)]


@each_case("row", ROWS)
def test_a_row_has_no_flaws(row: SceneRow) -> None:
    assert list(find_flaws(stack_rows("a scene", row), project_assets())) == []


def test_stacked_rows_have_no_flaws_and_are_in_order() -> None:
    picture = stack_rows("a scene", *ROWS)
    assert list(find_flaws(picture, project_assets())) == []
    tops = [label.at.y for label in labels_of(picture) if label.text in ("a line of text", "twelve", "three")]
    assert tops == sorted(tops)
    assert picture.description == "a scene"


def test_dice_are_framed_bracketed_and_shaded_by_their_places() -> None:
    picture = stack_rows("dice", ROWS[1])
    dice = [mark for mark in picture.iter_marks() if isinstance(mark, Sprite) and mark.name == "die"]
    assert [die.colour for die in dice] == [ColourRole.PAPER] * 3 + [ColourRole.PAPER_SHADE] * 2
    frames = [mark for mark in picture.iter_marks() if isinstance(mark, Box)]
    assert [frame.at.contains(die.at) for frame, die in zip(frames, dice, strict=False)] == [True, True]
    brackets = [mark for mark in picture.iter_marks() if isinstance(mark, Sprite) and mark.name == "bracket"]
    assert len(brackets) == 4


def test_plates_leave_room_for_as_many_as_in_other_rows() -> None:
    lone, full = (
        next(iter(plates_row([Plate("1", "one")] * count, columns=3).build(Rect(0, 0, 900, 120)))) for count in (1, 3)
    )
    assert lone == full
