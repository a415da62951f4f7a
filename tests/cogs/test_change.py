"""What people type at a table of Change."""

from dataclasses import replace

import pytest

from bot.games.change.pieces import Stage, State
from bot.tables.model import Status
from bot.tables.registry import load_games
from bot.tables.table import Table, settled
from cogs.change import choice_in, suggestions, written
from tests.games.change.positions import at
from tests.support.fakes import a_table

CHANGE = load_games()["change"]


def table_at(state: State) -> Table:
    """Return a table of Robin, Wren and Jay in a position."""
    table = a_table(status=Status.PLAYING, package=CHANGE)
    seats = table.seats[: len(state.hands)]
    return settled(replace(table, state=state, seats=seats), 3)


CORNER = table_at(at("120@3", "120@0", "120@0", stage=Stage.CORNER))
SWAPPING = table_at(at("120@4", "120@0", hands=["add-1 greed", "any fear"], stage=Stage.SWAP, asked=[1], draws=1))
KEEPING = table_at(at("120@22", "120@0", hands=["add-1 greed"], stage=Stage.KEEP))
FREE = table_at(at("120@3", "120@0", hands=["any greed add-1"], stage=Stage.FREE))


@pytest.mark.parametrize(
    ("typed", "read"),
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
    assert written(typed) == read


@pytest.mark.parametrize(
    ("typed", "table", "move"),
    [
        ("me", CORNER, "choose myself"),
        ("Myself", CORNER, "choose myself"),
        ("wren", CORNER, "choose 1"),
        ("Wren, jay", CORNER, "choose 1 2"),
        ("1 2", CORNER, "choose 1 2"),
        ("Greed", CORNER, "choose greed"),
        ("fear", SWAPPING, "replace fear"),
        ("add 1", KEEPING, "keep add-1"),
        ("wren", None, "choose wren"),
    ],
)
def test_choices_are_read_as_people_write_them(typed: str, table: Table | None, move: str) -> None:
    assert choice_in(typed, table) == move


def test_suggestions_name_people_in_place_of_seats() -> None:
    found = {choice.name: choice.value for choice in suggestions(CORNER, ("choose",), "")}
    assert found == {"myself": "myself", "Wren": "1", "Jay": "2"}


@pytest.mark.parametrize(
    ("typed", "values"),
    [
        ("gree", ["greed place", "greed", "any greed place", "any greed"]),
        ("any se", ["any selfishness place", "any selfishness"]),
    ],
)
def test_suggestions_go_on_from_what_is_typed(typed: str, values: list[str]) -> None:
    assert [choice.value for choice in suggestions(FREE, ("card",), typed)] == values


def test_there_are_never_more_suggestions_than_discord_shows() -> None:
    assert len(suggestions(FREE, ("card",), "")) == 25


def test_only_the_kinds_asked_for_are_suggested() -> None:
    assert {choice.value for choice in suggestions(SWAPPING, ("choose", "replace", "keep"), "")} == {"any", "fear"}
    assert suggestions(FREE, ("choose",), "") == []
