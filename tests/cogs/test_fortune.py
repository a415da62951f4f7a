"""The commands of Fortune: typed moves and suggestions."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import pytest
from discord import app_commands

from bot.games.fortune.pieces import State
from bot.rules.refusals import CommonReason, Refusal
from bot.tables import lobby as lobby_actions
from bot.tables.model import Status
from bot.tables.table import Table
from cogs.fortune import Fortune, parse_roll
from tests.games.fortune.positions import ALL, GAME, PACKAGE, at
from tests.support.each_case import each_case
from tests.support.fakes import ROBIN, WREN, make_table
from tests.ui.fake_interactions import FakeTableCommands

LYING = at("gold", "KGMMPPSD")
CHEST = at("treasure-chest", "KGGGDMPS")


@each_case(
    "dice, chest, state, move",
    [
        ("all", "all", None, ALL),
        (" ALL ", "all", at("gold"), ALL),
        ("all", "all", LYING, "roll 2 3 4 5 6 7 8"),
        ("2, 3", "all", LYING, "roll 2 3"),
        ("23", "none", LYING, "roll 2 3"),
        ("2 3", "4", LYING, "roll 2 3 chest 4"),  # the game's to refuse, in better words
        ("678", "all", CHEST, "roll 6 7 8 chest 2 3 4 5"),
        ("678", "2 3", CHEST, "roll 6 7 8 chest 2 3"),
        ("678", " None", CHEST, "roll 6 7 8"),
        ("all", "all", CHEST, "roll 2 3 4 5 6 7 8"),
        ("all", "all", at("treasure-chest"), ALL),
        ("all", "all", at("treasure-chest", "KKKKMPGD", island=True), "roll 5 6 7 8"),
        ("5 6", "all", at("treasure-chest", "KKKKMPGD", island=True), "roll 5 6"),
        ("2 3", "all", at("treasure-chest"), "roll 2 3"),
        ("2 3", "all", None, "roll 2 3"),
    ],
)
def test_rolls_are_read_as_people_write_them(dice: str, chest: str, state: State | None, move: str) -> None:
    """FO-2 and FO-C1."""
    assert (
        parse_roll(dice, chest, make_fortune_table(state) if state else make_fortune_table(LYING, Status.LOBBY)) == move
    )
    assert str(GAME.parse_move(move)) == move


@each_case("dice, chest", [("", "all"), ("one", "all"), ("none", "all"), ("1 2", "x"), ("1-2", "all")])
def test_unreadable_dice_are_refused(dice: str, chest: str) -> None:
    with pytest.raises(Refusal) as refused:
        parse_roll(dice, chest, make_fortune_table(LYING))
    assert refused.value.reason is CommonReason.UNREADABLE


def make_fortune_table(state: State, status: Status = Status.PLAYING) -> Table:
    """Return a table of Fortune at which a position has come about."""
    seats = (lobby_actions.make_occupant(ROBIN, 500), lobby_actions.make_occupant(WREN, 501))
    table = make_table(*seats, package=PACKAGE, status=status)
    return replace(table, state=state) if status is Status.PLAYING else table


Suggest = Callable[[Any, str], Awaitable[list[app_commands.Choice[Any]]]]


async def get_suggestions(name: str, table: Table, current: str = "") -> list[app_commands.Choice[Any]]:
    suggest: Suggest = getattr(Fortune(), name)
    return await suggest(FakeTableCommands(table).command, current)


class TestSuggestions:
    async def test_the_first_roll_is_the_only_one(self) -> None:
        """FO-2."""
        choices = await get_suggestions("suggest_dice", make_fortune_table(at("gold")))
        assert [choice.value for choice in choices] == ["1 2 3 4 5 6 7 8"]

    @each_case("state", [LYING, CHEST, at("sorceress", "KKMMPPSD")])
    @each_case("current", ["", "3", "3 4", "345"])
    async def test_rolls_contain_the_typed_dice(self, state: State, current: str) -> None:
        """FO-2."""
        choices = await get_suggestions("suggest_dice", make_fortune_table(state), current)
        assert 1 <= len(choices) <= 25
        assert len({choice.value for choice in choices}) == len(choices)
        for choice in choices:
            assert GAME.check(state, 0, GAME.parse_move(f"roll {choice.value}")) is None
            assert set(current) - {" "} <= set(choice.value)

    async def test_before_anything_is_typed_they_are_as_many_as_discord_shows(self) -> None:
        choices = await get_suggestions("suggest_dice", make_fortune_table(LYING), " ")
        assert (len(choices), choices[0].value) == (25, "2 3 4 5 6 7 8"), "most dice first"

    async def test_they_show_the_faces(self) -> None:
        names = {
            choice.value: choice.name
            for choice in await get_suggestions("suggest_dice", make_fortune_table(LYING), "2 7 8")
        }
        assert names["2 7 8"] == "2 7 8   🪙⚔💎"

    @each_case("current", ["a", "AL", "all"])
    async def test_all_is_every_die_without_a_skull(self, current: str) -> None:
        choices = await get_suggestions("suggest_dice", make_fortune_table(LYING), current)
        assert [choice.value for choice in choices] == ["2 3 4 5 6 7 8"]

    async def test_the_skulls_that_can_come_back(self) -> None:
        """FO-C3."""
        choices = await get_suggestions("suggest_skull", make_fortune_table(at("sorceress", "KMKMPPSD")))
        assert [choice.value for choice in choices] == [1, 3]
        assert await get_suggestions("suggest_skull", make_fortune_table(LYING)) == []
