"""The screen of Mr. Houdini's Baggage in words mentions every fact that its picture shows."""

from collections import Counter
from collections.abc import Iterator, Sequence

from bot.games.houdinis_baggage.cards import Assignment, Trait, trait_values
from bot.games.houdinis_baggage.facts import latest_kept_card, newly_filled_spot
from bot.games.houdinis_baggage.pieces import GameEvent, Phase, Player, State
from bot.games.houdinis_baggage.rules import places_of
from bot.games.houdinis_baggage.words import TRAIT_TEXTS, bonus_symbol, card_symbols, item_symbol
from bot.tools.contract.fact_coverage import Fact, check_screen_coverage, make_fact
from bot.words import seat_emoji
from tests.support.games import load_games_once


def facts(view: State, events: Sequence[GameEvent], names: Sequence[str]) -> Iterator[Fact]:
    for each in view.row:
        yield make_fact("open assignments", "Open assignments", describe_assignment(each, map(item_symbol, each.items)))
    for seat, (name, player) in enumerate(zip(names, view.players, strict=True)):
        yield from seat_facts(view, f"{seat_emoji(seat)} {name} ·", player)
    yield make_fact("target", f"to {view.options.target} points")
    if view.mover is None:
        winners = [name for name, place in zip(names, places_of(view.players), strict=True) if place == 1]
        yield from (make_fact("winners", "🥇", name) for name in winners)
        yield from completed_facts(view)
        return
    yield make_fact("mover", names[view.mover], "Baggage · ")
    yield make_fact("case", f"Cards: {sum(view.baggage)} left")
    if view.open:
        yield make_fact("open cards", "Open: " + " ".join(map(card_symbols, view.open)))
    for trait, count in zip(Trait, trait_values(view.open), strict=True):
        if count:
            yield make_fact("values", "Values: ", f"{TRAIT_TEXTS[trait].symbol}{count}")
    yield from event_facts(view, events)


def completed_facts(view: State) -> Iterator[Fact]:
    """Yield how many assignments of how many points everybody has completed, which decides a tie."""
    for seat, player in enumerate(view.players):
        for worth, count in Counter(each.points for each in player.completed).items():
            yield make_fact("completed", seat_emoji(seat), f"{count} × {worth}")


def describe_assignment(assignment: Assignment, items: Iterator[str]) -> str:
    """Return an assignment in one line: number, points, items, bonus."""
    signs = " ".join(items)
    return f"`{assignment.number}` **{assignment.points}** for {signs} 🎁 {bonus_symbol(assignment.bonus)}"


def seat_facts(view: State, who: str, player: Player) -> Iterator[Fact]:
    """Yield the points of a seat, its assignments with what is filled, its bonuses, and its bank."""
    yield make_fact("points", f"{who} {player.score} point")
    for task in player.tasks:
        pairs = zip(task.assignment.items, task.cards, strict=True)
        items = (item_symbol(item) if card is None else f"✓{card_symbols(card)}" for item, card in pairs)
        yield make_fact("assignments", who, describe_assignment(task.assignment, items))
    for each in player.completed:
        text = f"`{each.number}` {bonus_symbol(each.bonus)}"
        kind, shown = ("used bonuses", f"~~{text}~~") if each.number in view.spent else ("free bonuses", f" {text}")
        yield make_fact(kind, who, "Bonuses: ", shown)
    if player.bank:
        yield make_fact("bank", who, "Bank: " + " ".join(map(card_symbols, player.bank)))


def event_facts(view: State, events: Sequence[GameEvent]) -> Iterator[Fact]:
    """Yield what has just changed, and whether this is the last round."""
    if (kept := latest_kept_card(events)) is not None:
        yield make_fact("card kept", card_symbols(kept.card), "kept")
    if view.phase is Phase.PLACE and (spot := newly_filled_spot(events)) is not None:
        yield make_fact("item filled", str(spot))
    if view.end is not None:
        yield make_fact("last round", "last round")


def test_the_screen_in_words_covers_the_facts_of_the_picture() -> None:
    """HB-1 to HB-12, HB-E1 and HB-E2."""
    table = ("open assignments", "target", "case", "open cards", "values", "mover", "winners", "last round")
    seats = ("points", "assignments", "used bonuses", "free bonuses", "bank", "card kept", "item filled", "completed")
    check_screen_coverage(load_games_once()["houdinis_baggage"], facts, frozenset({*table, *seats}))
