"""Corners of Change through the sandbox: each kind of button and menu that they use, on the table and in hands.

`tests/games/change` plays all of them, and shows what each offers.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

import pytest

from bot.games.change.pieces import Stage
from bot.sandbox.people.person import Person
from tests.e2e.change.change_table import ChangeTable, open_started_game
from tests.games.change.positions import ALL_TWELVE, at, credits_left, hand
from tests.support.parlour import Parlour

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


PEOPLE = ("Robin", "Wren", "Jay")
CARDS = ("add-1 add-2", "envy fear", "any pride")


@dataclass(frozen=True)
class CornerVisit:
    """What Robin, Wren and Jay do at a corner, and what they have left and hold afterwards.

    "Give to all others" is a button of the table for Robin, "Jay>to_fear" a line of its menu for Jay, and
    "Jay#Keep: Any space" a button in Jay's hand.
    """

    corner: int
    presses: tuple[str, ...]
    left: tuple[int, ...] = (120, 120, 120)
    held: tuple[str, ...] = ("add-4 add-5", "", "")
    markers: tuple[str, ...] = ("", "", "")
    hands: tuple[str, ...] = ("", "", "")
    dice: str = ""


DRAWN_ONE, DRAWN_FOUR = ("add-5", "", ""), ("add-4 add-5 gossip greed", "", "")

THREE_PLAYER_VISITS = {
    "2, all the others": CornerVisit(
        *(2, ("Give to all others: I draw 2", "Wren#Replace: Envy", "Jay#Replace: Any space")),
        hands=CARDS,
        held=("add-1 add-2 gossip greed", "add-5 fear", "add-4 pride"),
    ),
    "2, one who is picked": CornerVisit(
        *(2, ("Jay", "Give to those ticked: I draw 1", "Jay#Replace: Pride")),
        hands=CARDS,
        held=("add-1 add-2 add-4", "envy fear", "add-5 any"),
    ),
    "2, not the lander": CornerVisit(
        *(2, ("Give to all others: I draw 2", "Wren#Replace: Fear", "Jay#Replace: Pride")),
        hands=("", *CARDS[1:]),
        held=("gossip greed", "add-5 envy", "add-4 any"),
    ),
    "3, one who is picked": CornerVisit(3, ("Jay", "Give to those ticked"), (120, 120, 108), DRAWN_ONE, dice="264"),
    "8, not the lander": CornerVisit(
        8, ("Wren: I draw 4", "Wren>to_denial"), held=DRAWN_FOUR, markers=(ALL_TWELVE, "", "")
    ),
}


async def test_corners_among_three(parlour: Parlour, monkeypatch: pytest.MonkeyPatch) -> None:
    """CH-C0: several do it, one who is picked does, and the lander can't."""
    people = {name: parlour.sandbox.person(name) for name in PEOPLE}
    message = await open_started_game(parlour, *people.values())
    game = ChangeTable(parlour, message, await parlour.table(), monkeypatch)
    for case, visit in THREE_PLAYER_VISITS.items():
        square, track = ROLLS[visit.corner]
        seats = [f"120@{0 if seat else square} {marks}" for seat, marks in enumerate(visit.markers)]
        await game.set_position(at(*seats, hands=visit.hands, top="add-5 add-4 gossip greed"), track + visit.dice)
        for press in ("Roll", *visit.presses):
            await press_sequence(game, people, press)
        state = await game.state()
        held = tuple(" ".join(sorted(hand(state, seat).split())) for seat in range(3))
        assert (case, credits_left(state), held) == (case, visit.left, visit.held)
        assert (case, state.public.turn, state.public.stage) == (case, 0, Stage.FREE)


async def press_sequence(game: ChangeTable, people: Mapping[str, Person], press: str) -> None:
    """Press what a visit says."""
    name, kind, what = re.split("([>#])", press) if re.search("[>#]", press) else ("Robin", "", press)
    if kind == ">":
        await game.choose(people[name], what)
    elif kind == "#":
        await game.parlour.press(people[name], await game.open_hand(people[name]), what)
    else:
        await game.press(people[name], what)


async def test_cards_are_replaced_at_the_second_corner(game: ChangeTable) -> None:
    """CH-C2: in the own hand, and no one is asked where no one holds a card."""
    robin, wren = game.parlour.robin, game.parlour.wren
    await game.set_position(at("120@0", "120@0"), "13")
    await game.press(robin, "Roll")
    assert (await game.state()).public.stage is Stage.FREE

    await game.set_position(at("120@0", "120@0", hands=["greed any", "fear envy"], top="add-1"), "13")
    await game.press(robin, "Roll")
    await game.press(robin, "Me: replace a message card")
    own = await game.open_hand(robin)
    await game.parlour.press(robin, own, "Replace: Greed")
    assert hand(await game.state()) == "add-1 any"

    await game.set_position(at("120@0", "120@0", hands=["greed any", "fear envy"], top="add-1 add-2"), "13")
    await game.press(robin, "Roll")
    await game.press(robin, "Wren: I draw 1 card")
    theirs = await game.open_hand(wren)
    await game.parlour.press(wren, theirs, "Replace: Fear")
    state = await game.state()
    assert (hand(state), hand(state, 1)) == ("add-2 greed any", "add-1 envy")
