"""Fortune's notation: moves both ways, positions, and what is not readable."""

import pytest

from bot.games.fortune.pieces import STOP, Move, Revive, Roll, State
from bot.rules.refusals import CommonReason, Refusal
from tests.games.fortune.positions import ALL, GAME, at, places
from tests.support.each_case import each_case

MOVES: list[tuple[str, Move]] = [
    (ALL, Roll(places("12345678"))),
    ("roll 1 3 5", Roll(places("135"))),
    ("roll 2 4 chest 1 6", Roll(places("24"), places("16"))),
    ("sorceress 3", Revive(3)),
    ("sorceress 3 with 1 5", Revive(3, places("15"))),
    ("stop", STOP),
]


@each_case("text, move", MOVES)
def test_a_move_is_written_and_read(text: str, move: Move) -> None:
    """FO-2, FO-4, FO-C1 and FO-C3."""
    assert str(move) == text
    assert GAME.parse_move(text) == move


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


NONSENSE = """
rolls 1 2|Roll 1 2|roll  1 2|roll 1 2 | roll 1 2|roll 1,2|roll 12|roll -1 2|roll one two|roll ٣ 2|roll ² 3
roll 1 2 chest|roll 1 2 chest 3 chest 4|roll 1 2 with 3|sorceress|sorceress 1 2|sorceress with 1|sorceress 1 with
sorceress 1 chest 2|stop 1|Stop|chest 1
"""


@each_case(
    "text", ["", " ", "stop\n", "x" * 100_000, "roll " + "1" * 100_000, *NONSENSE.strip().replace("\n", "|").split("|")]
)
def test_nonsense_is_unreadable(text: str) -> None:
    with pytest.raises(Refusal) as raised:
        GAME.parse_move(text)
    assert raised.value.reason is CommonReason.UNREADABLE


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
