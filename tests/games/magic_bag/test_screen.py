"""What can be pressed on the screen of The Magic Bag."""

from collections.abc import Mapping

from bot.games.magic_bag.pieces import PIECES, State, Suit
from bot.games.magic_bag.scoring import points_of
from bot.games.magic_bag.screen import build_screen
from bot.rules.screen import EMPTY_DRAFT, Play, Screen, Toggle, Tone
from bot.tools.contract.screen_checks import find_excess
from tests.games.magic_bag.positions import FAR, GAME, ROWS, at, play_move
from tests.support.each_case import each_case


def press(state: State, *keys: str) -> Screen:
    """Press toggles one after another and return the screen."""
    draft = EMPTY_DRAFT
    for key in keys:
        control = build_screen(state, (), ("Ada",), draft).find_control(key)
        assert control is not None, key
        assert isinstance(control.effect, Toggle)
        draft ^= {control.effect.token}
    return build_screen(state, (), ("Ada",), draft)


def moves(screen: Screen) -> dict[str, str]:
    """Return what can be played by the keys of controls: buttons, then the lines of menus."""
    return {control.key: control.effect.move for control in screen.iter_controls() if isinstance(control.effect, Play)}


def keys_with(screen: Screen, tone: Tone) -> list[str]:
    return [control.key for control in screen.iter_controls() if control.tone is tone]


def test_every_choice_of_dice_can_be_composed() -> None:
    """MB-3: what is chosen stands out."""
    state, found = at(ROWS, "1111", rolls=1), []
    for mask in range(16):
        keys = [f"keep_{suit}" for suit in Suit if mask >> suit & 1]
        screen = press(state, *keys)
        ((key, move),) = moves(screen).items()
        assert keys_with(screen, Tone.CHOSEN) == ([*keys, key] if keys else [])
        found.append(move)
    assert sorted(found) == sorted(map(str, GAME.legal_moves(state)))


@each_case(
    "rows, dice, attempts",
    [
        ({7: "moon-2 arms-5"}, "2200", {"try7": "roll sun crown arms"}),
        ({7: "sun-4 moon-4 sun-2"}, "4400", {"try7": "roll crown arms"}),
        ({7: "sun-4 moon-3", 9: "arms-4 moon-5"}, "1401", {"try7": "roll sun crown arms"}),  # for both rows
        ({7: "sun-4", 9: "arms-5"}, "4111", {}),  # row 7 matches, and row 9 needs none of the dice
    ],
)
def test_one_button_keeps_the_dice_for_a_row(rows: Mapping[int, str], dice: str, attempts: Mapping[str, str]) -> None:
    """MB-3 and MB-4."""
    offered = moves(press(at(rows, dice, rolls=1)))
    assert {key: move for key, move in offered.items() if key.startswith("try")} == attempts
    assert not any(key.startswith("try") for key in moves(press(at(rows, dice))))


def test_keeping_all_four_leaves_the_rows_that_match() -> None:
    """MB-5."""
    screen = press(at(ROWS, "5111", rolls=1), *[f"keep_{suit}" for suit in Suit])
    assert moves(screen) == {"row2": "claim 2"}


@each_case("dice, rolls, out", [("5111", 0, ["row2"]), ("5111", 1, []), ("5020", 0, [])])
def test_the_clearly_best_row_stands_out_after_the_last_roll(dice: str, rolls: int, out: list[str]) -> None:
    """MB-5 and MB-6: a small lead is no clear one."""
    assert keys_with(press(at(ROWS, dice, rolls=rolls)), Tone.MAIN) == out


def test_all_nine_rows_fit() -> None:
    screen = press(at(dict.fromkeys(range(1, 10), "sun-ace"), "0101", rolls=1))
    assert [len(row) for row in screen.controls] == [5, 4, 4, 1]


def test_the_coins_that_cost_least_come_first() -> None:
    """MB-8 and MB-11: four of them are buttons."""
    state = at(FAR, "1111", coins="arms-ace arms-2 arms-3 crown-null crown-5 moon-3")
    screen, points = press(state), points_of(state)
    buttons, menu = screen.controls[0], screen.menus[0].controls
    discards = [moves(screen)[control.key] for control in (*buttons, *menu)]
    costs = [points - points_of(play_move(state, move, "1111")[0]) for move in discards]
    assert costs == sorted(costs) == [0, 5, 10, 30, 30, 40]
    assert len(buttons) == 4


def test_a_tile_may_go_too() -> None:
    """MB-9: once one is chosen, the others are gone until it is released."""
    state = at(ROWS, "1140", coins="crown-2 sun-3")
    assert [control.key for control in press(state).controls[0]] == ["tile_crown", "tile_arms"]
    screen = press(state, "tile_arms")
    assert keys_with(screen, Tone.CHOSEN) == [control.key for control in screen.controls[0]] == ["tile_arms"]
    assert sorted(moves(screen).values()) == [
        "discard crown-2 tile arms-null",
        "discard sun-3 tile arms-null",
        "finish",
    ]
    assert press(state, "tile_arms", "tile_arms") == press(state)
    assert [control.key for control in press(at(ROWS, "1140", coins="")).iter_controls()] == ["finish"]


@each_case("dice", ["1111", "1440"])
def test_every_way_to_go_on_can_be_pressed_however_many_coins_there_are(dice: str) -> None:
    """MB-8 and MB-9: with 24 coins and up to three tiles."""
    state = at({3: "sun-5 arms-null", **FAR}, dice, coins=" ".join(map(str, PIECES)))
    found = set()
    for keys in ([], *([f"tile_{tile.suit}"] for tile in state.removable)):
        screen = press(state, *keys)
        assert list(find_excess(screen)) == []
        found |= set(moves(screen).values())
    assert found == set(map(str, GAME.legal_moves(state)))
