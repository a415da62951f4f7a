"""Bonuses: rules HB-12 and HB-B1 to HB-B5, and the worked turn."""

from bot.games.houdinis_baggage.pieces import BaggageMoved, BaggageReason, CardPlaced, Spot, State, Use
from tests.games.houdinis_baggage.positions import (
    GAME,
    at,
    cards,
    describe_tasks,
    legal,
    names,
    parse_assignments,
    play_move,
    play_moves,
    player,
    refusal_reason,
)
from tests.support.each_case import each_case

# Bonuses of the tests' assignments: 1 12 move, 3 13 another player's, 5 6 20 +1 colour, 2 11 +1 shape,
# 4 red to green, 7 yellow to red, 8 green to blue, 14 blue to yellow, 16 green to red, 18 blue to green,
# 19 yellow to blue, 9 triangle to square, 10 square to star, 15 star to circle, 17 circle to star.


def bonus_choices(state: State, card: str, spot: str) -> list[str]:
    """Return the bonuses with which a card can be put on an item, each set as the notation has it."""
    start = f"place {card} on {spot}"
    return [move.removeprefix(start).removeprefix(" with ") for move in legal(state, start)]


def make_placement(completed: str, opened: str, tasks: str = "1; 2", others: str = "") -> State:
    return at(player(tasks, completed), player("", others), opened=opened, target=30)


class TestTheWorkedTurn:
    """The source's own example: green square, yellow, green and red triangle; red to green and +1 colour at hand."""

    START = "green-square yellow-triangle green-triangle red-triangle"

    def test_step_by_step(self) -> None:
        """HB-6, HB-12, HB-B1, HB-B3 and HB-9."""
        state = at(player("1; 2", "4 5"), player("3; 9"), opened=self.START)

        # 1. triangle = 3
        assert bonus_choices(state, "green-triangle", "1a") == [""]
        state, _ = play_move(state, "place green-triangle on 1a")

        # 2. green is 1, with red to green 2, with +1 colour 3
        assert bonus_choices(state, "green-square", "1b") == ["4 5"]
        state, events = play_move(state, "place green-square on 1b with 4 5")
        assert events == (CardPlaced(0, cards("green-square")[0], Spot(1, 1), (Use(4), Use(5))),)
        assert state.spent == (4, 5)

        # 3. yellow is 1
        assert bonus_choices(state, "yellow-triangle", "1c") == [""]
        state, _ = play_move(state, "place yellow-triangle on 1c")

        # 4. the bonuses are over, the red card is red again
        assert bonus_choices(state, "red-triangle", "1d") == [""]
        state, _ = play_move(state, "place red-triangle on 1d")
        assert describe_tasks(state)[0] == "1 green-triangle green-square yellow-triangle red-triangle"
        state, _ = play_move(state, "done")
        assert state.players[0].completed == parse_assignments("4 5 1")

    def test_the_bonuses_of_step_two_are_announced_in_either_order(self) -> None:
        """HB-B3: a +1 counts after all changes."""
        state = at(player("1; 2", "4 5"), player("3; 9"), opened=self.START)
        state, _ = play_move(state, "place green-triangle on 1a")
        assert play_move(state, "place green-square on 1b with 5 4") == play_move(
            state, "place green-square on 1b with 4 5"
        )

    def test_without_the_bonuses_step_two_is_refused(self) -> None:
        """HB-12."""
        state = at(player("1; 2"), player("3; 9"), opened=self.START)
        state, _ = play_move(state, "place green-triangle on 1a")
        assert refusal_reason(state, "place green-square on 1b").reason is BaggageReason.WRONG_VALUE
        assert refusal_reason(state, "place green-square on 1b with 4 5").reason is BaggageReason.NO_SUCH_BONUS


