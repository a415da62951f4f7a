"""Validates registered commands and autocomplete choices against Discord's limits."""

import re
from collections import Counter
from typing import Any

from bot.sandbox.model.application import (
    BRANCH_TYPES,
    LOCALES,
    CommandType,
    InteractionContext,
    OptionType,
    focused_type,
)
from bot.sandbox.model.interactions import Interaction
from bot.sandbox.validation.components import CHANNEL_TYPES
from bot.sandbox.validation.request_part import RequestPart
from bot.sandbox.wire import Json

MAX_OPTIONS = 25
MAX_CHOICES = 25
MAX_COMMANDS = {CommandType.SLASH: 100, CommandType.USER_MENU: 15, CommandType.MESSAGE_MENU: 15}
MAX_COMMAND_CHARACTERS = 8000

_INT53 = (1 << 53) - 1
_SLASH_NAME = re.compile(r"[-_'\w]{1,32}")
_AUTOCOMPLETE_TYPES = frozenset({OptionType.STRING, OptionType.INTEGER, OptionType.NUMBER})
_NUMERIC_TYPES = frozenset({OptionType.INTEGER, OptionType.NUMBER})
_BRANCH_TYPE_NUMBERS = frozenset(str(int(each)) for each in BRANCH_TYPES)
_ALLOWED_BRANCHES: dict[int | None, frozenset[OptionType]] = {
    None: BRANCH_TYPES,
    OptionType.GROUP: frozenset({OptionType.SUBCOMMAND}),
    OptionType.SUBCOMMAND: frozenset(),
}


def check_commands(body: Any) -> None:
    """Raise ApiError if Discord would refuse a set of commands."""
    requests = RequestPart(body)
    if requests.check_objects(sum(MAX_COMMANDS.values())):
        for request in requests:
            _check_command(request)
        _check_command_set(requests)
    requests.raise_if_any()


def _command_type(request: Json) -> Any:
    kind = request.get("type")
    return CommandType.SLASH.value if kind is None else kind


def _check_command_set(requests: RequestPart) -> None:
    commands: list[Json] = requests.value or []
    names = [(str(_command_type(command)), str(command.get("name"))) for command in commands]
    for request, name in zip(requests, names, strict=True):
        if names.count(name) > 1:
            request["name"].add("APPLICATION_COMMANDS_DUPLICATE_NAME", "Another command has this name.")
    for kind, maximum in MAX_COMMANDS.items():
        if sum(_command_type(command) == kind for command in commands) > maximum:
            text = f"There are more than {maximum} commands of one type."
            requests.add("APPLICATION_COMMAND_TOO_MANY_COMMANDS", text)


def _check_command(request: RequestPart) -> None:
    kind = request["type"]
    if kind.value is not None and not kind.check_one_of(frozenset(CommandType)):
        return
    permissions = request["default_member_permissions"]
    if permissions.value is not None:
        permissions.check_snowflake()
    request["nsfw"].check_boolean()
    request["contexts"].check_distinct_choices(frozenset(InteractionContext), minimum=1)
    request["integration_types"].check_distinct_choices(frozenset({0, 1}), minimum=1)
    if _command_type(request.value) != CommandType.SLASH:
        _check_context_menu(request)
        return
    _check_name_and_description(request)
    is_readable = _check_options(request["options"], None) and not request.errors
    if is_readable and _count_characters(request.value) > MAX_COMMAND_CHARACTERS:
        text = f"A command holds at most {MAX_COMMAND_CHARACTERS} characters in all."
        request.add("APPLICATION_COMMAND_TOO_LARGE", text)


def _check_translations(texts: RequestPart, maximum: int) -> None:
    if texts.value is None or not texts.check_object():
        return
    for locale in texts.value:
        texts[locale].check_text(maximum, minimum=1, required=True)
        if locale not in LOCALES:
            texts[locale].add("BASE_TYPE_CHOICES", "This is no locale of Discord's.")


def _check_context_menu(request: RequestPart) -> None:
    request["name"].check_text(32, minimum=1, required=True)
    _check_translations(request["name_localizations"], 32)
    for part in ("description", "options"):
        if request.value.get(part):
            request[part].add(f"APPLICATION_COMMAND_{part.upper()}_NOT_ALLOWED", "Commands in a menu have none.")


def _check_name_and_description(command: RequestPart) -> None:
    name = command["name"]
    is_text = name.check_text(32, minimum=1, required=True)
    if is_text and not (_SLASH_NAME.fullmatch(name.value) and name.value == name.value.lower()):
        text = "Names are 1 to 32 lower-case letters, digits, dashes and underscores."
        name.add("APPLICATION_COMMAND_INVALID_NAME", text)
    command["description"].check_text(100, minimum=1, required=True)
    _check_translations(command["name_localizations"], 32)
    _check_translations(command["description_localizations"], 100)


