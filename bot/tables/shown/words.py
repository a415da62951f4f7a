"""Words for games, options, levels of computer players and turn clocks."""

import re
from collections.abc import Iterable, Mapping
from datetime import date
from typing import Final

from babel.dates import format_date, format_skeleton
from discord import app_commands
from discord.utils import format_dt

from bot.languages import current_language
from bot.platform.discord.menus import make_choices
from bot.rules.game import Options
from bot.rules.options import OptionText, OptionValue, option_texts
from bot.rules.package import ScoreKind
from bot.rules.refusals import Refusal
from bot.tables.model import Pace, TurnClock
from bot.tables.refusals import GamesFacts, HostReason
from bot.tables.registry import AnyPackage
from bot.tables.shown.links import escaped_seat_names
from bot.tables.table import Table
from bot.words import N_, NC_, format_number, gettext as _, join_items, pgettext, with_label

_LEVEL_NAMES = {
    "easy": NC_("level of a computer player", "Easy"),
    "normal": NC_("level of a computer player", "Normal"),
    "strong": NC_("level of a computer player", "Strong"),
    "random": NC_("level of a computer player", "Random"),
}

_LEVEL_SENTENCES = {
    "easy": N_("Easy computers slip up now and then."),
    "normal": N_("Normal computers make the most of every turn."),
    "strong": N_("Strong computers play to win the whole game."),
}

CLOCK_LABELS: Final[Mapping[TurnClock, str]] = {
    TurnClock.NONE: NC_("turn clock", "none"),
    TurnClock.TEN_MINUTES: N_("10 minutes"),
    TurnClock.ONE_DAY: N_("1 day"),
    TurnClock.THREE_DAYS: N_("3 days"),
}

PACE_LABELS: Final[Mapping[Pace, str]] = {
    Pace.CALM: NC_("pace", "calm"),
    Pace.QUICK: NC_("pace", "quick"),
}

ROUGH_VALUES: Final = N_("The strongest computer player isn't available, so these values are rougher than usual.")


def level_name(level: str) -> str:
    """Return a level's display name, or the level itself."""
    return _(_LEVEL_NAMES.get(level, level))


def name_with_level(name: str, level: str) -> str:
    """Return the name of a computer player with its level, such as `Vesper (Strong)`."""
    return _("{name} ({level})").format(name=name, level=level_name(level))


def describe_level(level: str) -> str:
    """Return a sentence about a level; empty for a level that only some games have."""
    return _(_LEVEL_SENTENCES[level]) if level in _LEVEL_SENTENCES else ""


def suggest_games(games: Mapping[str, AnyPackage], typed: str) -> list[app_commands.Choice[str]]:
    """Suggest games by their titles, in the language that is spoken now and in English."""
    titles = {key: (_(package.game.info.title), package.game.info.title) for key, package in games.items()}
    wanted = typed.casefold()
    return make_choices((names[0], key) for key, names in titles.items() if wanted in " ".join(names).casefold())


def find_game(games: Mapping[str, AnyPackage], name: str) -> AnyPackage:
    """Return the game with a key, command or title, in English or the language that is spoken now.

    Raises:
        Refusal: No game has that name.
    """
    wanted = name.strip().casefold()
    for key, package in games.items():
        title = package.game.info.title
        if wanted in (key, package.game.info.command, title.casefold(), _(title).casefold()):
            return package
    titles = [_(package.game.info.title) for package in games.values()]
    raise Refusal(HostReason.UNKNOWN_GAME, GamesFacts(join_items(titles)))


_UNKNOWN_SCORE = ScoreKind(format_number)


_FIRST_DAY: Final = re.compile(r"(?<!\d)1(?=\s[^\W\d])")


def score_kind_of(games: Mapping[str, AnyPackage], key: str) -> ScoreKind:
    """Return a game's kind of score; a game that is no longer installed has plain numbers."""
    return games[key].results.score_kind if key in games else _UNKNOWN_SCORE


def title_of(games: Mapping[str, AnyPackage], key: str) -> str:
    """Return a game's title, made from its key if the game is no longer installed."""
    return _(games[key].game.info.title) if key in games else key.replace("_", " ").title()


def write_date(day: date, pattern: str) -> str:
    """Return a date in one of Babel's formats, or by a skeleton such as MMMMd."""
    locale = current_language().locale
    text = format_skeleton(pattern, day, locale=locale) if "M" in pattern else format_date(day, pattern, locale)
    # French writes the first day of a month as an ordinal number, which the formats lack.
    return _FIRST_DAY.sub("1er", text) if locale.language == "fr" else text


def format_day(day: date) -> str:
    """Return a day with its month and year."""
    return write_date(day, "medium")


def changed_options_line(options: Options) -> str:
    """Return the options whose values are not the defaults."""
    defaults = type(options)()
    return " · ".join(
        format_option(text, getattr(options, name))
        for name, text in option_texts(type(options)).items()
        if getattr(options, name) != getattr(defaults, name)
    )


def explain_options(model: type[Options], names: Iterable[str]) -> str:
    """Return a line per option, with its label and description."""
    texts = [option_texts(model)[name] for name in names]
    return "\n".join(with_label("**" + _(text.label) + "**", _(text.description)) for text in texts)


def format_option(text: OptionText, value: OptionValue) -> str:
    """Return an option with its value."""
    return _("{option}: {value}").format(option=_(text.label), value=format_value(text, value))


def format_value(text: OptionText, value: OptionValue) -> str:
    """Return a value as players read it."""
    if value in text.value_names:
        return _(text.value_names[value])
    if isinstance(value, bool):
        return pgettext("value of an option", "on") if value else pgettext("value of an option", "off")
    return format_number(value) if isinstance(value, int) else str(value)


def clock_line(table: Table) -> str:
    """Return a line with the end of the present turn's time; empty if no clock is running."""
    header = table.header
    if header.clock.ends_at is None or header.to_move is None:
        return ""
    name = escaped_seat_names(table)[header.to_move]
    if header.clock.is_up:
        return _("⏳ Time is up for **{name}**, who can still move.").format(name=name)
    return _("⏳ **{name}**'s time ends {when}.").format(name=name, when=format_dt(header.clock.ends_at, "R"))


def pace_option(table: Table) -> str:
    """Return the pace as an option of a lobby; empty for the usual one."""
    pace = table.header.pace
    return "" if pace is Pace.CALM else _("Pace: {pace}").format(pace=_(PACE_LABELS[pace]))


def clock_option(table: Table) -> str:
    """Return the clock as an option of a lobby; empty without one."""
    limit = table.header.clock.limit
    if limit is TurnClock.NONE:
        return ""
    return _("Turn clock: {time}").format(time=_(CLOCK_LABELS[limit]))
