"""Turns, fresh dice, the end, options and refusals of Magpie: rules MP-1 to MP-10."""

from collections import Counter

import pytest
from pydantic import ValidationError

from bot.games.magpie.pieces import (
    TURNS_ALONE,
    Combination,
    GameEvent,
    MagpieEnd,
    MagpieOptions,
    MagpieReason,
    Roll,
    Rolled,
    State,
    TableCleared,
    TargetReached,
)
from bot.games.magpie.rules import FIVE_DICE_BONUS
from bot.rules.chance import FairChance, ScriptedChance
from bot.rules.refusals import DieFacts, Refusal
from bot.tools.contract.audits import audit
from tests.games.magpie.naive import ROLLS
from tests.games.magpie.positions import (
    EVERY_MIX,
    GAME,
    PLAIN,
    V2,
    V3,
    at,
    digits,
    make_finished_game,
    play_from,
    play_move,
    start_game,
)
from tests.support.each_case import each_case

FOUR, FIVE = int(Combination.FOUR_OF_A_KIND), int(Combination.FIVE_OF_A_KIND)
"""What one die brings that completes them."""


class TestStart:
    @each_case("seats", [2, 3, 4, 5, 6])
    def test_mp_1_five_dice_and_a_score_for_each_seat(self, seats: int) -> None:
        """MP-1."""
        state = GAME.start(PLAIN, seats, FairChance(b"\7" * 32, "", 0))
        assert (len(state.faces), state.scores, state.trigger) == (5, (0,) * seats, None)
        assert (GAME.info.least_seats, GAME.info.most_seats) == (2, 6)

    @each_case(
        "seats, rounds, starter",
        [
            (2, ["11112 11111"], 0),
            (2, ["11111 11112"], 1),
            (3, ["11111 66666 12345"], 1),
            (3, ["16161 55555 33333"], 1),  # the highest total, whatever the dice are
            (2, ["12345 54321", "11111 11112"], 1),  # both roll again
            (3, ["66666 11111 66666", "22222 11111"], 0),  # seats 0 and 2 roll again
            (3, ["11222 21212 22112", "33333 33333 33333", "11111 55555 55555", "12346 12345"], 1),
            (4, ["11111 44444 44444 44444", "12345 66666 66666", "11112 11111"], 2),  # 1, 2, 3; then 2, 3
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

    @each_case("opening", ["62135", "11112", "55555"])
    @each_case("options", EVERY_MIX)
    def test_mp_3_the_opening_roll_only_sets_the_table(self, opening: str, options: MagpieOptions) -> None:
        """MP-3."""
        state = start_game(2, f"11111 22222 {opening}", options)
        assert GAME.encode_position(state) == f"{opening} 0/0 1 -"


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
            ("roll 5", "6", "12346"),
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
            ("12346 0/0 1 -", "12345 0/0 0 -"),
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
        points = 2 * Combination.FULL_HOUSE
        assert after == f"11122 10/{20 + points}/30 2 -"
        assert events == (Rolled(1, (4, 5), digits("11123"), digits("11122"), Combination.FULL_HOUSE, points),)

    def test_mp_v3_the_bonus_has_no_combination(self) -> None:
        """MP-V3."""
        after, events = play_from("12346 0/0 0 -", "roll 1 2 3 4 5", "11223", V3)
        assert after == f"11223 {FIVE_DICE_BONUS}/0 1 -"
        assert events == (Rolled(0, (1, 2, 3, 4, 5), digits("12346"), digits("11223"), None, FIVE_DICE_BONUS),)


class TestRefusals:
    @each_case(
        "dice, refusal",
        [
            ((), Refusal(MagpieReason.NO_DICE)),
            ((0,), Refusal(MagpieReason.NO_SUCH_DIE, DieFacts(0))),
            ((6,), Refusal(MagpieReason.NO_SUCH_DIE, DieFacts(6))),
            ((-1, 2), Refusal(MagpieReason.NO_SUCH_DIE, DieFacts(-1))),
            ((2, 2), Refusal(MagpieReason.DIE_TWICE, DieFacts(2))),
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


TO_50 = MagpieOptions(target=50)


def all_cases() -> list[tuple[int, int, int]]:
    """Every number of seats, seat that starts and seat that reaches the target first."""
    return [(seats, first, trigger) for seats in range(2, 7) for first in range(seats) for trigger in range(seats)]


def start_with_winner(seats: int, first: int, options: MagpieOptions) -> State:
    """Start with a seat that wins the roll-off."""
    rolls = ("66666" if seat == first else "11111" for seat in range(seats))
    return start_game(seats, " ".join([*rolls, "12346"]), options)


class TestEnd:
    @each_case("seats, first, trigger", all_cases())
    def test_mp_9_each_other_seat_has_one_more_turn(self, seats: int, first: int, trigger: int) -> None:
        """MP-9."""
        state = start_with_winner(seats, first, TO_50)
        while state.mover != trigger:
            state, _ = play_move(state, "roll 5", "6")
        state, events = play_move(state, "roll 1 2 3 4 5", "55555 12346")
        assert TargetReached(trigger) in events
        last_turns = []
        while state.mover is not None:
            last_turns.append(state.mover)
            state, events = play_move(state, "roll 5", "6")
            assert TargetReached(trigger) not in events
        assert last_turns == [(trigger + step) % seats for step in range(1, seats)]
        assert state.scores == tuple(5 * FIVE if seat == trigger else 0 for seat in range(seats))

    @each_case("target", [50, 100, 500])
    def test_mp_9_mp_o1_the_game_ends_at_the_target_or_above(self, target: int) -> None:
        """MP-9 and MP-O1."""
        options = MagpieOptions(target=target)
        before = target - FOUR
        assert play_from(f"11123 {before - 1}/0 0 -", "roll 4", "1", options)[0] == f"11113 {target - 1}/0 1 -"
        after, events = play_from(f"11123 {before}/0 0 -", "roll 4", "1", options)
        assert after == f"11113 {target}/0 1 0"
        assert events[1:] == (TargetReached(0),)

    def test_mp_9_a_second_seat_beyond_the_target_triggers_nothing(self) -> None:
        """MP-9."""
        after, events = play_from(f"11123 100/{100 - FOUR}/0 1 0", "roll 4", "1")
        assert after == "11113 100/100/0 2 0"
        assert len(events) == 1
        assert play_from(after, "roll 1", "1")[0] == f"11113 100/100/{FOUR} - 0"

    def test_mp_9_the_seat_that_triggered_the_end_can_be_overtaken(self) -> None:
        """MP-9."""
        after, _ = play_from(f"11123 100/{101 - FOUR} 1 0", "roll 4", "1")
        assert after == "11113 100/101 - 0"
        outcome = GAME.outcome(at(after))
        assert outcome is not None
        assert outcome.winners == (1,)

    @each_case(
        "scores, places, winners",
        [
            ((100, 3), (1, 2), (0,)),
            ((100, 121), (2, 1), (1,)),
            ((100, 100), (1, 1), (0, 1)),
            ((110, 40, 110), (1, 3, 1), (0, 2)),
            ((120, 40, 40, 30), (1, 2, 2, 4), (0,)),
            ((0, 0, 100, 0, 0, 7), (3, 3, 1, 3, 3, 2), (2,)),
        ],
    )
    def test_mp_10_the_highest_total_wins_and_equal_totals_share(
        self, scores: tuple[int, ...], places: tuple[int, ...], winners: tuple[int, ...]
    ) -> None:
        """MP-10."""
        outcome = GAME.outcome(make_finished_game(scores, trigger=scores.index(max(scores))))
        assert outcome is not None
        assert (outcome.places, outcome.winners, outcome.scores) == (places, winners, scores)
        assert outcome.reason is MagpieEnd.TARGET_REACHED


ALL_VARIATIONS = MagpieOptions(double_big_rolls=True, reroll_fours=True, five_dice_bonus=True)


def fresh_dice_events(events: tuple[GameEvent, ...]) -> list[GameEvent]:
    return [event for event in events if isinstance(event, TableCleared)]


class TestCleanTable:
    def test_mp_8_five_of_a_kind_scores_and_all_five_are_rolled_again_for_nothing(self) -> None:
        """MP-8."""
        after, events = play_from("11112 0/40 0 -", "roll 5", "1 12346")
        assert after == f"12346 {FIVE}/40 1 -"
        assert events == (
            Rolled(0, (5,), digits("11112"), digits("11111"), Combination.FIVE_OF_A_KIND, FIVE),
            TableCleared(0, digits("12346")),
        )

    @each_case("second", ["11111", "11122"])
    @each_case("options", EVERY_MIX)
    def test_mp_8_the_re_roll_scores_nothing_and_is_the_only_one(self, second: str, options: MagpieOptions) -> None:
        """MP-8."""
        after, events = play_from("11112 0/0 0 -", "roll 5", f"1 {second}", options)
        assert after == f"{second} {FIVE}/0 1 -"
        assert fresh_dice_events(events) == [TableCleared(0, digits(second))]

    @each_case(
        "table, move, dice",
        [
            ("11122", "roll 3", "1"),  # the full house stays
            ("11123", "roll 5", "1"),  # four of a kind, without MP-V2
            ("11223", "roll 5", "4"),
            ("55555", "roll 1", "5 12346"),  # five of a kind again: that clears
        ],
    )
    def test_mp_8_nothing_less_than_five_of_a_kind_clears_the_table(self, table: str, move: str, dice: str) -> None:
        """MP-8."""
        _, events = play_from(f"{table} 0/0 0 -", move, dice)
        assert bool(fresh_dice_events(events)) == (" " in dice)

    def test_mp_8_the_table_is_cleared_on_a_last_turn_that_is_not_the_games_last(self) -> None:
        """MP-8."""
        after, events = play_from("11112 100/0/0 1 0", "roll 5", "1 12346")
        assert after == f"12346 100/{FIVE}/0 2 0"
        assert len(fresh_dice_events(events)) == 1

    @each_case("options", EVERY_MIX)
    @each_case("dice", ["1", "2"])
    def test_mp_8_there_is_no_second_roll_after_the_last_turn_of_the_game(
        self, options: MagpieOptions, dice: str
    ) -> None:
        """MP-8."""
        table = {"1": "11112", "2": "22321"}[dice]
        faces = {"1": "11111", "2": "22322"}[dice]
        after, events = play_from(f"{table} 100/0 1 0", "roll 5", dice, options)
        assert after == f"{faces} 100/{FIVE if dice == '1' else FOUR} - 0"
        assert fresh_dice_events(events) == []

    @each_case("options", [V2, ALL_VARIATIONS])
    def test_mp_v2_four_of_a_kind_clears_the_table_too(self, options: MagpieOptions) -> None:
        """MP-V2."""
        after, events = play_from("11123 0/0 0 -", "roll 4", "1 12346", options)
        assert after == f"12346 {FOUR}/0 1 -"
        assert events == (
            Rolled(0, (4,), digits("11123"), digits("11113"), Combination.FOUR_OF_A_KIND, FOUR),
            TableCleared(0, digits("12346")),
        )

    @each_case("options", [V2, ALL_VARIATIONS])
    def test_mp_v2_four_of_a_kind_that_scored_nothing_does_not_clear(self, options: MagpieOptions) -> None:
        """MP-V2."""
        after, events = play_from("11112 0/0 0 -", "roll 5", "6", options)
        assert after == "11116 0/0 1 -"
        assert fresh_dice_events(events) == []

    @each_case(
        "table, move, dice",
        [
            ("11223", "roll 5", "1"),
            ("11123", "roll 1", "1"),
            ("11223", "roll 1", "1"),
            ("12346", "roll 1", "5"),
        ],
    )
    def test_mp_v2_less_than_four_of_a_kind_stays(self, table: str, move: str, dice: str) -> None:
        """MP-V2."""
        assert fresh_dice_events(play_from(f"{table} 0/0 0 -", move, dice, V2)[1]) == []

    @each_case(
        "options, dice, points",
        [
            (ALL_VARIATIONS, "33334 12346", 2 * 5 * Combination.FOUR_OF_A_KIND),
            (ALL_VARIATIONS, "12346", FIVE_DICE_BONUS),
            (ALL_VARIATIONS, "33333 12346", 2 * 5 * Combination.FIVE_OF_A_KIND),
            (V3, "33334", 5 * Combination.FOUR_OF_A_KIND),
        ],
    )
    def test_mp_v1_mp_v2_mp_v3_mix(self, options: MagpieOptions, dice: str, points: int) -> None:
        """MP-V1 and MP-V2 and MP-V3."""
        after, _ = play_from("12346 0/0 0 -", "roll 1 2 3 4 5", dice, options)
        assert after.startswith(f"{dice.rsplit(maxsplit=1)[-1]} {points}/0 1 ")


class TestOptions:
    def test_mp_o1_defaults(self) -> None:
        """MP-O1."""
        assert MagpieOptions().model_dump() == {
            "target": 100,
            "double_big_rolls": False,
            "reroll_fours": False,
            "five_dice_bonus": False,
        }

    @each_case("target", [50, 500])
    def test_mp_o1_targets_from_50_to_500(self, target: int) -> None:
        """MP-O1."""
        assert MagpieOptions.model_validate({"target": target}).target == target

    @each_case("target", [49, 501, 99.5, "many", None])
    def test_mp_o1_other_targets_are_refused(self, target: object) -> None:
        """MP-O1."""
        with pytest.raises(ValidationError):
            MagpieOptions.model_validate({"target": target})


class TestState:
    @each_case("position", ["12346 0/0 0 -", "12346 100/0 1 0", "12346 101/100 - 0", "12346 0/0/0/0/0/0 5 -"])
    def test_a_sound_position_has_no_faults(self, position: str) -> None:
        assert audit(GAME, at(position)) == ()

    @each_case(
        "position",
        [
            "12346 0 0 -",  # one seat
            "12346 0/0/0/0/0/0/0 0 -",  # seven
            "1234 0/0 0 -",
            "123466 0/0 0 -",
            "12340 0/0 0 -",
            "12347 0/0 0 -",
            "12346 0/-1 0 -",
            "12346 0/0 - -",  # over without a reason
            "12346 0/0 2 -",
            "12346 100/0 0 0",  # a turn after the target
            "12346 100/0 1 -",  # the target reached, but no trigger
            "12346 99/0 1 0",  # named, but below the target
            "12346 100/0 2 0",  # no such seat to move
            "12346 100/0 1 2",  # no such seat reached the target
        ],
    )
    def test_the_audit_names_one_fault_at_least(self, position: str) -> None:
        assert audit(GAME, at(position))

    def test_the_audit_names_a_single_fault(self) -> None:
        assert len(audit(GAME, at("12346 100/0 1 -"))) == 1


class TestAlone:
    def test_mp_s_1_ten_turns_count_and_nothing_else_ends_the_game(self) -> None:
        """MP-S1."""
        state = start_game(1, "11111")
        for turn in range(TURNS_ALONE):
            assert GAME.seat_to_move(state) == 0
            assert GAME.outcome(state) is None
            # Five of a kind brings fresh dice, except on the last turn.
            fresh = "" if turn == TURNS_ALONE - 1 else "12346"
            state, events = play_move(state, "roll 1 2 3 4 5", f"22222{fresh}")
            assert [type(event) for event in events] == [Rolled, *([TableCleared] if fresh else [])]
            assert GAME.parse_move("roll 1") in GAME.legal_moves(state) or not fresh
            assert GAME.encode_position(at(GAME.encode_position(state))) == GAME.encode_position(state)
        outcome = GAME.outcome(state)
        assert outcome is not None
        assert (outcome.places, outcome.scores, outcome.reason) == ((1,), (10 * 5 * FIVE,), MagpieEnd.TURNS_PLAYED)
        assert state.gains == (5 * FIVE,) * 10

    @each_case("places", ["1", "24", "135", "12345"])
    def test_mp_s_2_a_place_shows_the_same_face_whichever_others_are_rolled(self, places: str) -> None:
        """MP-S2."""
        before = at("11111 0 0 - 0/0")
        state, _events = play_move(before, f"roll {' '.join(places)}", "23456")
        drawn = dict(zip("12345", digits("23456"), strict=True))
        assert state.faces == tuple(drawn[place] if place in places else 1 for place in "12345")

    def test_mp_s_3_nobody_rolls_for_the_start_and_the_opening_dice_bring_nothing(self) -> None:
        """MP-S3."""
        state = start_game(1, "33333")
        assert (state.roll_off, state.faces, state.scores, state.gains) == ((), digits("33333"), (0,), ())
