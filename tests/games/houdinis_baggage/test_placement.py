"""Placement without bonuses, the bank, and the end of a turn and of the game: rules HB-6 to HB-11, HB-E1 to HB-O1."""

from typing import Any

import pytest
from pydantic import ValidationError

from bot.games.houdinis_baggage.cards import EMPTY_PILE, add_to_pile
from bot.games.houdinis_baggage.pieces import (
    AssignmentTaken,
    BaggageEnd,
    BaggageOptions,
    BankUsed,
    CardPlaced,
    LastRound,
    Phase,
    Spot,
    State,
    TurnPlayed,
)
from bot.rules.refusals import CommonReason
from bot.tools.contract.audits import audit
from tests.games.houdinis_baggage.positions import (
    BOX,
    GAME,
    at,
    cards,
    describe_tasks,
    legal,
    parse_assignments,
    play_move,
    play_moves,
    player,
    refusal_reason,
)
from tests.support.each_case import each_case

THREE_GREEN = "green-star green-square green-circle"


@each_case(
    "state, move, events",
    [
        (
            at(player("1; 2"), opened=THREE_GREEN),
            "place green-circle on 1b",
            (CardPlaced(0, cards("green-circle")[0], Spot(1, 1), ()),),
        ),
        (at(player("9", bank="red-square")), "bank red-square", (BankUsed(0, cards("red-square")[0]),)),
        (
            at(player("4 red-circle blue-star; 5 blue-star red-circle")),
            "done",
            (TurnPlayed(0, parse_assignments("4 5"), ()),),
        ),
        (at(player("1"), phase=Phase.CHOOSE, row="6", deck=""), "take 6", (AssignmentTaken(0, BOX[5]),)),
    ],
)
def test_what_moves_bring_is_told(state: State, move: str, events: tuple[Any, ...]) -> None:
    """HB-6, HB-7, HB-9 and HB-10."""
    assert play_move(state, move)[1] == events


def test_hb_8_open_cards_are_discarded_at_the_end_including_bank_cards() -> None:
    """HB-8."""
    state = at(player("1; 2", bank="blue-circle"), opened="green-star red-star", discards="blue-star")
    state, events = play_move(play_moves(state, "bank blue-circle"), "done")
    assert events == (TurnPlayed(0, (), cards("green-star red-star blue-circle")),)
    assert state.discards == add_to_pile(EMPTY_PILE, cards("blue-star green-star red-star blue-circle"))
    assert (state.open, state.players[0].bank, audit(GAME, state)) == ((), (), ())


class TestCompletion:
    def test_hb_9_a_filled_assignment_is_completed_and_its_cards_are_discarded(self) -> None:
        """HB-9."""
        state = at(player("4 red-circle -; 2 green-square - -"), player("3; 9"), opened="blue-star yellow-star")
        state = play_moves(state, "place blue-star on 4b")
        assert state.players[0].completed == (), "only at the end of the turn"
        state, events = play_move(state, "done")
        assert events == (TurnPlayed(0, parse_assignments("4"), cards("yellow-star")),)
        assert (state.players[0].completed, state.players[0].score) == (parse_assignments("4"), 1)
        assert state.discards == add_to_pile(EMPTY_PILE, cards("red-circle blue-star yellow-star"))
        assert (describe_tasks(state), audit(GAME, state)) == (["2 green-square - -"], ())

    def test_hb_9_its_bonus_can_be_used_from_the_next_turn_on(self) -> None:
        """HB-9 and HB-12."""
        state = at(player("4 red-circle -; 2"), player("3; 9"), opened="blue-star yellow-star green-circle red-square")
        state = play_moves(state, "place blue-star on 4b")
        assert "place green-circle on 2a with 4" not in legal(state)
        state = play_moves(state, "done")
        for move in (("take 1", 0), ("open", "red-star"), "stop", "done", ("open", "red-circle")):
            state, _ = play_move(state, *([move] if isinstance(move, str) else move))
        state, _ = play_move(state, "open", "green-square")
        assert "place green-square on 2a with 4" in legal(play_moves(state, "stop"))

    def test_hb_10_assignments_are_chosen_from_the_same_row_which_is_then_refilled(self) -> None:
        """HB-10."""
        state = at(player("4 red-circle blue-star; 5 blue-star red-circle"), player("3; 9"), row="1 6 7 8 10")
        state = play_moves(state, "done")
        assert (state.phase, state.mover) == (Phase.CHOOSE, 0)
        state, _ = play_move(state, "take 8")
        assert (legal(state), state.mover, audit(GAME, state)) == (
            ["take 1", "take 6", "take 7", "take 10"],
            0,
            (),
        )
        state, _ = play_move(state, "take 1", 0, 0)
        assert state.row == parse_assignments("6 7 10 2 11")
        assert describe_tasks(state) == ["8 - - -", "1 - - - -"]
        assert (state.mover, state.phase) == (1, Phase.SEARCH)

    @each_case(
        "second, row, taken",
        [("2", "", []), ("2", "1", ["1"]), ("2", "1 10", ["1"]), ("5 blue-star red-circle", "1", ["1"])],
    )
    def test_hb_10_choosing_ends_with_two_assignments_or_an_empty_row(
        self, second: str, row: str, taken: list[str]
    ) -> None:
        """HB-10: the game goes on."""
        state = at(player(f"4 red-circle blue-star; {second}"), player("3; 9"), row=row, deck="")
        state, events = play_move(state, "done")
        state = play_moves(state, *(f"take {number}" for number in taken))
        kept = [] if "star" in second else ["2 - - -"]
        assert describe_tasks(state) == [*kept, *(f"{number} - - - -" for number in taken)]
        assert (state.mover, len(events)) == (1, 1)


