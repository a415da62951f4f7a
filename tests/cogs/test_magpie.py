"""The commands of Magpie: typed moves and suggestions."""

from typing import Any

from discord import app_commands

from bot.games.magpie.pieces import ROLLS
from bot.tables.model import Status
from bot.tables.table import Table
from cogs import magpie
from cogs.magpie import parse_dice, suggestions
from tests.support.each_case import each_case
from tests.support.fakes import make_table
from tests.ui.fake_interactions import FakeTableCommands

ALL_ROLLS = [move.dice for move in ROLLS]
FACES = (1, 2, 3, 4, 6)


@each_case(
    "text, places",
    [
        ("1", [1]),
        ("1 3 5", [1, 3, 5]),
        ("1,3,5", [1, 3, 5]),
        ("1, 3, 5", [1, 3, 5]),
        ("1;3;5", [1, 3, 5]),
        ("1+3+5", [1, 3, 5]),
        ("1.3.5.", [1, 3, 5]),
        ("1 & 3", [1, 3]),
        ("135", [1, 3, 5]),
        ("  1\t3 \n", [1, 3]),
        ("1\u00a03", [1, 3]),
        ("5 1", [5, 1]),
        ("all", [1, 2, 3, 4, 5]),
        (" ALL ", [1, 2, 3, 4, 5]),
        ("All", [1, 2, 3, 4, 5]),
        # Numbers that no die has and dice named twice are the game's to refuse, in better words.
        ("0", [0]),
        ("7", [7]),
        ("11", [1, 1]),
        ("12", [1, 2]),
    ],
)
def test_dice_are_read_as_people_write_them(text: str, places: list[int]) -> None:
    assert parse_dice(text) == places


class TestSuggestions:
    def values(self, current: str) -> list[str]:
        return [str(choice.value) for choice in suggestions(current, FACES, ALL_ROLLS)]

    @each_case("current", ["", "1", "1 3", "135", "all", "x", "1 3 ", "99"])
    def test_suggestions_fit_discords_limits_and_can_be_extended(self, current: str) -> None:
        choices = suggestions(current, FACES, ALL_ROLLS)
        assert len(choices) <= 25
        for choice in choices:
            assert 1 <= len(choice.name) <= 100
            assert tuple(parse_dice(str(choice.value))) in ALL_ROLLS
        assert len({choice.value for choice in choices}) == len(choices)

    @each_case("current, dice", [("3", {3}), ("1 5", {1, 5}), ("5,1", {1, 5}), ("2345", {2, 3, 4, 5})])
    def test_suggestions_contain_the_typed_dice(self, current: str, dice: set[int]) -> None:
        values = self.values(current)
        assert [set(parse_dice(value)) >= dice for value in values] == [True] * len(values)
        assert len(values) == 2 ** (5 - len(dice))

    @each_case("current", ["6", "0", "1 9", "٣"])
    def test_dice_that_do_not_exist_have_no_suggestions(self, current: str) -> None:
        assert self.values(current) == []

    def test_suggestions_show_the_faces(self) -> None:
        names = {choice.value: choice.name for choice in suggestions("1 5", FACES, ALL_ROLLS)}
        assert names["1 5"] == "1 5   ⚀ ⚅"
        assert names["1 2 3 4 5"] == "1 2 3 4 5   ⚀ ⚁ ⚂ ⚃ ⚅"

    @each_case("current", ["a", "AL", "all", " all "])
    def test_all_suggests_all_five_dice(self, current: str) -> None:
        assert self.values(current) == ["1 2 3 4 5"]

    def test_empty_input_suggests_all_five_dice_too(self) -> None:
        assert "1 2 3 4 5" in self.values("")
        assert len(self.values("")) == 25


async def suggest(table: Table) -> list[app_commands.Choice[str]]:
    cog: Any = magpie.Magpie()
    choices: list[app_commands.Choice[str]] = await cog.suggest(FakeTableCommands(table).command, "1")
    return choices


async def test_suggestions_come_from_the_table_of_the_channel() -> None:
    table = make_table(status=Status.PLAYING)
    choices = await suggest(table)
    assert choices == suggestions("1", table.state.faces, ALL_ROLLS)
    assert choices != []
