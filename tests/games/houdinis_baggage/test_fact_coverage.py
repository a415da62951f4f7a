"""The words beside the picture of Mr. Houdini's Baggage tell everything that it shows of the game."""

from collections import Counter
from collections.abc import Iterator, Sequence

from bot.games.houdinis_baggage.assignments import Assignment
from bot.games.houdinis_baggage.cards import Trait, counts_of
from bot.games.houdinis_baggage.guide import SIGNS, bonus_sign, card_sign, item_sign
from bot.games.houdinis_baggage.latest import just_kept, new_spot
from bot.games.houdinis_baggage.pieces import Phase, Player, State
from bot.games.houdinis_baggage.ranking import places_of
from bot.rules.game import Event
from bot.tables.registry import load_games
from bot.words import seat_mark
from tests.support.fact_coverage import Fact, check_told, fact


def facts(view: State, news: Sequence[Event], names: Sequence[str]) -> Iterator[Fact]:
    for each in view.row:
        yield fact("open assignments", "Open assignments", told(each, map(item_sign, each.items)))
    for seat, (name, player) in enumerate(zip(names, view.players, strict=True)):
        yield from seated(view, f"{seat_mark(seat)} {name} ·", player)
    yield fact("target", f"to {view.options.target} points")
    if view.mover is None:
        winners = [name for name, place in zip(names, places_of(view.players), strict=True) if place == 1]
        yield from (fact("winners", "🥇", name) for name in winners)
        yield from completed(view)
        return
    yield fact("mover", names[view.mover], "Baggage · ")
    yield fact("case", f"{sum(view.baggage)} cards to open")
    if view.open:
        yield fact("open cards", "Open: " + " ".join(map(card_sign, view.open)))
    for trait, count in zip(Trait, counts_of(view.open), strict=True):
        if count:
            yield fact("values", "Values: ", f"{SIGNS[trait]}{count}")
    yield from happened(view, news)


def completed(view: State) -> Iterator[Fact]:
    """Yield how many assignments of how many points everybody has completed, which decides a tie."""
    for seat, player in enumerate(view.players):
        for worth, count in Counter(each.points for each in player.completed).items():
            yield fact("completed", seat_mark(seat), f"{count} × {worth}")


def told(assignment: Assignment, items: Iterator[str]) -> str:
    """Return an assignment in one line: number, points, items, bonus."""
    signs = " ".join(items)
    return f"`{assignment.number}` **{assignment.points}** {signs} 🎁 {bonus_sign(assignment.bonus)}"


def seated(view: State, who: str, player: Player) -> Iterator[Fact]:
    """Yield the points of a seat, its assignments with what is filled, its bonuses, and its bank."""
    yield fact("points", f"{who} {player.score} point")
    for task in player.tasks:
        pairs = zip(task.assignment.items, task.cards, strict=True)
        items = (item_sign(item) if card is None else f"✓{card_sign(card)}" for item, card in pairs)
        yield fact("assignments", who, told(task.assignment, items))
    for each in player.completed:
        sign, is_used = bonus_sign(each.bonus), each.number in view.spent
        told_of = ("used bonuses", f"~~{sign}~~") if is_used else ("free bonuses", f" {sign}")
        yield fact(told_of[0], who, "Bonuses: ", told_of[1])
    if player.bank:
        yield fact("bank", who, "Bank: " + " ".join(map(card_sign, player.bank)))


def happened(view: State, news: Sequence[Event]) -> Iterator[Fact]:
    """Yield what has just changed, and whether this is the last round."""
    if (kept := just_kept(news)) is not None:
        yield fact("card kept", card_sign(kept.card), "keeps")
    if view.phase is Phase.PLACE and (spot := new_spot(news)) is not None:
        yield fact("item filled", str(spot))
    if view.end is not None:
        yield fact("last round", "the last round")


def test_the_words_beside_the_picture_tell_what_it_shows() -> None:
    """HB-1 to HB-12, HB-E1 and HB-E2."""
    table = ("open assignments", "target", "case", "open cards", "values", "mover", "winners", "last round")
    seats = ("points", "assignments", "used bonuses", "free bonuses", "bank", "card kept", "item filled", "completed")
    check_told(load_games()["houdinis_baggage"], facts, frozenset({*table, *seats}))
