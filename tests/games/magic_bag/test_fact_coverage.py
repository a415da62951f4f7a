"""The Magic Bag's words beside its picture tell everything that it shows of the game."""

from collections.abc import Iterator, Sequence

from bot.games.magic_bag.events import CoinDiscarded, Rolled, RowTaken
from bot.games.magic_bag.guide import SIGNS, shown
from bot.games.magic_bag.pieces import MagicBagEnd, Piece, State, Suit
from bot.games.magic_bag.scoring import coins_for, covering, exact_tiles, gain_of, grids, score_of
from bot.rules.game import Event
from bot.tables.registry import load_games
from tests.support.fact_coverage import Fact, check_told, fact


def facts(view: State, news: Sequence[Event], _names: Sequence[str]) -> Iterator[Fact]:
    yield from rows(view)
    yield from treasure(view)
    yield from happened(view, news)
    total, left = score_of(view).total, len(view.layout.bag)
    if view.end is not None:
        yield fact("end", f"# {total:,} point")
        return
    yield fact("dice", "# " + " ".join(shown(Piece(suit, view.faces[suit])) for suit in Suit))
    yield fact("rolls", f"roll {3 - view.rolls_left} of 3")
    yield fact("treasure", f"Treasure: {total:,}")
    yield fact("bag", f"👜 {'one coin' if left == 1 else f'{left} coins'} left")


def rows(view: State) -> Iterator[Fact]:
    """Yield every row with what the dice cover, whether it can be taken, and for how much."""
    for number, row in enumerate(view.layout.rows, 1):
        if not row:
            continue
        covered, exact = covering(row, view.faces), exact_tiles(row, view.faces)
        if view.end is not None:
            covered, exact = {}, ()
        tiles = [
            f"{SIGNS[tile.suit]}{f'**{tile.value}**' if tile in covered else tile.value}{'✨' if tile in exact else ''}"
            for tile in row
        ]
        yield fact("rows", f"`{number}` {' '.join(tiles)}")
        if view.end is None and number in view.matching:
            yield fact("rows that match", f"✅ `{number}`", f"👜 +{coins_for(view, number)}")


def treasure(view: State) -> Iterator[Fact]:
    """Yield what each suit is worth, and of each coin whether it is collected, can still come, or is gone."""
    score = score_of(view)
    worth = {Suit.CROWN: score.gold} | {artifact.suit: artifact.points for artifact in score.artifacts}
    lying = {Suit.CROWN: (tuple(range(6)),)} | dict(grids(view.layout.sheet))
    for suit, grid in lying.items():
        pieces = ["".join(coin(view, suit, value) for value in row) for row in grid]
        yield fact("artifacts and gold", f"{SIGNS[suit]} **{worth[suit]}** `{'/'.join(pieces)}`")
    if view.end is MagicBagEnd.LAST_COIN and score.bonus:
        yield fact("tiles left", "Tiles left", f"**{score.bonus}**")


def coin(view: State, suit: Suit, value: int | None) -> str:
    if value is None:
        return "   "
    if Piece(suit, value) in view.layout.collected:
        return f"[{value}]"
    return f" {value} " if Piece(suit, value) in view.layout.bag else " × "


def happened(view: State, news: Sequence[Event]) -> Iterator[Fact]:
    """Yield what the last move brought or cost, or which dice it rolled."""
    for event in news:
        match event:
            case RowTaken(row=row, coins=coins):
                yield fact("coins brought", f"Row {row} brought", " ".join(map(shown, coins)))
            case CoinDiscarded(coin=lost, tile=tile):
                yield fact("coin discarded", shown(lost), "" if tile is None else shown(tile))
            case Rolled(suits=suits, faces=faces) if len(suits) < len(Suit):
                yield fact("rolled dice", " ".join(shown(Piece(suit, faces[suit])) for suit in suits))
    if gain := gain_of(view, news):
        yield fact("gain", f"treasure {'+' if gain > 0 else '−'}{abs(gain)}")


def test_the_words_beside_the_picture_tell_what_it_shows() -> None:
    """MB-1 to MB-13."""
    table = ("rows", "rows that match", "artifacts and gold", "dice", "rolls", "treasure", "bag", "end", "tiles left")
    moves = ("coins brought", "coin discarded", "rolled dice", "gain")
    check_told(load_games()["magic_bag"], facts, frozenset({*table, *moves}), games=2)
