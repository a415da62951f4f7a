"""The reading of The Magic Bag mentions every fact of the table."""

from collections.abc import Iterator, Sequence

from bot.games.magic_bag.pieces import MagicBagEnd, Piece, State, Suit
from bot.games.magic_bag.scoring import coins_for, find_covered_tiles, find_exact_tiles, score_of
from bot.tools.contract.fact_coverage import Fact, check_reading_coverage, make_fact
from tests.support.games import load_games_once

TREASURES = {Suit.SUN: "Suns", Suit.MOON: "Moons", Suit.CROWN: "Gold", Suit.ARMS: "Arms"}


def piece(each: Piece) -> str:
    return f"{each.suit} {each.value}"


def count_words(count: int, word: str) -> str:
    return f"{count} {word}" if count == 1 else f"{count} {word}s"


def facts(view: State, names: Sequence[str]) -> Iterator[Fact]:
    (name,), total = names, count_words(score_of(view).total, "point")
    yield from row_facts(view)
    yield from treasure_facts(view)
    yield from coin_facts(view)
    if view.end is not None:
        yield make_fact("end", f"game is over: {name} has {total}")
        return
    yield make_fact("mover", f"{name}'s turn", f"roll {3 - view.rolls_left} of 3")
    yield make_fact("dice", "The dice show", *(piece(Piece(suit, view.faces[suit])) for suit in Suit))
    if view.has_failed:
        yield make_fact("failed", "No row matches", total, *(piece(tile) for tile in removable(view)))


def removable(view: State) -> Sequence[Piece]:
    return view.removable if view.layout.collected else ()


def row_facts(view: State) -> Iterator[Fact]:
    """Yield every row with what the dice cover of it, and what it would bring."""
    for number, row in enumerate(view.layout.rows, 1):
        if not row:
            continue
        yield make_fact("rows", f"Row {number}: " + ", ".join(map(piece, row)))
        if view.end is not None:
            continue
        exact = find_exact_tiles(row, view.faces)
        if exact:
            yield make_fact("equals", f"Row {number}:", "Matched in suit and value:", *map(piece, exact))
        if covered := [tile for tile in find_covered_tiles(row, view.faces) if tile not in exact]:
            yield make_fact("values", f"Row {number}:", "Matched in value:", *map(piece, covered))
        if number in view.matching:
            yield make_fact("rows that match", f"row {number} for {count_words(coins_for(view, number), 'coin')}")


def treasure_facts(view: State) -> Iterator[Fact]:
    """Yield the points of each suit, with its groups."""
    score = score_of(view)
    yield make_fact("treasure", f"worth {count_words(score.total, 'point')}")
    gold = [coin.value for coin in view.layout.collected if coin.suit is Suit.CROWN]
    yield make_fact("gold", count_words(score.gold, "point") if gold else "no coins", "Gold", *gold)
    for artifact in score.artifacts:
        for group in artifact.groups:
            yield make_fact("groups", f"{TREASURES[artifact.suit]}: {count_words(artifact.points, 'point')}", *group)
    if view.end is MagicBagEnd.LAST_COIN:
        yield make_fact("tiles left", f"tiles left score {count_words(score.bonus, 'point')}")


def coin_facts(view: State) -> Iterator[Fact]:
    """Yield which coins can still come, and which are out of the game."""
    bag, discarded = view.layout.bag, view.layout.discarded
    yield make_fact("bag", f"{count_words(len(bag), 'coin')} in the bag" if bag else "bag is empty")
    for promise, before, there in (("coins to come", "in the bag", bag), ("coins gone", "Out of the game", discarded)):
        for suit in {coin.suit for coin in there}:
            values = [coin.value for coin in there if coin.suit is suit]
            yield make_fact(promise, before, TREASURES[suit], *values)


def test_the_whole_table_is_read_out() -> None:
    """MB-3 to MB-13."""
    table = ("mover", "dice", "failed", "rows", "equals", "values", "rows that match", "end")
    things = ("treasure", "gold", "groups", "tiles left", "bag", "coins to come", "coins gone")
    check_reading_coverage(load_games_once()["magic_bag"], facts, frozenset({*table, *things}), games=8)
