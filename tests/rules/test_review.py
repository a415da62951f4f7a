"""The accounts of luck and skill."""

from typing import Any

from bot.rules.evaluation import Unit
from bot.rules.review import Assessment, Cause, Decision, Review, review_game


def decide(step: int, seat: int, chosen: float, best: float, unit: Unit = Unit.WINS, **more: Any) -> Decision:
    turn, gained, draws = more.get("turn", step), more.get("gained", 0.0), more.get("draws", True)
    assessment = Assessment(chosen, best, "stop", unit, is_exact=True)
    vacated, own = more.get("is_vacated", False), more.get("own", True)
    return Decision(step, seat, turn, gained, draws, "roll", assessment, is_vacated=vacated, is_own_chance=own)


def accounts(review: Review | None) -> list[tuple[float, float, float]]:
    assert review is not None
    return [(round(each.start, 6), round(each.luck, 6), round(each.given_away, 6)) for each in review.seats]


def nets(review: Review | None) -> list[tuple[float, float, float]]:
    """Return the luck of each seat less that of its opponent, what it received, and what its account comes to."""
    assert review is not None
    return [(round(each.net_luck, 6), round(each.received, 6), round(each.end, 6)) for each in review.seats]


def test_with_two_seats_what_one_loses_the_other_gains() -> None:
    decisions = [decide(1, 0, 0.5, 0.6), decide(2, 1, 0.3, 0.3), decide(3, 0, 0.9, 0.9)]
    review = review_game(decisions, {Unit.WINS: (1, 0)})
    # The first roll took its seat from 0.5 to 1 - 0.3, the second one the other from 0.3 to 1 - 0.9.
    assert accounts(review) == [(0.6, 0.3, 0.1), (0.4, -0.2, 0.0)]
    assert nets(review) == [(0.5, 0.0, 1.0), (-0.5, 0.1, 0.0)]
    assert review is not None
    assert [each.step for each in review.costly] == [1]
    assert list(review.curve) == [(0.6, 0.4), (0.7, 0.3), (0.9, 1 - 0.9), (1, 0)]


def test_with_more_seats_luck_lasts_until_the_next_decision_of_the_seat() -> None:
    decisions = [decide(1, 0, 0.4, 0.4), decide(2, 1, 0.5, 0.5), decide(3, 0, 0.3, 0.7), decide(4, 2, 0.2, 0.2)]
    review = review_game(decisions, {Unit.WINS: (0, 1, 0)})
    assert accounts(review) == [(0.4, 0.0, 0.4), (0.5, 0.5, 0.0), (0.2, -0.2, 0.0)]
    assert nets(review) == [(0.0, 0.0, 0.0), (0.5, 0.0, 1.0), (-0.2, 0.0, 0.0)]


def test_what_a_computer_player_decided_for_a_person_is_kept_apart() -> None:
    decisions = [decide(1, 0, 0.5, 0.6), decide(2, 1, 0.3, 0.3), decide(3, 0, 0.6, 0.9, is_vacated=True)]
    review = review_game(decisions, {Unit.WINS: (1, 0)})
    assert review is not None
    robin = review.seats[0]
    assert (round(robin.given_away, 6), robin.decisions) == (0.1, 1)
    assert (round(robin.vacated_given_away, 6), robin.vacated_decisions) == (0.3, 1)
    assert round(robin.luck, 6) == 0.6, "the dice were the seat's"
    assert [end for _, _, end in nets(review)] == [1.0, 0.0]
    assert [each.step for each in review.costly] == [1]


def test_points_of_turns_are_compared_with_what_the_turn_brought() -> None:
    decisions = [
        decide(1, 0, 3, 4, Unit.POINTS, turn=1, gained=7),
        decide(2, 0, 5, 6, Unit.POINTS, turn=1, gained=7),
        decide(3, 0, 2, 2, Unit.POINTS, turn=2, gained=0),
    ]
    review = review_game(decisions, {Unit.POINTS: (7,)})
    assert accounts(review) == [(6, 3, 2)]
    assert review is not None
    assert review.curve == ()


