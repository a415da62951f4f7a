"""The reading of Mr. Houdini's Baggage mentions every fact of the table."""

from collections import Counter
from collections.abc import Iterator, Sequence

from bot.games.houdinis_baggage.cards import CARD_KEYS, Assignment, Card, Trait, trait_values
from bot.games.houdinis_baggage.pieces import ITEM_LETTERS, Phase, Player, State
from bot.games.houdinis_baggage.rules import places_of
from bot.games.houdinis_baggage.words import bonus_name
from bot.tools.contract.fact_coverage import Fact, check_reading_coverage, make_fact
from tests.support.games import load_games_once


def card_name(card: Card) -> str:
    return CARD_KEYS[card].replace("-", " ")


def count_words(count: int) -> str:
    return f"{count} point" if count == 1 else f"{count} points"


def facts(view: State, names: Sequence[str]) -> Iterator[Fact]:
    for each in view.row:
        yield assignment_fact("open assignments", each, [None] * len(each.items))
    yield make_fact(
        "assignments to come", f"{len(view.deck)} more in the deck" if view.row else "No assignments are left"
    )
    for name, player in zip(names, view.players, strict=True):
        yield make_fact("points", f"{name} has {count_words(player.score)}")
        yield from seat_facts(view, player)
    yield make_fact("target", f"{view.options.target} points")
    yield make_fact("baggage", f"left to open: {sum(view.baggage)}", f"discarded: {sum(view.discards)}")
    if view.mover is None:
        winners = [name for name, place in zip(names, places_of(view.players), strict=True) if place == 1]
        yield make_fact("winners", "game is over", "win", *winners)
        for name, player in zip(names, view.players, strict=True):
            for worth, count in Counter(each.points for each in player.completed).items():
                yield make_fact("completed", name, f"{count} of {count_words(worth)}")
        return
    yield make_fact("mover", f"{names[view.mover]}'s turn", DOING[view.phase])
    yield from open_card_facts(view)
    if view.end is not None:
        yield make_fact("last round", "last round")


DOING = {Phase.SEARCH: "They open", Phase.TWIN: "look alike", Phase.PLACE: "end", Phase.CHOOSE: "They choose"}


def open_card_facts(view: State) -> Iterator[Fact]:
    """Yield the open cards, and the values that they give."""
    yield (
        make_fact("open cards", "open", *map(card_name, view.open))
        if view.open
        else make_fact("open cards", "No card is open")
    )
    for trait, count in zip(Trait, trait_values(view.open), strict=True):
        if count:
            yield make_fact("values", "Values:", f"{trait} {count}")


def assignment_fact(promise: str, each: Assignment, cards: Sequence[Card | None]) -> Fact:
    """Return the fact of an assignment: its number, points, items with what fills them, and bonus."""
    items = (
        f"{item} ({each.number}{letter}{'' if card is None else f', filled with {card_name(card)}'})"
        for item, letter, card in zip(each.items, ITEM_LETTERS, cards, strict=False)
    )
    phrase = f"bonus: {bonus_name(each.bonus)}"
    return make_fact(promise, f"Assignment {each.number}, {count_words(each.points)}", *items, phrase)


def seat_facts(view: State, player: Player) -> Iterator[Fact]:
    """Yield the assignments of a seat, its bonuses, free and used, and its bank."""
    for task in player.tasks:
        yield assignment_fact("assignments", task.assignment, task.cards)
    for each in player.completed:
        is_used = each.number in view.spent
        promise, before = ("used bonuses", "Used this turn") if is_used else ("free bonuses", "Bonuses:")
        yield make_fact(promise, before, f"{bonus_name(each.bonus)} (assignment {each.number})")
    if player.bank:
        yield make_fact("bank", "In the bank", *map(card_name, player.bank))


def test_the_whole_table_is_read_out() -> None:
    """HB-1 to HB-12, HB-E1 and HB-E2."""
    table = ("open assignments", "assignments to come", "target", "baggage", "mover", "winners", "last round")
    cards = ("open cards", "values", "points", "assignments", "used bonuses", "free bonuses", "bank", "completed")
    check_reading_coverage(load_games_once()["houdinis_baggage"], facts, frozenset({*table, *cards}))
