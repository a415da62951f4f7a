"""Validates registered commands against Discord's limits."""

import re
from collections import Counter
from typing import Any

from bot.sandbox.model.commands import BRANCH_TYPES, CommandType, InteractionContext, OptionType
from bot.sandbox.validation.errors import JsonPath, ValidationErrors, enumerate_paths
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
    """Raise ApiError if Discord would refuse a set of commands."""
    errors = ValidationErrors()
    if errors.check_objects((), requests, sum(MAX_COMMANDS.values())):
        for path, request in enumerate_paths((), requests):
            _check_command(errors, path, request)
        _check_command_set(errors, requests)
    errors.raise_if_any()


def check_command(request: Json) -> None:
    """Raise ApiError if Discord would refuse a command."""
    errors = ValidationErrors()
    _check_command(errors, (), request)
    errors.raise_if_any()


def _command_type(request: Json) -> Any:
    kind = request.get("type")
    return CommandType.SLASH.value if kind is None else kind


def _check_command_set(errors: ValidationErrors, requests: list[Json]) -> None:
    name_counts = Counter((str(_command_type(request)), str(request.get("name"))) for request in requests)
    for path, request in enumerate_paths((), requests):
        if name_counts[str(_command_type(request)), str(request.get("name"))] > 1:
            text = "Another command has this name."
            errors.add((*path, "name"), "APPLICATION_COMMANDS_DUPLICATE_NAME", text)
    for kind, maximum in MAX_COMMANDS.items():
        if sum(_command_type(request) == kind for request in requests) > maximum:
            text = f"There are more than {maximum} commands of one type."
            errors.add((), "APPLICATION_COMMAND_TOO_MANY_COMMANDS", text)


def _check_command(errors: ValidationErrors, path: JsonPath, request: Json) -> None:
    if not errors.check_one_of((*path, "type"), _command_type(request), frozenset(CommandType)):
        return
    permissions = request.get("default_member_permissions")
    if permissions is not None:
        errors.check_snowflake((*path, "default_member_permissions"), permissions)
    errors.check_boolean((*path, "nsfw"), request.get("nsfw"))
    for name, allowed in (("contexts", frozenset(InteractionContext)), ("integration_types", frozenset({0, 1}))):
        errors.check_distinct_choices((*path, name), request.get(name), allowed, minimum=1)
    if _command_type(request) != CommandType.SLASH:
        _check_context_menu(errors, path, request)
        return
    _check_name_and_description(errors, path, request)
    if _check_options(errors, (*path, "options"), request.get("options"), None):
        _check_size(errors, path, request)


def _check_translations(errors: ValidationErrors, node: Json, path: JsonPath, name: str, maximum: int) -> None:
    texts, item_path = node.get(name), (*path, name)
    if texts is None or not errors.check_object(item_path, texts):
        return
    for locale, text in texts.items():
        errors.check_text((*item_path, locale), text, maximum, minimum=1, required=True)
        if locale not in _LOCALES:
            errors.add((*item_path, locale), "BASE_TYPE_CHOICES", "This is no locale of Discord's.")


def _check_size(errors: ValidationErrors, path: JsonPath, request: Json) -> None:
    if not errors.has_any and _count_characters(request) > MAX_COMMAND_CHARACTERS:
        text = f"A command holds at most {MAX_COMMAND_CHARACTERS} characters in all."
        errors.add(path, "APPLICATION_COMMAND_TOO_LARGE", text)


def _check_context_menu(errors: ValidationErrors, path: JsonPath, request: Json) -> None:
    errors.check_text((*path, "name"), request.get("name"), 32, minimum=1, required=True)
    _check_translations(errors, request, path, "name_localizations", 32)
    for part in ("description", "options"):
        if request.get(part):
            code = f"APPLICATION_COMMAND_{part.upper()}_NOT_ALLOWED"
            errors.add((*path, part), code, "Commands in a menu have none.")


def _check_name_and_description(errors: ValidationErrors, path: JsonPath, node: Json) -> None:
    name = node.get("name")
    is_text = errors.check_text((*path, "name"), name, 32, minimum=1, required=True)
    if is_text and not (_SLASH_NAME.fullmatch(str(name)) and name == str(name).lower()):
        text = "Names are 1 to 32 lower-case letters, digits, dashes and underscores."
        errors.add((*path, "name"), "APPLICATION_COMMAND_INVALID_NAME", text)
    errors.check_text((*path, "description"), node.get("description"), 100, minimum=1, required=True)
    _check_translations(errors, node, path, "name_localizations", 32)
    _check_translations(errors, node, path, "description_localizations", 100)


def _check_options(errors: ValidationErrors, path: JsonPath, options: Any, parent: int | None) -> bool:
    if not errors.check_objects(path, options, MAX_OPTIONS):
        return False
    for item_path, option in enumerate_paths(path, options):
        _check_option(errors, item_path, option, parent)
    _check_order(errors, path, options)
    return True


