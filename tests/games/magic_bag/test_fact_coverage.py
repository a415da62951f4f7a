"""The Magic Bag's screen in words mentions every fact that its picture shows."""

from collections.abc import Iterator, Sequence

from bot.games.magic_bag.pieces import CoinDiscarded, GameEvent, MagicBagEnd, Piece, Rolled, RowTaken, State, Suit
from bot.games.magic_bag.scoring import (
    artifact_grids,
    coins_for,
    find_covered_tiles,
    find_exact_tiles,
    gain_of,
    score_of,
    values_of,
)
from bot.games.magic_bag.words import SUIT_NAMES, SUIT_SYMBOLS, piece_text
from bot.tools.contract.fact_coverage import Fact, check_screen_coverage, make_fact
from tests.support.games import load_games_once


def facts(view: State, events: Sequence[GameEvent], _names: Sequence[str]) -> Iterator[Fact]:
    yield from row_facts(view)
    yield from treasure_facts(view)
    yield from event_facts(view, events)
    total, left = score_of(view).total, len(view.layout.bag)
    if view.end is not None:
        yield make_fact("end", f"# {total:,} point")
        return
    yield make_fact("dice", "# " + " ".join(piece_text(Piece(suit, view.faces[suit])) for suit in Suit))
    yield make_fact("rolls", f"roll {3 - view.rolls_left} of 3")
    yield make_fact("treasure", f"Treasure: {total:,}")
    yield make_fact("bag", f"👜 {'one coin' if left == 1 else f'{left} coins'} left")


def row_facts(view: State) -> Iterator[Fact]:
    """Yield every row with what the dice cover, whether it can be taken, and for how much."""
    for number, row in enumerate(view.layout.rows, 1):
        if not row:
            continue
        covered, exact = find_covered_tiles(row, view.faces), find_exact_tiles(row, view.faces)
        if view.end is not None:
            covered, exact = {}, ()
        values = [f"**{tile.value}**" if tile in covered else tile.value for tile in row]
        tiles = [
            f"{SUIT_SYMBOLS[tile.suit]}{value}{'⭐' if tile in exact else ''}"
            for tile, value in zip(row, values, strict=True)
        ]
        yield make_fact("rows", f"`{number}` {' '.join(tiles)}")
        if view.end is None and number in view.matching:
            yield make_fact("rows that match", f"✅ `{number}`", f"👜 +{coins_for(view, number)}")


def treasure_facts(view: State) -> Iterator[Fact]:
    """Yield the points of each suit, and which of its coins are collected, in the bag or discarded."""
    score, grids = score_of(view), dict(artifact_grids(view.layout.sheet))
    for artifact in score.artifacts:
        pieces = ["".join(coin_facts(view, artifact.suit, value) for value in row) for row in grids[artifact.suit]]
        yield make_fact("artifacts", f"{SUIT_NAMES[artifact.suit]} {artifact.points}", *map(str.rstrip, pieces))
    gold = sorted(values_of(Suit.CROWN, view.layout.collected))
    yield make_fact("gold", SUIT_NAMES[Suit.CROWN], ", ".join(map(str, gold)) or "–", score.gold)
    if view.end is MagicBagEnd.LAST_COIN and score.bonus:
        yield make_fact("tiles left", "Tiles left", score.bonus)


def coin_facts(view: State, suit: Suit, value: int | None) -> str:
    if value is None:
        return "   "
    if Piece(suit, value) in view.layout.collected:
        return f"[{value}]"
    return f" {value} " if Piece(suit, value) in view.layout.bag else " × "


def event_facts(view: State, events: Sequence[GameEvent]) -> Iterator[Fact]:
    """Yield what the last move brought or cost, or which dice it rolled."""
    for event in events:
        match event:
            case RowTaken(row=row, coins=coins):
                yield make_fact("coins brought", f"Row {row}:", " ".join(map(piece_text, coins)))
            case CoinDiscarded(coin=lost, tile=tile):
                yield make_fact("coin discarded", piece_text(lost), "" if tile is None else piece_text(tile))
            case Rolled(suits=suits, faces=faces) if len(suits) < len(Suit):
                yield make_fact("rolled dice", " ".join(piece_text(Piece(suit, faces[suit])) for suit in suits))
    if gain := gain_of(view, events):
        yield make_fact("gain", f"treasure {'+' if gain > 0 else '−'}{abs(gain)}")


def test_the_screen_in_words_covers_the_facts_of_the_picture() -> None:
    """MB-1 to MB-13."""
    table = ("rows", "rows that match", "artifacts", "gold", "dice", "rolls", "treasure", "bag", "end", "tiles left")
    moves = ("coins brought", "coin discarded", "rolled dice", "gain")
    check_screen_coverage(load_games_once()["magic_bag"], facts, frozenset({*table, *moves}), games=8)
