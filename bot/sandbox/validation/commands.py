"""Checks the commands that a bot registers against Discord's limits."""

import re
from collections import Counter
from typing import Any

from bot.sandbox.model.commands import BRANCH_TYPES, CommandType, InteractionContext, OptionType
from bot.sandbox.validation.faults import JsonPath, ValidationErrors, enumerate_paths
from bot.sandbox.validation.selects import CHANNEL_TYPES
from bot.sandbox.wire import Json

MAX_OPTIONS = 25
MAX_CHOICES = 25
MAX_COMMANDS = {CommandType.SLASH: 100, CommandType.USER_MENU: 15, CommandType.MESSAGE_MENU: 15}
MAX_COMMAND_CHARACTERS = 8000

_INT53 = (1 << 53) - 1
_SLASH_NAME = re.compile(r"[-_'\w]{1,32}")
_LOCALES = frozenset((
    "ar", "bg", "cs", "da", "de", "el", "en-GB", "en-US", "es-419", "es-ES", "fi", "fr", "he", "hi", "hr", "hu", "id",
    "it", "ja", "ko", "lt", "nl", "no", "pl", "pt-BR", "ro", "ru", "sv-SE", "th", "tr", "uk", "vi", "zh-CN", "zh-TW",
))  # fmt: skip
_AUTOCOMPLETE_TYPES = frozenset({OptionType.STRING, OptionType.INTEGER, OptionType.NUMBER})
_NUMERIC_TYPES = frozenset({OptionType.INTEGER, OptionType.NUMBER})
_BRANCH_TYPE_NUMBERS = frozenset(str(int(each)) for each in BRANCH_TYPES)
_ALLOWED_BRANCHES: dict[int | None, frozenset[OptionType]] = {
    None: BRANCH_TYPES,
    OptionType.GROUP: frozenset({OptionType.SUBCOMMAND}),
    OptionType.SUBCOMMAND: frozenset(),
}


def check_commands(requests: Any) -> None:
    """Refuse a set of commands that Discord would refuse."""
    faults = ValidationErrors()
    if faults.check_objects((), requests, sum(MAX_COMMANDS.values())):
        for place, request in enumerate_paths((), requests):
            _check_command(faults, place, request)
        _check_command_set(faults, requests)
    faults.raise_if_any()


def check_command(request: Json) -> None:
    """Refuse a command that Discord would refuse."""
    faults = ValidationErrors()
    _check_command(faults, (), request)
    faults.raise_if_any()


def _command_type(request: Json) -> Any:
    kind = request.get("type")
    return CommandType.SLASH.value if kind is None else kind


def _check_command_set(faults: ValidationErrors, requests: list[Json]) -> None:
    named = Counter((str(_command_type(request)), str(request.get("name"))) for request in requests)
    for place, request in enumerate_paths((), requests):
        if named[str(_command_type(request)), str(request.get("name"))] > 1:
            text = "Another command has this name."
            faults.add((*place, "name"), "APPLICATION_COMMANDS_DUPLICATE_NAME", text)
    for kind, most in MAX_COMMANDS.items():
        if sum(_command_type(request) == kind for request in requests) > most:
            text = f"There are more than {most} commands of one type."
            faults.add((), "APPLICATION_COMMAND_TOO_MANY_COMMANDS", text)


def _check_command(faults: ValidationErrors, place: JsonPath, request: Json) -> None:
    if not faults.check_one_of((*place, "type"), _command_type(request), frozenset(CommandType)):
        return
    needed = request.get("default_member_permissions")
    if needed is not None:
        faults.check_snowflake((*place, "default_member_permissions"), needed)
    faults.check_boolean((*place, "nsfw"), request.get("nsfw"))
    _check_distinct_choices(faults, (*place, "contexts"), request.get("contexts"), frozenset(InteractionContext))
    _check_distinct_choices(faults, (*place, "integration_types"), request.get("integration_types"), frozenset({0, 1}))
    if _command_type(request) != CommandType.SLASH:
        _check_context_menu(faults, place, request)
        return
    _check_name_and_description(faults, place, request)
    if _check_options(faults, (*place, "options"), request.get("options"), None):
        _check_size(faults, place, request)


