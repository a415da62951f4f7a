"""Renders badges: the line at the end of a table, all those of a person, and a line of their profile."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import groupby
from operator import itemgetter
from typing import Any, Final

import discord
from discord.utils import format_dt

from bot.features.badges.book import BadgeGroup, count_badges, find_badge, list_groups
from bot.features.badges.model import OVERALL, ShownAward
from bot.features.badges.picture import badge_picture
from bot.platform.discord.content import MessageContent
from bot.platform.places import Person
from bot.rules.badges import Badge
from bot.tables.registry import AnyPackage
from bot.tables.shown.embeds import SEAT_COLOURS
from bot.tables.shown.links import escape_name, escaped_seat_names, message_link
from bot.tables.table import Table
from bot.words import format_number, gettext as _, join_items, ngettext

MEDAL: Final = "🏅"

_MAX_NAMED: Final = 3
"""How many badges a line names; the others are counted."""

_MAX_LENGTH: Final = 5500
"""How long the lines may be together, of the 6000 characters of an embed."""


def award_line(table: Table, *, overall_only: bool = False) -> str:
    """Say in one line what was awarded at the end of a table; nothing if nothing was.

    What it also took games in other servers to earn is left out: everyone here can read it. With `overall_only`, so are
    the badges of the game, which tell what has happened in it.
    """
    games, place = {table.header.game: table.package}, table.header.location.guild_id
    awards = [each for each in table.awards if each.guild_id == place]
    if overall_only:
        awards = [each for each in awards if each.badge.startswith(f"{OVERALL}/")]
    found = [(table.seat_of(each.user_id), find_badge(games, each.badge), each.badge) for each in awards]
    known = [(seat, badge, key) for seat, badge, key in found if seat is not None and badge is not None]
    # The badges of the game tell more of it than that it was somebody's first.
    known.sort(key=lambda each: (each[2].startswith(f"{OVERALL}/"), each[0]))
    named = sorted(((seat, _(badge.name)) for seat, badge, _key in known[:_MAX_NAMED]), key=itemgetter(0))
    if not named:
        return ""
    names = escaped_seat_names(table)
    parts = [
        _("{name}: {badges}").format(name=names[seat], badges=", ".join(name for _seat, name in own))
        for seat, own in groupby(named, key=itemgetter(0))
    ]
    if more := len(known) - len(named):
        parts.append(ngettext("{count} more", "{count} more", more).format(count=format_number(more)))
    return f"{MEDAL} {' · '.join(parts)}"


def badge_line(earned: Sequence[ShownAward], games: Mapping[str, AnyPackage]) -> str:
    """Say in one line how many badges a person has, and which are the newest; nothing if there are none."""
    names = [_(badge.name) for badge in newest_badges(earned, games)]
    if not names:
        return ""
    line = ngettext("{medal} **{count}** of {total} badges", "{medal} **{count}** of {total} badges", len(names))
    start = line.format(medal=MEDAL, count=format_number(len(names)), total=format_number(count_badges(games)))
    return _("{start} · newest: {names}").format(start=start, names=join_items(names[:_MAX_NAMED]))


def newest_badges(earned: Sequence[ShownAward], games: Mapping[str, AnyPackage]) -> list[Badge]:
    """Return the badges that a person has, the newest first, without those that are gone."""
    return [badge for each in reversed(earned) if (badge := find_badge(games, each.award.badge)) is not None]


def render_badges(
    earned: Sequence[ShownAward], games: Mapping[str, AnyPackage], person: Person, *, is_own: bool
) -> MessageContent:
    """Render the badges of a person; for themselves those of all servers, with their tables and what is left."""
    groups, found = list_groups(games), {each.award.badge: each for each in earned}
    count = sum(f"{group.key}/{badge.key}" in found for group in groups for badge in group.badges)
    total = format_number(count_badges(games))
    heading = _("{name}: {count} of {total} badges") if is_own else _("{name}: {count} of {total} badges earned here")
    title = heading.format(name=escape_name(person.name), count=format_number(count), total=total)
    fields = [_build_field(group, found, is_own=is_own) for group in groups]
    if sum(len(field["value"]) for field in fields) > _MAX_LENGTH:
        fields = [_build_field(group, found, is_own=is_own, is_short=True) for group in groups]
    embed = discord.Embed(title=title, colour=SEAT_COLOURS[0])
    if not is_own and not count:
        embed.description = _("None in this server yet.")
    json: dict[str, Any] = {**embed.to_dict(), "fields": [field for field in fields if field["value"]]}
    return MessageContent(json, make_picture=partial(badge_picture, groups, frozenset(found)) if count else None)


def _build_field(
    group: BadgeGroup, found: Mapping[str, ShownAward], *, is_own: bool, is_short: bool = False
) -> dict[str, Any]:
    lines = _lines(group, found, is_own=is_own, is_short=is_short)
    return {"name": group.title, "value": "\n".join(lines), "inline": False}


def _lines(group: BadgeGroup, found: Mapping[str, ShownAward], *, is_own: bool, is_short: bool) -> Iterator[str]:
    """Yield a line for each badge that a person has, and for themselves also for those that they lack."""
    for badge in group.badges:
        shown = found.get(f"{group.key}/{badge.key}")
        if shown is not None:
            yield _earned_line(badge, shown, is_own=is_own, is_short=is_short)
        elif is_own:
            yield _("▫️ {name}: {sentence}").format(name=_(badge.name), sentence=_(badge.sentence))


def _earned_line(badge: Badge, shown: ShownAward, *, is_own: bool, is_short: bool) -> str:
    name = f"**{_(badge.name)}**"
    if is_own and shown.location is not None:
        # Others may not be able to see the table's channel.
        name = f"[{_(badge.name)}]({message_link(shown.location, shown.message_id)})"
    date = format_dt(shown.award.earned_at, "d")
    line = _("{medal} {name} · {date}") if is_short else _("{medal} {name}: {sentence} · {date}")
    return line.format(medal=MEDAL, name=name, sentence=_(badge.sentence), date=date)
