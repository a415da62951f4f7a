"""Checks menus against Discord's limits."""

from typing import Any

from bot.sandbox.model.messages import ComponentType, at_least, at_most
from bot.sandbox.validation.emoji import is_emoji
from bot.sandbox.validation.faults import Faults, Place, numbered
from bot.sandbox.wire import Json

CUSTOM_ID = 100
OPTIONS = 25
CHANNEL_KINDS = frozenset({0, 1, 2, 3, 4, 5, 10, 11, 12, 13, 14, 15, 16})

_DEFAULTS = {
    ComponentType.USER_SELECT: ("user",),
    ComponentType.ROLE_SELECT: ("role",),
    ComponentType.MENTIONABLE_SELECT: ("role", "user"),
    ComponentType.CHANNEL_SELECT: ("channel",),
}
"""What may be chosen beforehand in the menus that Discord fills itself."""


def check_select(faults: Faults, place: Place, select: Json) -> None:
    """Note what is wrong with a menu."""
    faults.text((*place, "custom_id"), select.get("custom_id"), CUSTOM_ID, least=1, required=True)
    faults.text((*place, "placeholder"), select.get("placeholder"), 150)
    faults.flag((*place, "disabled"), select.get("disabled"))
    if select["type"] == ComponentType.SELECT:
        _check_listed(faults, place, select)
    else:
        _check_filled(faults, place, select, ComponentType(select["type"]))


def _check_listed(faults: Faults, place: Place, select: Json) -> None:
    options = select.get("options") or []
    if faults.objects((*place, "options"), options, OPTIONS, least=1):
        _check_options(faults, (*place, "options"), options)
        _check_counts(faults, place, select, len(options))
        if faults.any:
            return
        chosen = sum(bool(option.get("default")) for option in options)
        if chosen > at_most(select):
            text = f"Must be {at_most(select)} or fewer in length."
            faults.add((*place, "options"), "BASE_TYPE_MAX_LENGTH", text)


def _check_filled(faults: Faults, place: Place, select: Json, kind: ComponentType) -> None:
    if select.get("options"):
        faults.add((*place, "options"), "BASE_TYPE_MAX_LENGTH", "Must be 0 or fewer in length.")
    if faults.list((*place, "channel_types"), select.get("channel_types"), len(CHANNEL_KINDS)):
        for number, each in enumerate(select.get("channel_types") or ()):
            faults.one_of((*place, "channel_types", number), each, CHANNEL_KINDS)
        faults.unlike((*place, "channel_types"), select.get("channel_types"))
    _check_counts(faults, place, select, OPTIONS)
    defaults, here = select.get("default_values"), (*place, "default_values")
    if faults.objects(here, defaults, OPTIONS):
        _check_defaults(faults, here, defaults or [], kind)
        if defaults and not faults.any and not at_least(select) <= len(defaults) <= at_most(select):
            text = f"Must be between {at_least(select)} and {at_most(select)} in length."
            faults.add(here, "BASE_TYPE_BAD_LENGTH", text)


def _check_defaults(faults: Faults, place: Place, defaults: list[Json], kind: ComponentType) -> None:
    for here, each in numbered(place, defaults):
        faults.snowflake((*here, "id"), each.get("id"))
        if each.get("type") not in _DEFAULTS[kind]:
            names = ", ".join(repr(name) for name in _DEFAULTS[kind])
            faults.add((*here, "type"), "BASE_TYPE_CHOICES", f"Value must be one of ({names}).")


def _check_counts(faults: Faults, place: Place, select: Json, offered: int) -> None:
    least = faults.whole((*place, "min_values"), select.get("min_values"), 0, OPTIONS)
    most = faults.whole((*place, "max_values"), select.get("max_values"), 1, OPTIONS)
    if least and most and not at_least(select) <= at_most(select) <= offered:
        text = "Fewer can be chosen than must be, or more than there are."
        faults.add((*place, "max_values"), "SELECT_COMPONENT_MAX_VALUES_MISMATCH", text)


def _check_options(faults: Faults, place: Place, options: list[Json]) -> None:
    seen: set[str] = set()
    for here, option in numbered(place, options):
        faults.text((*here, "label"), option.get("label"), 100, least=1, required=True)
        faults.text((*here, "description"), option.get("description"), 100)
        faults.flag((*here, "default"), option.get("default"))
        check_emoji(faults, (*here, "emoji"), option.get("emoji"))
        value = option.get("value")
        if not faults.text((*here, "value"), value, 100, least=1, required=True):
            continue
        if value in seen:
            text = "Another option has this value."
            faults.add((*here, "value"), "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED", text)
        seen.add(str(value))


def check_emoji(faults: Faults, place: Place, emoji: Any) -> None:
    """Note what is wrong with the emoji of a button or an option."""
    if emoji is None or not faults.object(place, emoji):
        return
    faults.flag((*place, "animated"), emoji.get("animated"))
    name, custom = emoji.get("name"), emoji.get("id")
    if custom is not None:
        # No server here has emoji of its own.
        if faults.snowflake((*place, "id"), custom):
            faults.add((*place, "id"), "BUTTON_COMPONENT_INVALID_EMOJI", "Invalid emoji")
        return
    if faults.text((*place, "name"), name, 32, required=True) and not is_emoji(name):
        faults.add((*place, "name"), "BUTTON_COMPONENT_INVALID_EMOJI", "This is no emoji.")
