"""Options as text."""

from collections.abc import Iterable

from bot.rules.game import Options
from bot.rules.options import OptionText, OptionValue, option_texts
from bot.tables.table import Table
from bot.words import format_number, gettext as _


def options_line(table: Table) -> str:
    """Return every option with its value, in bold if it is not the default."""
    options, defaults = table.options, type(table.options)()
    return " · ".join(
        format_option(text, getattr(options, name), "" if getattr(options, name) == getattr(defaults, name) else "**")
        for name, text in option_texts(type(options)).items()
    )


def explain_options(model: type[Options], names: Iterable[str]) -> str:
    """Return a line for each of some options: its label and its description."""
    texts = option_texts(model)
    return "\n".join(f"**{_(texts[name].label)}:** {_(texts[name].description)}" for name in names)


def format_option(text: OptionText, value: OptionValue, marks: str = "") -> str:
    """Return an option with its value, between the marks."""
    return _("{option}: {value}").format(option=_(text.label), value=f"{marks}{format_value(text, value)}{marks}")


def format_value(text: OptionText, value: OptionValue) -> str:
    """Return a value as players read it."""
    if value in text.value_names:
        return _(text.value_names[value])
    if isinstance(value, bool):
        return _("on") if value else _("off")
    return format_number(value) if isinstance(value, int) else str(value)
