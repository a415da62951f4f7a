"""Renders the pages of the settings."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import discord
from discord.utils import format_dt

from bot.features.settings.ids import (
    DefaultOptionId,
    DefaultsPageId,
    ResetDefaultsId,
    Setting,
    SettingId,
    SettingsSection,
    SettingsSectionId,
)
from bot.features.settings.preferences import SettingsChange
from bot.features.settings.values import (
    DIRECT_SETTINGS,
    SECTION_TITLES,
    SECTIONS,
    TITLES,
    VALUE_LABELS,
    ShownSettings,
    describe_change,
    describe_setting,
    value_of,
)
from bot.platform.discord.content import MAX_TEXT_LENGTH, Button, MessageContent, join_lines, page_buttons
from bot.platform.discord.ids import CustomId
from bot.platform.discord.menus import ChannelMenu, RoleMenu, SelectMenu, SelectOption
from bot.platform.paging import clamp_page
from bot.rules.game import Options
from bot.rules.options import encode_value, option_texts, option_values
from bot.rules.screen import MAX_MENU_LINES
from bot.tables.registry import AnyPackage
from bot.tables.shown.embeds import PLAIN_COLOUR
from bot.tables.shown.words import explain_options, format_option
from bot.words import gettext as _

CHANNEL_TYPES: Final = (
    discord.ChannelType.text,
    discord.ChannelType.news,
    discord.ChannelType.voice,
    discord.ChannelType.stage_voice,
    discord.ChannelType.forum,
)
"""Where tables, or threads with tables, can be.

Threads can't be chosen by themselves: one that Discord has archived looks like a deleted one, which counts for nothing.
"""

OPTIONS_PER_PAGE: Final = 4
"""A message has five rows: four menus and a row of buttons."""


def render_section(section: SettingsSection, shown: ShownSettings, news: str = "") -> MessageContent:
    """Render a page of a server's settings, with what a choice has just led to."""
    settings = SECTIONS[section]
    title = _("Server settings · {page}").format(page=_(SECTION_TITLES[section]))
    menus = tuple(menu for each in settings if (menu := _menu(each, shown)) is not None)
    return MessageContent(_embed(title, settings, shown, news), (_section_buttons(section),), menus)


def render_direct(shown: ShownSettings, news: str = "") -> MessageContent:
    """Render the settings of a direct message."""
    settings = (*DIRECT_SETTINGS, Setting.REMINDERS)
    menus = tuple(_choice_menu(each, shown) for each in DIRECT_SETTINGS)
    return MessageContent(_embed(_("Settings of our direct messages"), settings, shown, news), menus=menus)


def render_changes(changes: Sequence[SettingsChange], games: Mapping[str, AnyPackage]) -> MessageContent:
    """Render who changed what lately."""
    lines = [f"{format_dt(each.at, 'R')} · {describe_change(each, games)}" for each in changes]
    text = join_lines(lines, MAX_TEXT_LENGTH) or _("No one has changed anything yet.")
    title = _("Server settings · {page}").format(page=_(SECTION_TITLES[SettingsSection.CHANGES]))
    embed = discord.Embed(title=title, description=text, colour=PLAIN_COLOUR)
    return MessageContent(embed.to_dict(), (_section_buttons(SettingsSection.CHANGES),))


def render_defaults(package: AnyPackage, options: Options, page: int, news: str = "") -> MessageContent:
    """Render the page of a game's default options nearest to a number: a menu for each."""
    info, names = package.game.info, list(type(options).model_fields)
    nearest = clamp_page(page, len(names), OPTIONS_PER_PAGE)
    shown = names[(nearest.number - 1) * OPTIONS_PER_PAGE :][:OPTIONS_PER_PAGE]
    text = "\n\n".join(filter(None, (news, explain_options(type(options), shown))))
    embed = discord.Embed(
        title=_("{game} · default options").format(game=info.title), description=text, colour=PLAIN_COLOUR
    )
    embed.set_footer(text=_("New tables start with these. Their host can still change them."))
    buttons = (
        Button(_("◀ Games"), str(SettingsSectionId(SettingsSection.GAMES))),
        *page_buttons(nearest, lambda number: DefaultsPageId(info.key, number)),
        Button(_("Back to the usual options"), str(ResetDefaultsId(info.key))),
    )
    menus = tuple(_option_menu(options, name, DefaultOptionId(info.key, name)) for name in shown)
    return MessageContent(embed.to_dict(), (buttons,), menus)


