"""The values of the settings that are chosen from a few, with their names."""

import json
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, Final

from bot.features.settings.ids import Setting, SettingsSection
from bot.features.settings.preferences import Preferences, SeasonLength, SettingsChange
from bot.platform.discord.content import MAX_FIELD_LENGTH, join_lines
from bot.rules.options import load_options, option_texts
from bot.rules.picture import Theme
from bot.tables.model import TurnClock
from bot.tables.registry import AnyPackage
from bot.tables.shown.links import escape_name
from bot.tables.shown.words import format_option, title_of
from bot.words import N_, gettext as _, join_items

_SERVER_SWITCHES: Mapping[Setting, tuple[str, str]] = {
    Setting.INVITATIONS: (
        N_("**On**: players can invite others to their table, each person at most once a day."),
        N_("**Off**: no one is invited to tables here."),
    ),
    Setting.TIPS: (
        N_("**On**: tables show tips to players who are new to a game, until they finish it once."),
        N_("**Off**: no tips at tables here."),
    ),
    Setting.HINTS: (
        N_(
            "**On**: players to move can ask for the best moves, unless a table's host turns that off. "
            "A game with hints only counts as played for who used them, and is not rated."
        ),
        N_("**Off**: no hints at tables here."),
    ),
    Setting.REMINDERS: (
        N_("**On**: ping players after two minutes, once per turn."),
        N_("**Off**: no one is reminded of their turn."),
    ),
    Setting.THREADS: (
        N_("**On**: a new table in a text channel gets a thread of its own."),
        N_("**Off**: tables are in the channel itself."),
    ),
}
"""What a switch means in a server, on and off."""

_PERSONAL_SWITCHES: Mapping[Setting, tuple[str, str]] = {
    Setting.INVITATIONS: (
        N_("**On**: players can invite you to their table, each of them at most once a day."),
        N_("**Off**: no one can invite you to a table, in any server."),
    ),
    Setting.TIPS: (
        N_("**On**: you get tips in games that are new to you, until you finish them once."),
        N_("**Off**: you get no tips, in any server."),
    ),
    Setting.HINTS: (
        N_("**On**: you can ask for the best moves. A game with hints only counts as played."),
        N_("**Off**: no hints here."),
    ),
}
"""What a switch means in a direct message, where no game is rated."""


@dataclass(frozen=True, slots=True)
class ShownSettings:
    """The settings of a place, with what their page needs to know about it."""

    chosen: Preferences
    """In a direct message, with the user's own choices in place of the server's."""
    games: Mapping[str, AnyPackage]
    in_server: bool = True
    sends_reminders: bool = True
    """Whether the bot sends reminders at all."""
    channels: tuple[int, ...] = ()
    """The chosen channels that still exist; likewise the roles."""
    opener_roles: tuple[int, ...] = ()
    moderator_roles: tuple[int, ...] = ()
    notes: Mapping[Setting, str] = field(default_factory=dict)
    """What the bot lacks for a setting here."""


def describe_setting(setting: Setting, shown: ShownSettings) -> str:
    """Return what a setting means as it is chosen, and what is missing for it."""
    return "\n".join(filter(None, (_describe(setting, shown), shown.notes.get(setting))))


def _describe(setting: Setting, shown: ShownSettings) -> str:
    describe = _DESCRIPTIONS.get(setting)
    return _describe_switch(setting, shown) if describe is None else describe(shown)


def _describe_switch(setting: Setting, shown: ShownSettings) -> str:
    if setting is Setting.REMINDERS and not shown.in_server:
        return _("**Off** in direct messages, always: no one else is waiting here.")
    if setting is Setting.REMINDERS and not shown.sends_reminders:
        return _("**Off** everywhere: they are turned off for the whole bot.")
    switches = _SERVER_SWITCHES if shown.in_server else {**_SERVER_SWITCHES, **_PERSONAL_SWITCHES}
    on, off = switches[setting]
    return _(on) if value_of(shown.chosen, setting) == "on" else _(off)


def _describe_channels(shown: ShownSettings) -> str:
    if shown.channels:
        channels = join_items([f"<#{each}>" for each in shown.channels])
        return _("Games are played in {channels}, and in threads there. Tables elsewhere go on.").format(
            channels=channels
        )
    if shown.chosen.channels:
        return _("⚠️ None of the chosen channels exists any more, so games can be played in **every channel**.")
    return _("Games can be played in **every channel**.")


def _describe_openers(shown: ShownSettings) -> str:
    if shown.opener_roles:
        return _("Only {roles} and moderators.").format(roles=_mention_roles(shown.opener_roles))
    if shown.chosen.opener_roles:
        return _("⚠️ None of the chosen roles exists any more, so **everybody** may open tables.")
    return _("**Everybody.**")


def _describe_moderators(shown: ShownSettings) -> str:
    who = _("members with *Manage Messages* or *Manage Server*")
    if shown.moderator_roles:
        who = _("{those} or {roles}").format(those=who, roles=_mention_roles(shown.moderator_roles))
    return _("Moderators close any table, remove players from lobbies and run tournaments: {who}.").format(who=who)


