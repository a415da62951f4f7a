"""The reading of Magpie mentions every fact of the table."""

from collections.abc import Iterator, Sequence

from bot.games.magpie import PACKAGE
from bot.games.magpie.pieces import State
from bot.games.magpie.reading import build_reading
from bot.games.magpie.rules import combination_of
from bot.games.magpie.words import COMBINATION_NAMES
from bot.tools.contract.fact_coverage import Fact, check_reading_coverage, make_fact
from tests.games.magpie.positions import make_finished_game


def facts(view: State, names: Sequence[str]) -> Iterator[Fact]:
    yield make_fact("dice", "left to right: " + ", ".join(map(str, view.faces)))
    combination, _ = combination_of(view.faces)
    if combination is not None:
        yield make_fact("combination", "dice", f"({COMBINATION_NAMES[combination]})")
    goal = "target was" if view.mover is None else "first to reach"
    yield make_fact("target", f"{goal} {view.options.target}")
    for name, score in zip(names, view.scores, strict=True):
        yield make_fact("scores", f"{name} has {score}")
    if view.mover is None:
        best = [name for name, score in zip(names, view.scores, strict=True) if score == max(view.scores)]
        yield make_fact("winners", "game is over", "win", *best)
        return
    yield make_fact("mover", f"{names[view.mover]}'s turn to roll")
    yield from (make_fact("prices", f"{name} {int(each)}") for each, name in COMBINATION_NAMES.items())
    if view.trigger is not None:
        yield make_fact("last round", f"Everyone but {names[view.trigger]}", "one last turn")


PROMISES = frozenset({"dice", "combination", "target", "scores", "winners", "mover", "prices", "last round"})


def test_the_whole_table_is_read_out() -> None:
    """MP-4 to MP-10."""
    check_reading_coverage(PACKAGE, facts, PROMISES)


def test_mp_9_no_last_turn_is_announced_once_the_game_is_over() -> None:
    assert "last turn" not in build_reading(make_finished_game((100, 40), 0), ("Ada", "Ben"))
