"""Corners of Change through the sandbox: each kind of button and menu that they use on the table.

`tests/games/change` plays all of them, and shows what each offers.
"""

from bot.games.change.pieces import Stage
from tests.e2e.change.change_table import ChangeTable
from tests.games.change.positions import ALL_TWELVE, at, credits_left

ROLLS = {1: (0, "12"), 2: (0, "13"), 3: (8, "12"), 4: (8, "13"), 5: (16, "12"), 6: (16, "13"), 7: (24, "12")}
ROLLS[8] = (24, "13")

# Which buttons are pressed, what else is rolled, what Robin and Wren have left, and how many cards Robin has drawn.
CORNERS: dict[str, tuple[int, tuple[str, str], list[str], str, tuple[int, int], int]] = {
    "1, the lander": (1, ("", ""), ["Me: release 10"], "", (110, 120), 0),
    "1, another": (1, ("", ""), ["Wren: I draw 1 card"], "", (120, 110), 1),
    "5, the lander": (5, ("greed fear", "envy habits"), ["Me: go to one of your", "Robin>to_fear"], "", (100, 120), 0),
    "5, another": (5, ("greed fear", "envy habits"), ["Wren: I draw 2 cards", "Wren>to_envy"], "", (120, 110), 2),
    "5, no other": (5, ("greed", ""), [], "", (110, 120), 0),
    "6, another": (6, ("", ""), ["Wren: I draw 1 card"], "666", (120, 102), 1),
    "7, another": (7, ("", ""), ["Give to all others: I draw 2 cards"], "", (120, 100), 2),
    "8, another": (8, ("", ""), ["Wren: I draw 4 cards", "Wren>to_denial"], "", (120, 120), 4),
    "8, none": (8, (ALL_TWELVE, ALL_TWELVE), [], "", (120, 120), 0),
}


async def test_corners_are_played(game: ChangeTable) -> None:
    """CH-C0: the lander does it, another does, no one else can, and no one can."""
    people = {"Robin": game.parlour.robin, "Wren": game.parlour.wren}
    for case, (corner, placed, presses, dice, expected, drawn) in CORNERS.items():
        square, track = ROLLS[corner]
        await game.set_position(at(f"120@{square} {placed[0]}", f"120@0 {placed[1]}"), track + dice)
        await game.press(people["Robin"], "Roll")
        for press in presses:
            name, _, key = press.partition(">")
            await (game.choose(people[name], key) if key else game.press(people["Robin"], press))
        state = await game.state()
        assert (case, credits_left(state), len(state.hands[0])) == (case, expected, drawn)
        assert state.public.stage is (Stage.ROLL if case == "8, none" else Stage.FREE), case
