"""The Magic Bag's notation of moves and positions, and the audit of positions."""

from typing import Any

from bot.games.magic_bag.pieces import (
    Claim,
    MagicBagEnd,
    MagicBagOptions,
    MagicBagReason,
    Roll,
    State,
    Suit,
    needed_values,
)
from bot.rules.chance import ScriptedChance
from bot.tools.contract.audits import audit
from tests.games.magic_bag.positions import GAME, at, digits, pieces, play_move
from tests.support.each_case import each_case


@each_case(
    "text, suits",
    [
        ("roll sun", [Suit.SUN]),
        ("roll arms crown", [Suit.CROWN, Suit.ARMS]),
        ("roll arms moon crown sun", list(Suit)),
    ],
)
def test_mb_3_the_dice_of_a_roll_are_read_in_any_order(text: str, suits: list[Suit]) -> None:
    """MB-3."""
    assert GAME.parse_move(text) == Roll(tuple(suits))


@each_case(
    "move, reason",
    [
        (GAME.parse_move("roll"), MagicBagReason.NO_DICE),
        (GAME.parse_move("roll sun sun"), MagicBagReason.DIE_TWICE),
        (Roll((Suit.MOON, Suit.SUN)), MagicBagReason.OUT_OF_ORDER),
        (Claim(0), MagicBagReason.NO_SUCH_ROW),
        (Claim(10), MagicBagReason.NO_SUCH_ROW),
        (Claim(-1), MagicBagReason.NO_SUCH_ROW),
    ],
)
def test_impossible_moves_are_refused(move: Roll | Claim, reason: MagicBagReason) -> None:
    refusal = GAME.check(at({9: "sun-5"}, "1111", rolls=1), 0, move)
    assert refusal is not None
    assert refusal.reason is reason


def test_a_position_is_written_in_the_words_of_the_notation() -> None:
    with ScriptedChance([*range(23, 0, -1), 5, 2, 0, 4]) as chance:
        state = GAME.start(MagicBagOptions(), 1, chance)
    start = (
        "sun-null/sun-ace/sun-2+sun-3/sun-4+sun-5/moon-null+moon-ace+moon-2/moon-3+moon-4+moon-5/"
        "crown-null+crown-ace+crown-2+crown-3/crown-4+crown-5+arms-null+arms-ace/arms-2+arms-3+arms-4+arms-5 "
        "5204 2 crown-null+crown-ace+crown-2 - -"
    )
    assert GAME.encode_position(state) == start


def test_a_position_tells_taken_rows_coins_that_are_gone_and_the_end() -> None:
    state = at({3: "moon-null arms-5", 9: "sun-4"}, "1235", coins="crown-2 sun-3", bag="moon-5 sun-5")
    after, _ = play_move(state, "discard sun-3 tile arms-5", "1111")
    gone = after.layout.discarded
    assert GAME.encode_position(after).startswith("-/-/moon-null/-/-/-/-/-/sun-4 1111 2 crown-2 ")
    assert GAME.encode_position(after).endswith(f"{'+'.join(map(str, gone))} -")
    assert str(gone[-1]) == "sun-3"
    stopped, _ = play_move(after, "stop")
    ended, _ = play_move(stopped, "finish")
    assert GAME.encode_position(ended).endswith(" finished")


SOUND = at({1: "sun-5", 9: "sun-4 moon-4 crown-4 arms-4"}, "5123", rolls=1)


def change_layout(state: State, **layout: Any) -> State:
    """Change the layout."""
    return state._replace(layout=state.layout._replace(**layout))


def with_rows(*rows: str) -> State:
    board = tuple(map(pieces, rows))
    return change_layout(SOUND, rows=board, needs=tuple(map(needed_values, board)))


def test_a_sound_position_has_no_faults() -> None:
    assert audit(GAME, SOUND) == ()
    assert audit(GAME, play_move(SOUND, "claim 1", 0, 0, "1111")[0]) == ()


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
    assert "the game is over, but a roll or a row is left" in audit(GAME, over)


@each_case("fault", FAULTY)
def test_the_audit_names_the_fault(fault: str) -> None:
    assert fault in audit(GAME, FAULTY[fault])


def test_a_lone_fault_is_named_alone() -> None:
    for fault in ("other rows match", "not zero to two rolls left", "rows are left", "a coin is left to discard"):
        assert audit(GAME, FAULTY[fault]) == (fault,)
