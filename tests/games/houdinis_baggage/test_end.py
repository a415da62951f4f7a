"""The end of the game: rules HB-E1, HB-E2, HB-O1 and the end of HB-10."""

import pytest
from pydantic import ValidationError

from bot.games.houdinis_baggage.pieces import BaggageEnd, BaggageOptions, LastRound, State
from bot.rules.refusals import CommonReason
from tests.games.houdinis_baggage.positions import (
    GAME,
    at,
    legal,
    parse_assignments,
    play_move,
    play_moves,
    player,
    refusal_reason,
)
from tests.support.each_case import each_case

FILLED_4 = "4 red-circle blue-star"
"""One point: red 1, star 2."""


def pass_turn(state: State) -> State:
    """Play a turn in which one card is opened and nothing is placed."""
    state, _ = play_move(state, "open", 0)
    return play_moves(state, "stop", "done")


class TestLastRound:
    # 14, 15, 17 and 18 are worth 6, 13, 16 and 19 worth 5, 1 and 20 worth 4.
    @each_case("completed, is_last", [("14 15 17 13", False), ("14 15 17 13 5", True)])
    def test_hb_e1_the_last_round_comes_at_25_points(self, completed: str, is_last: bool) -> None:
        """HB-E1: one point more than 23 or 24."""
        state = at(player(f"{FILLED_4}; 2", completed), player("3; 9"))
        _, events = play_move(state, "done")
        assert (LastRound(0, BaggageEnd.TARGET_REACHED) in events) == is_last

    @each_case("starter", range(4))
    @each_case("trigger", range(4))
    def test_hb_e1_the_round_is_played_out_up_to_the_seat_before_the_starting_seat(
        self, starter: int, trigger: int
    ) -> None:
        """HB-E1."""
        about = [player("7"), player("8"), player("9"), player("10")]
        about[trigger] = player(f"{FILLED_4}; 2", "14 15 17 13 5")
        state = at(*about, mover=trigger, starter=starter, row="", deck="")
        state, events = play_move(state, "done")
        assert LastRound(trigger, BaggageEnd.TARGET_REACHED) in events
        movers = []
        while state.mover is not None:
            movers.append(state.mover)
            state = pass_turn(state)
        following = [(trigger + step) % 4 for step in range(1, 4)]
        left = following[: following.index(starter)] if starter != trigger else following
        assert movers == left
        outcome = GAME.outcome(state)
        assert outcome is not None
        assert (outcome.reason, outcome.winners) == (BaggageEnd.TARGET_REACHED, (trigger,))

    def test_hb_e1_other_seats_may_still_overtake(self) -> None:
        """HB-E1."""
        state = at(
            player(f"{FILLED_4}; 2", "14 15 17 13 5"),
            player("1 green-triangle green-square yellow-star red-star", "18 16 19 20 6 11"),
            row="3 7 8",
            deck="",
        )
        state, _ = play_move(state, "done")
        assert (GAME.outcome(state), state.mover) == (None, 1)
        state, events = play_move(state, "open", 0)
        state = play_moves(state, "stop")
        state, events = play_move(state, "done")
        assert not [event for event in events if isinstance(event, LastRound)], "there is one last round"
        outcome = GAME.outcome(state)
        assert outcome is not None
        assert (outcome.scores, outcome.winners) == ((25, 26), (1,))

    def test_hb_e1_after_the_end_nothing_is_allowed(self) -> None:
        """HB-E1."""
        state = at(player("3; 9"), player(f"{FILLED_4}; 2", "14 15 17 13 5"), mover=1)
        state, _ = play_move(state, "done")
        assert (state.mover, legal(state), GAME.audit(state)) == (None, [], ())
        for seat in (0, 1):
            assert refusal_reason(state, "open", seat=seat).reason is CommonReason.GAME_OVER

    def test_in_the_last_round_no_unplayable_assignment_is_chosen(self) -> None:
        """HB-E1 and HB-10."""
        state = at(player(f"{FILLED_4}; 2", "14 15 17 13 5"), player(f"{'6 yellow-star red-triangle'}; 9"))
        state, _ = play_move(state, "done")
        assert state.mover == 1
        assert pass_turn(state).mover is None


