"""The moves of a hint: the best ones, each named once."""

from bot.rules.evaluation import Evaluation, Unit
from bot.rules.study import rank_moves


def rank(**values: float) -> list[tuple[str, float]]:
    """Rank moves, of which those do the same that differ in a digit alone."""
    evaluation = Evaluation(list(values.values()), Unit.POINTS)
    ranked = rank_moves(
        None,
        list(values),
        evaluation,
        lambda _view, move: move.rstrip("0123456789"),
        lambda _view, move: f"play {move}",
    )
    assert all(each.text == f"play {each.move}" for each in ranked)
    return [(each.move, each.value) for each in ranked]


def test_the_three_best_moves_come_best_first() -> None:
    assert rank(a=1, b=4, c=2, d=3) == [("b", 4), ("d", 3), ("c", 2)]


def test_of_moves_that_do_the_same_one_is_named() -> None:
    assert rank(a1=2, a2=2, b=1, a3=2, c=0, d=-1) == [("a1", 2), ("b", 1), ("c", 0)]


def test_equal_moves_are_in_the_order_of_the_rules_however_they_are_rounded() -> None:
    assert [text for text, _ in rank(a=0.3, b=0.1 + 0.2, c=0.3)] == ["a", "b", "c"]


def test_fewer_moves_are_all_there() -> None:
    assert rank(a=1) == [("a", 1)]
