"""What a position of The Magic Bag says: the choice there is, the tiles that dice cover, coins to come, and gains."""

from collections.abc import Hashable, Iterable, Mapping
from enum import Enum, auto

from bot.games.magic_bag.pieces import (
    ROW_SIZES,
    VALUES,
    Claim,
    CoinDiscarded,
    Faces,
    Finish,
    GameEvent,
    Move,
    Piece,
    Roll,
    Row,
    RowTaken,
    State,
    Suit,
)
from bot.games.magic_bag.scoring import find_exact_tiles, points_of, treasure_points, values_of


class Choice(Enum):
    """What the player can do now. Rules MB-3, MB-5 and MB-8."""

    TAKE_OR_ROLL = auto()
    ROLL = auto()
    TAKE = auto()
    DISCARD = auto()
    """Discard a coin, or finish."""
    FINISH = auto()


def choice_of(view: State) -> Choice:
    """Return what the player can do, as long as the game goes on."""
    if view.has_failed:
        return Choice.DISCARD if view.layout.collected else Choice.FINISH
    if not view.matching:
        return Choice.ROLL
    return Choice.TAKE_OR_ROLL if view.rolls_left else Choice.TAKE


class Cover(Enum):
    """How a die covers a tile. Rules MB-4 and MB-6."""

    NONE = auto()
    VALUE = auto()
    EXACT = auto()
    """In suit and value, which brings one more coin."""


def find_covers(view: State, row: Row) -> Mapping[Piece, Cover]:
    """Return how the tiles of a row are covered, from left to right; once the game is over, none is."""
    if view.end is not None:
        return dict.fromkeys(row, Cover.NONE)
    exact, covered = find_exact_tiles(row, view.faces), find_covered_tiles(row, view.faces)
    return {tile: Cover.EXACT if tile in exact else Cover.VALUE if tile in covered else Cover.NONE for tile in row}


def find_covered_tiles(row: Row, faces: Faces) -> dict[Piece, Suit]:
    """Return the tiles of a row that a die of the same value covers, each with its die. Rule MB-4.

    A die covers one tile: the one that equals it, if there is one.
    """
    found = {tile: tile.suit for tile in find_exact_tiles(row, faces)}
    for tile in row:
        spare = [suit for suit in Suit if faces[suit] == tile.value and suit not in found.values()]
        if tile not in found and spare:
            found[tile] = spare[0]
    return found


def coins_for(state: State, number: int) -> int:
    """Return how many coins taking a row draws, at most those in the bag. Rules MB-6 and MB-7."""
    owed = 1 + len(find_exact_tiles(state.layout.rows[number - 1], state.faces))
    return min(owed, len(state.layout.bag))


def gain_of(state: State, events: Iterable[GameEvent]) -> int:
    """Return the last move's change of the treasure; negative if a coin was discarded."""
    now = before = frozenset(state.layout.collected)
    for event in events:
        if isinstance(event, RowTaken):
            before -= frozenset(event.coins)
        elif isinstance(event, CoinDiscarded):
            before |= {event.coin}
    return treasure_points(state.layout.sheet, now) - treasure_points(state.layout.sheet, before)


def find_completed_artifacts(state: State, events: Iterable[GameEvent]) -> tuple[Suit, ...]:
    """Return the artifacts of which the last move brought the last piece. Rule MB-11."""
    suits = {coin.suit for event in events if isinstance(event, RowTaken) for coin in event.coins} - {Suit.CROWN}
    return tuple(suit for suit in sorted(suits) if len(values_of(suit, state.layout.collected)) == len(VALUES))


def is_untouched(view: State) -> bool:
    """Return whether no row has been taken and no coin given up yet."""
    return not view.layout.discarded and tuple(map(len, view.layout.rows)) == ROW_SIZES


def key_of(view: State, move: Move) -> Hashable:
    """Return what a move does."""
    match move:
        case Roll(suits):
            return () if len(suits) == len(Suit) else tuple((suit, view.faces[suit]) for suit in suits)
        case Claim(row):
            return row, coins_for(view, row)
        case Finish():
            return points_of(view)
        case _:
            return move