FILLED_4 = "4 red-circle blue-star"
"""One point: red 1, star 2."""


def pass_turns(state: State) -> list[int]:
    """Let all that still move open one card and place nothing; return their seats."""
    movers = []
    while state.mover is not None:
        movers.append(state.mover)
        state, _ = play_move(state, "open", 0)
        state = play_moves(state, "stop", "done")
    return movers


class TestLastRound:
    @each_case(
        "completed, target, is_last",
        [
            # 14, 15 and 17 are worth 6, 13 is worth 5, 5 one, and one more point is completed.
            ("14 15 17 13", 25, False),
            ("14 15 17 13 5", 25, True),
            *(("14 15", target, target <= 13) for target in (10, 12, 13, 14)),
        ],
    )
    def test_hb_e1_it_comes_at_the_target(self, completed: str, target: int, is_last: bool) -> None:
        """HB-E1 and HB-O1."""
        _, events = play_move(at(player(f"{FILLED_4}; 2", completed), player("3; 9"), target=target), "done")
        assert (LastRound(0, BaggageEnd.TARGET_REACHED) in events) == is_last

    def test_hb_o1_the_target_is_25_by_default_and_10_to_30_by_option(self) -> None:
        """HB-O1."""
        assert [BaggageOptions().target, *(BaggageOptions(target=each).target for each in (10, 30))] == [25, 10, 30]
        for target in (9, 31):
            with pytest.raises(ValidationError):
                BaggageOptions(target=target)

    @each_case("starter", range(4))
    @each_case("trigger", range(4))
    def test_hb_e1_the_round_is_played_out_up_to_the_seat_before_the_starting_seat(
        self, starter: int, trigger: int
    ) -> None:
        """HB-E1."""
        about = [player("7"), player("8"), player("9"), player("10")]
        about[trigger] = player(f"{FILLED_4}; 2", "14 15 17 13 5")
        state, _ = play_move(at(*about, mover=trigger, starter=starter, row="", deck=""), "done")
        following = [(trigger + step) % 4 for step in range(1, 4)]
        assert pass_turns(state) == (following[: following.index(starter)] if starter != trigger else following)

    def test_hb_e1_other_seats_may_still_overtake_and_nobody_chooses_any_more(self) -> None:
        """HB-E1 and HB-10."""
        rival = player("1 green-triangle green-square yellow-star red-star", "18 16 19 20 6 11")
        state = at(player(f"{FILLED_4}; 2", "14 15 17 13 5"), rival, row="3 7 8", deck="")
        state = play_moves(state, "done")
        assert (GAME.outcome(state), state.mover) == (None, 1)
        state, _ = play_move(state, "open", 0)
        state, events = play_move(play_moves(state, "stop"), "done")
        assert not [event for event in events if isinstance(event, LastRound)], "there is one last round"
        outcome = GAME.outcome(state)
        assert outcome is not None
        assert (outcome.reason, outcome.scores, outcome.winners) == (BaggageEnd.TARGET_REACHED, (25, 26), (1,))
        assert (state.mover, legal(state)) == (None, [])
        assert {refusal_reason(state, "open", seat=seat).reason for seat in (0, 1)} == {CommonReason.GAME_OVER}

    def test_hb_10_the_round_is_played_out_when_no_assignments_are_left(self) -> None:
        """HB-10."""
        state = at(player(), player(FILLED_4, "7 8"), player(), row="", deck="", mover=1)
        state, events = play_move(state, "done")
        assert events[-1] == LastRound(1, BaggageEnd.NOTHING_LEFT)
        assert pass_turns(state) == [2]

    @each_case("row, deck, task", [("10", "", ""), ("", "10", ""), ("", "", "10")])
    def test_hb_10_the_game_goes_on_while_one_assignment_is_left(self, row: str, deck: str, task: str) -> None:
        """HB-10."""
        state = at(player(task), player(FILLED_4, "7 8"), row=row, deck=deck, mover=1)
        state, _ = play_move(state, "done", *([0] if deck else []))
        state = play_moves(state, *(["take 10"] if row else []))
        assert (state.end, state.mover) == (None, 0)


RANKING = """
14 15 / 13 16 19: 12 15: 2 1
14 15 / 13: 12 5: 1 2
14 15 / 17 13 4: 12 12: 1 2: two sixes before one
13 16 2 / 14 19 5: 12 12: 2 1: one six before none
14 13 / 15 1 4: 11 11: 1 2: as many sixes, so fives decide
1 20 2 / 13 3 7: 10 10: 2 1: fives
1 / 3 4: 4 4: 1 2: fours
2 7 / 3 5: 4 4: 2 1: threes
2 / 4 5: 2 2: 1 2: twos
14 4 / 15 5: 7 7: 1 1: all the same, so the win is shared
/: 0 0: 1 1
14 / 15 / 17 / 13 4: 6 6 6 6: 1 1 1 4
4 / 14 / 15 5 / 17: 1 6 7 6: 4 2 1 2
"""


@each_case("line", RANKING.strip().splitlines())
def test_hb_e2_points_and_then_the_most_valuable_assignments_decide(line: str) -> None:
    """HB-E2."""
    completed, scores, places, *_why = line.split(":")
    seats = (player(completed=each) for each in completed.split("/"))
    outcome = GAME.outcome(at(*seats, end=BaggageEnd.TARGET_REACHED)._replace(mover=None))
    assert outcome is not None
    assert [outcome.scores, outcome.places] == [tuple(map(int, each.split())) for each in (scores, places)]
