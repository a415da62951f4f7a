"""Magpie read out tells everything of how the table stands."""

from collections.abc import Iterator, Sequence

from bot.games.magpie import PACKAGE
from bot.games.magpie.guide import COMBINATIONS
from bot.games.magpie.pieces import State
from bot.games.magpie.scoring import combination_of
from tests.support.fact_coverage import Fact, check_read, fact


def facts(view: State, names: Sequence[str]) -> Iterator[Fact]:
    yield fact("dice", "from the left: " + ", ".join(map(str, view.faces)))
    combination, _ = combination_of(view.faces)
    if combination is not None:
        yield fact("combination", "dice", f"together {COMBINATIONS[combination]}")
    yield fact("target", f"first to reach {view.options.target}")
    for name, score in zip(names, view.scores, strict=True):
        yield fact("scores", f"{name} has {score}")
    if view.mover is None:
        best = [name for name, score in zip(names, view.scores, strict=True) if score == max(view.scores)]
        yield fact("winners", "game is over", "win", *best)
        return
    yield fact("mover", f"{names[view.mover]} is to roll")
    yield from (fact("prices", f"{name} {int(each)}") for each, name in COMBINATIONS.items())
    if view.trigger is not None:
        yield fact("last round", f"everybody but {names[view.trigger]}", "one last turn")


PROMISES = frozenset({"dice", "combination", "target", "scores", "winners", "mover", "prices", "last round"})


def test_everything_of_the_table_is_read_out() -> None:
    """MP-4 to MP-10."""
    check_read(PACKAGE, facts, PROMISES)