def page_of_option(options: Options, name: str) -> int:
    """Return the page of the default options that one of them is on."""
    return list(type(options).model_fields).index(name) // OPTIONS_PER_PAGE + 1


def _embed(title: str, settings: Sequence[Setting], shown: ShownSettings, news: str) -> Mapping[str, Any]:
    embed = discord.Embed(title=title, description=news, colour=PLAIN_COLOUR)
    for setting in settings:
        embed.add_field(name=_(TITLES[setting]), value=describe_setting(setting, shown), inline=False)
    return embed.set_footer(text=_("Changes apply immediately.")).to_dict()


def _section_buttons(current: SettingsSection) -> tuple[Button, ...]:
    styles = {current: discord.ButtonStyle.primary}
    return tuple(
        Button(_(title), str(SettingsSectionId(each)), styles.get(each, discord.ButtonStyle.secondary))
        for each, title in SECTION_TITLES.items()
    )


def _menu(setting: Setting, shown: ShownSettings) -> SelectMenu | None:
    """Return the menu of a setting; None if nothing can be chosen."""
    match setting:
        case Setting.CHANNELS | Setting.OPENERS | Setting.MODERATORS:
            return _entity_menu(setting, shown)
        case Setting.GAMES:
            return _games_menu(shown)
        case Setting.OPTIONS:
            return _defaults_menu(shown)
        case Setting.REMINDERS if not shown.sends_reminders:
            return None
        case _:
            return _choice_menu(setting, shown)


def _entity_menu(setting: Setting, shown: ShownSettings) -> SelectMenu:
    """Return a menu of channels or roles, which Discord fills."""
    custom_id, title = str(SettingId(setting)), _(TITLES[setting])
    match setting:
        case Setting.CHANNELS:
            text = _("{setting}: all").format(setting=title)
            return ChannelMenu(text, custom_id, chosen=shown.channels, types=CHANNEL_TYPES)
        case Setting.OPENERS:
            return RoleMenu(_("{setting}: everybody").format(setting=title), custom_id, chosen=shown.opener_roles)
        case _:
            return RoleMenu(_("{setting}: add roles").format(setting=title), custom_id, chosen=shown.moderator_roles)


def _choice_menu(setting: Setting, shown: ShownSettings) -> SelectMenu:
    title, chosen = _(TITLES[setting]), value_of(shown.chosen, setting)
    # A closed menu shows only its choice, so the choice names the setting too.
    options = (
        SelectOption(_("{setting}: {value}").format(setting=title, value=_(label)), value, is_chosen=value == chosen)
        for value, label in VALUE_LABELS[setting].items()
    )
    return SelectMenu(title, str(SettingId(setting)), tuple(options))


def _games_menu(shown: ShownSettings) -> SelectMenu | None:
    """Return the menu of the games that are on; None if they are too many for a menu, or none."""
    if not 0 < len(shown.games) <= MAX_MENU_LINES:
        return None
    options = tuple(
        SelectOption(package.game.info.title, key, is_chosen=key not in shown.chosen.games_off)
        for key, package in shown.games.items()
    )
    return SelectMenu(_("Games: all off"), str(SettingId(Setting.GAMES)), options, takes_any_number=True)


def _defaults_menu(shown: ShownSettings) -> SelectMenu | None:
    """Return the menu that leads to the default options of a game."""
    options = tuple(
        SelectOption(package.game.info.title, key)
        for key, package in shown.games.items()
        if package.game.info.options.model_fields
    )[:MAX_MENU_LINES]
    title = _("Default options of …")
    return SelectMenu(title, str(SettingId(Setting.OPTIONS)), options) if options else None


def _option_menu(options: Options, name: str, custom_id: CustomId) -> SelectMenu:
    text, current = option_texts(type(options))[name], getattr(options, name)
    lines = (
        SelectOption(format_option(text, value), encode_value(value), is_chosen=value == current)
        for value in option_values(options, name)
    )
    return SelectMenu(_(text.label), str(custom_id), tuple(lines))
