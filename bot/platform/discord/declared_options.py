"""Checks the options of commands against their declarations, because clients other than Discord's may not."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

import discord
from discord import AppCommandOptionType, app_commands

from bot.platform.discord.refusals import ClickReason, OptionChoiceFacts, OptionFacts, OptionRangeFacts
from bot.rules.refusals import Refusal
from bot.words import format_number, join_items

_MOST_INTEGER: Final = 2**53
_MOST_LENGTH: Final = 6000
"""Discord's limits for options without declared ones."""

_RESOLVED: Final = {
    AppCommandOptionType.user: "users",
    AppCommandOptionType.channel: "channels",
    AppCommandOptionType.role: "roles",
}
"""Names of the fields in which Discord sends the objects of ids in options."""

_TYPES: Final[Mapping[AppCommandOptionType, type | tuple[type, ...]]] = {
    AppCommandOptionType.string: str,
    AppCommandOptionType.integer: int,
    AppCommandOptionType.boolean: bool,
    AppCommandOptionType.number: (int, float),
}
"""The JSON types of option values; values of other options are ids."""

_BRANCHES: Final = (AppCommandOptionType.subcommand.value, AppCommandOptionType.subcommand_group.value)

_Parameter = app_commands.Parameter
_Json = Mapping[str, Any]


def require_declared_options(command: discord.Interaction[Any]) -> None:
    """Check every option of a command.

    Raises:
        Refusal: The command does not accept a value.
        AppCommandError: The command is unknown, has no such options, or can't be read.
    """
    try:
        _require_options(command.command, command.data or {})
        # Accessing the namespace parses the options.
        _ = command.namespace
    except (Refusal, app_commands.AppCommandError):
        raise
    except Exception as cause:
        # Otherwise discord.py would end the command without an answer.
        raise app_commands.AppCommandError("what comes with a command can't be read") from cause


def are_readable_options(typing: discord.Interaction[Any]) -> bool:
    """Return whether the options of a command that is still being typed have their declared types."""
    try:
        called = typing.command
        if not isinstance(called, app_commands.Command):
            return True
        declared = {each.display_name: each for each in called.parameters}
        return all(_has_declared_type(each, declared) for each in _given_options(typing.data or {}))
    except Exception:  # noqa: BLE001 - unreadable options raise all kinds of errors
        return False


def _require_options(called: object, data: Any) -> None:
    if called is None:
        raise app_commands.CommandNotFound("", [])
    if not isinstance(called, app_commands.Command):
        return
    declared = {each.display_name: each for each in called.parameters}
    given = list(_given_options(data))
    missing = {name for name, each in declared.items() if each.required} - {each["name"] for each in given}
    if missing or not all(_has_declared_type(each, declared) for each in given):
        raise app_commands.CommandSignatureMismatch(called)
    for each in given:
        _require_value(declared[each["name"]], each["value"], data.get("resolved") or {})


def _given_options(data: Any) -> Iterator[_Json]:
    """Yield the options of the innermost subcommand."""
    for option in data.get("options") or ():
        if option.get("type") in _BRANCHES:
            yield from _given_options(option)
            return
        yield option


def _has_declared_type(option: _Json, declared: Mapping[str, _Parameter]) -> bool:
    parameter, value = declared.get(str(option.get("name"))), option.get("value")
    if parameter is None or option.get("type") != parameter.type.value:
        return False
    if option.get("focused"):
        return isinstance(value, str)
    if parameter.type in _TYPES:
        is_switch = parameter.type is AppCommandOptionType.boolean
        return isinstance(value, _TYPES[parameter.type]) and isinstance(value, bool) == is_switch
    return isinstance(value, str) and value.isascii() and value.isdecimal()


def _require_value(parameter: _Parameter, value: Any, resolved: _Json) -> None:
    name = parameter.display_name
    if parameter.choices:
        if value not in [each.value for each in parameter.choices]:
            choices = join_items([f"*{each.name}*" for each in parameter.choices])
            raise Refusal(ClickReason.OPTION_NOT_A_CHOICE, OptionChoiceFacts(name, choices))
    elif isinstance(value, str) and parameter.type is AppCommandOptionType.string:
        least, most = _bounds(parameter, 0, _MOST_LENGTH)
        if not least <= len(value) <= most:
            raise Refusal(ClickReason.OPTION_LENGTH, _range_facts(name, least, most))
    elif parameter.type in _RESOLVED:
        found = (resolved.get(_RESOLVED[parameter.type]) or {}).get(value)
        types = [each.value for each in parameter.channel_types]
        if found is None or (types and found.get("type") not in types):
            raise Refusal(ClickReason.OPTION_UNKNOWN, OptionFacts(name))
    elif not isinstance(value, bool):
        least, most = _bounds(parameter, -_MOST_INTEGER, _MOST_INTEGER)
        if not least <= value <= most:
            if parameter.min_value is None and parameter.max_value is None:
                raise Refusal(ClickReason.OPTION_UNKNOWN, OptionFacts(name))
            raise Refusal(ClickReason.OPTION_RANGE, _range_facts(name, least, most))


def _bounds(parameter: _Parameter, least: int, most: int) -> tuple[int, int]:
    """Return the declared bounds, or Discord's."""
    low, high = parameter.min_value, parameter.max_value
    return least if low is None else int(low), most if high is None else int(high)


def _range_facts(name: str, least: int, most: int) -> OptionRangeFacts:
    return OptionRangeFacts(name, format_number(least), format_number(most))