def _check_options(options: RequestPart, parent: int | None) -> bool:
    if not options.check_objects(MAX_OPTIONS):
        return False
    for option in options:
        _check_option(option, parent)
    _check_order(options)
    return True


def _check_order(options: RequestPart) -> None:
    seen: set[str] = set()
    optional_seen = False
    for option in options:
        name, is_required = str(option.value.get("name")), option.value.get("required")
        if name in seen:
            option["name"].add("APPLICATION_COMMAND_OPTIONS_NAME_NOT_UNIQUE", "Another option has this name.")
        seen.add(name)
        if is_required and optional_seen:
            option.add("APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID", "Required options come before the others.")
        optional_seen = optional_seen or not is_required
    if len({str(option.value.get("type")) in _BRANCH_TYPE_NUMBERS for option in options}) > 1:
        options.add("APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", "Subcommands and other options do not mix.")


def _check_option(option: RequestPart, parent: int | None) -> None:
    _check_name_and_description(option)
    for name in ("required", "autocomplete"):
        option[name].check_boolean()
    kind = option["type"]
    if not kind.check_one_of(frozenset(OptionType)):
        return
    if kind.value in BRANCH_TYPES - _ALLOWED_BRANCHES[parent]:
        text = "Groups hold subcommands, subcommands hold options."
        kind.add("APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", text)
    elif kind.value in BRANCH_TYPES:
        _check_options(option["options"], kind.value)
    else:
        _check_choices(option, OptionType(kind.value))
        _check_bounds(option, OptionType(kind.value))


def _check_choices(option: RequestPart, kind: OptionType) -> None:
    choices = option["choices"]
    if choices.check_objects(MAX_CHOICES):
        name_counts = Counter(str(choice.value.get("name")) for choice in choices)
        for choice in choices:
            check_choice(choice, kind)
            if name_counts[str(choice.value.get("name"))] > 1:
                code = "APPLICATION_COMMAND_OPTIONS_CHOICE_NAME_ALREADY_EXISTS"
                choice["name"].add(code, "Another choice has this name.")
    if option.value.get("autocomplete") and (choices.value or kind not in _AUTOCOMPLETE_TYPES):
        text = "Only texts and numbers without choices of their own can be completed."
        option["autocomplete"].add("APPLICATION_COMMAND_OPTIONS_AUTOCOMPLETE_INVALID", text)


def check_choice(choice: RequestPart, kind: OptionType) -> None:
    """Add the errors of a choice."""
    _check_translations(choice["name_localizations"], 100)
    choice["name"].check_text(100, minimum=1, required=True)
    value = choice["value"]
    if kind is OptionType.NUMBER:
        value.check_number()
    elif kind is OptionType.INTEGER and value.value is not None:
        value.check_integer(-_INT53, _INT53)
    else:
        value.check_text(100, required=True)


def _check_bounds(option: RequestPart, kind: OptionType) -> None:
    option["min_length"].check_integer(0, 6000)
    option["max_length"].check_integer(1, 6000)
    option["channel_types"].check_distinct_choices(CHANNEL_TYPES, minimum=1)
    for bound in (option["min_value"], option["max_value"]):
        if kind is OptionType.INTEGER:
            bound.check_integer(-_INT53, _INT53)
        elif bound.value is not None and bound.check_number() and kind not in _NUMERIC_TYPES:
            bound.add("APPLICATION_COMMAND_OPTIONS_BOUNDS_NOT_ALLOWED", "Only numbers have bounds.")
    if option.errors:
        return
    for minimum, maximum in (("min_length", "max_length"), ("min_value", "max_value")):
        low, high = option.value.get(minimum), option.value.get(maximum)
        if low is not None and high is not None and low > high:
            option[minimum].add("NUMBER_TYPE_MAX", f"Value should be at most {high}.")


def _count_characters(node: Json) -> int:
    own = _longest(node, "name") + _longest(node, "description")
    values = sum(_longest(each, "name") + len(str(each["value"])) for each in node.get("choices") or ())
    return own + values + sum(_count_characters(option) for option in node.get("options") or ())


def _longest(node: Json, name: str) -> int:
    """Return the length of a text in the language in which it is longest."""
    return max(map(len, (node[name], *(node.get(f"{name}_localizations") or {}).values())))


def check_choices(interaction: Interaction, data: Json) -> list[Json]:
    """Return the choices of a response; raise ApiError if Discord would refuse them."""
    choices = RequestPart(data, ("data",))["choices"]
    if choices.check_objects(MAX_CHOICES):
        for choice in choices:
            check_choice(choice, focused_type(interaction.data))
    choices.raise_if_any()
    return choices.value or []
