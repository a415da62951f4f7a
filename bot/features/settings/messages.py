"""Renders the pages of the settings; defines the ids of their menus and buttons."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import discord
from discord.utils import format_dt

from bot.features.settings.all_settings import direct_sections, find_setting, settings_on
from bot.features.settings.kinds import (
    AnyOf,
    Channels,
    Choice,
    Chosen,
    GamesOff,
    Hours,
    Ids,
    OptionsByGame,
    Roles,
    Setting,
    SettingsSection,
    Switch,
    Values,
    Zones,
    labels_of,
)
from bot.features.settings.storage import SettingsChange
from bot.platform.discord.content import (
    Button,
    MessageContent,
    drop_empty_rows,
    join_lines,
    page_buttons,
)
from bot.platform.discord.ids import CustomId
from bot.platform.discord.limits import MAX_DESCRIPTION, MAX_FIELD, MAX_LINE
from bot.platform.discord.menus import MAX_CHOSEN, ChannelMenu, RoleMenu, SelectMenu, SelectOption
from bot.platform.paging import clamp_page
from bot.rules.game import Options
from bot.rules.options import load_options, option_texts
from bot.rules.screen import MAX_MENU_LINES
from bot.tables.registry import AnyPackage
from bot.tables.shown.embeds import PLAIN_COLOUR
from bot.tables.shown.links import escape_name
from bot.tables.shown.option_menus import option_menu
from bot.tables.shown.words import explain_options, format_option, title_of
from bot.words import NC_, gettext as _, join_items, pgettext, truncate

OPTIONS_PER_PAGE: Final = 4
"""A message has five rows: four menus, and one row of buttons."""

"""Discord's limit for the description of a line in a menu."""

SECTION_TITLES: Final[Mapping[SettingsSection, str]] = {
    SettingsSection.TABLES: NC_("page of the settings", "Tables"),
    SettingsSection.THREADS: NC_("page of the settings", "Threads"),
    SettingsSection.GAMES: NC_("page of the settings", "Games"),
    SettingsSection.PLAY: NC_("page of the settings", "Play"),
    SettingsSection.LOOK: NC_("page of the settings", "Look"),
    SettingsSection.TIME: NC_("page of the settings", "Time"),
    SettingsSection.LIMITS: NC_("page of the settings", "Limits"),
    SettingsSection.MODERATION: NC_("page of the settings", "Moderation"),
    SettingsSection.TOURNAMENTS: NC_("page of the settings", "Tournaments"),
    SettingsSection.DAILY: NC_("page of the settings", "Daily post"),
    SettingsSection.BANS: NC_("page of the settings", "Bans"),
    SettingsSection.CHANGES: NC_("page of the settings", "Changes and data"),
}


@dataclass(frozen=True)
class SettingId(CustomId, prefix="S"):
    """The menu of a setting; the click tells the place."""

    key: str


@dataclass(frozen=True)
class ChangeSettingId(CustomId, prefix="Sc"):
    """The button that changes a setting after its consequences were told."""

    key: str
    value: str


@dataclass(frozen=True)
class SettingsSectionId(CustomId, prefix="Sp"):
    """The button that shows a page of the settings."""

    section: SettingsSection


@dataclass(frozen=True)
class SettingsPagesId(CustomId, prefix="Sm"):
    """The menu of the pages, on one of them."""

    section: SettingsSection


@dataclass(frozen=True)
class DefaultsPageId(CustomId, prefix="Sd"):
    """The button that shows a page of the default options of a game."""

    game: str
    page: int


@dataclass(frozen=True)
class DefaultOptionId(CustomId, prefix="So"):
    """The menu of a default option of a game."""

    game: str
    option: str


@dataclass(frozen=True)
class ResetDefaultsId(CustomId, prefix="Sr"):
    """The button that makes new tables of a game start with its usual options."""

    game: str


@dataclass(frozen=True, slots=True)
class ShownSettings:
    """The settings of a place, with the facts that a page about them needs."""

    chosen: Chosen
    """In a direct message, this includes the user's own choices."""
    games: Mapping[str, AnyPackage]
    in_server: bool = True
    is_outside: bool = False
    """Whether the bot is not in the place."""
    unavailable: Collection[Setting[Any]] = ()
    """The settings whose features the host has turned off for the whole bot."""
    existing: Mapping[Setting[Any], tuple[int, ...]] = field(default_factory=dict)
    """The chosen channels and roles that still exist."""
    notes: Mapping[Setting[Any], str] = field(default_factory=dict)
    """By setting, what the bot lacks here for the chosen value."""

    def values_of(self, setting: Setting[Any]) -> Values[Any] | str | None:
        """Return the values that a setting can have here, or the reason why it has none."""
        return setting.values if self.in_server else setting.direct


def render_section(section: SettingsSection, shown: ShownSettings, news: str = "") -> MessageContent:
    """Render a page of the settings of a server or a direct message, with the result of the last choice."""
    settings = settings_on(section, in_server=shown.in_server)
    title = _("Server settings · {page}") if shown.in_server else _("Settings of our direct messages · {page}")
    if shown.is_outside:
        title = _("Your settings · {page}")
    embed = _embed(title.format(page=_(SECTION_TITLES[section])), settings, shown, news)
    return MessageContent(embed, menus=(*_menus(settings, shown), pages_menu(section, in_server=shown.in_server)))


