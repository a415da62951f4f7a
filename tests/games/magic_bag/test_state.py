"""The Magic Bag's states: the audit, and that nothing is hidden."""

from typing import Any

from bot.games.magic_bag.pieces import MagicBagEnd, MagicBagOptions, State, needed_values
from tests.games.magic_bag.positions import GAME, at, digits, pieces, play_move
from tests.support.each_case import each_case

SOUND = at({1: "sun-5", 9: "sun-4 moon-4 crown-4 arms-4"}, "5123", rolls=1)


def change_layout(state: State, **layout: Any) -> State:
    """Change the layout."""
    return state._replace(layout=state.layout._replace(**layout))


def with_rows(*rows: str) -> State:
    board = tuple(map(pieces, rows))
    return change_layout(SOUND, rows=board, needs=tuple(map(needed_values, board)))


def test_there_are_no_options() -> None:
    assert MagicBagOptions().model_dump() == {}


def test_nothing_is_secret() -> None:
    assert GAME.view(SOUND, 0) == GAME.view(SOUND, None) == SOUND


def test_a_sound_position_has_no_faults() -> None:
    assert GAME.audit(SOUND) == ()
    assert GAME.audit(play_move(SOUND, "claim 1", 0, 0, "1111")[0]) == ()


EIGHT = ("sun-5", *[""] * 7)
COINS = SOUND.layout.collected

FAULTY = {
    "not nine rows": with_rows(*EIGHT),
    "a row has more tiles than were dealt": with_rows("sun-5 sun-4", *[""] * 8),
    "a row needs other values": change_layout(SOUND, needs=((5,), *[()] * 7, (4, 4, 4, 3))),
    "a tile is on the board twice": with_rows("sun-5", *[""] * 7, "sun-5 moon-4"),
    "not one coin of each suit and value": change_layout(SOUND, collected=(*COINS, COINS[0])),
    "not four dice": SOUND._replace(faces=digits("51234")),
    "a die has no such face": SOUND._replace(faces=digits("5126"), matching=(1,)),
    "not zero to two rolls left": SOUND._replace(rolls_left=3),
    "other rows match": SOUND._replace(matching=(1, 9)),
    "the bag is empty, but the game goes on": change_layout(
        SOUND, bag=(), discarded=SOUND.layout.discarded + SOUND.layout.bag
    ),
    "no row is left, but the game goes on": with_rows(*[""] * 9)._replace(matching=()),
    "no move is left, but the game goes on": change_layout(SOUND, collected=(), discarded=COINS)._replace(
        faces=digits("1111"), matching=(), rolls_left=0
    ),
    "the game is over, but a roll or a row is left": SOUND._replace(end=MagicBagEnd.FINISHED),
    "the last coin is not drawn": SOUND._replace(end=MagicBagEnd.LAST_COIN, rolls_left=0, matching=()),
    "rows are left": SOUND._replace(end=MagicBagEnd.LAST_ROW, rolls_left=0, matching=()),
    "a coin is left to discard": SOUND._replace(end=MagicBagEnd.NO_COIN_TO_DISCARD, rolls_left=0, matching=()),
}


@each_case("left", [{"rolls_left": 0}, {"matching": ()}])
def test_mb_7_a_game_that_is_over_leaves_neither_a_roll_nor_a_row(left: dict[str, Any]) -> None:
    over = SOUND._replace(end=MagicBagEnd.FINISHED, **left)
    assert "the game is over, but a roll or a row is left" in GAME.audit(over)


@each_case("fault", FAULTY)
def test_the_audit_names_the_fault(fault: str) -> None:
    assert fault in GAME.audit(FAULTY[fault])


def test_a_lone_fault_is_named_alone() -> None:
    for fault in ("other rows match", "not zero to two rolls left", "rows are left", "a coin is left to discard"):
        assert GAME.audit(FAULTY[fault]) == (fault,)
