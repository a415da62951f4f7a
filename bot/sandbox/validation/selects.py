"""Checks menus against Discord's limits."""

from typing import Any

from bot.sandbox.model.messages import ComponentType, max_values, min_values
from bot.sandbox.validation.emoji import is_emoji
from bot.sandbox.validation.faults import JsonPath, ValidationErrors, enumerate_paths
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
"""What may be chosen beforehand in the menus that Discord fills itself."""


def check_select(faults: ValidationErrors, place: JsonPath, select: Json) -> None:
    """Note what is wrong with a menu."""
    faults.check_text((*place, "custom_id"), select.get("custom_id"), MAX_CUSTOM_ID_LENGTH, least=1, required=True)
    faults.check_text((*place, "placeholder"), select.get("placeholder"), 150)
    faults.check_boolean((*place, "disabled"), select.get("disabled"))
    if select["type"] == ComponentType.SELECT:
        _check_string_select(faults, place, select)
    else:
        _check_auto_select(faults, place, select, ComponentType(select["type"]))


def _check_string_select(faults: ValidationErrors, place: JsonPath, select: Json) -> None:
    options = select.get("options") or []
    if faults.check_objects((*place, "options"), options, MAX_OPTIONS, least=1):
        _check_options(faults, (*place, "options"), options)
        _check_counts(faults, place, select, len(options))
        if faults.has_any:
            return
        chosen = sum(bool(option.get("default")) for option in options)
        if chosen > max_values(select):
            text = f"Must be {max_values(select)} or fewer in length."
            faults.add((*place, "options"), "BASE_TYPE_MAX_LENGTH", text)


def _check_auto_select(faults: ValidationErrors, place: JsonPath, select: Json, kind: ComponentType) -> None:
    if select.get("options"):
        faults.add((*place, "options"), "BASE_TYPE_MAX_LENGTH", "Must be 0 or fewer in length.")
    if faults.check_list((*place, "channel_types"), select.get("channel_types"), len(CHANNEL_TYPES)):
        for number, each in enumerate(select.get("channel_types") or ()):
            faults.check_one_of((*place, "channel_types", number), each, CHANNEL_TYPES)
        faults.check_distinct((*place, "channel_types"), select.get("channel_types"))
    _check_counts(faults, place, select, MAX_OPTIONS)
    defaults, here = select.get("default_values"), (*place, "default_values")
    if faults.check_objects(here, defaults, MAX_OPTIONS):
        _check_defaults(faults, here, defaults or [], kind)
        if defaults and not faults.has_any and not min_values(select) <= len(defaults) <= max_values(select):
            text = f"Must be between {min_values(select)} and {max_values(select)} in length."
            faults.add(here, "BASE_TYPE_BAD_LENGTH", text)


def _check_defaults(faults: ValidationErrors, place: JsonPath, defaults: list[Json], kind: ComponentType) -> None:
    for here, each in enumerate_paths(place, defaults):
        faults.check_snowflake((*here, "id"), each.get("id"))
        if each.get("type") not in _DEFAULT_VALUE_TYPES[kind]:
            names = ", ".join(repr(name) for name in _DEFAULT_VALUE_TYPES[kind])
            faults.add((*here, "type"), "BASE_TYPE_CHOICES", f"Value must be one of ({names}).")


def _check_counts(faults: ValidationErrors, place: JsonPath, select: Json, offered: int) -> None:
    least = faults.check_integer((*place, "min_values"), select.get("min_values"), 0, MAX_OPTIONS)
    most = faults.check_integer((*place, "max_values"), select.get("max_values"), 1, MAX_OPTIONS)
    if least and most and not min_values(select) <= max_values(select) <= offered:
        text = "Fewer can be chosen than must be, or more than there are."
        faults.add((*place, "max_values"), "SELECT_COMPONENT_MAX_VALUES_MISMATCH", text)


def _check_options(faults: ValidationErrors, place: JsonPath, options: list[Json]) -> None:
    seen: set[str] = set()
    for here, option in enumerate_paths(place, options):
        faults.check_text((*here, "label"), option.get("label"), 100, least=1, required=True)
        faults.check_text((*here, "description"), option.get("description"), 100)
        faults.check_boolean((*here, "default"), option.get("default"))
        check_emoji(faults, (*here, "emoji"), option.get("emoji"))
        value = option.get("value")
        if not faults.check_text((*here, "value"), value, 100, least=1, required=True):
            continue
        if value in seen:
            text = "Another option has this value."
            faults.add((*here, "value"), "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED", text)
        seen.add(str(value))


def check_emoji(faults: ValidationErrors, place: JsonPath, emoji: Any) -> None:
    """Note what is wrong with the emoji of a button or an option."""
    if emoji is None or not faults.check_object(place, emoji):
        return
    faults.check_boolean((*place, "animated"), emoji.get("animated"))
    name, custom = emoji.get("name"), emoji.get("id")
    if custom is not None:
        # No server here has emoji of its own.
        if faults.check_snowflake((*place, "id"), custom):
            faults.add((*place, "id"), "BUTTON_COMPONENT_INVALID_EMOJI", "Invalid emoji")
        return
    if faults.check_text((*place, "name"), name, 32, required=True) and not is_emoji(name):
        faults.add((*place, "name"), "BUTTON_COMPONENT_INVALID_EMOJI", "This is no emoji.")
