"""Change in text: moves, positions, and what is none."""

import pytest

from bot.games.change.moves import (
    CHALLENGE,
    DONE,
    MYSELF,
    ROLL,
    Add,
    Choose,
    Keep,
    Move,
    Option,
    PickSpace,
    Replace,
    Swap,
    Travel,
)
from bot.games.change.pieces import Stage
from bot.rules.refusals import CommonReason, Refusal
from tests.games.change.positions import GAME, at
from tests.support.each_case import each_case

MOVES: dict[str, Move] = {
    "roll": ROLL,
    "challenge": CHALLENGE,
    "done": DONE,
    "option greed": Option("greed"),
    "card add-3": Add("add-3"),
    "card replace-2 add-1 any": Replace("replace-2", ("add-1", "any")),
    "card replace-1 replace-1": Replace("replace-1", ("replace-1",)),
    "card greed": Travel("greed", "greed", places=False),
    "card greed place": Travel("greed", "greed", places=True),
    "card any greed": Travel("any", "greed", places=False),
    "card any greed place": Travel("any", "greed", places=True),
    "choose myself": MYSELF,
    "choose 1 3": Choose((1, 3)),
    "choose greed": PickSpace("greed"),
    "replace add-1": Swap("add-1"),
    "keep any": Keep("any"),
}


@each_case("text", MOVES)
def test_moves_are_parsed_from_their_own_notation(text: str) -> None:
    assert GAME.parse_move(text) == MOVES[text]
    assert str(MOVES[text]) == text


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


def test_a_position_is_written_in_words() -> None:
    state = at(
        "120@5 desires greed",
        "15@0",
        hands=["greed add-1", "any"],
        turn=0,
        stage=Stage.FREE,
        travel=False,
    )
    position = GAME.encode_position(state).split(" ")
    assert position[:7] == ["120@5:desires+greed/15@0:-", "0", "free", "0", "d0", "c0", "m0"]
    assert position[7:9] == ["t0", "add-1+greed/any"]
    assert len(position[9].split("+")) == 37


def test_a_position_names_the_seat_it_waits_for() -> None:
    state = at("120@5", "15@3", "30@0", hands=["", "", "any greed"], turn=1, missing=0, challenge=False)
    corner = at("120@5", "15@4", "30@0", hands=["", "", "any greed"], turn=1, stage=Stage.SWAP, asked=[2], draws=1)
    assert " 1 roll 1 d0 c0 m0 t1 " in GAME.encode_position(state)
    assert " 1 swap 2 d1 c0 m0 t1 " in GAME.encode_position(corner)
