"""The Magic Bag's notation: moves both ways, positions, and what is not readable."""

import pytest

from bot.games.magic_bag.pieces import (
    CLAIMS,
    DISCARDS,
    FINISH,
    PIECES,
    PIECES_BY_NAME,
    ROLLS,
    STOP,
    Claim,
    MagicBagOptions,
    MagicBagReason,
    Roll,
    Suit,
)
from bot.rules.chance import ScriptedChance
from bot.rules.refusals import CommonReason, Refusal
from tests.games.magic_bag.positions import GAME, at, play_move
from tests.support.each_case import each_case

EVERY_MOVE = (*ROLLS, STOP, *CLAIMS, *(move for discards in DISCARDS.values() for move in discards.values()), FINISH)


def test_every_move_is_read_back_from_its_own_notation() -> None:
    assert len(EVERY_MOVE) == 15 + 1 + 9 + 24 * 25 + 1
    texts = [str(move) for move in EVERY_MOVE]
    assert len(set(texts)) == len(texts)
    assert [GAME.parse_move(text) for text in texts] == list(EVERY_MOVE)


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


def test_pieces_have_words_for_null_and_ace() -> None:
    assert [name for name in PIECES_BY_NAME if name.startswith("crown")] == [
        "crown-null",
        "crown-ace",
        "crown-2",
        "crown-3",
        "crown-4",
        "crown-5",
    ]
    assert len(PIECES_BY_NAME) == len(PIECES) == 24


@each_case(
    "text",
    [
        *("", " ", "1", "row", "Stop", "STOP", "stop ", " stop", "stop 1", "finish 1", "finis", "finish\n"),
        *("roll stars", "roll Sun", "roll suns", "roll  sun", "roll sun ", "roll sun,moon", "rollsun", "roll 1"),
        *("claim", "claim 0", "claim 10", "claim 01", "claim +1", "claim -1", "claim ٣", "claim ³", "claim one"),
        *("claim 1 2", "claim  1", "claim 1 ", "claim\t1", "claim 1.0"),
        *("discard", "discard crown", "discard crown-6", "discard crown-0", "discard crown-1", "discard Crown-2"),
        *("discard crown 2", "discard crown-2 arms-5", "discard crown-2 tile", "discard crown-2 tile arms-9"),
        *("discard crown-2 tile arms-5 tile arms-4", "discard crown-2  tile arms-5", "discard tile arms-5"),
        *("roll " + "sun" * 100_000, "x" * 100_000, "\x00", "\ud800"),
    ],
)
def test_nonsense_is_unreadable(text: str) -> None:
    with pytest.raises(Refusal) as raised:
        GAME.parse_move(text)
    assert raised.value.reason is CommonReason.UNREADABLE


@each_case(
    "move, reason",
    [
        (GAME.parse_move("roll"), MagicBagReason.NO_DICE),
        (GAME.parse_move("roll sun sun"), MagicBagReason.DIE_TWICE),
        (GAME.parse_move("roll" + " sun moon" * 1000), MagicBagReason.DIE_TWICE),
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
