"""The menu of an option's values, in lobbies, settings and tournaments."""

from bot.platform.discord.ids import CustomId
from bot.platform.discord.menus import SelectMenu, SelectOption
from bot.rules.game import Options
from bot.rules.options import encode_value, option_texts, option_values
from bot.tables.shown.words import format_option
from bot.words import gettext as _


def option_menu(options: Options, name: str, custom_id: CustomId) -> SelectMenu:
    """Return the menu of an option, whose closed form names the option with its value."""
    text, current = option_texts(type(options))[name], getattr(options, name)
    lines = (
        SelectOption(format_option(text, value), encode_value(value), is_chosen=value == current)
        for value in option_values(options, name)
    )
    return SelectMenu(_(text.label), str(custom_id), tuple(lines))
