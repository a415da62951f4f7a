"""Checks the buttons and menus of messages against Discord's limits."""

from typing import Any

from bot.sandbox.model.messages import SELECTS, ButtonStyle, ComponentType
from bot.sandbox.validation.faults import Faults, Place, numbered
from bot.sandbox.validation.selects import CUSTOM_ID, check_emoji, check_select
from bot.sandbox.wire import Json

ROWS = 5
BUTTONS_IN_ROW = 5
LABEL = 80
MOST = (1 << 31) - 1
LINK = 512


def check_components(faults: Faults, rows: Any) -> None:
    """Note what is wrong with the components of a message."""
    if not faults.objects(("components",), rows, ROWS):
        return
    seen: set[str] = set()
    for place, row in numbered(("components",), rows):
        faults.whole((*place, "id"), row.get("id"), 0, MOST)
        if faults.one_of((*place, "type"), row.get("type"), {ComponentType.ROW}):
            _check_row(faults, (*place, "components"), row.get("components"), seen)


def _check_row(faults: Faults, place: Place, components: Any, seen: set[str]) -> None:
    # A list that is absent counts as empty, and an empty row is refused.
    components = [] if components is None else components
    if not faults.objects(place, components, BUTTONS_IN_ROW, least=1):
        return
    for here, component in numbered(place, components):
        faults.whole((*here, "id"), component.get("id"), 0, MOST)
        if not faults.one_of((*here, "type"), component.get("type"), _LEAVES):
            continue
        if component["type"] == ComponentType.BUTTON:
            _check_button(faults, here, component)
        else:
            check_select(faults, here, component)
            if len(components) > 1:
                faults.add(here, "COMPONENT_LAYOUT_WIDTH_EXCEEDED", "A menu needs a row of its own.")
        check_unique(faults, here, component.get("custom_id"), seen)


_LEAVES = frozenset({ComponentType.BUTTON, *SELECTS})
_STYLES = frozenset(ButtonStyle)


def check_unique(faults: Faults, place: Place, custom_id: Any, seen: set[str]) -> None:
    """Note a custom id that another component has."""
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
    check_emoji(faults, (*place, "emoji"), button.get("emoji"))
    faults.flag((*place, "disabled"), button.get("disabled"))
    if not faults.one_of((*place, "style"), button.get("style"), _STYLES):
        return
    if button["style"] == ButtonStyle.LINK:
        _check_link(faults, place, button)
    else:
        faults.text((*place, "custom_id"), button.get("custom_id"), CUSTOM_ID, least=1, required=True)
        if button.get("url") is not None:
            code = "BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE"
            faults.add((*place, "url"), code, "Only a link leads anywhere.")


def _check_link(faults: Faults, place: Place, button: Json) -> None:
    url = button.get("url")
    if faults.text((*place, "url"), url, LINK, required=True):
        faults.address((*place, "url"), str(url), _SCHEMES)
    if button.get("custom_id") is not None:
        code = "BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE"
        faults.add((*place, "custom_id"), code, "A link has no custom id.")


_SCHEMES = ("http", "https", "discord")
