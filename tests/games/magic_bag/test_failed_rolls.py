"""Failed rolls: rules MB-8 and MB-9."""

from itertools import product

from bot.games.magic_bag.pieces import PIECES, PIECES_BY_NAME, CoinDiscarded, MagicBagEnd, MagicBagReason, Rolled, Suit
from tests.games.magic_bag.positions import GAME, at, digits, legal, names, play_move
from tests.support.each_case import each_case

ROWS = {3: "moon-null arms-5", 9: "sun-4 moon-4 crown-4 arms-4"}


class TestDiscardOrFinish:
    def test_mb_8_one_may_discard_any_coin_or_finish(self) -> None:
        """MB-8: gold included."""
        assert legal(at(ROWS, "1234", coins="crown-2 sun-3")) == [
            "discard crown-2",
            "discard sun-3",
            "discard crown-2 tile arms-4",
            "discard sun-3 tile arms-4",
            "finish",
        ]

    def test_mb_8_a_discarded_coin_leaves_the_game(self) -> None:
        """MB-8: it does not go back into the bag."""
        before = at(ROWS, "1231", coins="crown-2 sun-3")
        after, events = play_move(before, "discard sun-3", "5432")
        assert names(after.layout.collected) == "crown-2"
        assert names(after.layout.discarded) == "sun-3"
        assert after.layout.bag == before.layout.bag
        assert after.layout.rows == before.layout.rows
        assert (after.faces, after.rolls_left) == ((5, 4, 3, 2), 2)
        assert events == (CoinDiscarded(PIECES_BY_NAME["sun-3"], None), Rolled(tuple(Suit), digits("5432")))

    def test_mb_8_the_last_coin_may_be_discarded(self) -> None:
        """MB-8."""
        after, _ = play_move(at(ROWS, "1231", coins="crown-2"), "discard crown-2", "1231")
        assert (after.layout.collected, after.end) == ((), None)

    def test_mb_8_finishing_ends_the_game(self) -> None:
        """MB-8."""
        after, events = play_move(at(ROWS, "1231"), "finish")
        assert (after.end, events, GAME.seat_to_move(after)) == (MagicBagEnd.FINISHED, (), None)
        assert after.faces == (1, 2, 3, 1)

    def test_mb_8_a_coin_that_was_not_collected_is_refused(self) -> None:
        """MB-8."""
        refusal = GAME.check(at(ROWS, "1231", coins="crown-2"), 0, GAME.parse_move("discard arms-ace"))
        assert refusal is not None
        assert refusal.reason is MagicBagReason.COIN_NOT_COLLECTED
        assert str(refusal.facts.by_name()["coin"]) == "arms-ace"


class TestNoCoin:
    def test_mb_8_a_last_roll_that_fails_without_a_coin_ends_the_game(self) -> None:
        """MB-8."""
        after, _ = play_move(at(ROWS, "1231", rolls=1, coins=""), "roll arms", "2")
        assert (after.end, GAME.seat_to_move(after)) == (MagicBagEnd.NO_COIN_TO_DISCARD, None)
        outcome = GAME.outcome(after)
        assert outcome is not None
        assert (outcome.scores, outcome.reason) == ((0,), MagicBagEnd.NO_COIN_TO_DISCARD)

    def test_mb_8_stopping_without_a_coin_ends_the_game(self) -> None:
        """MB-3 and MB-8."""
        after, _ = play_move(at(ROWS, "1231", rolls=2, coins=""), "stop")
        assert after.end is MagicBagEnd.NO_COIN_TO_DISCARD

    def test_mb_8_a_failed_roll_before_the_last_does_not_end_the_game(self) -> None:
        """MB-8."""
        after, _ = play_move(at(ROWS, "1231", rolls=2, coins=""), "roll arms", "2")
        assert after.end is None

    def test_mb_8_a_last_roll_that_matches_does_not_end_the_game(self) -> None:
        """MB-8."""
        after, _ = play_move(at(ROWS, "1031", rolls=1, coins=""), "roll arms", "5")
        assert (after.end, after.matching) == (None, (3,))

    def test_mb_8_a_failed_roll_with_one_coin_does_not_end_the_game(self) -> None:
        """MB-8: a coin worth nothing will do."""
        after, _ = play_move(at(ROWS, "1231", rolls=1, coins="crown-null"), "roll arms", "2")
        assert (after.end, legal(after)) == (None, ["discard crown-null", "finish"])


class TestTiles:
    def test_mb_9_a_tile_that_equals_a_die_may_be_removed(self) -> None:
        """MB-9."""
        after, events = play_move(at(ROWS, "1235", coins="crown-2 sun-3"), "discard crown-2 tile arms-5", "1111")
        assert names(after.layout.rows[2]) == "moon-null"
        assert events[0] == CoinDiscarded(PIECES_BY_NAME["crown-2"], PIECES_BY_NAME["arms-5"])

    def test_mb_9_the_shorter_row_is_easier_to_match(self) -> None:
        """MB-9."""
        after, _ = play_move(at(ROWS, "1235"), "discard crown-2 tile arms-5", "1011")
        assert after.matching == (3,)
        later, _ = play_move(after, "claim 3", 0, 0, "1111")
        assert later.layout.rows[2] == ()

    def test_mb_9_at_most_one_tile_goes(self) -> None:
        """MB-9: the notation has no room for two."""
        state = at(ROWS, "4135", coins="crown-2")
        assert legal(state) == [
            "discard crown-2",
            "discard crown-2 tile sun-4",
            "discard crown-2 tile arms-5",
            "finish",
        ]

    @each_case(
        "tile, reason",
        [
            ("moon-5", MagicBagReason.TILE_NOT_ON_BOARD),
            ("arms-4", MagicBagReason.TILE_NOT_ROLLED),  # the arms die shows 1
            ("moon-null", MagicBagReason.TILE_NOT_ROLLED),  # a null is there, but on no moon die
        ],
    )
    def test_mb_9_other_tiles_stay(self, tile: str, reason: MagicBagReason) -> None:
        """MB-9."""
        refusal = GAME.check(at(ROWS, "0131"), 0, GAME.parse_move(f"discard crown-2 tile {tile}"))
        assert refusal is not None
        assert (refusal.reason, str(refusal.facts.by_name()["tile"])) == (reason, tile)

    def test_mb_9_it_never_empties_a_row(self) -> None:
        """MB-9: a row of one tile that equals a die would have matched, for every tile and every roll."""
        for tile, faces in product(PIECES, product(range(6), repeat=4)):
            if faces[tile.suit] == tile.value:
                state = at({1: str(tile)}, "".join(map(str, faces)))
                assert state.matching == (1,)
                assert GAME.check(state, 0, GAME.parse_move(f"discard crown-2 tile {tile}")) is not None