def _check_distinct_choices(faults: ValidationErrors, place: JsonPath, values: Any, allowed: frozenset[int]) -> None:
    if not faults.check_list(place, values, len(allowed), least=1):
        return
    known = [faults.check_one_of((*place, n), each, allowed) for n, each in enumerate(values or ())]
    if all(known):
        faults.check_distinct(place, values)


def _check_translations(faults: ValidationErrors, node: Json, place: JsonPath, name: str, most: int) -> None:
    texts, here = node.get(name), (*place, name)
    if texts is None or not faults.check_object(here, texts):
        return
    for locale, text in texts.items():
        faults.check_text((*here, locale), text, most, least=1, required=True)
        if locale not in _LOCALES:
            faults.add((*here, locale), "BASE_TYPE_CHOICES", "This is no locale of Discord's.")


def _check_size(faults: ValidationErrors, place: JsonPath, request: Json) -> None:
    if not faults.has_any and _count_characters(request) > MAX_COMMAND_CHARACTERS:
        text = f"A command holds at most {MAX_COMMAND_CHARACTERS} characters in all."
        faults.add(place, "APPLICATION_COMMAND_TOO_LARGE", text)


def _check_context_menu(faults: ValidationErrors, place: JsonPath, request: Json) -> None:
    faults.check_text((*place, "name"), request.get("name"), 32, least=1, required=True)
    _check_translations(faults, request, place, "name_localizations", 32)
    for part in ("description", "options"):
        if request.get(part):
            code = f"APPLICATION_COMMAND_{part.upper()}_NOT_ALLOWED"
            faults.add((*place, part), code, "Commands in a menu have none.")


def _check_name_and_description(faults: ValidationErrors, place: JsonPath, node: Json) -> None:
    name = node.get("name")
    if faults.check_text((*place, "name"), name, 32, least=1, required=True) and not _is_slash_name(str(name)):
        text = "Names are 1 to 32 lower-case letters, digits, dashes and underscores."
        faults.add((*place, "name"), "APPLICATION_COMMAND_INVALID_NAME", text)
    faults.check_text((*place, "description"), node.get("description"), 100, least=1, required=True)
    _check_translations(faults, node, place, "name_localizations", 32)
    _check_translations(faults, node, place, "description_localizations", 100)


def _is_slash_name(name: str) -> bool:
    return bool(_SLASH_NAME.fullmatch(name)) and name == name.lower()


def _check_options(faults: ValidationErrors, place: JsonPath, options: Any, parent: int | None) -> bool:
    if not faults.check_objects(place, options, MAX_OPTIONS):
        return False
    for here, option in enumerate_paths(place, options):
        _check_option(faults, here, option, parent)
    _check_order(faults, place, options)
    return True


def _check_order(faults: ValidationErrors, place: JsonPath, options: list[Json] | None) -> None:
    seen: set[str] = set()
    optional_seen = False
    for here, option in enumerate_paths(place, options):
        if str(option.get("name")) in seen:
            code = "APPLICATION_COMMAND_OPTIONS_NAME_NOT_UNIQUE"
            faults.add((*here, "name"), code, "Another option has this name.")
        seen.add(str(option.get("name")))
        if option.get("required") and optional_seen:
            text = "Required options come before the others."
            faults.add(here, "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID", text)
        optional_seen = optional_seen or not option.get("required")
    if len({str(option.get("type")) in _BRANCH_TYPE_NUMBERS for option in options or ()}) > 1:
        text = "Subcommands and other options do not mix."
        faults.add(place, "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", text)


