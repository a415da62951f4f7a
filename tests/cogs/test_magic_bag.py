"""The commands of The Magic Bag: typed moves and suggestions."""

import re
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import pytest
from discord import app_commands

from bot.games.magic_bag.pieces import PIECES, State
from bot.rules.refusals import CommonReason, Refusal
from bot.tables import lobby as lobby_actions
from bot.tables.model import Status
from bot.tables.table import Table
from cogs.magic_bag import MagicBag, parse_keep, parse_piece
from tests.games.magic_bag.positions import GAME, at
from tests.support.each_case import each_case
from tests.support.fakes import ROBIN, make_table
from tests.support.games import load_games_once
from tests.ui.fake_interactions import FakeTableCommands

PACKAGE = load_games_once()["magic_bag"]
ROWS = {2: "sun-5", 3: "crown-2 arms-null", 9: "sun-4 moon-4 crown-4 arms-4"}


@each_case(
    "keep, move",
    [
        ("none", "roll sun moon crown arms"),
        (" NONE ", "roll sun moon crown arms"),
        ("sun", "roll moon crown arms"),
        ("sun arms", "roll moon crown"),
        ("arms, sun", "roll moon crown"),
        ("Suns + Moons", "roll crown arms"),
        ("s c", "roll moon arms"),
        ("arm", "roll sun moon crown"),
        ("shield", "roll sun moon crown"),
        ("sh s", "roll moon crown"),
        ("moon moon", "roll sun crown arms"),
        ("all", "stop"),
        ("All!", "stop"),
        ("sun moon crown arms", "stop"),
        ("s,m,c,a", "stop"),
    ],
)
def test_the_dice_that_are_not_kept_are_rolled(keep: str, move: str) -> None:
    """MB-3."""
    assert parse_keep(keep) == move
    assert str(GAME.parse_move(move)) == move


@each_case(
    "text, piece",
    [
        ("crown-2", "crown-2"),
        ("Crown 2", "crown-2"),
        (" CROWNS  2 ", "crown-2"),
        ("c2", "crown-2"),
        ("sun null", "sun-null"),
        ("sun-0", "sun-null"),
        ("s null", "sun-null"),
        ("moon ace", "moon-ace"),
        ("m1", "moon-ace"),
        ("arms-5", "arms-5"),
        ("arm 5", "arms-5"),
        ("shields 5", "arms-5"),
    ],
)
def test_coins_and_tiles_are_read_as_people_write_them(text: str, piece: str) -> None:
    assert parse_piece(text) == piece


@each_case("piece", [str(piece) for piece in PIECES])
def test_every_piece_is_read_in_the_games_own_words(piece: str) -> None:
    assert parse_piece(piece) == piece


@each_case(
    "text", ["", " ", "-", "!?", "солнце", "stars", "sun dog", "1", "sun moo n x", "all sun", "none moon", "sunny"]
)
def test_unreadable_dice_are_refused(text: str) -> None:
    with pytest.raises(Refusal) as refused:
        parse_keep(text)
    assert refused.value.reason is CommonReason.UNREADABLE


@each_case("text", ["", "crown", "2", "crown-6", "crown 22", "star-2", "crown-two", "crown-٣", "x" * 50])
def test_unreadable_pieces_are_refused(text: str) -> None:
    with pytest.raises(Refusal) as refused:
        parse_piece(text)
    assert refused.value.reason is CommonReason.UNREADABLE


def make_magic_bag_table(state: State) -> Table:
    """Return a table of The Magic Bag at which a position has come about."""
    table = make_table(lobby_actions.make_occupant(ROBIN, 500), package=PACKAGE, status=Status.PLAYING)
    return replace(table, state=state)


Suggest = Callable[[Any, str], Awaitable[list[app_commands.Choice[Any]]]]
SUGGESTIONS: list[str] = ["suggest_keep", "suggest_row", "suggest_coin", "suggest_tile"]


async def get_suggestions(name: str, table: Table, current: str = "") -> list[app_commands.Choice[Any]]:
    suggest: Suggest = getattr(MagicBag(), name)
    return await suggest(FakeTableCommands(table).command, current)


class TestSuggestions:
    async def test_every_choice_of_dice_to_keep_is_suggested_with_faces(self) -> None:
        """MB-3."""
        state = at(ROWS, "1130", rolls=1)
        choices = await get_suggestions("suggest_keep", make_magic_bag_table(state))
        assert {parse_keep(choice.value) for choice in choices} == set(map(str, GAME.legal_moves(state)))
        names = {choice.value: choice.name for choice in choices}
        assert names["sun arms"] == "sun shield   ☀️1 🛡️0"
        assert names["none"] == "none"

    @each_case(
        "current, values",
        [
            ("sun moon", ["sun moon", "sun moon crown", "sun moon arms"]),
            ("su, a m", ["sun moon arms"]),
            ("shi m", ["moon arms", "sun moon arms", "moon crown arms"]),
            ("al", ["all"]),
            ("no", ["none"]),
            ("x", []),
        ],
    )
    async def test_dice_match_the_typed_words(self, current: str, values: list[str]) -> None:
        choices = await get_suggestions("suggest_keep", make_magic_bag_table(at(ROWS, "1130", rolls=1)), current)
        assert sorted(choice.value for choice in choices) == sorted(values)

    async def test_no_dice_are_suggested_after_the_last_roll(self) -> None:
        """MB-3."""
        assert await get_suggestions("suggest_keep", make_magic_bag_table(at(ROWS, "1130"))) == []

    async def test_all_is_not_suggested_if_a_row_must_be_taken(self) -> None:
        """MB-5."""
        choices = await get_suggestions("suggest_keep", make_magic_bag_table(at(ROWS, "5111", rolls=1)), "all")
        assert choices == []

    async def test_the_rows_that_match_are_suggested_with_their_coins(self) -> None:
        """MB-5 and MB-6."""
        choices = await get_suggestions("suggest_row", make_magic_bag_table(at(ROWS, "1025")))
        assert [(choice.value, re.findall(r"\d", choice.name)) for choice in choices] == [
            (2, ["2", "1"]),
            (3, ["3", "2"]),
        ]

    @each_case(
        "current, values",
        [
            ("", ["crown-null", "crown-2", "arms-ace"]),
            ("crown", ["crown-null", "crown-2"]),
            ("C2", ["crown-2"]),
            ("crown-", ["crown-null", "crown-2"]),
            ("arms ace", ["arms-ace"]),
            ("shield", ["arms-ace"]),
            ("0", ["crown-null"]),
            ("a 1", ["arms-ace"]),
            ("moon", []),
        ],
    )
    async def test_coins_match_the_typed_words(self, current: str, values: list[str]) -> None:
        """MB-8."""
        table = make_magic_bag_table(at(ROWS, "1140", coins="crown-null crown-2 arms-ace"))
        assert [choice.value for choice in await get_suggestions("suggest_coin", table, current)] == values

    async def test_the_tiles_that_equal_a_die_are_suggested(self) -> None:
        """MB-9."""
        table = make_magic_bag_table(at(ROWS, "1140", coins="crown-null crown-2"))
        assert [choice.value for choice in await get_suggestions("suggest_tile", table)] == ["crown-4", "arms-null"]
        assert [choice.value for choice in await get_suggestions("suggest_tile", table, "a")] == ["arms-null"]

    async def test_there_are_never_too_many(self) -> None:
        table = make_magic_bag_table(at(ROWS, "1140", coins=" ".join(map(str, PIECES))))
        for name in SUGGESTIONS:
            choices = await get_suggestions(name, table)
            assert len(choices) <= 25
            assert len({choice.value for choice in choices}) == len(choices)
