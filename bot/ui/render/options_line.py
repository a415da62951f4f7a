"""A table's options as one line of text."""

from bot.rules.options import OptionText, OptionValue
from bot.tables.table import Table
from bot.words import format_number, gettext as _


def options_line(table: Table) -> str:
    """Return every option with its value, in bold if it is not the default."""
    options, defaults = table.options, type(table.options)()
    return " · ".join(
        _format_option(text, getattr(options, name), "" if getattr(options, name) == getattr(defaults, name) else "**")
        for name, text in table.package.option_texts.items()
    )


def _format_option(text: OptionText, value: OptionValue, marks: str = "") -> str:
    """Return an option with its value, which stands between the marks."""
    return _("{option}: {value}").format(option=_(text.label), value=f"{marks}{_format_value(text, value)}{marks}")


def _format_value(text: OptionText, value: OptionValue) -> str:
    if value in text.value_names:
        return _(text.value_names[value])
    if isinstance(value, bool):
        return _("on") if value else _("off")
    return format_number(value) if isinstance(value, int) else str(value)
