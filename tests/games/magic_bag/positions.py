"""The Magic Bag's positions and turns in its own notation, for tables of cases."""

from collections.abc import Mapping
from itertools import chain

from bot.games.magic_bag.pieces import (
    PIECES,
    PIECES_BY_NAME,
    Faces,
    GameEvent,
    Layout,
    MagicBagContent,
    Piece,
    State,
    needed_values,
)
from bot.games.magic_bag.rules import MagicBag
from bot.games.magic_bag.scoring import find_matching_rows
from bot.platform.content import DATA, read_content
from bot.rules.chance import ScriptedChance
from tests.support.named_positions import NamedPosition

SHEET = read_content(MagicBagContent, DATA / "magic_bag").reference_sheet
GAME = MagicBag(SHEET)

GOLD = "crown-null crown-ace crown-2"


def pieces(text: str) -> tuple[Piece, ...]:
    """Read tiles or coins: `crown-2 sun-null`."""
    return tuple(PIECES_BY_NAME[name] for name in text.split())


def digits(text: str) -> Faces:
    """Read dice in the order sun, moon, crown, arms: `2405`."""
    return tuple(map(int, text))


def at(rows: Mapping[int, str], dice: str, *, rolls: int = 0, coins: str = GOLD, bag: str | None = None) -> State:
    """Set up a position: rows by number, dice, rolls left, the player's coins, and the bag.

    Coins that are not named are in the bag; if the bag is named, they are discarded.
    """
    board = tuple(pieces(rows.get(number, "")) for number in range(1, 10))
    collected = pieces(coins)
    left = tuple(coin for coin in PIECES if coin not in collected)
    drawable = left if bag is None else pieces(bag)
    discarded = tuple(coin for coin in left if coin not in drawable)
    needs = tuple(map(needed_values, board))
    layout = Layout(SHEET, board, needs, drawable, collected, discarded)
    return State(layout, digits(dice), rolls, find_matching_rows(needs, digits(dice)), None)


def play_move(state: State, move: str, *script: int | str) -> tuple[State, tuple[GameEvent, ...]]:
    """Make a move with a script of chance, all of which must be used: numbers for draws, digits for dice."""
    numbers = chain.from_iterable([each] if isinstance(each, int) else digits(each) for each in script)
    with ScriptedChance(numbers) as chance:
        return GAME.play(state, 0, GAME.parse_move(move), chance)


def legal(state: State) -> list[str]:
    """Return the moves of a position in the game's notation."""
    return [str(move) for move in GAME.legal_moves(state)]


def names(some: tuple[Piece, ...]) -> str:
    """Write pieces as they are read."""
    return " ".join(map(str, some))


POSITIONS = {
    "nothing-left-to-discard": NamedPosition(at({1: "sun-null moon-2"}, "3333", coins=""), seats=1),
}
"""Positions whose texts no showcase has."""
