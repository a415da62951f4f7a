"""What the alternative text says of a banner."""

from bot.rules.picture import ColourRole, Picture, Sprite
from bot.rules.story import PIECE_AREA, Highlight, HighlightPiece
from bot.tables.shown.message import add_banner
from tests.support.each_case import each_case

TABLE = Picture((1000, 200), (), (), "A table.")


def piece(name: str) -> HighlightPiece:
    return HighlightPiece(name, (Sprite("die", PIECE_AREA, ColourRole.GOLD),))


@each_case(
    "number, names, told",
    [
        ("+0", ["skull"] * 3, ["+0", "3 × skull"]),
        ("−2", ["red circle", "red star"], ["−2", "red circle", "red star"]),
        ("+12", ["2", "2", "3"], ["+12", "2 × 2", "3"]),
        ("45", [""], ["45"]),
        ("45", [], ["45"]),
    ],
)
def test_a_banner_is_told_with_its_dice_or_cards(number: str, names: list[str], told: list[str]) -> None:
    drawn = add_banner(TABLE, Highlight("Banner!", number, 2, pieces=tuple(map(piece, names))), 0)
    text = drawn.description.removeprefix("A table. ").partition("Banner!")[2]
    places = [text.index(each) for each in told]
    assert places == sorted(places)


def test_pieces_without_room_are_told_as_more() -> None:
    names = [f"{number} red" for number in range(1, 13)]
    drawn = add_banner(TABLE, Highlight("Completed!", "+12", 3, pieces=tuple(map(piece, names))), 1)
    shown = sum(isinstance(mark, Sprite) and mark.name == "die" for mark in drawn.marks)
    assert 1 < shown < len(names)
    assert ", ".join(names[:shown]) in drawn.description
    assert names[shown] not in drawn.description
