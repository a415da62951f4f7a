"""Mr. Houdini's Baggage read out tells everything of how the table stands."""

from collections import Counter
from collections.abc import Iterator, Sequence

from bot.games.houdinis_baggage.assignments import Assignment
from bot.games.houdinis_baggage.cards import NAMES, Card, Trait, counts_of
from bot.games.houdinis_baggage.guide import bonus_name
from bot.games.houdinis_baggage.pieces import LETTERS, Phase, Player, State
from bot.games.houdinis_baggage.ranking import places_of
from bot.tables.registry import load_games
from tests.support.fact_coverage import Fact, check_read, fact


def named(card: Card) -> str:
    return NAMES[card].replace("-", " ")


def so_many(count: int) -> str:
    return f"{count} point" if count == 1 else f"{count} points"


def facts(view: State, names: Sequence[str]) -> Iterator[Fact]:
    for each in view.row:
        yield assignment("open assignments", each, [None] * len(each.items))
    yield fact("assignments to come", f"{len(view.deck)} more in the deck" if view.row else "No assignments are left")
    for name, player in zip(names, view.players, strict=True):
        yield fact("points", f"{name} has {so_many(player.score)}")
        yield from packed(view, player)
    yield fact("target", f"{view.options.target} points")
    yield fact("baggage", f"left to open: {sum(view.baggage)}", f"discarded: {sum(view.discards)}")
    if view.mover is None:
        winners = [name for name, place in zip(names, places_of(view.players), strict=True) if place == 1]
        yield fact("winners", "game is over", "win", *winners)
        for name, player in zip(names, view.players, strict=True):
            for worth, count in Counter(each.points for each in player.completed).items():
                yield fact("completed", name, f"{count} of {so_many(worth)}")
        return
    yield fact("mover", f"{names[view.mover]}'s turn", DOING[view.phase])
    yield from opened(view)
    if view.end is not None:
        yield fact("last round", "the last round")


DOING = {Phase.SEARCH: "They open", Phase.TWIN: "look alike", Phase.PLACE: "end", Phase.CHOOSE: "They choose"}


def opened(view: State) -> Iterator[Fact]:
    """Yield the open cards, and the values that they give."""
    yield fact("open cards", "open", *map(named, view.open)) if view.open else fact("open cards", "No card is open")
    for trait, count in zip(Trait, counts_of(view.open), strict=True):
        if count:
            yield fact("values", "The values:", f"{trait} {count}")


def assignment(promise: str, each: Assignment, cards: Sequence[Card | None]) -> Fact:
    """Return the fact of an assignment: its number, points, items with what fills them, and bonus."""
    items = (
        f"{item} ({each.number}{letter}{'' if card is None else f', filled with {named(card)}'})"
        for item, letter, card in zip(each.items, LETTERS, cards, strict=False)
    )
    told = f"bonus: {bonus_name(each.bonus)}"
    return fact(promise, f"Assignment {each.number}, {so_many(each.points)}", *items, told)


def packed(view: State, player: Player) -> Iterator[Fact]:
    """Yield the assignments of a seat, its bonuses, free and used, and its bank."""
    for task in player.tasks:
        yield assignment("assignments", task.assignment, task.cards)
    for each in player.completed:
        is_used = each.number in view.spent
        promise, before = ("used bonuses", "Used in this turn") if is_used else ("free bonuses", "Bonuses:")
        yield fact(promise, before, f"{bonus_name(each.bonus)} (assignment {each.number})")
    if player.bank:
        yield fact("bank", "In the bank", *map(named, player.bank))


def test_everything_of_the_table_is_read_out() -> None:
    """HB-1 to HB-12, HB-E1 and HB-E2."""
    table = ("open assignments", "assignments to come", "target", "baggage", "mover", "winners", "last round")
    cards = ("open cards", "values", "points", "assignments", "used bonuses", "free bonuses", "bank", "completed")
    check_read(load_games()["houdinis_baggage"], facts, frozenset({*table, *cards}))