class TestOncePerTurn:
    def test_hb_12_a_bonus_is_for_one_placement_and_once_a_turn(self) -> None:
        """HB-12."""
        state = make_placement("5", "green-star blue-circle", "2; 20")
        assert bonus_choices(state, "green-star", "2a") == ["5"]
        assert bonus_choices(state, "blue-circle", "2c") == ["5"]
        state, _ = play_move(state, "place green-star on 2a with 5")
        assert bonus_choices(state, "blue-circle", "2c") == []
        assert refusal_reason(state, "place blue-circle on 2c with 5").reason is BaggageReason.NO_SUCH_BONUS

    def test_hb_12_a_bonus_can_be_used_again_in_the_next_turn(self) -> None:
        """HB-12."""
        state = at(player("2; 20", "5"), player("3; 9"), opened="green-star")
        state = play_moves(state, "place green-star on 2a with 5", "done")
        state, _ = play_move(state, "open", "blue-circle")
        state = play_moves(state, "stop", "done")
        state, _ = play_move(state, "open", "blue-square")
        state = play_moves(state, "stop")
        assert state.spent == ()
        assert bonus_choices(state, "blue-square", "2c") == ["5"]

    def test_hb_12_afterwards_every_change_is_undone(self) -> None:
        """HB-12."""
        state = make_placement("4", "red-star green-circle", "2; 20")
        state, _ = play_move(state, "place red-star on 2a with 4")
        assert names(state.open) == "green-circle"
        assert legal(state, "place") == ["place green-circle on 20b"]

    def test_hb_12_an_unneeded_bonus_is_not_offered(self) -> None:
        """HB-12: green is 2 already, and red to green or +1 would do for green 1 ... 3 only."""
        state = make_placement("4 5 2", "green-star green-circle blue-circle", "2; 20")
        assert bonus_choices(state, "green-star", "2a") == [""]
        assert refusal_reason(state, "place green-star on 2a with 4").reason is BaggageReason.OTHER_BONUSES
        assert refusal_reason(state, "place green-star on 2a with 2").reason is BaggageReason.OTHER_BONUSES
        assert refusal_reason(state, "place green-star on 2a with 4 5").reason is BaggageReason.OTHER_BONUSES

    def test_hb_12_each_sufficient_set_is_offered(self) -> None:
        """HB-12: green becomes 2 by a +1, or by the red card."""
        state = make_placement("4 5", "green-star red-circle", "2; 20")
        assert set(bonus_choices(state, "green-star", "2a")) == {"4", "5"}
        assert refusal_reason(state, "place green-star on 2a with 5 4").reason is BaggageReason.OTHER_BONUSES
        assert refusal_reason(state, "place green-star on 2a with 5 5").reason is BaggageReason.OTHER_BONUSES


class TestChanges:
    def test_hb_b1_every_open_card_of_the_colour_changes_for_counting_and_placing(self) -> None:
        """HB-B1."""
        state = make_placement("4", "red-star red-circle", "2; 20")
        assert bonus_choices(state, "red-star", "2a") == ["4"]
        assert bonus_choices(state, "red-circle", "2a") == ["4"]

    def test_hb_b1_a_card_has_the_new_colour_instead_of_the_old(self) -> None:
        """HB-B1: with red to green the red card is no red one."""
        state = make_placement("4 5", "red-star green-circle", "20; 12")
        # Red 1 on 20 and on 12 go without; nothing red is left for a +1 to matter once it counts as green.
        assert bonus_choices(state, "red-star", "12a") == [""]
        assert bonus_choices(state, "green-circle", "12a") == []
        assert bonus_choices(state, "red-star", "12b") == ["4"]
        assert set(bonus_choices(state, "green-circle", "12b")) == {"4", "5"}

    def test_hb_b1_changes_chain_in_the_announced_order(self) -> None:
        """HB-B1: yellow to red and then red to green."""
        state = make_placement("4 7", "yellow-circle green-circle", "2; 20")
        assert bonus_choices(state, "green-circle", "2a") == ["7 4"]
        assert bonus_choices(state, "yellow-circle", "2a") == ["7 4"]
        assert refusal_reason(state, "place green-circle on 2a with 4 7").reason is BaggageReason.OTHER_BONUSES

    def test_hb_b1_a_chain_of_three(self) -> None:
        """HB-B1: blue to yellow, yellow to red, red to green."""
        state = make_placement("4 7 14", "blue-circle blue-square", "2; 20")
        assert bonus_choices(state, "blue-circle", "2a") == ["14 7 4"]

    def test_hb_b1_the_order_matters(self) -> None:
        """HB-B1: red to green first keeps the yellow card out of green, yellow to red first brings it in."""
        opened = "yellow-circle red-circle green-circle"
        assert bonus_choices(make_placement("4 7", opened, "2; 20"), "green-circle", "2a") == ["4"]
        assert bonus_choices(make_placement("4 7", opened, "1; 20"), "green-circle", "1b") == ["7 4"]

    def test_hb_b1_a_change_may_take_cards_away(self) -> None:
        """HB-B1: blue to green leaves no blue; the green cards that became blue before are the only ones."""
        state = make_placement("8 4", "green-circle red-circle red-star blue-square", "2; 20")
        # Blue 2: green to blue makes blue 2. Red to green first would make it 4.
        assert bonus_choices(state, "blue-square", "2c") == ["8"]

    def test_hb_b2_shapes_change_alike(self) -> None:
        """HB-B2."""
        state = make_placement("9 10", "red-triangle green-triangle blue-star", "4; 20")
        assert bonus_choices(state, "red-triangle", "4b") == []  # star is 3 then
        state = make_placement("9 10", "red-triangle blue-star", "4; 20")
        assert bonus_choices(state, "red-triangle", "4b") == ["9 10"]
        assert bonus_choices(state, "blue-star", "4b") == ["9 10"]

    def test_hb_b2_colours_and_shapes_make_no_chain(self) -> None:
        """HB-B2: a red square is no green star with red to green and square to star at once."""
        state = make_placement("4 10", "red-square green-circle blue-star", "2; 4")
        assert bonus_choices(state, "red-square", "2a") == ["4"]
        assert bonus_choices(state, "red-square", "4b") == ["10"]
        assert not [move for move in legal(state, "place") if "4 10" in move or "10 4" in move]


