"""Magpie's screen in words mentions every fact that its picture shows."""

from collections.abc import Iterator, Sequence

from bot.games.magpie import PACKAGE
from bot.games.magpie.pieces import GameEvent, Rolled, State, TableCleared
from bot.games.magpie.words import COMBINATION_NAMES, DIE_FACES
from bot.rules.game import find_newest
from bot.tools.contract.fact_coverage import Fact, check_screen_coverage, make_fact
from bot.words import seat_emoji


def pips(faces: Sequence[int]) -> str:
    return " ".join(DIE_FACES[face - 1] for face in faces)


def facts(view: State, events: Sequence[GameEvent], names: Sequence[str]) -> Iterator[Fact]:
    yield make_fact("dice", f"# {pips(view.faces)}")
    yield make_fact("target", f"irst to {view.options.target}")
    for combination, name in COMBINATION_NAMES.items():
        yield make_fact("prices", f"{name} {int(combination)}")
    for seat, name in enumerate(names):
        yield make_fact("scores", seat_emoji(seat), name, f"**{view.scores[seat]}**")
    if (newest := find_newest(Rolled, events)) is not None:
        yield from roll(newest, names[newest.seat])
    if events and isinstance(events[-1], TableCleared):
        yield make_fact("fresh dice", names[events[-1].seat], "Fresh dice! ")
    if view.mover is not None:
        yield make_fact("mover", f"{names[view.mover]} to roll")
    if view.mover is None:
        best = [seat for seat, score in enumerate(view.scores) if score == max(view.scores)]
        yield from (make_fact("winners", "🥇", names[seat]) for seat in best)
    elif view.trigger is not None:
        yield make_fact(
            "last round", f"{view.options.target} reached", f"Everyone but {names[view.trigger]}", "last turn"
        )


def roll(newest: Rolled, name: str) -> Iterator[Fact]:
    """Yield which dice were rolled, what they show, and what that brought."""
    before, after = (pips([faces[place - 1] for place in newest.dice]) for faces in (newest.before, newest.faces))
    if len(newest.dice) == len(newest.faces):
        yield make_fact("rolled dice", name, "re-rolled all five dice", after)
    else:
        places = ", ".join(map(str, newest.dice))
        yield make_fact("rolled dice", name, f"re-rolled {before} into {after}", f" {places})")
    if newest.combination is not None:
        yield make_fact("combination", name, COMBINATION_NAMES[newest.combination])
    yield make_fact("gain", name, f"+{newest.points} point" if newest.points else "no points")


TABLE = frozenset({"dice", "target", "prices", "scores", "mover", "winners", "last round"})
PROMISES = TABLE | {"rolled dice", "combination", "gain", "fresh dice"}


def test_the_screen_in_words_covers_the_facts_of_the_picture() -> None:
    """MP-2 to MP-10."""
    check_screen_coverage(PACKAGE, facts, PROMISES)
