"""Fortune's notation of moves and positions."""

from bot.games.fortune.pieces import State
from tests.games.fortune.positions import GAME, at
from tests.support.each_case import each_case


@each_case(
    "text, sorted_text",
    [
        ("roll 5 1 3", "roll 1 3 5"),
        ("roll 4 2 chest 6 1", "roll 2 4 chest 1 6"),
        ("sorceress 3 with 5 1", "sorceress 3 with 1 5"),
    ],
)
def test_dice_are_read_in_any_order(text: str, sorted_text: str) -> None:
    assert str(GAME.parse_move(text)) == sorted_text


@each_case(
    "state, text",
    [
        (
            at("captain", "GGMPSKDD", scores="0/-300", mover=1, returned="gold truce"),
            "0/-300 1 - - captain GGMPSKDD 1 - - - gold+truce",
        ),
        (
            at("treasure-chest", "GGMPSKDD", rolls=2, scores="8100/0", mover=1, crosser=0, chest="12"),
            "8100/0 1 0 - treasure-chest GGMPSKDD 2 12 - - -",
        ),
        (at("sorceress"), "0/0 0 - - sorceress - 0 - spell - -"),
        (at("sea-battle-3-500", "GGMPSDDD"), "0/0 0 - - sea-battle-3-500 GGMPSDDD 1 - - - -"),
        (at("skulls-1", "KKKPSDDD", island=True), "0/0 0 - - skulls-1 KKKPSDDD 1 - - island -"),
        (at("gold", "GGGGGGGG")._replace(mover=None, nine=1), "0/0 - - 1 gold GGGGGGGG 1 - - - -"),
    ],
)
def test_positions_contain_everything_that_matters(state: State, text: str) -> None:
    """FO-1."""
    assert GAME.encode_position(state) == text