class TestPlusOne:
    def test_hb_b3_one_more_for_the_colour_or_the_shape(self) -> None:
        """HB-B3."""
        state = make_placement("5 2", "green-star red-circle", "11; 4")
        assert bonus_choices(state, "green-star", "4b") == ["2"]
        assert bonus_choices(make_placement("5", "green-star", "4; 20"), "green-star", "4b") == []
        assert bonus_choices(make_placement("2", "green-star", "8; 2"), "green-star", "2a") == []

    def test_hb_b3_several_bonuses_add_up(self) -> None:
        """HB-B3."""
        state = make_placement("5 6", "green-star", "1; 2")
        assert bonus_choices(state, "green-star", "1b") == ["5 6"]
        assert bonus_choices(make_placement("5 6 20", "green-star", "1; 2"), "green-star", "1b") == ["5 6"]

    def test_hb_b3_bonuses_count_after_all_changes(self) -> None:
        """HB-B3: red to green, +1 green."""
        state = make_placement("4 5", "red-circle red-star", "1; 12")
        assert bonus_choices(state, "red-star", "1b") == ["4 5"]
        assert play_move(state, "place red-star on 1b with 5 4") == play_move(state, "place red-star on 1b with 4 5")

    def test_hb_b3_equal_bonuses_are_offered_once(self) -> None:
        """HB-B3."""
        state = make_placement("20 6 5", "green-star", "2; 12")
        assert bonus_choices(state, "green-star", "2a") == ["5"]
        assert refusal_reason(state, "place green-star on 2a with 6").reason is BaggageReason.OTHER_BONUSES

    def test_hb_b3_a_plus_one_places_nothing_without_an_open_card(self) -> None:
        """HB-B3 and HB-6."""
        assert legal(make_placement("5 6", "", "1; 2")) == ["done"]


class TestMove:
    def lying(self, more: str = "", completed: str = "12") -> State:
        # 9: red 2, star 1, circle 1; 17: red 1, green 1, blue 1, star 1, circle 1.
        return make_placement(completed, more, "9 red-circle - -; 17 - - blue-star - -")

    def test_hb_b4_baggage_moves_within_an_assignment_and_across_whatever_the_number(self) -> None:
        """HB-B4."""
        assert legal(self.lying()) == [
            "move 9a to 9c with 12",
            "move 9a to 17a with 12",
            "move 9a to 17e with 12",
            "move 17c to 9b with 12",
            "move 17c to 17d with 12",
            "done",
        ]

    def test_hb_b4_baggage_moves_within_an_assignment(self) -> None:
        """HB-B4."""
        state, events = play_move(self.lying(), "move 9a to 9c with 12")
        assert events == (BaggageMoved(0, cards("red-circle")[0], Spot(9, 0), Spot(9, 2), Use(12)),)
        assert describe_tasks(state) == ["9 - - red-circle", "17 - - blue-star - -"]
        assert (state.spent, GAME.audit(state)) == ((12,), ())

    def test_hb_b4_baggage_moves_between_assignments(self) -> None:
        """HB-B4."""
        state, _ = play_move(self.lying(), "move 17c to 9b with 12")
        assert describe_tasks(state) == ["9 red-circle blue-star -", "17 - - - - -"]
        assert legal(state) == ["done"], "once a turn"

    def test_hb_b4_moving_frees_an_item_for_another_card_and_is_no_placement(self) -> None:
        """HB-B4: the +1 that is not spent can still be used."""
        state = self.lying("red-square", "12 5")
        state = play_moves(state, "move 9a to 9c with 12")
        assert bonus_choices(state, "red-square", "9a") == ["5"]

    def test_hb_b4_two_bonuses_are_two_moves(self) -> None:
        """HB-B4 and HB-B3: of equal bonuses the first is offered."""
        state = self.lying(completed="12 1")
        assert {move.rpartition(" ")[2] for move in legal(state, "move")} == {"1"}
        state = play_moves(state, "move 9a to 9c with 1", "move 9c to 9a with 12")
        assert describe_tasks(state) == ["9 red-circle - -", "17 - - blue-star - -"]

    @each_case(
        "move, reason",
        [
            ("move 9a to 9b with 12", BaggageReason.MOVE_NO_MATCH),
            ("move 9b to 17a with 12", BaggageReason.ITEM_EMPTY),
            ("move 9a to 17c with 12", BaggageReason.ITEM_FILLED),
            ("move 9a to 9a with 12", BaggageReason.ITEM_FILLED),
            ("move 9a to 9c with 5", BaggageReason.NO_SUCH_BONUS),
            ("move 9a to 9c with 1", BaggageReason.NO_SUCH_BONUS),
            ("move 9a to 9c with 12:1", BaggageReason.NO_SUCH_BONUS),
            ("move 9a to 2a with 12", BaggageReason.NOT_YOUR_ITEM),
            ("move 2a to 9c with 12", BaggageReason.NOT_YOUR_ITEM),
            ("move 9a to 9d with 12", BaggageReason.NOT_YOUR_ITEM),
        ],
    )
    def test_hb_b4_impossible_moves_are_refused(self, move: str, reason: BaggageReason) -> None:
        """HB-B4."""
        assert refusal_reason(self.lying(completed="12 5"), move).reason is reason