def _check_order(errors: ValidationErrors, path: JsonPath, options: list[Json] | None) -> None:
    seen: set[str] = set()
    optional_seen = False
    for item_path, option in enumerate_paths(path, options):
        if str(option.get("name")) in seen:
            code = "APPLICATION_COMMAND_OPTIONS_NAME_NOT_UNIQUE"
            errors.add((*item_path, "name"), code, "Another option has this name.")
        seen.add(str(option.get("name")))
        if option.get("required") and optional_seen:
            text = "Required options come before the others."
            errors.add(item_path, "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID", text)
        optional_seen = optional_seen or not option.get("required")
    if len({str(option.get("type")) in _BRANCH_TYPE_NUMBERS for option in options or ()}) > 1:
        text = "Subcommands and other options do not mix."
        errors.add(path, "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", text)


def _check_option(errors: ValidationErrors, path: JsonPath, option: Json, parent: int | None) -> None:
    _check_name_and_description(errors, path, option)
    for name in ("required", "autocomplete"):
        errors.check_boolean((*path, name), option.get(name))
    kind: Any = option.get("type")
    if not errors.check_one_of((*path, "type"), kind, frozenset(OptionType)):
        return
    if kind in BRANCH_TYPES - _ALLOWED_BRANCHES[parent]:
        text = "Groups hold subcommands, subcommands hold options."
        errors.add((*path, "type"), "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", text)
    elif kind in BRANCH_TYPES:
        _check_options(errors, (*path, "options"), option.get("options"), kind)
    else:
        _check_choices(errors, path, option, OptionType(kind))
        _check_bounds(errors, path, option, OptionType(kind))


def _check_choices(errors: ValidationErrors, path: JsonPath, option: Json, kind: OptionType) -> None:
    choices = option.get("choices")
    if errors.check_objects((*path, "choices"), choices, MAX_CHOICES):
        for item_path, choice in enumerate_paths((*path, "choices"), choices):
            check_choice(errors, item_path, choice, kind)
        _check_choice_names(errors, (*path, "choices"), choices)
    if option.get("autocomplete") and (choices or kind not in _AUTOCOMPLETE_TYPES):
        text = "Only texts and numbers without choices of their own can be completed."
        errors.add((*path, "autocomplete"), "APPLICATION_COMMAND_OPTIONS_AUTOCOMPLETE_INVALID", text)


def _check_choice_names(errors: ValidationErrors, path: JsonPath, choices: list[Json] | None) -> None:
    name_counts = Counter(str(choice.get("name")) for choice in choices or ())
    for item_path, choice in enumerate_paths(path, choices):
        if name_counts[str(choice.get("name"))] > 1:
            code = "APPLICATION_COMMAND_OPTIONS_CHOICE_NAME_ALREADY_EXISTS"
            errors.add((*item_path, "name"), code, "Another choice has this name.")


def check_choice(errors: ValidationErrors, path: JsonPath, choice: Json, kind: OptionType) -> None:
    """Add the errors of a choice."""
    _check_translations(errors, choice, path, "name_localizations", 100)
    errors.check_text((*path, "name"), choice.get("name"), 100, minimum=1, required=True)
    value = choice.get("value")
    if kind is OptionType.NUMBER:
        errors.check_number((*path, "value"), value)
    elif kind is OptionType.INTEGER and value is not None:
        errors.check_integer((*path, "value"), value, -_INT53, _INT53)
    else:
        errors.check_text((*path, "value"), value, 100, required=True)


def _check_bounds(errors: ValidationErrors, path: JsonPath, option: Json, kind: OptionType) -> None:
    errors.check_integer((*path, "min_length"), option.get("min_length"), 0, 6000)
    errors.check_integer((*path, "max_length"), option.get("max_length"), 1, 6000)
    errors.check_distinct_choices((*path, "channel_types"), option.get("channel_types"), CHANNEL_TYPES, minimum=1)
    for name in ("min_value", "max_value"):
        bound = option.get(name)
        if kind is OptionType.INTEGER:
            errors.check_integer((*path, name), bound, -_INT53, _INT53)
        elif bound is not None and errors.check_number((*path, name), bound) and kind not in _NUMERIC_TYPES:
            code = "APPLICATION_COMMAND_OPTIONS_BOUNDS_NOT_ALLOWED"
            errors.add((*path, name), code, "Only numbers have bounds.")
    if errors.has_any:
        return
    for minimum, maximum in (("min_length", "max_length"), ("min_value", "max_value")):
        low, high = option.get(minimum), option.get(maximum)
        if low is not None and high is not None and low > high:
            errors.add((*path, minimum), "NUMBER_TYPE_MAX", f"Value should be at most {high}.")


def _count_characters(node: Json) -> int:
    own = len(node["name"]) + len(node["description"])
    values = sum(len(each["name"]) + len(str(each["value"])) for each in node.get("choices") or ())
    return own + values + sum(_count_characters(option) for option in node.get("options") or ())