def _describe_games(shown: ShownSettings) -> str:
    games_off = shown.chosen.games_off & shown.games.keys()
    if not games_off:
        return _("**All games** are on.")
    titles = join_items(sorted(title_of(shown.games, each) for each in games_off))
    return _("Off: **{games}**. Their open tables go on.").format(games=titles)


def _describe_defaults(shown: ShownSettings) -> str:
    """Return a line for each game whose new tables start with other options than usual."""
    chosen = shown.chosen.options
    lines = [_describe_options(package, chosen[key]) for key, package in shown.games.items() if key in chosen]
    return join_lines(filter(None, lines), MAX_FIELD_LENGTH) or _("New tables start with each game's usual options.")


def _describe_options(package: AnyPackage, stored: str) -> str:
    """Return a game with the default options that are not the usual ones; empty without any."""
    model = package.game.info.options
    options, usual = load_options(model, stored), model()
    changed = [
        format_option(text, getattr(options, name))
        for name, text in option_texts(model).items()
        if getattr(options, name) != getattr(usual, name)
    ]
    return f"**{package.game.info.title}** · {' · '.join(changed)}" if changed else ""


def _describe_pictures(shown: ShownSettings) -> str:
    label = _(VALUE_LABELS[Setting.PICTURES][value_of(shown.chosen, Setting.PICTURES)])
    return _("How tables look: **{choice}**. *Read the table* tells you what a picture shows.").format(choice=label)


def _describe_season(shown: ShownSettings) -> str:
    season = shown.chosen.season
    if season is SeasonLength.OFF:
        return _("**Off**: the leaderboards have no seasons.")
    label = _(VALUE_LABELS[Setting.SEASON][season])
    return _("A season of the leaderboards lasts **{length}**.").format(length=label.lower())


def _describe_clock(shown: ShownSettings) -> str:
    clock = shown.chosen.clock
    if clock is TurnClock.NONE:
        return _("**None**: new tables give players all the time they like.")
    label = _(VALUE_LABELS[Setting.CLOCK][clock])
    return _("New tables give players **{time}** for a turn; their host can change that.").format(time=label)


def _mention_roles(roles: Collection[int]) -> str:
    return join_items([f"<@&{each}>" for each in roles])


_DESCRIPTIONS: Final[Mapping[Setting, Callable[[ShownSettings], str]]] = {
    Setting.CHANNELS: _describe_channels,
    Setting.OPENERS: _describe_openers,
    Setting.MODERATORS: _describe_moderators,
    Setting.GAMES: _describe_games,
    Setting.OPTIONS: _describe_defaults,
    Setting.PICTURES: _describe_pictures,
    Setting.SEASON: _describe_season,
    Setting.CLOCK: _describe_clock,
}
"""Descriptions of the settings that are no switches."""


class PictureChoice(StrEnum):
    """How tables are shown."""

    STANDARD = "standard"
    DARK = "dark"
    HIGH_CONTRAST = "high_contrast"
    OFF = "off"

    @property
    def theme(self) -> Theme | None:
        """The theme of pictures; None for words only."""
        return None if self is PictureChoice.OFF else Theme(self.value)


ON, OFF = "on", "off"
_SWITCH = {ON: N_("On"), OFF: N_("Off")}

TITLES: Final[Mapping[Setting, str]] = {
    Setting.CHANNELS: N_("Channels"),
    Setting.THREADS: N_("Thread per table"),
    Setting.OPENERS: N_("Who opens tables"),
    Setting.MODERATORS: N_("Who moderates"),
    Setting.GAMES: N_("Games"),
    Setting.OPTIONS: N_("Default options"),
    Setting.REMINDERS: N_("Reminders"),
    Setting.INVITATIONS: N_("Invitations"),
    Setting.HINTS: N_("Hints"),
    Setting.TIPS: N_("Tips"),
    Setting.PICTURES: N_("Pictures"),
    Setting.SEASON: N_("Season"),
    Setting.CLOCK: N_("Turn clock"),
}

SECTION_TITLES: Final[Mapping[SettingsSection, str]] = {
    SettingsSection.TABLES: N_("Tables"),
    SettingsSection.GAMES: N_("Games"),
    SettingsSection.PLAY: N_("Play"),
    SettingsSection.LOOK: N_("Look and time"),
    SettingsSection.CHANGES: N_("Changes"),
}

# A message has five rows: four menus and the buttons of the pages.
SECTIONS: Final[Mapping[SettingsSection, tuple[Setting, ...]]] = {
    SettingsSection.TABLES: (Setting.CHANNELS, Setting.THREADS, Setting.OPENERS, Setting.MODERATORS),
    SettingsSection.GAMES: (Setting.GAMES, Setting.OPTIONS),
    SettingsSection.PLAY: (Setting.REMINDERS, Setting.INVITATIONS, Setting.HINTS, Setting.TIPS),
    SettingsSection.LOOK: (Setting.PICTURES, Setting.SEASON, Setting.CLOCK),
    SettingsSection.CHANGES: (),
}

