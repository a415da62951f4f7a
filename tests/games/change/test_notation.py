"""Change's notation of moves and positions."""

import pytest

from bot.games.change.moves import Choose
from bot.rules.refusals import CommonReason, Refusal
from tests.games.change.positions import GAME, read
from tests.support.each_case import each_case


def test_seats_may_come_in_any_order() -> None:
    assert GAME.parse_move("choose 3 1") == Choose((1, 3))


@each_case(
    "text",
    [
        *(
            "option start",
            "option humility",
            "option any",
            "choose start",
            "card start",
            "card any start",
            "card any any",
        ),
        *("card add-6", "card replace-4 any", "card replace-1 start", "replace add-9", "keep add-9", "card any any"),
    ],
)
def test_spaces_and_cards_that_are_not_on_the_board_are_unreadable(text: str) -> None:
    with pytest.raises(Refusal) as refused:
        GAME.parse_move(text)
    assert refused.value.reason is CommonReason.UNREADABLE


@each_case(
    "position, start",
    [
        (
            "120@5 desires greed [add-1 greed]/15@0 [any] · 0 free travelled",
            "120@5:desires+greed/15@0:- 0 free 0 d0 c0 m0 t0 ",
        ),
        ("120@5/15@3/30@0 [any greed] · 1 roll", "120@5:-/15@3:-/30@0:- 1 roll 1 d0 c0 m0 t1 "),
        ("120@5 [add-1]/15@3 · 0 free missing 2", "120@5:-/15@3:- 0 free 0 d0 c0 m2 t1 add-1/- "),
    ],
)
def test_a_position_is_written_in_words(position: str, start: str) -> None:
    written = GAME.encode_position(read(position))
    assert written.startswith(start)
    assert sum(len(part.split("+")) for part in written.split()[8:] for part in part.split("/") if part != "-") == 40
