"""Typed commands at a table of Change."""

from dataclasses import replace
from typing import Any

from bot.games.change.pieces import Stage, State
from bot.platform.places import Person
from bot.tables.control_entries import Resign, Substitute
from bot.tables.model import Status
from bot.tables.table import Table, apply_control_entry, derive_status
from cogs.change import Change, parse_card_text, parse_choice, suggestions
from tests.games.change.positions import at
from tests.support.each_case import each_case
from tests.support.fakes import ROBIN, STRANGER, WREN, make_table
from tests.support.games import load_games_once
from tests.ui.fake_interactions import FakeTableCommands, make_command, make_command_context

CHANGE = load_games_once()["change"]


def table_at(state: State) -> Table:
    """Return a table of Robin, Wren and Jay in a position."""
    table = make_table(status=Status.PLAYING, package=CHANGE)
    seats = table.seats[: len(state.hands)]
    header = replace(table.header, game="change")
    return derive_status(replace(table, header=header, state=state, seats=seats), 3)


def rename_people(table: Table, *names: str) -> Table:
    """Return the table with people of other names."""
    seats = zip(table.seats, names, strict=True)
    return replace(table, seats=tuple(replace(who, name=name) for who, name in seats))


CORNER = table_at(at("120@3", "120@0", "120@0", stage=Stage.CORNER))
SWAPPING = table_at(at("120@4", "120@0", hands=["add-1 greed", "any fear"], stage=Stage.SWAP, asked=[1], draws=1))
KEEPING = table_at(at("120@22", "120@0", hands=["add-1 greed"], stage=Stage.KEEP))
LOBBY = make_table(package=CHANGE)
ODD_NAMES = rename_people(CORNER, "Me", "Myself", "1")
NAMESAKES = rename_people(CORNER, "Robin", "robin", "Jay")
FREE = table_at(at("120@3", "120@0", hands=["any greed add-1"], stage=Stage.FREE))


@each_case(
    "typed, read",
    [
        ("add 3", "add-3"),
        ("Add3", "add-3"),
        ("ADD-3", "add-3"),
        (" greed  place ", "greed place"),
        ("Any, Greed, place", "any greed place"),
        ("replace 2 add 1 envy", "replace-2 add-1 envy"),
        ("Replace 2: Add 1, Envy", "replace-2 add-1 envy"),
        ("", ""),
    ],
)
def test_cards_are_read_as_people_write_them(typed: str, read: str) -> None:
    assert parse_card_text(typed) == read


@each_case(
    "typed, table, move",
    [
        ("me", CORNER, "choose myself"),
        ("Myself", CORNER, "choose myself"),
        ("wren", CORNER, "choose 1"),
        ("Wren, jay", CORNER, "choose 1 2"),
        ("2 3", CORNER, "choose 1 2"),
        ("3", CORNER, "choose 2"),
        ("0", CORNER, "choose -1"),
        ("Greed", CORNER, "choose greed"),
        ("fear", SWAPPING, "replace fear"),
        ("me", SWAPPING, "replace me"),
        ("add 1", KEEPING, "keep add-1"),
        ("wren", LOBBY, "choose 1"),
        ("greed", LOBBY, "choose greed"),
        # A suggestion keeps its meaning, whatever the players' names are.
        ("2", ODD_NAMES, "choose 1"),
        ("2 3", ODD_NAMES, "choose 1 2"),
        ("myself", ODD_NAMES, "choose myself"),
        # A name that two players share identifies neither.
        ("robin", NAMESAKES, "choose robin"),
        ("jay", NAMESAKES, "choose 2"),
    ],
)
def test_choices_are_read_as_people_write_them(typed: str, table: Table, move: str) -> None:
    assert parse_choice(typed, table) == move


def test_suggestions_name_people_in_place_of_seats() -> None:
    found = {choice.value: choice.name for choice in suggestions(CORNER, ("choose",), "")}
    assert (found.pop("2"), found.pop("3"), *found) == ("Wren", "Jay", "myself")


def test_suggestions_mark_seats_of_computer_players() -> None:
    table = apply_control_entry(apply_control_entry(CORNER, 0, Substitute(1)), 2, Resign())
    found = {choice.value: choice.name for choice in suggestions(table, ("choose",), "wren")}
    assert found == {"2": "Wren 🤖"}
    assert [choice.name for choice in suggestions(table, ("choose",), "jay")] == ["Jay 🏳️🤖"]


def test_suggested_names_cannot_reverse_text_and_match_what_was_typed() -> None:
    """Suggestions know no Markdown either."""
    table = rename_people(CORNER, "Robin", "\u202eWren*", "\u05e9\u05dc\u05d5\u05dd")
    found = {choice.value: choice.name for choice in suggestions(table, ("choose",), "")}
    assert (found["2"], found["3"]) == ("Wren*", "\u2068\u05e9\u05dc\u05d5\u05dd\u2069")
    assert [choice.value for choice in suggestions(table, ("choose",), "\u05e9\u05dc")] == ["3"]


@each_case(
    "typed, values",
    [
        ("gree", ["greed place", "greed", "any greed place", "any greed"]),
        ("any se", ["any selfishness place", "any selfishness"]),
    ],
)
def test_suggestions_contain_the_typed_text(typed: str, values: list[str]) -> None:
    assert [choice.value for choice in suggestions(FREE, ("card",), typed)] == values


def test_suggestions_stay_within_discords_limit() -> None:
    assert len(suggestions(FREE, ("card",), "")) == 25


def test_only_the_kinds_asked_for_are_suggested() -> None:
    assert {choice.value for choice in suggestions(SWAPPING, ("choose", "replace", "keep"), "")} == {"any", "fear"}
    assert suggestions(FREE, ("choose",), "") == []


async def get_suggestions(name: str, table: Table, person: Person, typed: str = "") -> list[str]:
    command: Any = make_command(person, client=make_command_context(FakeTableCommands(table)).client)
    suggest: Any = getattr(Change(), f"suggest_{name}")
    return [choice.value for choice in await suggest(command, typed)]


@each_case(
    "name, table, typed, values",
    [
        ("card", FREE, "any greed", ["any greed place", "any greed"]),
        ("space", FREE, "gre", ["greed"]),
        ("choice", CORNER, "j", ["3"]),
        ("choice", KEEPING, "add", ["add-1"]),
    ],
)
async def test_each_command_suggests_its_moves(name: str, table: Table, typed: str, values: list[str]) -> None:
    assert await get_suggestions(name, table, ROBIN, typed) == values


async def test_cards_are_suggested_only_to_their_holder_in_turn() -> None:
    """CH-M1."""
    table = table_at(at("120@3", "120@0", "120@0", hands=["greed add-1", "add-2"], stage=Stage.FREE))
    assert set(await get_suggestions("card", table, ROBIN)) == {"greed place", "greed"}
    for person in (WREN, STRANGER):
        assert await get_suggestions("card", table, person) == []
    resigned = apply_control_entry(table, 0, Resign())
    assert resigned.header.awaits_computer
    assert await get_suggestions("card", resigned, ROBIN) == []
