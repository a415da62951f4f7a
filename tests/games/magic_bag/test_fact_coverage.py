"""The Magic Bag's text beside its picture mentions every fact that the picture shows."""

from collections.abc import Iterator, Sequence

from bot.games.magic_bag.events import CoinDiscarded, Rolled, RowTaken
from bot.games.magic_bag.guide import SUIT_SYMBOLS, piece_text
from bot.games.magic_bag.pieces import MagicBagEnd, Piece, State, Suit
from bot.games.magic_bag.scoring import (
    artifact_grids,
    coins_for,
    find_covered_tiles,
    find_exact_tiles,
    gain_of,
    score_of,
)
from bot.rules.game import Event
from bot.rules.testing.fact_coverage import Fact, check_screen_coverage, make_fact
from tests.support.games import load_games_once


def facts(view: State, news: Sequence[Event], _names: Sequence[str]) -> Iterator[Fact]:
    yield from row_facts(view)
    yield from treasure_facts(view)
    yield from event_facts(view, news)
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
            f"{SUIT_SYMBOLS[tile.suit]}{value}{'✨' if tile in exact else ''}"
            for tile, value in zip(row, values, strict=True)
        ]
        yield make_fact("rows", f"`{number}` {' '.join(tiles)}")
        if view.end is None and number in view.matching:
            yield make_fact("rows that match", f"✅ `{number}`", f"👜 +{coins_for(view, number)}")


def treasure_facts(view: State) -> Iterator[Fact]:
    """Yield the points of each suit, and whether each coin is collected, in the bag or discarded."""
    score = score_of(view)
    worth = {Suit.CROWN: score.gold} | {artifact.suit: artifact.points for artifact in score.artifacts}
    lying = {Suit.CROWN: (tuple(range(6)),)} | dict(artifact_grids(view.layout.sheet))
    for suit, grid in lying.items():
        pieces = ["".join(coin_facts(view, suit, value) for value in row) for row in grid]
        yield make_fact("artifacts and gold", f"{SUIT_SYMBOLS[suit]} **{worth[suit]}** `{'/'.join(pieces)}`")
    if view.end is MagicBagEnd.LAST_COIN and score.bonus:
        yield make_fact("tiles left", "Tiles left", f"**{score.bonus}**")


def coin_facts(view: State, suit: Suit, value: int | None) -> str:
    if value is None:
        return "   "
    if Piece(suit, value) in view.layout.collected:
        return f"[{value}]"
    return f" {value} " if Piece(suit, value) in view.layout.bag else " × "


def event_facts(view: State, news: Sequence[Event]) -> Iterator[Fact]:
    """Yield what the last move brought or cost, or which dice it rolled."""
    for event in news:
        match event:
            case RowTaken(row=row, coins=coins):
                yield make_fact("coins brought", f"Row {row}:", " ".join(map(piece_text, coins)))
            case CoinDiscarded(coin=lost, tile=tile):
                yield make_fact("coin discarded", piece_text(lost), "" if tile is None else piece_text(tile))
            case Rolled(suits=suits, faces=faces) if len(suits) < len(Suit):
                yield make_fact("rolled dice", " ".join(piece_text(Piece(suit, faces[suit])) for suit in suits))
    if gain := gain_of(view, news):
        yield make_fact("gain", f"treasure {'+' if gain > 0 else '−'}{abs(gain)}")


def test_the_words_beside_the_picture_cover_its_facts() -> None:
    """MB-1 to MB-13."""
    table = ("rows", "rows that match", "artifacts and gold", "dice", "rolls", "treasure", "bag", "end", "tiles left")
    moves = ("coins brought", "coin discarded", "rolled dice", "gain")
    check_screen_coverage(load_games_once()["magic_bag"], facts, frozenset({*table, *moves}), games=2)
