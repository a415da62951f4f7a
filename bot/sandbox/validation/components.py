"""Validates the components of messages against Discord's limits."""

from bot.sandbox.model.messages import SELECT_TYPES, ButtonStyle, ComponentType
from bot.sandbox.validation.request_part import RequestPart
from bot.sandbox.validation.selects import MAX_CUSTOM_ID_LENGTH, check_emoji, check_select

MAX_ROWS = 5
MAX_BUTTONS_PER_ROW = 5
MAX_LABEL_LENGTH = 80
MAX_COMPONENT_ID = (1 << 31) - 1
MAX_LINK_LENGTH = 512


def check_components(rows: RequestPart) -> None:
    """Add the errors of a message's components."""
    if not rows.check_objects(MAX_ROWS):
        return
    seen: set[str] = set()
    for row in rows:
        row["id"].check_integer(0, MAX_COMPONENT_ID)
        if row["type"].check_one_of({ComponentType.ROW}):
            _check_row(row["components"], seen)


def _check_row(components: RequestPart, seen: set[str]) -> None:
    if not components.check_objects(MAX_BUTTONS_PER_ROW, minimum=1):
        return
    for component in components:
        component["id"].check_integer(0, MAX_COMPONENT_ID)
        if not component["type"].check_one_of(_LEAVES):
            continue
        if component.value["type"] == ComponentType.BUTTON:
            _check_button(component)
        else:
            check_select(component)
            if len(components.value) > 1:
                component.add("COMPONENT_LAYOUT_WIDTH_EXCEEDED", "A menu needs a row of its own.")
        check_custom_id_unique(component["custom_id"], seen)


_LEAVES = frozenset({ComponentType.BUTTON, *SELECT_TYPES})
_STYLES = frozenset(ButtonStyle)


def check_custom_id_unique(custom_id: RequestPart, seen: set[str]) -> None:
    """Add an error if another component has the custom id."""
    if not isinstance(custom_id.value, str):
        return
    if custom_id.value in seen:
        custom_id.add("COMPONENT_CUSTOM_ID_DUPLICATED", "Another component has this custom id.")
    seen.add(custom_id.value)


def _check_button(button: RequestPart) -> None:
    label, custom_id, url = button["label"], button["custom_id"], button["url"]
    label.check_text(MAX_LABEL_LENGTH)
    if not label.value and not button.value.get("emoji"):
        label.add("BUTTON_COMPONENT_LABEL_REQUIRED", "A button needs a label or an emoji.")
    check_emoji(button["emoji"])
    button["disabled"].check_boolean()
    if not button["style"].check_one_of(_STYLES):
        return
    if button.value["style"] == ButtonStyle.LINK:
        url.check_url(_SCHEMES, MAX_LINK_LENGTH, required=True)
        if custom_id.value is not None:
            custom_id.add("BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE", "A link has no custom id.")
    else:
        custom_id.check_text(MAX_CUSTOM_ID_LENGTH, minimum=1, required=True)
        if url.value is not None:
            url.add("BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE", "Only a link leads anywhere.")


_SCHEMES = ("http", "https", "discord")
