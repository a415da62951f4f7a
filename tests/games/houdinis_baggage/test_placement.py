"""Placement without bonuses, the bank, and the end of a turn: rules HB-6 to HB-11."""

from bot.games.houdinis_baggage.cards import EMPTY_PILE, add_to_pile
from bot.games.houdinis_baggage.pieces import (
    AssignmentTaken,
    BaggageReason,
    BankUsed,
    CardPlaced,
    Phase,
    Spot,
    TurnPlayed,
)
from tests.games.houdinis_baggage.positions import (
    BOX,
    GAME,
    at,
    cards,
    describe_tasks,
    legal,
    names,
    parse_assignments,
    place_of,
    play_move,
    play_moves,
    player,
    refusal_reason,
)
from tests.support.each_case import each_case


class TestPlacing:
    @each_case(
        "opened, offered",
        [
            # Assignment 1: triangle 3, green 3, yellow 1, red 1; assignment 2: green 2, star 1, blue 2.
            ("", []),
            ("red-triangle", ["red-triangle on 1d"]),
            ("red-triangle red-square", []),  # red is 2
            ("green-star", ["green-star on 2b"]),
            ("green-star green-square", ["green-star on 2a", "green-square on 2a", "green-star on 2b"]),
            ("green-star red-star", ["red-star on 1d"]),  # star is 2
            (
                "green-triangle red-triangle blue-triangle",
                ["green-triangle on 1a", "red-triangle on 1a", "blue-triangle on 1a", "red-triangle on 1d"],
            ),
            (
                "green-star green-square green-circle",
                ["green-star on 1b", "green-square on 1b", "green-circle on 1b", "green-star on 2b"],
            ),
            ("green-star green-square green-circle green-triangle", ["green-star on 2b"]),  # green is 4
        ],
    )
    def test_hb_6_the_number_is_exactly_the_value_at_that_moment(self, opened: str, offered: list[str]) -> None:
        """HB-6."""
        state = at(player("1; 2"), opened=opened)
        assert legal(state) == [*(f"place {each}" for each in offered), "done"]

    def test_hb_6_a_card_that_is_placed_no_longer_counts(self) -> None:
        """HB-6."""
        state = at(player("1; 2"), opened="green-star green-square green-circle")
        state, events = play_move(state, "place green-circle on 1b")
        assert events == (CardPlaced(0, cards("green-circle")[0], Spot(1, 1), ()),)
        assert names(state.open) == "green-star green-square"
        assert describe_tasks(state) == ["1 - green-circle - -", "2 - - -"]
        assert legal(state, "place") == ["place green-star on 2a", "place green-square on 2a", "place green-star on 2b"]
        state, _ = play_move(state, "place green-square on 2a")
        assert legal(state, "place") == ["place green-star on 2b"]
        assert state.mover == 0

    def test_hb_6_the_player_may_end_the_phase_at_any_time(self) -> None:
        """HB-6."""
        state, _ = play_move(at(player("1; 2"), player("3; 4"), opened="green-star"), "done")
        assert (state.mover, state.phase) == (1, Phase.SEARCH)
        assert describe_tasks(state) == ["1 - - - -", "2 - - -"]


class TestBank:
    def test_hb_7_cards_of_the_bank_change_the_values(self) -> None:
        """HB-7: the source's example, red and square become 2."""
        state = at(player("9; 3", bank="red-square"), opened="blue-square red-triangle")
        assert legal(state) == ["place red-triangle on 3c", "bank red-square", "done"]
        state, events = play_move(state, "bank red-square")
        assert events == (BankUsed(0, cards("red-square")[0]),)
        assert state.players[0].bank == ()
        assert names(state.open) == "blue-square red-triangle red-square"
        assert legal(state, "place") == [
            "place red-triangle on 9a",
            "place red-square on 9a",
            "place blue-square on 3a",
            "place red-square on 3a",
            "place red-triangle on 3c",
        ]

    def test_hb_7_any_number_of_bank_cards_can_be_added_at_any_time(self) -> None:
        """HB-7."""
        state = at(player("1; 2", bank="green-star green-square red-circle"), opened="green-circle")
        state = play_moves(state, "bank green-star", "bank green-square", "place green-circle on 1b", "bank red-circle")
        assert names(state.open) == "green-star green-square red-circle"
        assert state.players[0].bank == ()

    def test_hb_7_a_bank_card_that_looks_like_an_open_card_is_refused(self) -> None:
        """HB-7."""
        state = at(player("1; 2", bank="green-star green-star red-star"), opened="green-star")
        assert legal(state, "bank") == ["bank red-star"]
        assert refusal_reason(state, "bank green-star").reason is BaggageReason.LOOKS_ALIKE
        state = play_moves(state, "place green-star on 2b")
        assert legal(state, "bank") == ["bank red-star", "bank green-star"]
        state = play_moves(state, "bank green-star")
        assert refusal_reason(state, "bank green-star").reason is BaggageReason.LOOKS_ALIKE

    def test_hb_7_the_bank_has_no_limit(self) -> None:
        """HB-7."""
        bank = "red-star red-star red-circle blue-star blue-circle green-star green-circle yellow-star yellow-circle"
        state = at(player("1; 2", bank=bank), opened="red-square red-square", phase=Phase.TWIN)
        state, _ = play_move(state, "keep red-square")
        assert len(state.players[0].bank) == 10

    def test_hb_8_open_cards_are_discarded_at_the_end_including_bank_cards(self) -> None:
        """HB-8."""
        state = at(player("1; 2", bank="blue-circle"), opened="green-star red-star", discards="blue-star")
        state = play_moves(state, "bank blue-circle")
        state, events = play_move(state, "done")
        assert events == (TurnPlayed(0, (), cards("green-star red-star blue-circle")),)
        assert state.discards == add_to_pile(EMPTY_PILE, cards("blue-star green-star red-star blue-circle"))
        assert (state.open, state.players[0].bank) == ((), ())
        assert GAME.audit(state) == ()


