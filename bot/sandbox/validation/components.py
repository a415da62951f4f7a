"""Validates the components of messages against Discord's limits."""

from bot.sandbox.model.messages import SELECT_TYPES, ButtonStyle, ComponentType, max_values, min_values
from bot.sandbox.validation.emoji import is_emoji
from bot.sandbox.validation.request_part import RequestPart

MAX_CUSTOM_ID_LENGTH = 100
MAX_OPTIONS = 25
CHANNEL_TYPES = frozenset({0, 1, 2, 3, 4, 5, 10, 11, 12, 13, 14, 15, 16})

_DEFAULT_VALUE_TYPES = {
    ComponentType.ROLE_SELECT: ("role",),
    ComponentType.CHANNEL_SELECT: ("channel",),
}
"""The types of default values in menus that Discord fills by itself."""


def check_select(select: RequestPart) -> None:
    """Add the errors of a select menu."""
    select["custom_id"].check_text(MAX_CUSTOM_ID_LENGTH, minimum=1, required=True)
    select["placeholder"].check_text(150)
    select["disabled"].check_boolean()
    kind = ComponentType(select.value["type"])
    if kind is ComponentType.SELECT:
        _check_string_select(select)
    else:
        _check_auto_select(select, kind)


def _check_string_select(select: RequestPart) -> None:
    options = select["options"]
    if options.check_objects(MAX_OPTIONS, minimum=1):
        _check_options(options)
        _check_counts(select, len(options.value))
        if select.errors:
            return
        maximum = max_values(select.value)
        if sum(bool(option.get("default")) for option in options.value) > maximum:
            options.add("BASE_TYPE_MAX_LENGTH", f"Must be {maximum} or fewer in length.")


def _check_auto_select(select: RequestPart, kind: ComponentType) -> None:
    if select.value.get("options"):
        select["options"].add("BASE_TYPE_MAX_LENGTH", "Must be 0 or fewer in length.")
    select["channel_types"].check_distinct_choices(CHANNEL_TYPES)
    are_counts_valid = _check_counts(select, MAX_OPTIONS)
    defaults = select["default_values"]
    if defaults.check_objects(MAX_OPTIONS):
        for each in defaults:
            each["id"].check_snowflake()
            each["type"].check_one_of(_DEFAULT_VALUE_TYPES[kind])
        if not defaults.value or not are_counts_valid:
            return
        least, most = min_values(select.value), max_values(select.value)
        if not least <= len(defaults.value) <= most:
            defaults.add("BASE_TYPE_BAD_LENGTH", f"Must be between {least} and {most} in length.")


def _check_counts(select: RequestPart, option_count: int) -> bool:
    is_min_valid = select["min_values"].check_integer(0, MAX_OPTIONS)
    is_max_valid = select["max_values"].check_integer(1, MAX_OPTIONS)
    if not (is_min_valid and is_max_valid):
        return False
    if min_values(select.value) <= max_values(select.value) <= option_count:
        return True
    text = "Fewer can be chosen than must be, or more than there are."
    return select["max_values"].add("SELECT_COMPONENT_MAX_VALUES_MISMATCH", text)


def _check_options(options: RequestPart) -> None:
    seen: set[str] = set()
    for option in options:
        option["label"].check_text(100, minimum=1, required=True)
        option["description"].check_text(100)
        option["default"].check_boolean()
        check_emoji(option["emoji"])
        value = option["value"]
        if not value.check_text(100, minimum=1, required=True):
            continue
        if value.value in seen:
            value.add("SELECT_COMPONENT_OPTION_VALUE_DUPLICATED", "Another option has this value.")
        seen.add(value.value)


def check_emoji(emoji: RequestPart) -> None:
    """Add the errors of an emoji."""
    if emoji.value is None or not emoji.check_object():
        return
    emoji["animated"].check_boolean()
    name, custom = emoji["name"], emoji["id"]
    if custom.value is not None:
        # Whether it exists is checked when the message is written.
        custom.check_snowflake()
        name.check_text(32)
        return
    if name.check_text(32, required=True) and not is_emoji(name.value):
        name.add("BUTTON_COMPONENT_INVALID_EMOJI", "This is no emoji.")


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
