"""The command `new` of each game."""

from collections.abc import Iterable
from enum import Enum
from functools import partial
from inspect import Parameter, Signature
from typing import Any, Final

from discord import app_commands

from bot.features.new_tables.handlers import NewTables
from bot.platform.discord.answers import Interaction
from bot.platform.discord.command_texts import in_each_language
from bot.rules.game import GameInfo, Options
from bot.rules.options import OptionValue, bounds_of, option_texts, option_values
from bot.tables.registry import AnyPackage
from bot.tables.shown.words import format_value
from bot.words import gettext as _

NewCommand = app_commands.Command[Any, ..., None]


def add_new_commands(tree: app_commands.CommandTree[Any], packages: Iterable[AnyPackage]) -> None:
    """Make `new` the first command of each game's group; a game without a group gets one."""
    for package in packages:
        info = package.game.info
        group = tree.get_command(info.command)
        if not isinstance(group, app_commands.Group):
            group = app_commands.Group(name=info.command, description=in_each_language(partial(_describe_group, info)))
            tree.add_command(group)
        move_commands = group.commands
        for command in move_commands:
            group.remove_command(command.name)
        for command in (build_new_command(package), *move_commands):
            group.add_command(command)


MAX_DESCRIPTION: Final = 100
"""Discord's limit."""


def build_new_command(package: AnyPackage) -> NewCommand:
    """Build the command that opens a table, with a parameter for each option and one for the computer players."""
    info = package.game.info
    descriptions = {name: _(text.description) for name, text in option_texts(info.options).items()}
    parameters = [_option_parameter(info.options, name) for name in info.options.model_fields]
    if not info.is_solo:
        descriptions["computers"] = _("Seats for computer players")
        parameters.append(_parameter("computers", app_commands.Range[int, 0, info.most_seats - 1], 0))

    async def new(command: Interaction, computers: int = 0, **options: object) -> None:
        # Omitted options start with the server's defaults.
        given = {name: value for name, value in options.items() if value is not None}
        await command.client.app.service(NewTables).open(command, info.key, given, computers)

    # discord.py reads a command's parameters from the signature of its callback.
    new.__signature__ = Signature(  # type: ignore[attr-defined]
        [Parameter("command", Parameter.POSITIONAL_ONLY), *parameters]
    )
    app_commands.describe(**descriptions)(new)
    app_commands.choices(**_choices(info.options))(new)
    text = in_each_language(partial(_describe_new, package))
    return app_commands.Command(name="new", description=text, callback=new)


def _describe_group(info: GameInfo[Any]) -> str:
    return _("Play {game}").format(game=_(info.title))


def _describe_new(package: AnyPackage) -> str:
    game = _(package.game.info.title)
    text = _("{game}: {summary}").format(game=game, summary=_(package.study.guide.summary))
    return text if len(text) <= MAX_DESCRIPTION else _("Open a table for {game} in this channel").format(game=game)


def _option_parameter(model: type[Options], name: str) -> Parameter:
    default = _raw(getattr(model(), name))
    bounds = bounds_of(model.model_fields[name])
    return _parameter(name, type(default) if bounds == (None, None) else app_commands.Range[int, *bounds], None)


def _parameter(name: str, annotation: object, default: object) -> Parameter:
    return Parameter(name, Parameter.KEYWORD_ONLY, annotation=annotation, default=default)


def _choices(model: type[Options]) -> dict[str, list[app_commands.Choice[Any]]]:
    """Return the choices for each option that is neither a switch nor a number, with the names of its values."""
    return {
        name: [
            app_commands.Choice(name=in_each_language(partial(format_value, text, value)), value=_raw(value))
            for value in option_values(model(), name)
        ]
        for name, text in option_texts(model).items()
        if model.model_fields[name].annotation not in (bool, int)
    }


def _raw(value: OptionValue) -> Any:
    """Return an option's value in the form in which Discord sends it."""
    return value.value if isinstance(value, Enum) else value
