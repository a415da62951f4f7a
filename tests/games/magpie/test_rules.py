"""The start of a game of Magpie, its turns, and what is refused: rules MP-1 to MP-5."""

from collections import Counter

import pytest

from bot.games.magpie.pieces import Combination, MagpieOptions, MagpieReason, Roll, Rolled
from bot.rules.chance import FairChance, ScriptedChance
from bot.rules.refusals import CommonReason, DieFacts, Refusal
from tests.games.magpie.naive import ROLLS
from tests.games.magpie.positions import (
    EVERY_MIX,
    GAME,
    PLAIN,
    V3,
    at,
    digits,
    make_finished_game,
    play_from,
    play_move,
    start_game,
)
from tests.support.each_case import each_case


class TestStart:
    def test_mp_1_two_to_six_seats(self) -> None:
        """MP-1."""
        assert (GAME.info.least_seats, GAME.info.most_seats) == (2, 6)

    @each_case("seats", [2, 3, 4, 5, 6])
    def test_mp_1_five_dice_and_a_score_for_each_seat(self, seats: int) -> None:
        """MP-1."""
        state = GAME.start(PLAIN, seats, FairChance(b"\7" * 32, "", 0))
        assert len(state.faces) == 5
        assert state.scores == (0,) * seats
        assert state.trigger is None

    @each_case(
        "seats, rounds, starter",
        [
            (2, ["11112 11111"], 0),
            (2, ["11111 11112"], 1),
            (2, ["66666 66665"], 0),
            (3, ["11111 66666 12345"], 1),
            (3, ["16161 55555 33333"], 1),  # the highest total, whatever the dice are
            (4, ["11111 22222 33333 44444"], 3),
            (6, ["11111 66661 11111 11111 11111 66651"], 1),
            (2, ["12345 54321", "11111 11112"], 1),  # both roll again
            (3, ["66666 11111 66666", "22222 11111"], 0),  # seats 0 and 2 roll again
            (3, ["66666 11111 66666", "11111 22222"], 2),
            (3, ["11222 21212 22112", "33333 33333 33333", "11111 55555 55555", "12346 12345"], 1),
            (4, ["11111 44444 44444 44444", "12345 66666 66666", "11112 11111"], 2),  # 1, 2, 3; then 2, 3
            (2, ["11111 11111", "22222 22222", "33333 33333", "66666 12345"], 0),
        ],
    )
    def test_mp_2_the_highest_total_starts_and_the_tied_roll_again(
        self, seats: int, rounds: list[str], starter: int
    ) -> None:
        """MP-2."""
        state = start_game(seats, " ".join([*rounds, "12346"]))
        assert state.mover == starter
        shown = [" ".join("".join(map(str, faces)) for _, faces in each.rolls) for each in state.roll_off]
        assert shown == rounds

    def test_mp_2_only_tied_seats_roll_again(self) -> None:
        """MP-2."""
        state = start_game(4, "66666 11111 66666 66666  11111 22222 22222  11111 11112  12346")
        assert [[seat for seat, _ in each.rolls] for each in state.roll_off] == [
            [0, 1, 2, 3],
            [0, 2, 3],
            [2, 3],
        ]
        assert [each.leaders for each in state.roll_off] == [(0, 2, 3), (2, 3), (3,)]

    @each_case("opening", ["62135", "12346", "11223", "11123", "11122", "11112", "55555"])
    @each_case("options", EVERY_MIX)
    def test_mp_3_the_opening_roll_only_sets_the_table(self, opening: str, options: MagpieOptions) -> None:
        """MP-3."""
        state = start_game(2, f"11111 22222 {opening}", options)
        assert GAME.encode_position(state) == f"{opening} 0/0 1 -"

    def test_mp_3_an_opening_five_of_a_kind_stays_on_the_table(self) -> None:
        """MP-3."""
        state, events = play_move(start_game(2, "22222 11111 55555"), "roll 2", "4")
        assert GAME.encode_position(state) == "54555 0/0 1 -"
        assert events == (Rolled(0, (2,), digits("55555"), digits("54555"), None, 0),)


