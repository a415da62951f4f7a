"""A table's options in one line."""

from bot.rules.options import OptionText, OptionValue
from bot.tables.table import Table
from bot.words import format_number, gettext as _


def options_line(table: Table) -> str:
    """Name every option with its present value, in bold where it is not the usual one."""
    options, usual = table.options, type(table.options)()
    return " · ".join(
        _format_option(words, getattr(options, name), "" if getattr(options, name) == getattr(usual, name) else "**")
        for name, words in table.package.option_texts.items()
    )


def _format_option(words: OptionText, value: OptionValue, marks: str = "") -> str:
    """Write an option with a value, which may stand in marks."""
    return _("{option}: {value}").format(option=_(words.label), value=f"{marks}{_format_value(words, value)}{marks}")


def _format_value(words: OptionText, value: OptionValue) -> str:
    if value in words.value_names:
        return _(words.value_names[value])
    if isinstance(value, bool):
        return _("on") if value else _("off")
    return format_number(value) if isinstance(value, int) else str(value)
