"""The end of a game of Magpie: rules MP-9, MP-10 and the target of MP-O1."""

from bot.games.magpie.pieces import MagpieEnd, MagpieOptions, State, TargetReached
from tests.games.magpie.positions import (
    GAME,
    at,
    make_finished_game,
    play_from,
    play_move,
    start_game,
)
from tests.support.each_case import each_case

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
        assert state.scores == tuple(55 if seat == trigger else 0 for seat in range(seats))

    def test_mp_9_a_whole_game(self) -> None:
        """MP-9."""
        state = start_game(3, "11111 66655 66655  11111 11112  23456", TO_50)
        assert GAME.encode_position(state) == "23456 0/0/0 2 -"
        for move, dice, after in [
            ("roll 1", "6", "63456 0/0/0 0 -"),  # a pair is nothing
            ("roll 1 2 3 4 5", "33355", "33355 20/0/0 1 -"),  # full house
            ("roll 4 5", "33 11224", "11224 20/22/0 2 -"),  # five of a kind, fresh dice
            ("roll 5", "2", "11222 20/22/4 0 -"),  # full house
            ("roll 1 2 3 4 5", "44444 55551", "55551 75/22/4 1 0"),  # the target, and fresh dice
            ("roll 1 2 3 4", "6666", "66661 75/50/4 2 0"),  # a last turn that reaches the target too
            ("roll 5", "6", "66666 75/50/15 - 0"),  # five of a kind, but no turn follows
        ]:
            state, _ = play_move(state, move, dice)
            assert GAME.encode_position(state) == after
        outcome = GAME.outcome(state)
        assert outcome is not None
        assert outcome.places == (1, 2, 3)

    @each_case(
        "before, move, dice, after",
        [
            ("11123 92/0 0 -", "roll 4", "1", "11113 99/0 1 -"),  # 99 is not enough
            ("11123 93/0 0 -", "roll 4", "1", "11113 100/0 1 0"),  # 100 is
            ("11123 94/0 0 -", "roll 4", "1", "11113 101/0 1 0"),
            ("11123 93/99 0 -", "roll 1", "1", "11123 95/99 1 -"),
        ],
    )
    def test_mp_9_the_target_is_reached_at_100_or_more(self, before: str, move: str, dice: str, after: str) -> None:
        """MP-9."""
        assert play_from(before, move, dice)[0] == after

    @each_case("target", [50, 60, 250, 500])
    def test_mp_o1_the_target_is_an_option(self, target: int) -> None:
        """MP-O1."""
        options = MagpieOptions(target=target)
        assert play_from(f"11123 {target - 8}/0 0 -", "roll 4", "1", options)[0] == f"11113 {target - 1}/0 1 -"
        after, events = play_from(f"11123 {target - 7}/0 0 -", "roll 4", "1", options)
        assert after == f"11113 {target}/0 1 0"
        assert events[1:] == (TargetReached(0),)

    def test_mp_9_a_second_seat_beyond_the_target_triggers_nothing(self) -> None:
        """MP-9."""
        after, events = play_from("11123 100/93/0 1 0", "roll 4", "1")
        assert after == "11113 100/100/0 2 0"
        assert len(events) == 1
        assert play_from(after, "roll 1", "1")[0] == "11113 100/100/7 - 0"

    def test_mp_9_the_seat_that_triggered_the_end_can_be_overtaken(self) -> None:
        """MP-9."""
        after, _ = play_from("11123 100/95 1 0", "roll 4", "1")
        assert after == "11113 100/102 - 0"
        outcome = GAME.outcome(at(after))
        assert outcome is not None
        assert outcome.winners == (1,)

    @each_case("position", ["12346 0/0 0 -", "12346 100/0 1 0", "12346 0/100/30 0 1"])
    def test_mp_9_there_is_no_outcome_while_a_turn_is_left(self, position: str) -> None:
        """MP-9."""
        assert GAME.outcome(at(position)) is None

    @each_case(
        "scores, places, winners",
        [
            ((100, 3), (1, 2), (0,)),
            ((100, 121), (2, 1), (1,)),
            ((100, 100), (1, 1), (0, 1)),
            ((110, 40, 110), (1, 3, 1), (0, 2)),
            ((120, 40, 40, 30), (1, 2, 2, 4), (0,)),
            ((100, 100, 100, 100, 100, 100), (1, 1, 1, 1, 1, 1), (0, 1, 2, 3, 4, 5)),
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
