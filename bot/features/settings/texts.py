"""What each setting means as it is chosen."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Final

from bot.features.settings.ids import Setting
from bot.features.settings.preferences import Preferences, SeasonLength, TurnClock
from bot.features.settings.values import VALUE_LABELS, value_of
from bot.platform.discord.content import MAX_FIELD_LENGTH, join_lines
from bot.rules.options import load_options, option_texts
from bot.tables.registry import AnyPackage
from bot.tables.shown.game_names import title_of
from bot.tables.shown.options_line import format_option
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
