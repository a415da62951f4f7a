"""Change in text: moves, positions, and what is none."""

import pytest

from bot.games.change.moves import Choose
from bot.rules.refusals import CommonReason, Refusal
from tests.games.change.positions import GAME, read
from tests.support.each_case import each_case


@each_case(
    "text",
    [
        *("roll", "challenge", "done", "option greed", "card add-3", "card replace-2 add-1 any", "card greed"),
        *("card greed place", "card any greed", "card any greed place", "choose myself", "choose 1 3", "choose greed"),
        *("replace add-1", "keep any"),
    ],
)
def test_moves_are_written_as_they_are_parsed(text: str) -> None:
    assert str(GAME.parse_move(text)) == text


def test_seats_may_come_in_any_order() -> None:
    assert GAME.parse_move("choose 3 1") == Choose((1, 3))


@each_case(
    "text",
    [
        *("", "Roll", "roll 1", "rolls", "challenge greed", "option", "option start", "option humility", "option any"),
        *("card", "card add-6", "card add-1 greed", "card replace-4 any", "card replace-1 start", "card greed greed"),
        *("card greed place place", "card any", "card any place", "card any any", "card any start", "card start"),
        *("choose", "choose 6", "choose -1", "choose 12", "choose me", "choose start", "choose ٣", "replace", "keep"),
        *("keep add-1 add-2", "replace add-9", "done ", " done", "choose  1"),
    ],
)
def test_anything_else_is_unreadable(text: str) -> None:
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
