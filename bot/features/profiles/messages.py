"""Renders profiles of players."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import groupby
from operator import attrgetter

import discord
from discord.utils import format_dt

from bot.features.badges.messages import badge_line, newest_badges
from bot.features.badges.model import ShownAward
from bot.features.profiles.card import profile_card
from bot.features.profiles.facts import fact_lines
from bot.features.profiles.model import FinishedTable, GameStats, Profile
from bot.features.profiles.result_text import full_line, medal, score_of, table_title
from bot.platform.discord.content import MessageContent
from bot.platform.places import Person
from bot.rules.picture import Picture
from bot.tables.registry import AnyPackage
from bot.tables.seat_result import Company
from bot.tables.shown.embeds import SEAT_COLOURS
from bot.tables.shown.game_names import score_kind_of, title_of
from bot.tables.shown.links import escape_name, sanitize_name
from bot.words import gettext as _


def render_profile(
    profile: Profile,
    games: Mapping[str, AnyPackage],
    person: Person,
    asker_id: int,
    badges: Sequence[ShownAward] = (),
) -> MessageContent:
    """Render what a person has played in a server, with their card, and how many badges they have."""
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
    profile: Profile, games: Mapping[str, AnyPackage], game: str | None = None, badges: Sequence[ShownAward] = ()
) -> MessageContent:
    """Render everything that the asker has played anywhere, or only the game with this title."""
    text = "\n".join(filter(None, (_own_description(profile, game), badge_line(badges, games))))
    return _build_content(_("Your games"), text, profile, games)


def _own_description(profile: Profile, game: str | None) -> str:
    if profile.stats:
        return _("All the games you've finished, in servers and here.")
    if game is None:
        return _("You haven't finished a game yet. `/play` lists the games, here too.")
    return _("You haven't finished a game of {game} yet. `/play` lists the games, here too.").format(game=game)


def _build_content(
    title: str,
    text: str,
    profile: Profile,
    games: Mapping[str, AnyPackage],
    make_card: Callable[[], Picture] | None = None,
) -> MessageContent:
    """Build the embed of a profile; the facts that its card shows are in it where there is no card."""
    facts = fact_lines(profile, games) if profile.record.form or make_card is not None else ()
    embed = discord.Embed(title=title, description="\n".join(filter(None, (text, *facts))), colour=SEAT_COLOURS[0])
    for game, stats in groupby(sorted(profile.stats, key=_sort_key), attrgetter("game")):
        kind = score_kind_of(games, game)
        lines = (full_line(each, kind) for each in stats)
        embed.add_field(name=title_of(games, game), value="\n".join(lines), inline=False)
    if profile.latest:
        lines = (_table_line(table, games, profile.user_id) for table in profile.latest)
        embed.add_field(name=_("Latest games"), value="\n".join(lines), inline=False)
    return MessageContent(embed.to_dict(), make_picture=make_card, picture_embed_json={"description": text})


def _sort_key(stats: GameStats) -> tuple[str, int]:
    return stats.game, list(Company).index(stats.company)


def _table_line(table: FinishedTable, games: Mapping[str, AnyPackage], user_id: int) -> str:
    result = table.result_of(user_id)
    finished = format_dt(result.finished_at, "R")
    score = score_of(result, score_kind_of(games, result.game))
    score_text = f" · **{score}**" if score else ""
    return f"{medal(result)} {table_title(table, games)}{score_text} · {finished}"
