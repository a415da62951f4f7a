"""Renders profiles, histories and duels."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from itertools import groupby
from operator import attrgetter

import discord
from discord.utils import format_dt

from bot.features.badges.messages import badge_line, newest_badges
from bot.features.badges.model import ShownAward
from bot.features.profiles.card import fact_lines, profile_card
from bot.features.profiles.model import Profile, Versus
from bot.features.results.messages import describe_stats, medal, result_line, score_of, table_title
from bot.features.results.model import FinishedTable, History
from bot.platform.discord.content import Button, MessageContent, drop_empty_rows, page_buttons, page_note
from bot.platform.discord.ids import CustomId
from bot.platform.places import Person
from bot.rules.picture import Picture
from bot.tables.registry import AnyPackage
from bot.tables.shown.embeds import SEAT_COLOURS
from bot.tables.shown.links import escape_name, sanitize_name
from bot.tables.shown.words import score_kind_of, title_of
from bot.words import N_, format_number, gettext as _, ngettext


class HistoryScope(StrEnum):
    """The finished tables that a history covers."""

    HERE = "here"
    SERVER = "server"
    MINE = "mine"


@dataclass(frozen=True)
class HistoryId(CustomId, prefix="h"):
    """A page of a history; the click tells the place."""

    scope: HistoryScope
    page: int


_TITLES: Mapping[HistoryScope, str] = {
    HistoryScope.HERE: N_("Played in this channel"),
    HistoryScope.SERVER: N_("Played in this server"),
    HistoryScope.MINE: N_("Your games"),
}

_LABELS: Mapping[HistoryScope, str] = {
    HistoryScope.HERE: N_("This channel"),
    HistoryScope.SERVER: N_("Whole server"),
    HistoryScope.MINE: N_("My games"),
}

_EMPTY_TEXTS: Mapping[HistoryScope, str] = {
    HistoryScope.HERE: N_("No one has finished a game in this channel yet. `/play` lists the games."),
    HistoryScope.SERVER: N_("No one has finished a game in this server yet. `/play` lists the games."),
    HistoryScope.MINE: N_("You haven't finished a game yet. `/play` lists the games."),
}


def render_history(
    history: History, games: Mapping[str, AnyPackage], scope: HistoryScope, scopes: tuple[HistoryScope, ...]
) -> MessageContent:
    """Render a page of finished tables, with buttons to the other scopes."""
    lines = (table_line(table, games) for table in history.tables)
    embed = discord.Embed(
        title=_(_TITLES[scope]),
        description="\n\n".join(lines) or _(_EMPTY_TEXTS[scope]),
        colour=SEAT_COLOURS[0],
    )
    if note := page_note(history.page):
        embed.set_footer(text=note)
    scope_buttons = tuple(Button(_(_LABELS[other]), str(HistoryId(other, 1))) for other in scopes if other is not scope)
    return MessageContent(
        embed.to_dict(), drop_empty_rows(page_buttons(history.page, lambda page: HistoryId(scope, page)), scope_buttons)
    )


def table_line(table: FinishedTable, games: Mapping[str, AnyPackage]) -> str:
    """Return the ranking of a table, with a link to it."""
    finished = format_dt(table.results[0].finished_at, "R")
    kind = score_kind_of(games, table.results[0].game)
    names = table.names
    ranking = " · ".join(result_line(result, names[result.seat], kind) for result in table.results)
    return f"{table_title(table, games)} · {finished}\n{ranking}"


def render_duel(versus: Versus, games: Mapping[str, AnyPackage], other: Person) -> MessageContent:
    """Render the results of the asker and another person against each other in a server."""
    name = escape_name(other.name)
    parts = [_summary(versus, games, name)]
    if versus.latest:
        # The lines are too long for a field.
        latest = (table_line(table, games) for table in versus.latest)
        parts.append("\n".join((_("**Latest games together**"), *latest)))
    title, text = _("You and {name}").format(name=name), "\n\n".join(parts)
    embed = discord.Embed(title=title, description=text, colour=SEAT_COLOURS[0])
    if len(versus.encounters) > 1:
        lines = []
        for met in versus.encounters:
            score = _("{wins} : {losses}").format(wins=format_number(met.wins), losses=format_number(met.losses))
            lines.append(" · ".join((f"{title_of(games, met.game)} **{score}**", *_draw_text(met.draws))))
        embed.add_field(name=_("By game"), value="\n".join(lines), inline=False)
    if versus.encounters:
        embed.set_footer(text=_("A table where you both played without hints counts for the one who ranked higher."))
    return MessageContent(embed.to_dict())


def _summary(versus: Versus, games: Mapping[str, AnyPackage], name: str) -> str:
    if not versus.encounters:
        return _("You and {name} haven't finished a game together here yet. Games with hints don't count.").format(
            name=name
        )
    wins, losses, draws = (sum(getattr(met, part) for met in versus.encounters) for part in ("wins", "losses", "draws"))
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


def _draw_text(draws: int) -> tuple[str, ...]:
    if not draws:
        return ()
    return (ngettext("{count} draw", "{count} draws", draws).format(count=format_number(draws)),)


def render_profile(
    profile: Profile,
    games: Mapping[str, AnyPackage],
    person: Person,
    asker_id: int,
    badges: Sequence[ShownAward] = (),
) -> MessageContent:
    """Render a person's profile in a server: their card, and the number of their badges."""
    if profile.stats:
        make_card = partial(profile_card, sanitize_name(person.name), profile, games, newest_badges(badges, games))
        return _build_content(escape_name(person.name), badge_line(badges, games), profile, games, make_card)
    empty = (
        _("You haven't finished a game here yet. `/play` lists the games.")
        if person.id == asker_id
        else _("{name} hasn't finished a game here yet.").format(name=escape_name(person.name))
    )
    return _build_content(escape_name(person.name), empty, profile, games)


def render_own_profile(
    profile: Profile, games: Mapping[str, AnyPackage], badges: Sequence[ShownAward] = ()
) -> MessageContent:
    """Render the asker's profile across servers."""
    text = _("You haven't finished a game yet. `/play` lists the games, here too.")
    if profile.stats:
        text = _("All the games you've finished, in servers and here.")
    text = "\n".join(filter(None, (text, badge_line(badges, games))))
    return _build_content(_("Your games"), text, profile, games)


def _build_content(
    title: str,
    text: str,
    profile: Profile,
    games: Mapping[str, AnyPackage],
    make_card: Callable[[], Picture] | None = None,
) -> MessageContent:
    """Build the embed of a profile; facts that the card shows are in the text only without a card."""
    facts = fact_lines(profile, games) if profile.record.form or make_card is not None else ()
    embed = discord.Embed(title=title, description="\n".join(filter(None, (text, *facts))), colour=SEAT_COLOURS[0])
    for game, stats in groupby(sorted(profile.stats, key=attrgetter("game")), attrgetter("game")):
        text_of_game = describe_stats(stats, score_kind_of(games, game))
        embed.add_field(name=title_of(games, game), value=text_of_game, inline=False)
    if profile.latest:
        lines = []
        for table in profile.latest:
            result = table.result_of(profile.user_id)
            parts = [f"{medal(result)} {table_title(table, games)}", format_dt(result.finished_at, "R")]
            if score := score_of(result, score_kind_of(games, result.game)):
                parts.insert(1, f"**{score}**")
            lines.append(" · ".join(parts))
        embed.add_field(name=_("Latest games"), value="\n".join(lines), inline=False)
    return MessageContent(embed.to_dict(), make_picture=make_card, picture_embed_json={"description": text})