DIRECT_SETTINGS: Final = (Setting.PICTURES, Setting.INVITATIONS, Setting.HINTS, Setting.TIPS)
"""The settings of a direct message."""

PERSONAL_SETTINGS: Final = (Setting.INVITATIONS, Setting.TIPS)
"""The settings that, in a direct message, are for the user, everywhere."""

VALUE_LABELS: Final[Mapping[Setting, Mapping[str, str]]] = {
    Setting.PICTURES: {
        PictureChoice.STANDARD: N_("Standard"),
        PictureChoice.DARK: N_("Dark"),
        PictureChoice.HIGH_CONTRAST: N_("High contrast"),
        PictureChoice.OFF: N_("Off, words only"),
    },
    Setting.REMINDERS: _SWITCH,
    Setting.INVITATIONS: _SWITCH,
    Setting.HINTS: _SWITCH,
    Setting.TIPS: _SWITCH,
    Setting.THREADS: _SWITCH,
    Setting.SEASON: {
        SeasonLength.OFF: N_("Off"),
        SeasonLength.MONTH: N_("A month"),
        SeasonLength.QUARTER: N_("A quarter"),
        SeasonLength.YEAR: N_("A year"),
    },
    Setting.CLOCK: {
        TurnClock.NONE: N_("None"),
        TurnClock.TEN_MINUTES: N_("10 minutes"),
        TurnClock.ONE_DAY: N_("1 day"),
        TurnClock.THREE_DAYS: N_("3 days"),
    },
}
"""The values of each setting that is chosen from a few."""

_SWITCHES: Final[Mapping[Setting, str]] = {
    Setting.REMINDERS: "reminds",
    Setting.INVITATIONS: "invites",
    Setting.HINTS: "hints",
    Setting.TIPS: "tips",
    Setting.THREADS: "opens_threads",
}
"""The fields of the settings that are on or off."""

SETTINGS_BY_FIELD: Final[Mapping[str, Setting]] = {
    **{field: setting for setting, field in _SWITCHES.items()},
    "theme": Setting.PICTURES,
    "season": Setting.SEASON,
    "clock": Setting.CLOCK,
    "channels": Setting.CHANNELS,
    "opener_roles": Setting.OPENERS,
    "moderator_roles": Setting.MODERATORS,
    "games_off": Setting.GAMES,
    "options": Setting.OPTIONS,
}


def section_of(setting: Setting) -> SettingsSection:
    """Return the page that a setting is on."""
    return next(section for section, settings in SECTIONS.items() if setting in settings)


def value_of(chosen: Preferences, setting: Setting) -> str:
    """Return the value of a setting that is chosen from a few."""
    if setting in _SWITCHES:
        return ON if getattr(chosen, _SWITCHES[setting]) else OFF
    if setting is Setting.PICTURES:
        return PictureChoice.OFF if chosen.theme is None else PictureChoice(chosen.theme.value)
    return chosen.season.value if setting is Setting.SEASON else chosen.clock.value


def with_value(chosen: Preferences, setting: Setting, value: str) -> Preferences:
    """Return preferences with another value of such a setting."""
    match setting:
        case Setting.PICTURES:
            return replace(chosen, theme=PictureChoice(value).theme)
        case Setting.SEASON:
            return replace(chosen, season=SeasonLength(value))
        case Setting.CLOCK:
            return replace(chosen, clock=TurnClock(value))
        case _:
            switched: dict[str, Any] = {_SWITCHES[setting]: value == ON}
            return replace(chosen, **switched)


_MENTIONS = {Setting.CHANNELS: "<#{}>", Setting.OPENERS: "<@&{}>", Setting.MODERATORS: "<@&{}>"}


def describe_change(change: SettingsChange, games: Mapping[str, AnyPackage]) -> str:
    """Return who changed what to what, without the time. It must notify no one."""
    setting = SETTINGS_BY_FIELD.get(change.setting)
    name = escape_name(change.setting) if setting is None else _(TITLES[setting])
    who = _("someone") if change.user_id is None else f"<@{change.user_id}>"
    value = _describe_value(setting, change.value or "", games)
    return _("{who} set **{setting}** to {value}").format(who=who, setting=name, value=value)


def _describe_value(setting: Setting | None, value: str, games: Mapping[str, AnyPackage]) -> str:
    match setting:
        case Setting.CHANNELS | Setting.OPENERS | Setting.MODERATORS:
            return join_items([_MENTIONS[setting].format(each) for each in value.split()]) or _("no choice")
        case Setting.GAMES:
            off = join_items([title_of(games, each) for each in value.split()])
            return _("all but {games}").format(games=off) if off else _("all")
        case Setting.OPTIONS:
            titles = [title_of(games, each) for each in json.loads(value or "{}")]
            return _("others for {games}").format(games=join_items(titles)) if titles else _("the usual ones")
        case None:
            return escape_name(value)
        case _:
            label = VALUE_LABELS[setting].get(value or PictureChoice.OFF)
            return escape_name(value) if label is None else _(label)
