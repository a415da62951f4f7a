"""The commands of Mr. Houdini's Baggage: typed moves and suggestions."""

import re
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import pytest
from discord import app_commands

from bot.games.houdinis_baggage.cards import CARD_KEYS
from bot.games.houdinis_baggage.pieces import Phase, State
from bot.rules.refusals import CommonReason, Refusal
from bot.tables.model import Status
from bot.tables.table import Table
from cogs.houdinis_baggage import (
    HoudinisBaggage,
    parse_baggage_move,
    parse_card,
    parse_choice,
    parse_placement,
    read_move,
)
from tests.games.houdinis_baggage.positions import GAME, at, player
from tests.support.each_case import each_case
from tests.support.fakes import make_table
from tests.support.games import load_games_once
from tests.ui.fake_interactions import FakeTableCommands

PACKAGE = replace(load_games_once()["houdinis_baggage"], game=GAME)
PLACING = at(
    player("1; 2 - blue-star -", "4 5 12", bank="red-star blue-circle"), player("3"), opened="green-square red-triangle"
)

CROWDED = at(
    player("1; 2", " ".join(map(str, range(4, 21))), bank="red-star"),
    player("3"),
    opened="green-square red-triangle blue-circle yellow-star red-square",
)
"""More placements than a menu has lines, so the screen names only their items."""


@each_case("name", CARD_KEYS)
def test_every_card_is_read_in_the_games_own_words(name: str) -> None:
    assert parse_card(name) == name


@each_case("text", ["green square", " Green-Square ", "GREEN  SQUARE", "gr sq", "g sq", "green - square"])
def test_cards_are_read_as_people_write_them(text: str) -> None:
    assert parse_card(text) == "green-square"


@each_case("text", ["", "green", "square green", "green s", "pink star", "green square 2", "green_star"])
def test_unreadable_cards_are_refused(text: str) -> None:
    """An s may be a square or a star."""
    with pytest.raises(Refusal) as refused:
        parse_card(text)
    assert refused.value.reason is CommonReason.UNREADABLE


@each_case(
    "text, move",
    [
        ("green square on 17b", "place green-square on 17b"),
        ("Green-Square 17b", "place green-square on 17b"),
        ("green square on 17 b with 4 9", "place green-square on 17b with 4 9"),
        ("g sq 1a with 4, 9:22", "place green-square on 1a with 4 9:22"),
        ("green-square on 17b with 4,9", "place green-square on 17b with 4 9"),
    ],
)
def test_placements_are_read_as_people_write_them(text: str, move: str) -> None:
    """HB-12."""
    assert parse_placement(text) == move
    assert str(GAME.parse_move(move)) == move


@each_case("text", ["", "17b", "green square", "green square on 17", "green square on 17b with", "on 17b"])
def test_unreadable_placements_are_refused(text: str) -> None:
    with pytest.raises(Refusal):
        parse_placement(text)


@each_case("text", ["3a to 17b with 12", "3a 17b with 12", "3 A TO 17 B WITH 12"])
def test_baggage_is_moved_as_people_write_it(text: str) -> None:
    """HB-B4."""
    assert parse_baggage_move(text) == "move 3a to 17b with 12"


@each_case("text", ["", "3a", "3a to", "3f to 1a with 2", "red star to 3a"])
def test_unreadable_baggage_moves_are_refused(text: str) -> None:
    with pytest.raises(Refusal):
        parse_baggage_move(text)


@each_case("text, move", [("17", "take 17"), (" 5 ", "take 5"), ("red star", "keep red-star")])
def test_assignments_and_cards_are_taken(text: str, move: str) -> None:
    """HB-4 and HB-10."""
    assert parse_choice(text) == move


@each_case("text", ["٣", "²"])
def test_other_digits_are_no_assignments(text: str) -> None:
    with pytest.raises(Refusal):
        parse_choice(text)


def table_with(state: State) -> Table:
    return replace(make_table(status=Status.PLAYING, package=PACKAGE), state=state)


async def get_suggestions(name: str, current: str, state: State) -> list[app_commands.Choice[str]]:
    table_commands = FakeTableCommands(table_with(state))
    cog: Any = HoudinisBaggage()
    suggest: Callable[..., Awaitable[list[app_commands.Choice[str]]]] = getattr(cog, f"suggest_{name}")
    return await suggest(table_commands.command, current)


@each_case(
    "name, current, values",
    [
        ("place", "1d", ["red-triangle on 1d"]),
        (
            "place",
            "green square",
            ["green-square on 1b with 4 5", "green-square on 2a with 5", "green-square on 2a with 4"],
        ),
        ("place", "green square on 1b with 5 4", ["green-square on 1b with 4 5"]),
        ("place", "nonsense", []),
        ("bank", "", ["red-star", "blue-circle"]),
        ("bank", "bl", ["blue-circle"]),
        ("move", "", ["2b to 2c with 12"]),
        ("take", "", []),
    ],
)
async def test_legal_moves_are_suggested(name: str, current: str, values: list[str]) -> None:
    assert {choice.value for choice in await get_suggestions(name, current, PLACING)} == set(values)


async def test_suggestions_name_no_codes() -> None:
    """HB-12: moves are suggested in the words of the screen, which name their bonuses."""
    for name, state in (("place", PLACING), ("bank", PLACING), ("move", PLACING), ("place", CROWDED)):
        choices = await get_suggestions(name, "", state)
        assert choices
        assert not any(re.search(r"[0-9][a-e]|[a-z]-[a-z]", choice.name) for choice in choices)


@each_case(
    "text, move",
    [
        ("red triangle on 1d", "place red-triangle on 1d"),
        ("red triangle on red 1", "place red-triangle on 1d"),
        ("green square on triangle 3", None),
    ],
)
def test_a_move_is_read_in_the_words_of_the_screen(text: str, move: str | None) -> None:
    """HB-6: as long as there is only one such move."""
    if move is not None:
        assert read_move(text, "place", parse_placement, table_with(PLACING)) == move
        return
    with pytest.raises(Refusal):
        read_move(text, "place", parse_placement, table_with(PLACING))


async def test_take_suggests_assignments_or_cards_to_keep() -> None:
    """HB-4 and HB-10."""
    choosing = at(player("1"), phase=Phase.CHOOSE, row="5 6")
    twin = at(player("1; 2"), opened="red-star blue-star red-star", phase=Phase.TWIN)
    assert [choice.value for choice in await get_suggestions("take", "", choosing)] == ["5", "6"]
    assert [choice.value for choice in await get_suggestions("take", "", twin)] == ["red-star", "blue-star"]