class TestAnotherPlayersBonus:
    def test_hb_b5_any_one_bonus_of_another_player_is_copied_and_they_keep_it(self) -> None:
        """HB-B5."""
        state = make_placement("3", "red-star red-circle", "2; 20", others="4 5")
        assert bonus_choices(state, "red-star", "2a") == ["3:4"]
        state, events = play_move(state, "place red-star on 2a with 3:4")
        assert events == (CardPlaced(0, cards("red-star")[0], Spot(2, 0), (Use(3, 4),)),)
        assert state.spent == (3,)
        assert state.players[1].completed == parse_assignments("4 5")
        assert refusal_reason(state, "place red-circle on 20a with 3:5").reason is BaggageReason.NO_SUCH_BONUS

    def test_hb_b5_a_copied_bonus_combines_with_the_players_own(self) -> None:
        """HB-B5 and HB-B1: a copied change in the middle of a chain."""
        state = make_placement("3 7 5", "yellow-circle yellow-star", "1; 20", others="4")
        assert bonus_choices(state, "yellow-star", "1b") == ["7 3:4 5"]

    def test_hb_b5_two_of_them_copy_two_bonuses_or_one_twice(self) -> None:
        """HB-B5."""
        state = make_placement("3 13", "green-star", "1; 20", others="5 8")
        assert bonus_choices(state, "green-star", "1b") == ["3:5 13:5"]
        state = make_placement("3 13", "red-star red-circle", "1; 20", others="4 5")
        assert bonus_choices(state, "red-star", "1b") == ["3:4 13:5"]

    def test_hb_b5_the_players_own_bonus_is_preferred(self) -> None:
        """HB-B3."""
        state = make_placement("3 20", "green-star", "2; 12", others="5")
        assert bonus_choices(state, "green-star", "2a") == ["20"]
        assert refusal_reason(state, "place green-star on 2a with 3:5").reason is BaggageReason.OTHER_BONUSES
        state = make_placement("3 20", "green-star", "1; 12", others="5")
        assert bonus_choices(state, "green-star", "1b") == ["20 3:5"]

    def test_hb_b5_equal_bonuses_of_two_players_are_offered_once(self) -> None:
        """HB-B3 and HB-B5."""
        state = at(player("2; 12", "3"), player("", "6"), player("", "5"), opened="green-star")
        assert bonus_choices(state, "green-star", "2a") == ["3:5"]

    def test_hb_b5_the_copying_bonus_cannot_be_copied(self) -> None:
        """HB-B5."""
        state = make_placement("3", "green-star", "2; 12", others="13")
        assert bonus_choices(state, "green-star", "2a") == []
        assert refusal_reason(state, "place green-star on 2a with 3:13").reason is BaggageReason.NO_SUCH_BONUS

    def test_hb_b5_a_move_is_copied_too(self) -> None:
        """HB-B5 and HB-B4."""
        state = make_placement("3", "", "9 red-circle - -; 20", others="12")
        assert "move 9a to 9c with 3:12" in legal(state)
        state, _ = play_move(state, "move 9a to 9c with 3:12")
        assert state.spent == (3,)

    def test_hb_b5_an_unfinished_assignment_lends_no_bonus(self) -> None:
        """HB-B5."""
        state = at(player("2; 12", "3"), player("5; 6"), opened="green-star")
        assert bonus_choices(state, "green-star", "2a") == []

    def test_hb_b5_without_it_bonuses_of_others_cannot_be_used(self) -> None:
        """HB-B5 and HB-12."""
        state = make_placement("", "green-star", "2; 12", others="5")
        assert bonus_choices(state, "green-star", "2a") == []
        for use in ("5", "5:5", "3:5"):
            assert refusal_reason(state, f"place green-star on 2a with {use}").reason is BaggageReason.NO_SUCH_BONUS
