"""Validates the components of messages against Discord's limits."""

from typing import Any

from bot.sandbox.model.messages import SELECT_TYPES, ButtonStyle, ComponentType
from bot.sandbox.validation.errors import JsonPath, ValidationErrors, enumerate_paths
from bot.sandbox.validation.selects import MAX_CUSTOM_ID_LENGTH, check_emoji, check_select
from bot.sandbox.wire import Json

MAX_ROWS = 5
MAX_BUTTONS_PER_ROW = 5
MAX_LABEL_LENGTH = 80
MAX_COMPONENT_ID = (1 << 31) - 1
MAX_LINK_LENGTH = 512


def check_components(errors: ValidationErrors, rows: Any) -> None:
    """Add the errors of a message's components."""
    if not errors.check_objects(("components",), rows, MAX_ROWS):
        return
    seen: set[str] = set()
    for path, row in enumerate_paths(("components",), rows):
        errors.check_integer((*path, "id"), row.get("id"), 0, MAX_COMPONENT_ID)
        if errors.check_one_of((*path, "type"), row.get("type"), {ComponentType.ROW}):
            _check_row(errors, (*path, "components"), row.get("components"), seen)


def _check_row(errors: ValidationErrors, path: JsonPath, components: Any, seen: set[str]) -> None:
    # A missing list counts as empty, and empty rows are refused.
    components = [] if components is None else components
    if not errors.check_objects(path, components, MAX_BUTTONS_PER_ROW, minimum=1):
        return
    for component_path, component in enumerate_paths(path, components):
        errors.check_integer((*component_path, "id"), component.get("id"), 0, MAX_COMPONENT_ID)
        if not errors.check_one_of((*component_path, "type"), component.get("type"), _LEAVES):
            continue
        if component["type"] == ComponentType.BUTTON:
            _check_button(errors, component_path, component)
        else:
            check_select(errors, component_path, component)
            if len(components) > 1:
                errors.add(component_path, "COMPONENT_LAYOUT_WIDTH_EXCEEDED", "A menu needs a row of its own.")
        check_custom_id_unique(errors, component_path, component.get("custom_id"), seen)


_LEAVES = frozenset({ComponentType.BUTTON, *SELECT_TYPES})
_STYLES = frozenset(ButtonStyle)


def check_custom_id_unique(errors: ValidationErrors, path: JsonPath, custom_id: Any, seen: set[str]) -> None:
    """Add an error if another component has the custom id."""
    if not isinstance(custom_id, str):
        return
    if custom_id in seen:
        text = "Another component has this custom id."
        errors.add((*path, "custom_id"), "COMPONENT_CUSTOM_ID_DUPLICATED", text)
    seen.add(custom_id)


def _check_button(errors: ValidationErrors, path: JsonPath, button: Json) -> None:
    errors.check_text((*path, "label"), button.get("label"), MAX_LABEL_LENGTH)
    if not button.get("label") and not button.get("emoji"):
        text = "A button needs a label or an emoji."
        errors.add((*path, "label"), "BUTTON_COMPONENT_LABEL_REQUIRED", text)
    check_emoji(errors, (*path, "emoji"), button.get("emoji"))
    errors.check_boolean((*path, "disabled"), button.get("disabled"))
    if not errors.check_one_of((*path, "style"), button.get("style"), _STYLES):
        return
    if button["style"] == ButtonStyle.LINK:
        _check_link(errors, path, button)
    else:
        errors.check_text((*path, "custom_id"), button.get("custom_id"), MAX_CUSTOM_ID_LENGTH, minimum=1, required=True)
        if button.get("url") is not None:
            code = "BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE"
            errors.add((*path, "url"), code, "Only a link leads anywhere.")


def _check_link(errors: ValidationErrors, path: JsonPath, button: Json) -> None:
    url = button.get("url")
    if errors.check_text((*path, "url"), url, MAX_LINK_LENGTH, required=True):
        errors.check_url((*path, "url"), str(url), _SCHEMES)
    if button.get("custom_id") is not None:
        code = "BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE"
        errors.add((*path, "custom_id"), code, "A link has no custom id.")


_SCHEMES = ("http", "https", "discord")