class TestCompletion:
    def test_hb_9_a_filled_assignment_is_completed_and_its_cards_are_discarded(self) -> None:
        """HB-9."""
        state = at(player("4 red-circle -; 2 green-square - -"), player("3; 9"), opened="blue-star yellow-star")
        state = play_moves(state, "place blue-star on 4b")
        assert state.players[0].completed == (), "only at the end of the turn"
        state, events = play_move(state, "done")
        assert events == (TurnPlayed(0, parse_assignments("4"), cards("yellow-star")),)
        assert state.players[0].completed == parse_assignments("4")
        assert state.players[0].score == 1
        assert state.discards == add_to_pile(EMPTY_PILE, cards("red-circle blue-star yellow-star"))
        assert describe_tasks(state) == ["2 green-square - -"]
        assert GAME.audit(state) == ()

    def test_hb_9_its_bonus_can_be_used_from_the_next_turn_on(self) -> None:
        """HB-9 and HB-12."""
        state = at(player("4 red-circle -; 2"), player("3; 9"), opened="blue-star yellow-star green-circle red-square")
        state = play_moves(state, "place blue-star on 4b")
        assert refusal_reason(state, "place green-circle on 2a with 4").reason is BaggageReason.NO_SUCH_BONUS
        state, _ = play_move(state, "done")
        state, _ = play_move(state, "take 1", 0)
        state, _ = play_move(state, "open", "red-star")
        state = play_moves(state, "stop", "done")
        for card in ("red-circle", "green-square"):
            state, _ = play_move(state, "open", card)
        state = play_moves(state, "stop")
        assert "place green-square on 2a with 4" in legal(state)

    def test_hb_10_one_is_chosen_from_the_five_and_then_the_row_is_refilled(self) -> None:
        """HB-10."""
        state = at(player("4 red-circle blue-star; 2"), player("3; 9"), row="1 5 6 7 8")
        state, _ = play_move(state, "done")
        assert (state.phase, state.mover) == (Phase.CHOOSE, 0)
        assert legal(state) == ["take 1", "take 5", "take 6", "take 7", "take 8"]
        assert GAME.audit(state) == ()
        state, events = play_move(state, "take 6", 1)
        assert events == (AssignmentTaken(0, BOX[5]),)
        assert state.row == parse_assignments("1 5 7 8 11")
        assert describe_tasks(state) == ["2 - - -", "6 - -"]
        assert (state.phase, state.mover) == (Phase.SEARCH, 1)

    def test_hb_10_two_are_chosen_from_the_same_row(self) -> None:
        """HB-10."""
        state = at(player("4 red-circle blue-star; 5 blue-star red-circle"), player("3; 9"), row="1 6 7 8 10")
        state, events = play_move(state, "done")
        assert events == (TurnPlayed(0, parse_assignments("4 5"), ()),)
        state, _ = play_move(state, "take 8")
        assert (legal(state), state.mover) == (["take 1", "take 6", "take 7", "take 10"], 0)
        state, _ = play_move(state, "take 1", 0, 0)
        assert state.row == parse_assignments("6 7 10 2 11")
        assert describe_tasks(state) == ["8 - - -", "1 - - - -"]
        assert state.mover == 1

    @each_case(
        "second, row, taken",
        [
            ("2", "", []),
            ("2", "1", ["1"]),
            ("2", "1 10", ["1"]),
            ("5 blue-star red-circle", "1", ["1"]),
        ],
    )
    def test_hb_10_choosing_ends_with_two_assignments_or_an_empty_row(
        self, second: str, row: str, taken: list[str]
    ) -> None:
        """HB-10: the game goes on."""
        state = at(player(f"4 red-circle blue-star; {second}"), player("3; 9"), row=row, deck="")
        state, events = play_move(state, "done")
        for number in taken:
            state, _ = play_move(state, f"take {number}")
        kept = [] if "star" in second else ["2 - - -"]
        assert describe_tasks(state) == [*kept, *(f"{number} - - - -" for number in taken)]
        assert (state.mover, len(events)) == (1, 1)

    def test_hb_11_baggage_stays_on_its_item_from_turn_to_turn(self) -> None:
        """HB-11."""
        state = at(player("1 - green-star - -; 2"), player("3; 9"), opened="blue-star")
        state = play_moves(state, "place blue-star on 2b", "done")
        for mover in (1, 0):
            assert state.mover == mover
            assert describe_tasks(state) == ["1 - green-star - -", "2 - blue-star -"]
            state, _ = play_move(state, "open", place_of(state.baggage, "red-square"))
            state = play_moves(state, "stop", "done")
        assert describe_tasks(state) == ["1 - green-star - -", "2 - blue-star -"]
