"""Renders the history between two people."""

from collections.abc import Mapping

import discord

from bot.features.profiles.histories import table_line
from bot.features.profiles.model import Encounters, Versus
from bot.platform.discord.content import MessageContent
from bot.platform.places import Person
from bot.tables.registry import AnyPackage
from bot.tables.shown.embeds import SEAT_COLOURS
from bot.tables.shown.game_names import title_of
from bot.tables.shown.links import escape_name
from bot.words import format_number, gettext as _, ngettext


def render_duel(versus: Versus, games: Mapping[str, AnyPackage], other: Person) -> MessageContent:
    """Render how the asker and another person did against each other in a server."""
    name = escape_name(other.name)
    embed = discord.Embed(
        title=_("You and {name}").format(name=name),
        description="\n\n".join((_summary(versus, games, name), *_latest_games(versus, games))),
        colour=SEAT_COLOURS[0],
    )
    if len(versus.encounters) > 1:
        lines = (_game_line(each, games) for each in versus.encounters)
        embed.add_field(name=_("By game"), value="\n".join(lines), inline=False)
    if versus.encounters:
        embed.set_footer(text=_("Counts who placed higher at the tables where you both played without hints."))
    return MessageContent(embed.to_dict())


def _summary(versus: Versus, games: Mapping[str, AnyPackage], name: str) -> str:
    if not versus.encounters:
        return _("You and {name} haven't finished a game together here yet. Games with hints don't count.").format(
            name=name
        )
    wins, losses, draws = (
        sum(getattr(each, part) for each in versus.encounters) for part in ("wins", "losses", "draws")
    )
    tables = wins + losses + draws
    count = ngettext("{count} game together", "{count} games together", tables)
    if len(versus.encounters) == 1:
        count = ngettext("{count} game of {game} together", "{count} games of {game} together", tables)
    played = count.format(count=format_number(tables), game=title_of(games, versus.encounters[0].game))
    lines = (
        _("You: **{wins}**").format(wins=format_number(wins)),
        _("{name}: **{losses}**").format(name=name, losses=format_number(losses)),
        *_draw_text(draws),
    )
    return "\n".join((played, *lines))


def _latest_games(versus: Versus, games: Mapping[str, AnyPackage]) -> tuple[str, ...]:
    """Return the tables, which are too long for a field."""
    if not versus.latest:
        return ()
    return ("\n".join((_("**Latest games together**"), *(table_line(table, games) for table in versus.latest))),)


def _draw_text(draws: int) -> tuple[str, ...]:
    if not draws:
        return ()
    return (ngettext("{count} draw", "{count} draws", draws).format(count=format_number(draws)),)


def _game_line(each: Encounters, games: Mapping[str, AnyPackage]) -> str:
    score = _("{wins} : {losses}").format(wins=format_number(each.wins), losses=format_number(each.losses))
    return " · ".join((f"{title_of(games, each.game)} **{score}**", *_draw_text(each.draws)))
