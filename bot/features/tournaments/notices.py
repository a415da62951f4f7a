"""Words of the messages below a tournament's own: the check-in, who missed it, the winners or why it was cancelled."""

from collections.abc import Mapping
from typing import Final

from discord.utils import format_dt

from bot.features.tournaments.model import DECIDE_WITHIN, START_WITHIN, Stage, Tournament
from bot.features.tournaments.pairing import champions
from bot.features.tournaments.words import MOST_NAMED, name_of, short_name
from bot.tables.registry import AnyPackage
from bot.tables.shown.links import escape_name, message_link
from bot.words import format_number, gettext as _, join_items, ngettext

_MOST_MISSING: Final = 20
"""The most players named who missed the check-in; more are counted."""


def announcement_text(tournament: Tournament, games: Mapping[str, AnyPackage]) -> str:
    """Return the announcement of a tournament's end."""
    winners = [f"**{short_name(each)}**" for each in champions(tournament)]
    name = escape_name(name_of(tournament, games))
    if not winners:
        return _("🏆 {name} is over, and no one has won it.").format(name=name)
    if len(winners) > MOST_NAMED:
        line = ngettext(
            "🏆 {count} player shares first place in {name}!",
            "🏆 {count} players share first place in {name}!",
            len(winners),
        )
        return line.format(count=format_number(len(winners)), name=name)
    line = ngettext("🏆 {winners} wins {name}!", "🏆 {winners} share first place in {name}!", len(winners))
    return line.format(winners=join_items(winners), name=name)


def closed_text(tournament: Tournament, games: Mapping[str, AnyPackage]) -> str:
    """Return the notice that a tournament was closed because it was forgotten."""
    if tournament.round:
        days = DECIDE_WITHIN.days
        text = ngettext(
            "{name} was cancelled: the time of round {number} was up {count} day ago, and no one decided it.",
            "{name} was cancelled: the time of round {number} was up {count} days ago, and no one decided it.",
            days,
        )
    else:
        days = START_WITHIN.days
        text = ngettext(
            "{name} was cancelled: no one started it within {count} day.",
            "{name} was cancelled: no one started it within {count} days.",
            days,
        )
    name = f"🏆 {escape_name(name_of(tournament, games))}"
    return text.format(name=name, number=format_number(tournament.round), count=format_number(days))


def cancelled_text(tournament: Tournament, games: Mapping[str, AnyPackage]) -> str:
    """Return the notice that a tournament was cancelled, for the channel in which its opening was announced."""
    link = message_link(tournament.location, tournament.message_id)
    return _("🏆 **{name}** was cancelled: {link}").format(name=escape_name(name_of(tournament, games)), link=link)


def rescheduled_text(tournament: Tournament, games: Mapping[str, AnyPackage]) -> str:
    """Return the notice that the start was moved, for the channel in which the opening was announced."""
    facts = {
        "name": escape_name(name_of(tournament, games)),
        "link": message_link(tournament.location, tournament.message_id),
    }
    if tournament.starts_at is None:
        return _("🏆 **{name}** has no start time any more; an organizer starts it: {link}").format(**facts)
    return _("🏆 **{name}** now starts {when}: {link}").format(when=format_dt(tournament.starts_at), **facts)


def call_text(tournament: Tournament, games: Mapping[str, AnyPackage]) -> str:
    """Return the text that asks the players to check in."""
    text = _("{players}: press *I'm here* to play in **{name}**.")
    players = join_items([f"<@{player.user_id}>" for player in tournament.players])
    text = text.format(players=players, name=escape_name(name_of(tournament, games)))
    if tournament.starts_at is None:
        return text
    times = {"when": format_dt(tournament.starts_at), "left": format_dt(tournament.starts_at, "R")}
    return text + " " + _("It starts {when} ({left}), without the players who have not checked in.").format(**times)


def start_text(before: Tournament, after: Tournament, games: Mapping[str, AnyPackage]) -> str:
    """Return the notice after the time of the start: who missed the check-in, or why there is no tournament.

    It is empty if there is nothing to say.
    """
    name = f"🏆 {escape_name(name_of(after, games))}"
    if after.stage is Stage.CANCELLED:
        if before.is_checking_in:
            return _("{name} was cancelled: fewer than two players had checked in by its start.").format(name=name)
        return _("{name} was cancelled: fewer than two players had joined by its start.").format(name=name)
    missing = [short_name(player) for player in before.players if after.player(player.user_id) is None]
    if not missing:
        return ""
    names = missing[:_MOST_MISSING]
    if more := len(missing) - len(names):
        names.append(ngettext("{count} more player", "{count} more players", more).format(count=format_number(more)))
    text = _("{name} has started without the players who had not checked in: {names}.")
    if after.takes_latecomers:
        text += " " + _("They can still *Join* until the second round is paired.")
    return text.format(name=name, names=join_items(names))
