"""Checks the buttons and menus of messages against Discord's limits."""

from typing import Any

from bot.sandbox.model.messages import SELECT_TYPES, ButtonStyle, ComponentType
from bot.sandbox.validation.faults import JsonPath, ValidationErrors, enumerate_paths
from bot.sandbox.validation.selects import MAX_CUSTOM_ID_LENGTH, check_emoji, check_select
from bot.sandbox.wire import Json

MAX_ROWS = 5
MAX_BUTTONS_PER_ROW = 5
MAX_LABEL_LENGTH = 80
MAX_COMPONENT_ID = (1 << 31) - 1
MAX_LINK_LENGTH = 512


def check_components(faults: ValidationErrors, rows: Any) -> None:
    """Note what is wrong with the components of a message."""
    if not faults.check_objects(("components",), rows, MAX_ROWS):
        return
    seen: set[str] = set()
    for place, row in enumerate_paths(("components",), rows):
        faults.check_integer((*place, "id"), row.get("id"), 0, MAX_COMPONENT_ID)
        if faults.check_one_of((*place, "type"), row.get("type"), {ComponentType.ROW}):
            _check_row(faults, (*place, "components"), row.get("components"), seen)


def _check_row(faults: ValidationErrors, place: JsonPath, components: Any, seen: set[str]) -> None:
    # A list that is absent counts as empty, and an empty row is refused.
    components = [] if components is None else components
    if not faults.check_objects(place, components, MAX_BUTTONS_PER_ROW, least=1):
        return
    for here, component in enumerate_paths(place, components):
        faults.check_integer((*here, "id"), component.get("id"), 0, MAX_COMPONENT_ID)
        if not faults.check_one_of((*here, "type"), component.get("type"), _LEAVES):
            continue
        if component["type"] == ComponentType.BUTTON:
            _check_button(faults, here, component)
        else:
            check_select(faults, here, component)
            if len(components) > 1:
                faults.add(here, "COMPONENT_LAYOUT_WIDTH_EXCEEDED", "A menu needs a row of its own.")
        check_custom_id_unique(faults, here, component.get("custom_id"), seen)


_LEAVES = frozenset({ComponentType.BUTTON, *SELECT_TYPES})
_STYLES = frozenset(ButtonStyle)


def check_custom_id_unique(faults: ValidationErrors, place: JsonPath, custom_id: Any, seen: set[str]) -> None:
    """Note a custom id that another component has."""
    if not isinstance(custom_id, str):
        return
    if custom_id in seen:
        text = "Another component has this custom id."
        faults.add((*place, "custom_id"), "COMPONENT_CUSTOM_ID_DUPLICATED", text)
    seen.add(custom_id)


def _check_button(faults: ValidationErrors, place: JsonPath, button: Json) -> None:
    faults.check_text((*place, "label"), button.get("label"), MAX_LABEL_LENGTH)
    if not button.get("label") and not button.get("emoji"):
        text = "A button needs a label or an emoji."
        faults.add((*place, "label"), "BUTTON_COMPONENT_LABEL_REQUIRED", text)
    check_emoji(faults, (*place, "emoji"), button.get("emoji"))
    faults.check_boolean((*place, "disabled"), button.get("disabled"))
    if not faults.check_one_of((*place, "style"), button.get("style"), _STYLES):
        return
    if button["style"] == ButtonStyle.LINK:
        _check_link(faults, place, button)
    else:
        faults.check_text((*place, "custom_id"), button.get("custom_id"), MAX_CUSTOM_ID_LENGTH, least=1, required=True)
        if button.get("url") is not None:
            code = "BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE"
            faults.add((*place, "url"), code, "Only a link leads anywhere.")


def _check_link(faults: ValidationErrors, place: JsonPath, button: Json) -> None:
    url = button.get("url")
    if faults.check_text((*place, "url"), url, MAX_LINK_LENGTH, required=True):
        faults.check_url((*place, "url"), str(url), _SCHEMES)
    if button.get("custom_id") is not None:
        code = "BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE"
        faults.add((*place, "custom_id"), code, "A link has no custom id.")


_SCHEMES = ("http", "https", "discord")