class TestTurn:
    def test_mp_4_one_to_five_of_the_dice_may_be_rolled(self) -> None:
        """MP-4."""
        offered = [move.dice for move in GAME.legal_moves(at("12346 0/0 0 -"))]
        assert Counter(offered) == Counter(ROLLS)
        assert len(offered) == 31

    @each_case(
        "move, dice, after",
        [
            ("roll 1", "6", "62345"),
            ("roll 3", "6", "12645"),
            ("roll 5", "6", "12346"),
            ("roll 1 5", "64", "62344"),
            ("roll 2 4", "14", "11345"),
            ("roll 2 3 4", "456", "14565"),
            ("roll 1 2 3 4 5", "65432", "65432"),
        ],
    )
    def test_mp_4_just_those_dice_are_rolled_once_left_to_right(self, move: str, dice: str, after: str) -> None:
        """MP-4."""
        position, (rolled,) = play_from("12345 0/0 0 -", move, dice)
        assert position.split(" ")[0] == after
        assert isinstance(rolled, Rolled)
        assert (rolled.seat, rolled.faces) == (0, digits(after))
        assert str(Roll(rolled.dice)) == move

    @each_case(
        "before, after",
        [
            ("12346 0/0 0 -", "12345 0/0 1 -"),
            ("12346 0/0 1 -", "12345 0/0 0 -"),
            ("12346 1/2/3 1 -", "12345 1/2/3 2 -"),
            ("12346 1/2/3 2 -", "12345 1/2/3 0 -"),
            ("12346 1/2/3/4/5/6 5 -", "12345 1/2/3/4/5/6 0 -"),
        ],
    )
    def test_mp_4_the_turn_passes_to_the_next_seat(self, before: str, after: str) -> None:
        """MP-4."""
        assert play_from(before, "roll 5", "5")[0] == after

    def test_mp_5_points_are_added_to_the_seat_that_rolled(self) -> None:
        """MP-5."""
        after, events = play_from("11123 10/20/30 1 -", "roll 4 5", "22")
        assert after == "11122 10/28/30 2 -"
        assert events == (Rolled(1, (4, 5), digits("11123"), digits("11122"), Combination.FULL_HOUSE, 8),)

    def test_mp_5_without_a_rolled_die_in_it_the_event_has_no_combination(self) -> None:
        """MP-5."""
        after, events = play_from("11112 0/0 0 -", "roll 5", "6")
        assert after == "11116 0/0 1 -"
        assert events == (Rolled(0, (5,), digits("11112"), digits("11116"), None, 0),)

    def test_mp_v3_the_bonus_has_no_combination(self) -> None:
        """MP-V3."""
        after, events = play_from("12346 0/0 0 -", "roll 1 2 3 4 5", "11223", V3)
        assert after == "11223 7/0 1 -"
        assert events == (Rolled(0, (1, 2, 3, 4, 5), digits("12346"), digits("11223"), None, 7),)


class TestRefusals:
    @each_case(
        "dice, refusal",
        [
            ((), Refusal(MagpieReason.NO_DICE)),
            ((0,), Refusal(MagpieReason.NO_SUCH_DIE, DieFacts(0))),
            ((6,), Refusal(MagpieReason.NO_SUCH_DIE, DieFacts(6))),
            ((1, 2, 9), Refusal(MagpieReason.NO_SUCH_DIE, DieFacts(9))),
            ((-1, 2), Refusal(MagpieReason.NO_SUCH_DIE, DieFacts(-1))),
            ((2, 2), Refusal(MagpieReason.DIE_TWICE, DieFacts(2))),
            ((1, 2, 3, 4, 5, 5), Refusal(MagpieReason.DIE_TWICE, DieFacts(5))),
            ((1, 3, 3, 4), Refusal(MagpieReason.DIE_TWICE, DieFacts(3))),
        ],
    )
    def test_mp_4_other_rolls_are_refused(self, dice: tuple[int, ...], refusal: Refusal) -> None:
        """MP-4."""
        state = at("12346 0/0 0 -")
        assert GAME.check(state, 0, Roll(dice)) == refusal
        with pytest.raises(Refusal) as raised:
            GAME.play(state, 0, Roll(dice), ScriptedChance([]))
        assert raised.value == refusal

    def test_mp_4_dice_are_named_from_left_to_right(self) -> None:
        """MP-4: typed dice are sorted."""
        state = at("12346 0/0 0 -")
        assert GAME.check(state, 0, Roll((3, 1))) == Refusal(MagpieReason.OUT_OF_ORDER)
        assert GAME.check(state, 0, GAME.parse_move("roll 3 1")) is None

    @each_case("seat", [1, 2, 3, -1])
    def test_mp_4_a_seat_out_of_turn_is_refused(self, seat: int) -> None:
        """MP-4."""
        state = at("12346 0/0/0 0 -")
        assert GAME.check(state, seat, Roll((1,))) == Refusal(CommonReason.NOT_TO_MOVE)
        with pytest.raises(Refusal):
            GAME.play(state, seat, Roll((1,)), ScriptedChance([]))

    @each_case("seat", [0, 1])
    def test_mp_9_no_seat_rolls_after_the_end(self, seat: int) -> None:
        """MP-9."""
        state = make_finished_game((100, 3), trigger=0)
        assert GAME.legal_moves(state) == ()
        assert GAME.check(state, seat, Roll((1,))) == Refusal(CommonReason.GAME_OVER)
        with pytest.raises(Refusal):
            GAME.play(state, seat, Roll((1,)), ScriptedChance([]))
