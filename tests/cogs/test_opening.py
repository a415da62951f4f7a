"""Every game is opened with the options of its rules, within their bounds, and with computer players."""

import importlib
import pkgutil
from collections.abc import Iterator
from typing import Any

import pytest
from discord import AppCommandOptionType, app_commands
from discord.ext import commands

import cogs
from bot.rules.game import GameInfo, Options
from bot.tables.registry import load_games
from tests.ui.fake_interactions import RecordingTableCommands

INFOS = {key: package.game.info for key, package in load_games().items()}
KINDS = {"integer": AppCommandOptionType.integer, "boolean": AppCommandOptionType.boolean}

Parameters = dict[str, app_commands.Parameter]


def groups() -> Iterator[type[Any]]:
    """Yield what brings the commands of a game or an area that has several."""
    for module in pkgutil.iter_modules(cogs.__path__):
        for member in vars(importlib.import_module(f"cogs.{module.name}")).values():
            if isinstance(member, type) and issubclass(member, commands.GroupCog):
                yield member


COGS = {str(group.__cog_group_name__): group for group in groups()}


@pytest.fixture(params=INFOS)
def info(request: pytest.FixtureRequest) -> GameInfo[Options]:
    return INFOS[request.param]


@pytest.fixture
def cog(info: GameInfo[Options]) -> Any:
    return COGS[info.command]()


@pytest.fixture
def parameters(cog: Any) -> Parameters:
    return {parameter.name: parameter for parameter in cog.new.parameters}


def test_the_options_are_those_of_the_rules(parameters: Parameters, info: GameInfo[Options]) -> None:
    """CH-1, CH-11, CH-14, FO-O1, HB-O1 and MP-O1."""
    assert parameters.keys() - {"computers"} == info.options.model_fields.keys()


def test_an_option_has_the_kind_the_bounds_and_the_default_of_the_rules(
    parameters: Parameters, info: GameInfo[Options]
) -> None:
    """CH-1, CH-11, CH-14, FO-O1, HB-O1 and MP-O1."""
    for name, option in info.options.model_json_schema()["properties"].items():
        parameter = parameters[name]
        assert parameter.type is KINDS[option["type"]], name
        assert parameter.default == option["default"], name
        assert (parameter.min_value, parameter.max_value) == (option.get("minimum"), option.get("maximum")), name
        assert not parameter.required


def test_computer_players_may_take_every_seat_but_one(parameters: Parameters, info: GameInfo[Options]) -> None:
    if info.is_solo:
        assert "computers" not in parameters
        return
    computers = parameters["computers"]
    assert (computers.min_value, computers.max_value, computers.default) == (0, info.most_seats - 1, 0)


@pytest.mark.parametrize("bound", [None, "min_value", "max_value"])
async def test_what_is_chosen_reaches_the_table(
    cog: Any, parameters: Parameters, info: GameInfo[Options], bound: str | None
) -> None:
    chosen = {} if bound is None else {name: _value_at(each, bound) for name, each in parameters.items()}
    table_commands = RecordingTableCommands()
    await cog.new.callback(cog, table_commands.command, **chosen)
    ((game, options, computers),) = table_commands.asked
    assert (game, computers) == (info.key, chosen.pop("computers", 0))
    assert options.keys() == info.options.model_fields.keys()
    assert info.options.model_validate(options) == info.options.model_validate(chosen)


def _value_at(parameter: app_commands.Parameter, bound: str) -> object:
    """Return the least or the most of an option; of a switch, that it is turned the other way."""
    return not parameter.default if parameter.type is AppCommandOptionType.boolean else getattr(parameter, bound)
