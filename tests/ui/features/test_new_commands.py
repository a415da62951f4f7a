"""The command `new` of each game, which is made from the game's options."""

from dataclasses import replace
from typing import Any

from discord import app_commands

from bot.app.bootstrap import build_client
from bot.features.new_tables.commands import build_new_command
from bot.rules.game import GameInfo, Options
from bot.tables.registry import AnyPackage, GameRegistry
from bot.words import gettext
from tests.rules.heap_game import PACKAGE as HEAP, Heap, HeapOptions
from tests.support.each_case import each_case
from tests.support.games import load_games_once
from tests.support.memory_database import MemoryDatabase
from tests.ui.fake_interactions import RecordingTableCommands

GAMES = load_games_once()


INTEGER, BOOLEAN = 4, 5


"""Discord's numbers for types of parameters."""


Row = tuple[str, int, int | None, int | None]


PARAMETERS: dict[str, list[Row]] = {
    "change": [
        ("credits", INTEGER, 20, 300),
        ("sets", BOOLEAN, None, None),
        ("games", INTEGER, 1, 9),
        ("computers", INTEGER, 0, 5),
    ],
    "fortune": [
        ("target", INTEGER, 1000, 20_000),
        ("nine_wins", BOOLEAN, None, None),
        ("computers", INTEGER, 0, 3),
    ],
    "houdinis_baggage": [("target", INTEGER, 10, 30), ("computers", INTEGER, 0, 3)],
    "magic_bag": [],
    "magpie": [
        ("target", INTEGER, 50, 500),
        ("double_big_rolls", BOOLEAN, None, None),
        ("reroll_fours", BOOLEAN, None, None),
        ("five_dice_bonus", BOOLEAN, None, None),
        ("computers", INTEGER, 0, 5),
    ],
}


"""Names, types and bounds of options that rules name, as people see them. CH-1, CH-11, CH-14, FO-O1, HB-O1, MP-O1."""


async def load_tree(*packages: AnyPackage) -> app_commands.CommandTree[Any]:
    client = build_client(MemoryDatabase(), GameRegistry(packages))
    await client.load_cogs()
    return client.tree


async def read_payload(package: AnyPackage) -> dict[str, Any]:
    """Return a game's group of commands as it is sent to Discord."""
    tree = await load_tree(package)
    group = tree.get_command(package.game.info.command)
    assert group is not None
    return group.to_dict(tree)


def test_every_game_is_covered() -> None:
    assert {"change", "fortune", "houdinis_baggage", "magic_bag", "magpie"} == PARAMETERS.keys() <= GAMES.keys()


@each_case("game, rows", PARAMETERS.items())
async def test_parameters_follow_the_options(game: str, rows: list[Row]) -> None:
    payload = await read_payload(GAMES[game])
    new = payload["options"][0]
    assert new["name"] == "new"
    title, summary = GAMES[game].game.info.title, GAMES[game].study.guide.summary
    assert new["description"] == f"{gettext(title)}: {gettext(summary)}"
    assert len(new["description"]) <= 100
    sent = [(each["name"], each["type"], each.get("min_value"), each.get("max_value")) for each in new["options"]]
    assert [each for each in sent if each in rows] == rows
    options = GAMES[game].game.info.options.model_fields
    assert [each[0] for each in sent] == [*options, *(["computers"] if rows else [])]
    assert not any(each["required"] or "choices" in each for each in new["options"])


@each_case(
    "game, names",
    [
        ("change", ["new", "roll", "challenge", "move", "card", "choose", "done", "hand"]),
        ("fortune", ["new", "roll", "sorceress", "stop"]),
        ("houdinis_baggage", ["new", "open", "stop", "place", "bank", "move", "done", "take"]),
        ("magic_bag", ["new", "roll", "claim", "discard", "finish"]),
        ("magpie", ["new", "roll"]),
    ],
)
async def test_new_comes_before_the_moves(game: str, names: list[str]) -> None:
    assert [command["name"] for command in (await read_payload(GAMES[game]))["options"]] == names


async def test_a_game_without_a_cog_gets_a_command_group() -> None:
    payload = await read_payload(HEAP)
    assert (payload["name"], payload["options"][0]["name"]) == ("heap", "new")


async def test_if_a_game_takes_too_many_words_the_command_says_what_it_does() -> None:
    wordy = replace(HEAP, study=replace(HEAP.study, guide=replace(HEAP.study.guide, summary="Take matches. " * 8)))
    description = (await read_payload(wordy))["options"][0]["description"]
    assert wordy.study.guide.summary[:20] not in description
    assert gettext("Heap") in description


async def test_parameters_have_the_descriptions_and_named_values_of_the_options() -> None:
    options = (await read_payload(HEAP))["options"][0]["options"]
    fields = HeapOptions.model_fields
    assert [each["name"] for each in options] == [*fields, "computers"]
    for each in options[:-1]:
        assert each["description"] == gettext(str(fields[each["name"]].description))
    assert [each["value"] for each in options[1]["choices"]] == ["pebble", "marble"]


class Unbounded(HeapOptions):
    stones: int = 6


def test_a_number_may_have_no_bounds() -> None:
    game = Heap()
    game.info = replace(Heap.info, options=Unbounded)
    stones = build_new_command(replace(HEAP, game=game)).parameters[0]
    assert (stones.min_value, stones.max_value, stones.default) == (None, None, None)


@each_case("bound", [None, "min_value", "max_value"])
@each_case("package", GAMES.values())
async def test_only_chosen_options_reach_the_table(package: AnyPackage, bound: str | None) -> None:
    info: GameInfo[Options] = package.game.info
    command = build_new_command(package)
    chosen = {} if bound is None else {each.name: _value_at(info, each, bound) for each in command.parameters}
    options = {name: value for name, value in chosen.items() if name != "computers"}
    assert await open_table(package, chosen) == (info.key, options, chosen.get("computers", 0))
    info.options.model_validate(options)


async def test_a_named_value_reaches_the_table() -> None:
    _, options, _ = await open_table(HEAP, {"kind": "marble"})
    assert options == {"kind": "marble"}


async def open_table(package: AnyPackage, chosen: dict[str, Any]) -> tuple[str, dict[str, Any], int]:
    """Run `new` and return what it opens."""
    table_commands, command = RecordingTableCommands(), build_new_command(package)
    defaults = {each.name: each.default for each in command.parameters}
    await command.callback(table_commands.command, **defaults | chosen)  # type: ignore[call-arg]
    ((game, options, computers),) = table_commands.asked
    return game, options, computers


def _value_at(info: GameInfo[Options], parameter: app_commands.Parameter, bound: str) -> object:
    """Return a bound of a number, or the opposite of a switch's default."""
    is_switch = parameter.type.value == BOOLEAN
    return not getattr(info.options(), parameter.name) if is_switch else getattr(parameter, bound)
