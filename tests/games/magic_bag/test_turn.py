"""A turn of The Magic Bag: rules MB-3, MB-4 and MB-5."""

from collections import Counter
from itertools import product

from bot.games.magic_bag.pieces import MagicBagReason, Rolled, Suit, needed_values
from bot.games.magic_bag.scoring import dice_match, find_matching_rows
from tests.games.magic_bag.positions import GAME, at, digits, legal, pieces, play_move
from tests.support.each_case import each_case

FAR = {9: "sun-4 moon-4 crown-4 arms-4"}
"""A row that is hard to match."""


def refusal_reason(state: object, move: str) -> MagicBagReason:
    refusal = GAME.check(state, 0, GAME.parse_move(move))  # type: ignore[arg-type]
    assert refusal is not None
    assert isinstance(refusal.reason, MagicBagReason)
    return refusal.reason


class TestRolling:
    @each_case(
        "move, dice, after",
        [
            ("roll sun moon crown arms", "0123", "0123"),
            ("roll sun", "0", "0555"),
            ("roll moon arms", "12", "5152"),
            ("roll crown", "3", "5535"),
        ],
    )
    def test_mb_3_the_dice_that_are_named_are_rolled_and_the_others_kept(
        self, move: str, dice: str, after: str
    ) -> None:
        """MB-3."""
        state, events = play_move(at(FAR, "5555", rolls=2), move, dice)
        assert state.faces == digits(after)
        assert state.rolls_left == 1
        assert events == (Rolled(GAME.parse_move(move).suits, digits(after)),)  # type: ignore[union-attr]

    def test_mb_3_dice_are_rolled_again_twice_and_no_more(self) -> None:
        """MB-3."""
        state, _ = play_move(at(FAR, "5555", rolls=2), "roll sun", "0")
        state, _ = play_move(state, "roll moon", "0")
        assert state.rolls_left == 0
        assert refusal_reason(state, "roll arms") is MagicBagReason.NO_ROLLS_LEFT
        assert refusal_reason(state, "stop") is MagicBagReason.NO_ROLLS_LEFT
        assert not [move for move in legal(state) if move.startswith("roll")]

    def test_mb_3_a_die_that_was_kept_may_be_rolled_later(self) -> None:
        """MB-3."""
        state, _ = play_move(at(FAR, "5555", rolls=2), "roll sun moon crown", "123")
        state, _ = play_move(state, "roll arms", "0")
        assert state.faces == (1, 2, 3, 0)

    def test_mb_3_keeping_all_four_ends_the_rolling(self) -> None:
        """MB-3."""
        state, events = play_move(at(FAR, "5555", rolls=2), "stop")
        assert (state.faces, state.rolls_left, events) == ((5, 5, 5, 5), 0, ())
        assert "finish" in legal(state)

    def test_mb_3_every_choice_of_dice_is_offered_once(self) -> None:
        """MB-3."""
        moves = legal(at(FAR, "5555", rolls=1))
        wanted = set()
        for chosen in product((False, True), repeat=4):
            suits = [str(suit) for suit, is_chosen in zip(Suit, chosen, strict=True) if is_chosen]
            wanted.add(" ".join(["roll", *suits]) if suits else "stop")
        assert set(moves) == wanted
        assert len(moves) == 16

    @each_case("move", ["discard crown-null", "finish"])
    def test_mb_8_a_roll_that_may_be_repeated_has_not_failed(self, move: str) -> None:
        """MB-8."""
        assert refusal_reason(at(FAR, "5555", rolls=1), move) is MagicBagReason.ROLLS_LEFT

    def test_mb_3_taking_a_row_ends_the_turn(self) -> None:
        """MB-3: dice that match need not be rolled again, and the next turn has all its rolls."""
        state, events = play_move(at({1: "sun-5", 9: "sun-4 moon-4"}, "3333", rolls=2), "roll sun", "5")
        state, events = play_move(state, "claim 1", 0, 0, "1234")
        assert (state.faces, state.rolls_left) == ((1, 2, 3, 4), 2)
        assert events[-1] == Rolled(tuple(Suit), (1, 2, 3, 4))


class TestMatching:
    @each_case(
        "row, dice, matches",
        [
            ("crown-2 crown-null sun-5", "2405", True),  # the original's example
            ("sun-3", "1113", True),
            ("sun-3", "1114", False),
            ("sun-3 moon-3", "1131", False),  # two tiles of a value need two dice
            ("sun-3 moon-3", "3113", True),
            ("sun-3 moon-3 crown-3", "3313", True),
            ("sun-3 moon-3 crown-3", "3311", False),
            ("sun-3 moon-3 crown-3 arms-3", "3333", True),
            ("sun-3 moon-3 crown-3 arms-3", "3332", False),
            ("sun-null moon-ace crown-2 arms-3", "3210", True),  # suits do not matter
            ("sun-null moon-ace crown-2 arms-3", "0124", False),
            ("sun-null moon-null", "0012", True),
            ("arms-5 sun-null", "5555", False),
        ],
    )
    def test_mb_4_every_tile_needs_a_die_of_its_own_with_its_value(self, row: str, dice: str, matches: bool) -> None:
        """MB-4."""
        assert (at({9: row}, dice).matching == (9,)) == matches

    def test_mb_4_for_every_row_and_roll(self) -> None:
        """MB-4: multiset inclusion, by counting."""
        rolls = list(product(range(6), repeat=4))[::5]
        for size in (1, 2, 3, 4):
            for values in product(range(6), repeat=size):
                for faces in rolls[:: size * size]:
                    assert dice_match(faces, values) == (Counter(values) <= Counter(faces)), (values, faces)

    def test_mb_4_a_taken_row_matches_nothing(self) -> None:
        """MB-4."""
        assert find_matching_rows((needed_values(()), needed_values(pieces("sun-2"))), (2, 2, 2, 2)) == (2,)


class TestMustTake:
    @each_case("move", ["stop", "finish", "discard crown-null"])
    @each_case("rolls", [0, 1, 2])
    def test_mb_5_a_turn_does_not_end_without_a_row_that_matches(self, move: str, rolls: int) -> None:
        """MB-5."""
        assert refusal_reason(at({1: "sun-5", **FAR}, "5123", rolls=rolls), move) is MagicBagReason.MUST_CLAIM

    def test_mb_5_after_the_last_roll_rows_that_match_are_all_that_can_be_done(self) -> None:
        """MB-5."""
        assert legal(at({1: "sun-5", 3: "moon-ace arms-2", 4: "sun-null moon-5", **FAR}, "5123")) == [
            "claim 1",
            "claim 3",
        ]

    def test_mb_5_before_the_last_roll_the_dice_may_be_rolled_instead(self) -> None:
        """MB-5."""
        moves = legal(at({1: "sun-5", **FAR}, "5123", rolls=1))
        assert moves[0] == "claim 1"
        assert len(moves) == 16

    @each_case(
        "move, reason",
        [
            ("claim 9", MagicBagReason.ROW_NOT_MATCHED),
            ("claim 2", MagicBagReason.NO_SUCH_ROW),  # taken
        ],
    )
    def test_mb_5_a_row_that_does_not_match_is_refused(self, move: str, reason: MagicBagReason) -> None:
        """MB-5."""
        assert refusal_reason(at({1: "sun-5", **FAR}, "5123", rolls=1), move) is reason