def _check_option(faults: ValidationErrors, place: JsonPath, option: Json, parent: int | None) -> None:
    _check_name_and_description(faults, place, option)
    for name in ("required", "autocomplete"):
        faults.check_boolean((*place, name), option.get(name))
    kind: Any = option.get("type")
    if not faults.check_one_of((*place, "type"), kind, frozenset(OptionType)):
        return
    if kind in BRANCH_TYPES - _ALLOWED_BRANCHES[parent]:
        text = "Groups hold subcommands, subcommands hold options."
        faults.add((*place, "type"), "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", text)
    elif kind in BRANCH_TYPES:
        _check_options(faults, (*place, "options"), option.get("options"), kind)
    else:
        _check_choices(faults, place, option, OptionType(kind))
        _check_bounds(faults, place, option, OptionType(kind))


def _check_choices(faults: ValidationErrors, place: JsonPath, option: Json, kind: OptionType) -> None:
    choices = option.get("choices")
    if faults.check_objects((*place, "choices"), choices, MAX_CHOICES):
        for here, choice in enumerate_paths((*place, "choices"), choices):
            check_choice(faults, here, choice, kind)
        _check_choice_names(faults, (*place, "choices"), choices)
    if option.get("autocomplete") and (choices or kind not in _AUTOCOMPLETE_TYPES):
        text = "Only texts and numbers without choices of their own can be completed."
        faults.add((*place, "autocomplete"), "APPLICATION_COMMAND_OPTIONS_AUTOCOMPLETE_INVALID", text)


def _check_choice_names(faults: ValidationErrors, place: JsonPath, choices: list[Json] | None) -> None:
    named = Counter(str(choice.get("name")) for choice in choices or ())
    for here, choice in enumerate_paths(place, choices):
        if named[str(choice.get("name"))] > 1:
            code = "APPLICATION_COMMAND_OPTIONS_CHOICE_NAME_ALREADY_EXISTS"
            faults.add((*here, "name"), code, "Another choice has this name.")


def check_choice(faults: ValidationErrors, place: JsonPath, choice: Json, kind: OptionType) -> None:
    """Note what is wrong with one choice for an option."""
    _check_translations(faults, choice, place, "name_localizations", 100)
    faults.check_text((*place, "name"), choice.get("name"), 100, least=1, required=True)
    value = choice.get("value")
    if kind is OptionType.NUMBER:
        faults.check_number((*place, "value"), value)
    elif kind is OptionType.INTEGER and value is not None:
        faults.check_integer((*place, "value"), value, -_INT53, _INT53)
    else:
        faults.check_text((*place, "value"), value, 100, required=True)


def _check_bounds(faults: ValidationErrors, place: JsonPath, option: Json, kind: OptionType) -> None:
    faults.check_integer((*place, "min_length"), option.get("min_length"), 0, 6000)
    faults.check_integer((*place, "max_length"), option.get("max_length"), 1, 6000)
    _check_distinct_choices(faults, (*place, "channel_types"), option.get("channel_types"), CHANNEL_TYPES)
    for name in ("min_value", "max_value"):
        bound = option.get(name)
        if kind is OptionType.INTEGER:
            faults.check_integer((*place, name), bound, -_INT53, _INT53)
        elif bound is not None and faults.check_number((*place, name), bound) and kind not in _NUMERIC_TYPES:
            code = "APPLICATION_COMMAND_OPTIONS_BOUNDS_NOT_ALLOWED"
            faults.add((*place, name), code, "Only numbers have bounds.")
    if faults.has_any:
        return
    for least, most in (("min_length", "max_length"), ("min_value", "max_value")):
        low, high = option.get(least), option.get(most)
        if low is not None and high is not None and low > high:
            faults.add((*place, least), "NUMBER_TYPE_MAX", f"Value should be at most {high}.")


def _count_characters(node: Json) -> int:
    own = len(node["name"]) + len(node["description"])
    values = sum(len(each["name"]) + len(str(each["value"])) for each in node.get("choices") or ())
    return own + values + sum(_count_characters(option) for option in node.get("options") or ())