def render_preview(setting: Setting[Any], value: str, consequences: str) -> MessageContent:
    """Render what a change would do, with the buttons that make it or leave everything as it is."""
    label = labels_of(setting.values)[value]
    title = _("{setting}: {value}?").format(setting=_(setting.title), value=_(label))
    embed = discord.Embed(title=title, description=consequences, colour=PLAIN_COLOUR)
    keep = str(SettingsSectionId(setting.section or SettingsSection.TABLES))
    change = str(ChangeSettingId(setting.key, value))
    buttons = (Button(_("Change it"), change, discord.ButtonStyle.primary), Button(_("Leave it as it is"), keep))
    return MessageContent(embed.to_dict(), (buttons,))


def render_changes(
    changes: Sequence[SettingsChange], games: Mapping[str, AnyPackage], data_buttons: tuple[Button, ...] = ()
) -> MessageContent:
    """Render the newest changes, and who made them, with the buttons about the server's data."""
    lines = [f"{format_dt(change.at, 'R')} · {describe_change(change, games)}" for change in changes]
    text = join_lines(lines, MAX_DESCRIPTION) or _("No one has changed anything yet.")
    title = _("Server settings · {page}").format(page=_(SECTION_TITLES[SettingsSection.CHANGES]))
    embed = discord.Embed(title=title, description=text, colour=PLAIN_COLOUR)
    pages = pages_menu(SettingsSection.CHANGES)
    return MessageContent(embed.to_dict(), drop_empty_rows(data_buttons), (pages,))


def render_defaults(package: AnyPackage, options: Options, page: int, news: str = "") -> MessageContent:
    """Render the page of a game's default options nearest to a number, with a menu for each option."""
    info, names = package.game.info, list(type(options).model_fields)
    nearest = clamp_page(page, len(names), OPTIONS_PER_PAGE)
    shown = names[(nearest.number - 1) * OPTIONS_PER_PAGE :][:OPTIONS_PER_PAGE]
    text = "\n\n".join(filter(None, (news, explain_options(type(options), shown))))
    embed = discord.Embed(
        title=_("{game} · default options").format(game=_(info.title)), description=text, colour=PLAIN_COLOUR
    )
    embed.set_footer(text=_("New tables start with these. Their host can still change them."))
    buttons = (
        Button(_("◀ Games"), str(SettingsSectionId(SettingsSection.GAMES))),
        *page_buttons(nearest, lambda number: DefaultsPageId(info.key, number)),
        Button(_("Back to the usual options"), str(ResetDefaultsId(info.key))),
    )
    menus = tuple(option_menu(options, name, DefaultOptionId(info.key, name)) for name in shown)
    return MessageContent(embed.to_dict(), (buttons,), menus)


def page_of_option(options: Options, name: str) -> int:
    """Return the page on which a default option is."""
    return list(type(options).model_fields).index(name) // OPTIONS_PER_PAGE + 1


def describe_setting(setting: Setting[Any], shown: ShownSettings) -> str:
    """Return the meaning of a setting's value, and anything missing for it."""
    value, values = shown.chosen.get(setting), shown.values_of(setting)
    if isinstance(values, str):
        text = _(values)
    elif setting in shown.unavailable:
        text = _(setting.unavailable)
    else:
        match values:
            case Switch():
                text = _(values.on if value else values.off)
            case Choice():
                text = _(values.meanings.get(value, values.meaning)).format(choice=_(values.labels[value]))
            case Hours() | Zones():
                text = _(values.meaning).format(choice=_show(values, value))
            case AnyOf():
                text = _(values.some if value else values.none).format(choice=values.in_words(value))
            case Ids() if existing := shown.existing.get(setting):
                text = _(values.some).format(choice=values.in_words(existing))
            case Ids():
                text = _(values.gone if value else values.none)
            case GamesOff():
                titles = join_items(sorted(title_of(shown.games, game) for game in value & shown.games.keys()))
                off = _("Off: **{games}**. Their open tables go on.").format(games=titles)
                text = off if titles else _("**All games** are on.")
            case _:
                lines = [_describe_options(package, value.get(key, "{}")) for key, package in shown.games.items()]
                usual = _("New tables start with each game's usual options.")
                text = join_lines(filter(None, lines), MAX_FIELD) or usual
    return "\n".join(filter(None, (text, shown.notes.get(setting))))


def _describe_options(package: AnyPackage, stored: str) -> str:
    """Return a game with its changed default options; an empty text without any."""
    model = package.game.info.options
    options, usual = load_options(model, stored), model()
    changed = [
        format_option(text, getattr(options, name))
        for name, text in option_texts(model).items()
        if getattr(options, name) != getattr(usual, name)
    ]
    return " · ".join(["**" + _(package.game.info.title) + "**", *changed]) if changed else ""