def test_decisions_in_another_unit_are_left_out() -> None:
    decisions = [decide(1, 0, 5, 6, Unit.POINTS), decide(2, 0, 0.5, 0.6), decide(3, 0, 0.9, 0.9)]
    review = review_game(decisions, {Unit.WINS: (1, 0), Unit.POINTS: (0, 0)})
    assert accounts(review)[0] == (0.6, 0.5, 0.1)
    assert review is not None
    assert review.others == 1
    assert [each.step for each in review.costly] == [2, 1], "a point counts as a hundredth of a win"


def test_what_follows_the_last_decisions_of_a_resigned_game_is_no_luck() -> None:
    decisions = [decide(1, 0, 0.5, 0.6), decide(2, 1, 0.3, 0.3)]
    review = review_game(decisions, {Unit.WINS: (0, 1)}, is_whole=False)
    assert accounts(review) == [(0.6, 0.2, 0.1), (0.4, 0.0, 0.0)]
    assert [end for _, _, end in nets(review)] == [0.7, 0.3], "the chances after the last decision"


def test_turning_points_are_the_greatest_changes_of_different_turns() -> None:
    decisions = [
        decide(1, 0, 0.1, 0.5, turn=1),
        decide(2, 0, 0.4, 0.4, turn=1),
        decide(3, 1, 0.2, 0.45, turn=2),
        decide(4, 0, 0.7, 0.7, turn=3),
        decide(5, 1, 0.1, 0.1, turn=4),
    ]
    review = review_game(decisions, {Unit.WINS: (1, 0)})
    assert review is not None
    found = [(each.decision.step, each.cause, round(each.change, 6)) for each in review.turning_points]
    assert found == [(1, Cause.SKILL, -0.4), (3, Cause.SKILL, -0.25), (4, Cause.LUCK, 0.2)]


def test_a_move_without_chance_is_no_luck_worth_telling() -> None:
    decisions = [decide(1, 0, 0.2, 0.2, draws=False), decide(2, 0, 0.7, 0.7), decide(3, 1, 0.2, 0.2)]
    review = review_game(decisions, {Unit.WINS: (1, 0)})
    assert review is not None
    assert [each.decision.step for each in review.turning_points] == [2, 3]


def test_the_luckiest_moment_is_one_in_which_chance_decided_about_the_seat() -> None:
    decisions = [decide(1, 0, 0.1, 0.1, own=False), decide(2, 0, 0.7, 0.7), decide(3, 1, 0.2, 0.2)]
    review = review_game(decisions, {Unit.WINS: (1, 0)})
    assert review is not None
    luckiest = review.moments[0].luckiest
    assert luckiest is not None
    assert luckiest.decision.step == 2


def test_what_others_did_in_between_is_told_apart_from_luck() -> None:
    decisions = [decide(1, 0, 0.4, 0.4), decide(2, 1, 0.5, 0.5), decide(3, 0, 0.1, 0.1), decide(4, 2, 0.2, 0.2)]
    review = review_game(decisions, {Unit.WINS: (0, 0, 1)})
    assert review is not None
    found = {each.decision.step: (each.cause, round(each.change, 6)) for each in review.turning_points}
    assert found == {1: (Cause.OTHERS, -0.3), 2: (Cause.OTHERS, -0.5), 4: (Cause.LUCK, 0.8)}


def test_the_worst_decision_is_a_turning_point_even_if_chance_did_more() -> None:
    decisions = [decide(step, 0, 10.0 * step, 10.0 * step, Unit.FINAL_POINTS) for step in (1, 3, 6, 10)]
    decisions.append(decide(11, 0, 97, 100, Unit.FINAL_POINTS))
    review = review_game(decisions, {Unit.FINAL_POINTS: (97,)})
    assert review is not None
    assert [(each.decision.step, each.cause) for each in review.turning_points][-1] == (11, Cause.SKILL)


def test_an_error_in_another_unit_is_a_turning_point() -> None:
    decisions = [decide(step, step % 3, 5, 5, Unit.POINTS, gained=5.5) for step in range(1, 7)]
    decisions.append(decide(7, 1, 0.3, 0.6))
    review = review_game(decisions, {Unit.POINTS: (11, 11, 11), Unit.WINS: (0, 0, 1)})
    assert review is not None
    assert (7, Cause.SKILL) in [(each.decision.step, each.cause) for each in review.turning_points]


def test_nothing_decided_is_nothing_to_review() -> None:
    assert review_game([], {}) is None
