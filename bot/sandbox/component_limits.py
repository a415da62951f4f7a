"""Checks the buttons and menus of messages against Discord's limits."""

from typing import Any

from bot.sandbox.emoji import is_emoji
from bot.sandbox.faults import Faults, Place, numbered
from bot.sandbox.messages import ButtonStyle, ComponentType, at_least, at_most
from bot.sandbox.wire import Json

ROWS = 5
BUTTONS_IN_ROW = 5
CUSTOM_ID = 100
LABEL = 80
OPTIONS = 25
LINK = 512


def check_components(faults: Faults, rows: Any) -> None:
    """Note what is wrong with the components of a message."""
    if not faults.objects(("components",), rows, ROWS):
        return
    seen: set[str] = set()
    for place, row in numbered(("components",), rows):
        if faults.one_of((*place, "type"), row.get("type"), {ComponentType.ROW}):
            _check_row(faults, (*place, "components"), row.get("components"), seen)


def _check_row(faults: Faults, place: Place, components: Any, seen: set[str]) -> None:
    # A list that is absent counts as empty, and an empty row is refused.
    components = [] if components is None else components
    if not faults.objects(place, components, BUTTONS_IN_ROW, least=1):
        return
    for here, component in numbered(place, components):
        if not faults.one_of((*here, "type"), component.get("type"), _LEAVES):
            continue
        if component["type"] == ComponentType.BUTTON:
            _check_button(faults, here, component)
        else:
            _check_select(faults, here, component, alone=len(components) == 1)
        _check_unique(faults, here, component.get("custom_id"), seen)


_LEAVES = frozenset({ComponentType.BUTTON, ComponentType.SELECT})
_STYLES = frozenset(ButtonStyle)


def _check_unique(faults: Faults, place: Place, custom_id: Any, seen: set[str]) -> None:
    if not isinstance(custom_id, str):
        return
    if custom_id in seen:
        text = "Another component has this custom id."
        faults.add((*place, "custom_id"), "COMPONENT_CUSTOM_ID_DUPLICATED", text)
    seen.add(custom_id)


def _check_button(faults: Faults, place: Place, button: Json) -> None:
    faults.text((*place, "label"), button.get("label"), LABEL)
    if not button.get("label") and not button.get("emoji"):
        text = "A button needs a label or an emoji."
        faults.add((*place, "label"), "BUTTON_COMPONENT_LABEL_REQUIRED", text)
    _check_emoji(faults, (*place, "emoji"), button.get("emoji"))
    if not faults.one_of((*place, "style"), button.get("style"), _STYLES):
        return
    if button["style"] == ButtonStyle.LINK:
        _check_link(faults, place, button)
    else:
        faults.text((*place, "custom_id"), button.get("custom_id"), CUSTOM_ID, least=1, required=True)


def _check_link(faults: Faults, place: Place, button: Json) -> None:
    url = button.get("url")
    if faults.text((*place, "url"), url, LINK, required=True) and not str(url).startswith(_SCHEMES):
        faults.add((*place, "url"), "URL_TYPE_INVALID_SCHEME", "A link leads to a web address.")
    if button.get("custom_id") is not None:
        code = "BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE"
        faults.add((*place, "custom_id"), code, "A link has no custom id.")


_SCHEMES = ("http://", "https://", "discord://")


def _check_emoji(faults: Faults, place: Place, emoji: Any) -> None:
    if emoji is None or not faults.object(place, emoji) or emoji.get("id"):
        return
    name = emoji.get("name")
    if faults.text((*place, "name"), name, 32, required=True) and not is_emoji(name):
        faults.add((*place, "name"), "BUTTON_COMPONENT_INVALID_EMOJI", "This is no emoji.")


def _check_select(faults: Faults, place: Place, select: Json, *, alone: bool) -> None:
    if not alone:
        faults.add(place, "COMPONENT_LAYOUT_WIDTH_EXCEEDED", "A menu needs a row of its own.")
    faults.text((*place, "custom_id"), select.get("custom_id"), CUSTOM_ID, least=1, required=True)
    faults.text((*place, "placeholder"), select.get("placeholder"), 150)
    options = select.get("options") or []
    if faults.objects((*place, "options"), options, OPTIONS, least=1):
        _check_options(faults, (*place, "options"), options)
        _check_counts(faults, place, select, len(options))


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
        _check_emoji(faults, (*here, "emoji"), option.get("emoji"))
        value = option.get("value")
        if not faults.text((*here, "value"), value, 100, least=1, required=True):
            continue
        if value in seen:
            text = "Another option has this value."
            faults.add((*here, "value"), "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED", text)
        seen.add(str(value))