def describe_change(change: SettingsChange, games: Mapping[str, AnyPackage]) -> str:
    """Return who changed a setting and to what, without the time. The text must notify no one."""
    setting = find_setting(change.key)
    who = _("Someone") if change.user_id is None else f"<@{change.user_id}>"
    title = escape_name(change.key) if setting is None else _(setting.title)
    value = escape_name(change.value) if setting is None else _describe_value(setting.values, change.value, games)
    return _("{who} set **{setting}**: {value}").format(who=who, setting=title, value=value)


def _describe_value(values: Values[Any], text: str, games: Mapping[str, AnyPackage]) -> str:
    match values:
        case Switch() | Choice():
            label = values.labels.get(text)
            return escape_name(text) if label is None else _(label)
        case Hours() | Zones():
            return _show(values, values.decode(text))
        case AnyOf():
            return values.in_words(values.decode(text)) or pgettext("fixed for hosts", "nothing")
        case Ids():
            # Without its one channel, the bot does not post there.
            is_off = isinstance(values, Channels) and values.most == 1
            return values.in_words(values.decode(text)) or (_("Off") if is_off else _("the default"))
        case GamesOff():
            off = join_items([title_of(games, game) for game in text.split()])
            return _("all but {games}").format(games=off) if off else pgettext("games", "all")
        case _:
            titles = [title_of(games, game) for game in values.decode(text)]
            return (
                _("changed for {games}").format(games=join_items(titles))
                if titles
                else pgettext("default options", "the usual ones")
            )


def _show(values: Hours | Zones, value: Any) -> str:
    """Return an hour or a time zone as people read it."""
    text = values.encode(value)
    return values.labels[text] if isinstance(values, Hours) else escape_name(text)


def _embed(title: str, settings: Sequence[Setting[Any]], shown: ShownSettings, news: str) -> Mapping[str, Any]:
    embed = discord.Embed(title=title, description=news, colour=PLAIN_COLOUR)
    for setting in settings:
        embed.add_field(name=_(setting.title), value=describe_setting(setting, shown), inline=False)
    return embed.set_footer(text=_("Changes apply immediately.")).to_dict()


def pages_menu(current: SettingsSection, *, in_server: bool = True) -> SelectMenu:
    """Return the menu that turns to the pages; each line names the settings on its page."""
    options = (
        SelectOption(
            _("Page: {page}").format(page=_(SECTION_TITLES[section])),
            section.value,
            truncate(" · ".join(_(each.title) for each in settings_on(section, in_server=in_server)), MAX_LINE),
            is_chosen=section is current,
        )
        for section in (SettingsSection if in_server else direct_sections())
    )
    return SelectMenu(_("Page"), str(SettingsPagesId(current)), tuple(options))


def _menus(settings: Sequence[Setting[Any]], shown: ShownSettings) -> tuple[SelectMenu, ...]:
    """Return the menus of those settings that have something to choose."""
    menus = (
        build_menu(setting, shown, SettingId(setting.key)) for setting in settings if setting not in shown.unavailable
    )
    return tuple(menu for menu in menus if menu is not None)


def build_menu(setting: Setting[Any], shown: ShownSettings, menu_id: CustomId) -> SelectMenu | None:
    """Return the menu of a setting; None if there is nothing to choose."""
    custom_id, title, value = str(menu_id), _(setting.title), shown.chosen.get(setting)
    match shown.values_of(setting):
        case Switch() | Choice() | Hours() as values:
            chosen, named = values.encode(value), _("{setting}: {value}")
            # A closed menu shows only the chosen line, so the line names the setting too.
            options = (
                SelectOption(named.format(setting=title, value=_(label)), text, is_chosen=text == chosen)
                for text, label in values.labels.items()
            )
            return SelectMenu(title, custom_id, tuple(options))
        case Ids() as values:
            return _menu_of_ids(values, custom_id, shown.existing.get(setting, ()))
        case AnyOf() as values:
            lines = (
                SelectOption(_(label), each.value, is_chosen=each in value) for each, label in values.labels.items()
            )
            return SelectMenu(_(values.placeholder), custom_id, tuple(lines), takes_any_number=True)
        case GamesOff() if 0 < len(shown.games) <= MAX_MENU_LINES:
            games = (
                SelectOption(_(package.game.info.title), key, is_chosen=key not in value)
                for key, package in shown.games.items()
            )
            return SelectMenu(_("Games: all off"), custom_id, tuple(games), takes_any_number=True)
        case OptionsByGame():
            games = (
                SelectOption(_(package.game.info.title), key)
                for key, package in shown.games.items()
                if package.game.info.options.model_fields
            )
            listed = tuple(games)[:MAX_MENU_LINES]
            return SelectMenu(_("Default options of …"), custom_id, listed) if listed else None
        case _:
            return None


def _menu_of_ids(values: Ids, custom_id: str, chosen: tuple[int, ...]) -> SelectMenu:
    text = _(values.placeholder)
    if isinstance(values, Channels):
        return ChannelMenu(text, custom_id, chosen=chosen, types=values.types, most=values.most)
    return RoleMenu(text, custom_id, chosen=chosen, most=values.most if isinstance(values, Roles) else MAX_CHOSEN)
