"""Validates select menus against Discord's limits."""

from typing import Any

from bot.sandbox.model.messages import ComponentType, max_values, min_values
from bot.sandbox.validation.emoji import is_emoji
from bot.sandbox.validation.errors import JsonPath, ValidationErrors, enumerate_paths
from bot.sandbox.wire import Json

MAX_CUSTOM_ID_LENGTH = 100
MAX_OPTIONS = 25
CHANNEL_TYPES = frozenset({0, 1, 2, 3, 4, 5, 10, 11, 12, 13, 14, 15, 16})

_DEFAULT_VALUE_TYPES = {
    ComponentType.USER_SELECT: ("user",),
    ComponentType.ROLE_SELECT: ("role",),
    ComponentType.MENTIONABLE_SELECT: ("role", "user"),
    ComponentType.CHANNEL_SELECT: ("channel",),
}
"""The types of default values in menus that Discord fills by itself."""


def check_select(errors: ValidationErrors, path: JsonPath, select: Json) -> None:
    """Add the errors of a select menu."""
    errors.check_text((*path, "custom_id"), select.get("custom_id"), MAX_CUSTOM_ID_LENGTH, minimum=1, required=True)
    errors.check_text((*path, "placeholder"), select.get("placeholder"), 150)
    errors.check_boolean((*path, "disabled"), select.get("disabled"))
    if select["type"] == ComponentType.SELECT:
        _check_string_select(errors, path, select)
    else:
        _check_auto_select(errors, path, select, ComponentType(select["type"]))


def _check_string_select(errors: ValidationErrors, path: JsonPath, select: Json) -> None:
    options = select.get("options") or []
    if errors.check_objects((*path, "options"), options, MAX_OPTIONS, minimum=1):
        _check_options(errors, (*path, "options"), options)
        _check_counts(errors, path, select, len(options))
        if errors.has_any:
            return
        chosen = sum(bool(option.get("default")) for option in options)
        if chosen > max_values(select):
            text = f"Must be {max_values(select)} or fewer in length."
            errors.add((*path, "options"), "BASE_TYPE_MAX_LENGTH", text)


def _check_auto_select(errors: ValidationErrors, path: JsonPath, select: Json, kind: ComponentType) -> None:
    if select.get("options"):
        errors.add((*path, "options"), "BASE_TYPE_MAX_LENGTH", "Must be 0 or fewer in length.")
    errors.check_distinct_choices((*path, "channel_types"), select.get("channel_types"), CHANNEL_TYPES)
    _check_counts(errors, path, select, MAX_OPTIONS)
    defaults, item_path = select.get("default_values"), (*path, "default_values")
    if errors.check_objects(item_path, defaults, MAX_OPTIONS):
        _check_defaults(errors, item_path, defaults or [], kind)
        if defaults and not errors.has_any and not min_values(select) <= len(defaults) <= max_values(select):
            text = f"Must be between {min_values(select)} and {max_values(select)} in length."
            errors.add(item_path, "BASE_TYPE_BAD_LENGTH", text)


def _check_defaults(errors: ValidationErrors, path: JsonPath, defaults: list[Json], kind: ComponentType) -> None:
    for item_path, each in enumerate_paths(path, defaults):
        errors.check_snowflake((*item_path, "id"), each.get("id"))
        errors.check_one_of((*item_path, "type"), each.get("type"), _DEFAULT_VALUE_TYPES[kind])


def _check_counts(errors: ValidationErrors, path: JsonPath, select: Json, option_count: int) -> None:
    is_min_valid = errors.check_integer((*path, "min_values"), select.get("min_values"), 0, MAX_OPTIONS)
    is_max_valid = errors.check_integer((*path, "max_values"), select.get("max_values"), 1, MAX_OPTIONS)
    if is_min_valid and is_max_valid and not min_values(select) <= max_values(select) <= option_count:
        text = "Fewer can be chosen than must be, or more than there are."
        errors.add((*path, "max_values"), "SELECT_COMPONENT_MAX_VALUES_MISMATCH", text)


def _check_options(errors: ValidationErrors, path: JsonPath, options: list[Json]) -> None:
    seen: set[str] = set()
    for item_path, option in enumerate_paths(path, options):
        errors.check_text((*item_path, "label"), option.get("label"), 100, minimum=1, required=True)
        errors.check_text((*item_path, "description"), option.get("description"), 100)
        errors.check_boolean((*item_path, "default"), option.get("default"))
        check_emoji(errors, (*item_path, "emoji"), option.get("emoji"))
        value = option.get("value")
        if not errors.check_text((*item_path, "value"), value, 100, minimum=1, required=True):
            continue
        if value in seen:
            text = "Another option has this value."
            errors.add((*item_path, "value"), "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED", text)
        seen.add(str(value))


def check_emoji(errors: ValidationErrors, path: JsonPath, emoji: Any) -> None:
    """Add the errors of an emoji."""
    if emoji is None or not errors.check_object(path, emoji):
        return
    errors.check_boolean((*path, "animated"), emoji.get("animated"))
    name, custom = emoji.get("name"), emoji.get("id")
    if custom is not None:
        # The sandbox has no custom emojis.
        if errors.check_snowflake((*path, "id"), custom):
            errors.add((*path, "id"), "BUTTON_COMPONENT_INVALID_EMOJI", "Invalid emoji")
        return
    if errors.check_text((*path, "name"), name, 32, required=True) and not is_emoji(name):
        errors.add((*path, "name"), "BUTTON_COMPONENT_INVALID_EMOJI", "This is no emoji.")