class TestNoAssignmentsLeft:
    def test_hb_10_the_round_is_played_out_when_no_assignments_are_left(self) -> None:
        """HB-10."""
        state = at(player(), player(FILLED_4, "7 8"), player(), row="", deck="", mover=1)
        state, events = play_move(state, "done")
        assert events[-1] == LastRound(1, BaggageEnd.NOTHING_LEFT)
        assert state.mover == 2
        state = pass_turn(state)
        outcome = GAME.outcome(state)
        assert state.mover is None
        assert outcome is not None
        assert (outcome.places, outcome.scores) == ((2, 1, 2), (0, 5, 0))
        assert outcome.reason is BaggageEnd.NOTHING_LEFT

    @each_case("row, deck, task", [("10", "", ""), ("", "10", ""), ("", "", "10")])
    def test_hb_10_the_game_goes_on_while_one_assignment_is_left(self, row: str, deck: str, task: str) -> None:
        """HB-10."""
        state = at(player(task), player(FILLED_4, "7 8"), row=row, deck=deck, mover=1)
        state, _ = play_move(state, "done", *([0] if deck else []))
        if row:
            state, _ = play_move(state, "take 10")
        assert (state.end, state.mover) == (None, 0)


class TestRanking:
    @each_case(
        "completed, scores, places",
        [
            (["14 15", "13 16 19"], (12, 15), (2, 1)),
            (["14 15", "13"], (12, 5), (1, 2)),
            # 12 points each: two sixes before one, one before none.
            (["14 15", "17 13 4"], (12, 12), (1, 2)),
            (["13 16 2", "14 19 5"], (12, 12), (2, 1)),
            # As many sixes: fives decide ...
            (["14 13", "15 1 4"], (11, 11), (1, 2)),
            (["1 20 2", "13 3 7"], (10, 10), (2, 1)),
            # ... then fours, threes, twos and ones.
            (["1", "3 4"], (4, 4), (1, 2)),
            (["2 7", "3 5"], (4, 4), (2, 1)),
            (["2", "4 5"], (2, 2), (1, 2)),
            (["3", "2 4"], (3, 3), (1, 2)),
            # All the same: shared.
            (["14 4", "15 5"], (7, 7), (1, 1)),
            (["", ""], (0, 0), (1, 1)),
            (["14", "15", "17", "13 4"], (6, 6, 6, 6), (1, 1, 1, 4)),
            (["4", "14", "15 5", "17"], (1, 6, 7, 6), (4, 2, 1, 2)),
        ],
    )
    def test_hb_e2_points_and_then_the_most_valuable_assignments_decide(
        self, completed: list[str], scores: tuple[int, ...], places: tuple[int, ...]
    ) -> None:
        """HB-E2."""
        finished = at(*(player(completed=each) for each in completed), end=BaggageEnd.TARGET_REACHED)
        outcome = GAME.outcome(finished._replace(mover=None))
        assert outcome is not None
        assert (outcome.scores, outcome.places) == (scores, places)


class TestTarget:
    def test_hb_o1_the_target_is_25_by_default_and_10_to_30_by_option(self) -> None:
        """HB-O1."""
        assert [BaggageOptions().target, *(BaggageOptions(target=each).target for each in (10, 30))] == [25, 10, 30]
        for target in (9, 31):
            with pytest.raises(ValidationError):
                BaggageOptions(target=target)

    @each_case("target, is_last", [(10, True), (12, True), (13, True), (14, False)])
    def test_hb_o1_the_target_starts_the_last_round(self, target: int, is_last: bool) -> None:
        """HB-O1 and HB-E1."""
        state = at(player(f"{FILLED_4}; 2", "14 15"), player("3; 9"), target=target)
        state, events = play_move(state, "done")
        assert any(isinstance(event, LastRound) for event in events) == is_last
        assert parse_assignments("14 15 4") == state.players[0].completed
