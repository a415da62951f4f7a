"""Taking rows and drawing coins: rules MB-6 and MB-7."""

import pytest

from bot.games.magic_bag.pieces import MagicBagEnd, Rolled, RowTaken, Suit
from bot.rules.chance import ScriptError
from tests.games.magic_bag.positions import GAME, at, digits, names, pieces, play_move
from tests.support.each_case import each_case

REST = "sun-4 moon-4 crown-4 arms-4"


class TestCoins:
    def test_mb_6_the_original_example(self) -> None:
        """MB-4 and MB-6: Crown-null is exact, so two coins are drawn."""
        state = at({6: "crown-2 crown-null sun-5", 9: REST}, "2405")
        assert state.matching == (6,)
        after, (taken, _) = play_move(state, "claim 6", 0, 0, "1111")
        assert taken == RowTaken(
            6, pieces("crown-2 crown-null sun-5"), pieces("crown-null"), pieces("sun-null sun-ace")
        )
        assert names(after.layout.collected) == "crown-null crown-ace crown-2 sun-null sun-ace"
        assert len(after.layout.bag) == 19

    @each_case(
        "row, dice, coins",
        [
            ("sun-5", "1235", 1),
            ("sun-5", "5123", 2),
            ("sun-5 moon-5", "5512", 3),
            ("sun-5 moon-5", "1255", 1),  # the values match, the suits don't
            ("sun-5 moon-4", "4512", 1),
            ("sun-5 moon-4", "5144", 2),
            ("sun-null moon-ace crown-2 arms-3", "0123", 5),
            ("sun-null moon-ace crown-2 arms-3", "1023", 3),
            ("sun-null sun-ace sun-2 sun-3", "0123", 2),  # one die of each suit
            ("sun-null sun-ace sun-2 sun-3", "3210", 2),
        ],
    )
    def test_mb_6_one_coin_and_one_more_for_each_exact_tile(self, row: str, dice: str, coins: int) -> None:
        """MB-6."""
        after, (taken, _) = play_move(at({8: row, 9: REST}, dice), "claim 8", *([0] * coins), "1111")
        assert isinstance(taken, RowTaken)
        assert len(taken.coins) == coins == 1 + len(taken.exact_tiles)
        assert after.layout.collected == pieces("crown-null crown-ace crown-2") + taken.coins
        assert taken.lapsed_draws == 0

    def test_mb_6_the_coins_come_at_random(self) -> None:
        """MB-6: each draw is one of the coins that are left, whichever chance names."""
        state = at({1: "sun-5", 9: REST}, "5123", bag="sun-null moon-ace arms-5")
        after, _ = play_move(state, "claim 1", 2, 1, "1111")
        assert names(after.layout.collected) == "crown-null crown-ace crown-2 arms-5 moon-ace"
        assert names(after.layout.bag) == "sun-null"
        with pytest.raises(ScriptError):
            play_move(state, "claim 1", 3, 1, "1111")

    def test_mb_6_the_row_is_gone_and_the_others_keep_their_numbers(self) -> None:
        """MB-6."""
        after, _ = play_move(at({1: "sun-5", 2: "moon-5", 9: REST}, "5123"), "claim 1", 0, 0, "1234")
        assert [names(row) for row in after.layout.rows] == ["", "moon-5", "", "", "", "", "", "", REST]

    def test_mb_3_the_next_turn_begins(self) -> None:
        """MB-3."""
        after, events = play_move(at({1: "sun-5", 9: REST}, "1235"), "claim 1", 0, "4444")
        assert (after.faces, after.rolls_left, after.matching) == ((4, 4, 4, 4), 2, (9,))
        assert events[1] == Rolled(tuple(Suit), digits("4444"))


class TestEnd:
    def test_mb_7_the_last_coin_ends_the_game(self) -> None:
        """MB-7: nothing is rolled any more."""
        after, events = play_move(at({1: "sun-5", 9: REST}, "1235", bag="arms-2"), "claim 1", 0)
        assert after.end is MagicBagEnd.LAST_COIN
        assert (GAME.seat_to_move(after), GAME.legal_moves(after), len(events)) == (None, (), 1)
        outcome = GAME.outcome(after)
        assert outcome is not None
        assert outcome.reason is MagicBagEnd.LAST_COIN

    @each_case("bag, lapsed", [("arms-2", 4), ("arms-2 sun-3", 3), ("arms-2 sun-3 moon-3 sun-4 moon-4", 0)])
    def test_mb_7_draws_still_owed_lapse(self, bag: str, lapsed: int) -> None:
        """MB-7."""
        state = at({8: "sun-null moon-ace crown-2 arms-3", 9: REST}, "0123", bag=bag)
        after, (taken,) = play_move(state, "claim 8", *([0] * len(bag.split())))
        assert isinstance(taken, RowTaken)
        assert taken.lapsed_draws == lapsed
        assert names(taken.coins) == bag
        assert (after.layout.bag, after.end) == ((), MagicBagEnd.LAST_COIN)

    def test_mb_7_one_coin_left_is_enough_to_go_on(self) -> None:
        """MB-7."""
        state = at({1: "sun-5", 9: REST}, "5123", bag="arms-2 sun-3 moon-3")
        after, _ = play_move(state, "claim 1", 0, 0, "1111")
        assert after.end is None

    def test_mb_7_the_last_row_ends_the_game(self) -> None:
        """MB-7: its coins are drawn all the same."""
        after, (taken,) = play_move(at({9: REST}, "4444"), "claim 9", 0, 0, 0, 0, 0)
        assert after.end is MagicBagEnd.LAST_ROW
        assert isinstance(taken, RowTaken)
        assert len(taken.coins) == 5
        assert GAME.seat_to_move(after) is None

    def test_mb_7_the_last_row_may_bring_the_last_coin(self) -> None:
        """MB-7: no rows remain, so it is the last row that counts as the end."""
        after, _ = play_move(at({9: "sun-5"}, "5123", bag="arms-2 sun-3"), "claim 9", 0, 0)
        assert (after.end, after.layout.bag) == (MagicBagEnd.LAST_ROW, ())

    def test_mb_7_after_the_end_nothing_is_allowed(self) -> None:
        """MB-7."""
        after, _ = play_move(at({9: "sun-5"}, "1235"), "claim 9", 0)
        for move in ("claim 9", "roll sun", "stop", "finish", "discard crown-2"):
            assert GAME.check(after, 0, GAME.parse_move(move)) is not None
            with pytest.raises(Exception, match="game_over"):
                play_move(after, move)
