"""A table's options in one line."""

from bot.rules.options import OptionValue, OptionWords
from bot.tables.table import Table
from bot.words import gettext as _, number


def options_line(table: Table) -> str:
    """Name every option with its present value, in bold where it is not the usual one."""
    options, usual = table.options, type(table.options)()
    return " · ".join(
        _written(words, getattr(options, name), "" if getattr(options, name) == getattr(usual, name) else "**")
        for name, words in table.package.option_words.items()
    )


def _written(words: OptionWords, value: OptionValue, marks: str = "") -> str:
    """Write an option with a value, which may stand in marks."""
    return _("{option}: {value}").format(option=_(words.label), value=f"{marks}{_told(words, value)}{marks}")


def _told(words: OptionWords, value: OptionValue) -> str:
    if value in words.values:
        return _(words.values[value])
    if isinstance(value, bool):
        return _("on") if value else _("off")
    return number(value) if isinstance(value, int) else str(value)
