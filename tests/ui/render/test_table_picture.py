"""What the alternative text says of a banner."""

from bot.rules.picture import ColourRole, Picture, Sprite
from bot.rules.story import PIECE_AREA, Highlight, HighlightPiece
from bot.tables.shown.message import add_banner
from tests.support.each_case import each_case

TABLE = Picture((1000, 200), (), (), "A table.")


def piece(name: str) -> HighlightPiece:
    return HighlightPiece(name, (Sprite("die", PIECE_AREA, ColourRole.GOLD),))


@each_case(
    "word, number, names, told",
    [
        ("Bust!", "+0", ["skull"] * 3, "Banner of player 1: Bust! +0, with 3 × skull."),
        ("Everyone else", "−1,600", ["skull"] * 7, "Banner of player 1: Everyone else −1,600, with 7 × skull."),
        (
            "Twin!",
            "−2 cards",
            ["red circle", "red star"],
            "Banner of player 1: Twin! −2 cards, with red circle and red star.",
        ),
        ("Full house", "+12", ["2", "2", "3"], "Banner of player 1: Full house +12, with 2 × 2 and 3."),
        ("Takes the lead!", "45", [""], "Banner of player 1: Takes the lead! 45."),
        ("Last round!", "beat 25", [], "Banner of player 1: Last round! beat 25."),
    ],
)
def test_a_banner_is_told_with_its_dice_or_cards(word: str, number: str, names: list[str], told: str) -> None:
    drawn = add_banner(TABLE, Highlight(word, number, 2, pieces=tuple(map(piece, names))), 0)
    assert drawn.description == f"A table. {told}"


def test_pieces_without_room_are_told_as_more() -> None:
    names = [f"{number} red" for number in range(1, 13)]
    drawn = add_banner(TABLE, Highlight("Completed!", "+12", 3, pieces=tuple(map(piece, names))), 1)
    shown = sum(isinstance(mark, Sprite) and mark.name == "die" for mark in drawn.marks)
    assert 1 < shown < len(names)
    assert (
        drawn.description == f"A table. Banner of player 2: Completed! +12, with {', '.join(names[:shown])}, and more."
    )
