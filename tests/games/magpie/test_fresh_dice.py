"""Fresh dice: rules MP-8 and MP-V2, and the variations together."""

from bot.games.magpie.pieces import Combination, GameEvent, MagpieOptions, Rolled, TableCleared, TargetReached
from tests.games.magpie.positions import (
    EVERY_MIX,
    PLAIN,
    V1,
    V2,
    V3,
    digits,
    play_from,
)
from tests.support.each_case import each_case

V1_V2 = MagpieOptions(double_big_rolls=True, reroll_fours=True)
ALL_VARIATIONS = MagpieOptions(double_big_rolls=True, reroll_fours=True, five_dice_bonus=True)


def fresh_dice_events(events: tuple[GameEvent, ...]) -> list[GameEvent]:
    return [event for event in events if isinstance(event, TableCleared)]


class TestCleanTable:
    def test_mp_8_five_of_a_kind_scores_and_all_five_are_rolled_again_for_nothing(self) -> None:
        """MP-8."""
        after, events = play_from("11112 0/40 0 -", "roll 5", "1 12346")
        assert after == "12346 11/40 1 -"
        assert events == (
            Rolled(0, (5,), digits("11112"), digits("11111"), Combination.FIVE_OF_A_KIND, 11),
            TableCleared(0, digits("12346")),
        )

    @each_case("second", ["11111", "66666", "11112", "11122"])
    @each_case("options", EVERY_MIX)
    def test_mp_8_the_re_roll_scores_nothing_and_is_the_only_one(self, second: str, options: MagpieOptions) -> None:
        """MP-8."""
        after, events = play_from("11112 0/0 0 -", "roll 5", f"1 {second}", options)
        assert after == f"{second} 11/0 1 -"
        assert fresh_dice_events(events) == [TableCleared(0, digits(second))]

    @each_case(
        "table, move, dice",
        [
            ("11122", "roll 3", "1"),  # the full house stays
            ("11123", "roll 5", "1"),  # four of a kind
            ("11223", "roll 5", "4"),
            ("55555", "roll 1", "5 12346"),  # five of a kind again: that clears
        ],
    )
    def test_mp_8_nothing_less_than_five_of_a_kind_clears_the_table(self, table: str, move: str, dice: str) -> None:
        """MP-8."""
        _, events = play_from(f"{table} 0/0 0 -", move, dice)
        assert bool(fresh_dice_events(events)) == (" " in dice)

    @each_case("position, trigger", [("11112 60/0 0 -", 0), ("11112 0/60/0 1 -", 1), ("11112 0/0/60 2 -", 2)])
    def test_mp_8_the_table_is_cleared_on_the_turn_that_reaches_the_target(self, position: str, trigger: int) -> None:
        """MP-8."""
        after, events = play_from(position, "roll 1 2 3 4 5", "44444 12346")
        assert after.startswith("12346 ")
        assert after.endswith(f" {trigger}")
        assert events[1:] == (TargetReached(trigger), TableCleared(trigger, digits("12346")))

    def test_mp_8_the_table_is_cleared_on_a_last_turn_that_is_not_the_games_last(self) -> None:
        """MP-8."""
        after, events = play_from("11112 100/0/0 1 0", "roll 5", "1 12346")
        assert after == "12346 100/11/0 2 0"
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
        assert after == f"{faces} 100/{11 if dice == '1' else 7} - 0"
        assert fresh_dice_events(events) == []

    @each_case("options", [V2, V1_V2, ALL_VARIATIONS])
    def test_mp_v2_four_of_a_kind_clears_the_table_too(self, options: MagpieOptions) -> None:
        """MP-V2."""
        after, events = play_from("11123 0/0 0 -", "roll 4", "1 12346", options)
        assert after == "12346 7/0 1 -"
        assert events == (
            Rolled(0, (4,), digits("11123"), digits("11113"), Combination.FOUR_OF_A_KIND, 7),
            TableCleared(0, digits("12346")),
        )

    @each_case("options", [V2, V1_V2, ALL_VARIATIONS])
    def test_mp_v2_four_of_a_kind_that_scored_nothing_does_not_clear(self, options: MagpieOptions) -> None:
        """MP-V2."""
        after, events = play_from("11112 0/0 0 -", "roll 5", "6", options)
        assert after == "11116 0/0 1 -"
        assert fresh_dice_events(events) == []

    @each_case("options", [PLAIN, V1, V3])
    def test_mp_v2_without_it_four_of_a_kind_stays(self, options: MagpieOptions) -> None:
        """MP-V2."""
        assert play_from("11123 0/0 0 -", "roll 4", "1", options)[0] == "11113 7/0 1 -"

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

    def test_mp_v2_four_of_a_kind_again_does_not_clear_again(self) -> None:
        """MP-V2."""
        assert play_from("11123 0/0 0 -", "roll 4", "1 22223", V2)[0] == "22223 7/0 1 -"

    @each_case(
        "options, dice, after",
        [
            (V1_V2, "33334 12346", "12346 70/0 1 -"),
            (ALL_VARIATIONS, "33334 12346", "12346 70/0 1 -"),
            (ALL_VARIATIONS, "11223", "11223 10/0 1 -"),
            (ALL_VARIATIONS, "12346", "12346 7/0 1 -"),
            (ALL_VARIATIONS, "33333 12346", "12346 110/0 1 0"),
            (V3, "33334", "33334 35/0 1 -"),
        ],
    )
    def test_mp_v1_mp_v2_mp_v3_mix(self, options: MagpieOptions, dice: str, after: str) -> None:
        """MP-V1 and MP-V2 and MP-V3."""
        assert play_from("12346 0/0 0 -", "roll 1 2 3 4 5", dice, options)[0] == after
