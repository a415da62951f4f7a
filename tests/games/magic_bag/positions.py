"""The Magic Bag's positions and turns in its own notation, for tables of cases."""

from collections.abc import Mapping
from itertools import chain

from bot.games.magic_bag.controls import FINISH_TOKEN, coin_token
from bot.games.magic_bag.pieces import (
    PIECES,
    PIECES_BY_NAME,
    Faces,
    GameEvent,
    Layout,
    MagicBagContent,
    Piece,
    ReferenceSheet,
    State,
    needed_values,
)
from bot.games.magic_bag.rules import MagicBag
from bot.games.magic_bag.scoring import find_matching_rows
from bot.platform.content import DATA, read_content
from bot.rules.chance import ScriptedChance
from bot.rules.screen import EMPTY_DRAFT, Draft
from tests.support.named_positions import NamedPosition

SHEET = read_content(MagicBagContent, DATA / "magic_bag").reference_sheet
GAME = MagicBag(SHEET)

GOLD = "crown-null crown-ace crown-2"
FAR: Mapping[int, str] = {9: "sun-4 moon-4 crown-4 arms-4"}
"""A row that is hard to match."""

ROWS: Mapping[int, str] = {2: "sun-5", 3: "crown-2 arms-null", **FAR}


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


def name_position(
    parts: str, state: State, events: tuple[GameEvent, ...] = (), *, draft: Draft = EMPTY_DRAFT
) -> NamedPosition:
    """Name a position by the texts that are remarkable in it."""
    return NamedPosition(state, events, seats=1, draft=draft, parts=parts)


def with_sheet(state: State, **artifacts: list[str]) -> State:
    """Return a position with another reference sheet."""
    lines = {
        key: [" ".join("." if cell is None else str(cell) for cell in row) for row in grid]
        for key, grid in SHEET.model_dump().items()
    }
    sheet = ReferenceSheet.model_validate(lines | artifacts)
    return state._replace(layout=state.layout._replace(sheet=sheet))


TREASURE = at(FAR, "1111", rolls=1, coins="arms-ace arms-2 arms-3 arms-5 crown-5 moon-null", bag="sun-5 moon-2")


def make_positions() -> dict[str, NamedPosition]:
    """Return positions whose texts no showcase has."""
    five_coins = at({9: "sun-3 moon-4 crown-3 arms-3", 1: "sun-5"}, "3433")
    last_coin = at({1: "arms-5", 6: "sun-null crown-5 moon-2"}, "0005", coins="crown-3", bag="crown-4 sun-5")
    return {
        "rows-for-one-roll": name_position(
            "screen", at({4: "arms-4 moon-2", 7: "sun-4", 8: "moon-4 crown-4 sun-2 crown-3"}, "1400", rolls=1)
        ),
        "rows-after-the-last-roll": name_position("screen reading picture", at(ROWS, "5020")),
        "the-last-coins": name_position("screen", at(ROWS, "5020", bag="sun-2")),
        "equal-values-of-other-suits": name_position("reading", at({9: "crown-2 arms-2 sun-2"}, "2213")),
        "five-coins": name_position("picture news", *play_move(five_coins, "claim 9", 0, 0, 0, 0, 0, "5111")),
        "draws-that-lapse": name_position("news", *play_move(at(ROWS, "5110", bag="sun-2"), "claim 2", 0)),
        "treasure": name_position("screen reading picture", TREASURE),
        "sheet-with-a-gap": name_position("screen", with_sheet(TREASURE, suns=["0 . 1", "2 3 4", "5 . ."])),
        "a-tile-after-the-coin": name_position(
            "screen",
            at(ROWS, "1140", coins="arms-ace arms-2 arms-3 crown-null crown-5 moon-3"),
            draft=frozenset({coin_token(PIECES_BY_NAME["crown-null"])}),
        ),
        "finishing-early": name_position("screen", at(ROWS, "1111"), draft=frozenset({FINISH_TOKEN})),
        "a-coin-alone-discarded": name_position(
            "picture news", *play_move(at(ROWS, "1140"), "discard crown-2", "1111")
        ),
        "nothing-to-discard": name_position("screen reading picture", at(ROWS, "1140", coins="")),
        "over-with-tiles-left": name_position("screen reading picture", *play_move(last_coin, "claim 1", 0, 0)),
        "over-without-a-row": name_position(
            "screen reading picture", *play_move(at({9: "sun-5"}, "1115"), "claim 9", 0)
        ),
        "over-with-one-point": name_position(
            "screen picture", *play_move(at(FAR, "1111", coins="crown-ace"), "finish")
        ),
        "over-without-a-coin": name_position(
            "screen reading picture", *play_move(at(FAR, "1111", rolls=1, coins=""), "stop")
        ),
    }
