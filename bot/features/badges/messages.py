"""Renders badges: the line at the end of a table, a person's badges, and the line in a profile."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import partial
from itertools import groupby
from operator import attrgetter
from types import MappingProxyType
from typing import Any, Final, NamedTuple

import discord
from discord.utils import format_dt

from bot.features.badges.model import (
    OVERALL,
    PlayRecords,
    Progress,
    ShownAward,
    find_nearest,
    overall_progress,
    step_key,
)
from bot.platform.discord.content import MessageContent
from bot.platform.places import Person
from bot.reading_order import whole_in_reading_order
from bot.rules.components import die_marks
from bot.rules.game import Seat
from bot.rules.picture import MIN_SHEET_TEXT_SIZE, PICTURE_WIDTH, ColourRole, Label, Mark, Picture, Rect, Sprite
from bot.rules.rewards import MEDAL_AREA, MEDAL_FACE, Badge, GameBadge, medal
from bot.tables.model import Status
from bot.tables.registry import AnyPackage
from bot.tables.shown.embeds import SEAT_COLOURS
from bot.tables.shown.links import count_letters, escape_name, escaped_seat_names, with_link
from bot.tables.shown.story_line import LETTERS_IN_LINE, heard_badges
from bot.tables.table import Table
from bot.words import N_, format_number, gettext as _, join_items, wrap_words


class BadgeGroup(NamedTuple):
    """The badges of one game, or the badges that belong to no game."""

    key: str
    title: str
    badges: tuple[Badge, ...]


def _medal(*motif: Mark) -> tuple[Mark, ...]:
    return medal(ColourRole.GOLD, *motif)


_FOUR_CROWNS: Final = tuple(
    Sprite("crown", Rect(MEDAL_FACE.x + 39 * (at % 2), MEDAL_FACE.y + 8 + 32 * (at // 2), 37, 27)) for at in range(4)
)

OVERALL_BADGES: Final = (
    Badge(
        "first_game",
        N_("First Game"),
        N_("Finish a game, alone or with others."),
        _medal(Sprite("flag", MEDAL_FACE.center(76, 56))),
    ),
    Badge(
        "first_win",
        N_("First Win"),
        N_("Win a game against people or computer players."),
        _medal(Sprite("crown", MEDAL_FACE.center(76, 56))),
    ),
    Badge(
        "grand_tour",
        N_("Grand Tour"),
        N_("Finish five different games."),
        _medal(*die_marks(5, MEDAL_FACE.inset(8), ColourRole.SEAT_1)),
    ),
    Badge("all_rounder", N_("All-Rounder"), N_("Win four different games."), _medal(*_FOUR_CROWNS)),
    Badge(
        "old_friend",
        N_("Old Friend"),
        N_("Play with others again, 100 days after your first game with others."),
        _medal(
            Sprite("token-1", Rect(MEDAL_FACE.x, MEDAL_FACE.y + 16, 44, 44)),
            Sprite("token-2", Rect(MEDAL_FACE.x + 32, MEDAL_FACE.y + 16, 44, 44), may_overlap=True),
        ),
    ),
)
"""The badges whose rules are in `bot.features.badges.model`, in the order in which they are shown."""


def list_groups(games: Mapping[str, AnyPackage]) -> tuple[BadgeGroup, ...]:
    """Return the badges that belong to no game, and then those of each game."""
    by_game = (BadgeGroup(key, _(package.game.info.title), package.results.badges) for key, package in games.items())
    return (BadgeGroup(OVERALL, _("All games"), OVERALL_BADGES), *(group for group in by_game if group.badges))


def count_badges(games: Mapping[str, AnyPackage]) -> int:
    """Return how many badges there are."""
    return sum(len(group.badges) for group in list_groups(games))


def find_badge(games: Mapping[str, AnyPackage], full_key: str) -> Badge | None:
    """Return a badge by its game and key, or None if it no longer exists or is only a step to one."""
    group, _slash, key = full_key.partition("/")
    package = games.get(group)
    of_game: tuple[Badge, ...] = () if package is None else package.results.badges
    return next((badge for badge in (OVERALL_BADGES if group == OVERALL else of_game) if badge.key == key), None)


MEDAL: Final = "🏅"

_MAX_NAMED: Final = 3
"""The most badges that a line names; further ones are only counted."""

_MAX_LENGTH: Final = 5500
"""The most characters of all lines together; an embed may have 6000."""


def award_lines(table: Table) -> list[str]:
    """Name the badges and the steps to badges that a table has awarded, in a line for each person.

    Badges that also took games in other servers to earn are left out, because everyone here can read the line.
    """
    names = escaped_seat_names(table)
    return [
        _("{medal} {name}: {badges}").format(
            medal=MEDAL, name=names[seat], badges=join_items([award.name for award in own])
        )
        for seat, own in groupby(_named_awards(table), key=attrgetter("seat"))
    ]


def new_badges_line(table: Table) -> str:
    """Say in one line what a person has just earned, while the turn that earned it is told; else return nothing.

    Of more badges than fit into the line, it names the last.
    """
    new = {(each.seat, each.key) for each in heard_badges(table)}
    found = [award for award in _named_awards(table) if (award.seat, award.key) in new]
    if not found or table.header.status is not Status.PLAYING:
        return ""
    seat = found[-1].seat
    name, own = escaped_seat_names(table)[seat], [award.name for award in found if award.seat == seat]
    lines = [
        _("{medal} {name}: {badges}!").format(medal=MEDAL, name=name, badges=join_items(shown))
        for shown in (own, own[-1:])
    ]
    return next((line for line in lines if count_letters(line) <= LETTERS_IN_LINE), lines[-1])


class _NamedAward(NamedTuple):
    """An award at a table, in words."""

    seat: Seat
    is_overall: bool
    key: str
    name: str
    """The name of the badge; of a step to it, with the number of steps."""


def _named_awards(table: Table) -> list[_NamedAward]:
    """Return the awards of a table that everyone may see, by seat, those of the game first."""
    games, found = {table.header.game: table.package}, list[_NamedAward]()
    for award in table.awards:
        group, key, *step = award.badge.split("/")
        seat, badge = table.seat_of(award.user_id), find_badge(games, f"{group}/{key}")
        if award.guild_id == table.header.location.guild_id and seat is not None and badge is not None:
            name = _(badge.name)
            if isinstance(badge, GameBadge) and step:
                name = _("{badge} {step} of {steps}").format(badge=name, step=step[0], steps=badge.games)
            found.append(_NamedAward(seat, group == OVERALL, "/".join((key, *step)), name))
    return sorted(found, key=lambda award: award[:2])


def badge_line(earned: Sequence[ShownAward], games: Mapping[str, AnyPackage]) -> str:
    """Say in one line how many badges a person has and name the newest; return an empty text without any."""
    names = [_(badge.name) for badge in newest_badges(earned, games)]
    if not names:
        return ""
    return _("{medal} Badges: **{count}** of {total} · newest: {names}").format(
        medal=MEDAL,
        count=format_number(len(names)),
        total=format_number(count_badges(games)),
        names=join_items(names[:_MAX_NAMED]),
    )


def newest_badges(earned: Sequence[ShownAward], games: Mapping[str, AnyPackage]) -> list[Badge]:
    """Return a person's badges that still exist, the newest first."""
    return [badge for shown in reversed(earned) if (badge := find_badge(games, shown.award.badge)) is not None]


def render_badges(
    earned: Sequence[ShownAward],
    games: Mapping[str, AnyPackage],
    person: Person,
    *,
    is_own: bool,
    records: PlayRecords = (),
    best_scores: Mapping[str, int] = MappingProxyType({}),
) -> MessageContent:
    """Render a person's badges; with `is_own`, from all servers, with links to their tables and the missing badges.

    Args:
        earned: The badges.
        games: The games that are installed.
        person: The person.
        is_own: Whether the person has asked.
        records: What the person has finished, to tell which missing badge is the nearest.
        best_scores: The person's best score in each game, for the same.
    """
    groups, found = list_groups(games), {shown.award.badge: shown for shown in earned}
    count = sum(f"{group.key}/{badge.key}" in found for group in groups for badge in group.badges)
    total = format_number(count_badges(games))
    heading = _("{name} · badges: {count} of {total}")
    if not is_own:
        heading = _("{name} · badges earned here: {count} of {total}")
    title = heading.format(name=escape_name(person.name), count=format_number(count), total=total)
    fields = [_build_field(group, found, is_own=is_own) for group in groups]
    if sum(len(field["value"]) for field in fields) > _MAX_LENGTH:
        fields = [_build_field(group, found, is_own=is_own, is_short=True) for group in groups]
    embed = discord.Embed(title=title, colour=SEAT_COLOURS[0])
    if not is_own and not count:
        embed.description = _("None in this server yet.")
    counted = (*overall_progress(records), *_progress_in_games(games, found.keys(), best_scores))
    if nearest := find_nearest(counted, found.keys()):
        key, (reached, goal) = nearest
        badge = find_badge(games, key)
        line = _("Nearest: **{badge}**, {reached} of {goal}.")
        embed.description = line.format(
            badge=badge and _(badge.name), reached=format_number(reached), goal=format_number(goal)
        )
    json: dict[str, Any] = {**embed.to_dict(), "fields": [field for field in fields if field["value"]]}
    # To themselves, people are shown the silhouettes of all missing badges as well.
    rows = [group for group in groups if is_own or any(f"{group.key}/{badge.key}" in found for badge in group.badges)]
    return MessageContent(json, make_picture=partial(badge_picture, rows, frozenset(found)) if rows else None)


def _progress_in_games(
    games: Mapping[str, AnyPackage], found: Collection[str], best_scores: Mapping[str, int]
) -> Iterator[tuple[str, Progress]]:
    """Yield how near a person is to the badges that take a score or several games."""
    for key, package in games.items():
        for badge in package.results.badges:
            full_key = f"{key}/{badge.key}"
            if badge.score is not None:
                yield full_key, Progress(best_scores.get(key, 0), badge.score)
            elif badge.games > 1:
                yield full_key, Progress(sum(each.startswith(step_key(full_key)) for each in found), badge.games)


def _build_field(
    group: BadgeGroup, found: Mapping[str, ShownAward], *, is_own: bool, is_short: bool = False
) -> dict[str, Any]:
    """Return a line for each badge that a person has; with `is_own`, also for each missing one."""
    lines = []
    for badge in group.badges:
        shown, name, sentence = found.get(f"{group.key}/{badge.key}"), _(badge.name), _(badge.sentence)
        if shown is None:
            if is_own:
                lines.append(_("▫️ {name}: {sentence}").format(name=name, sentence=sentence))
            continue
        line = _("{medal} {name} · {date}") if is_short else _("{medal} {name}: {sentence} · {date}")
        marked = f"**{name}**"
        if is_own and shown.location is not None:
            # Other people may not be able to see the table's channel.
            marked = with_link(name, shown.location, shown.message_id)
        date = format_dt(shown.award.earned_at, "d")
        lines.append(line.format(medal=MEDAL, name=marked, sentence=sentence, date=date))
    return {"name": group.title, "value": "\n".join(lines), "inline": False}


_EDGE: Final = 20
_TITLE_HEIGHT, _NAME_HEIGHT, _GAP = 48, 34, 18
_NAME_LINES, _NAME_LENGTH = 2, 11
_COLUMNS: Final = 5
_ROW_HEIGHT: Final = _TITLE_HEIGHT + MEDAL_AREA.height + _NAME_LINES * _NAME_HEIGHT + _GAP


def badge_picture(groups: Sequence[BadgeGroup], earned: Collection[str]) -> Picture:
    """Lay out the badges of a person.

    Args:
        groups: The badges to show, at least one group.
        earned: The full keys of the person's badges.
    """
    marks = list[Mark]()
    for at, group in enumerate(groups):
        top = _EDGE + at * _ROW_HEIGHT
        title = Rect(_EDGE, top, PICTURE_WIDTH - 2 * _EDGE, _TITLE_HEIGHT)
        marks.append(Label(group.title, title, ColourRole.SURFACE_TEXT, 34, bold=True))
        cells = Rect(_EDGE, title.bottom, title.width, _ROW_HEIGHT - _TITLE_HEIGHT).split_columns(_COLUMNS)
        for badge, cell in zip(group.badges, cells, strict=False):
            marks += _cell_marks(badge, cell, is_earned=f"{group.key}/{badge.key}" in earned)
    size = (PICTURE_WIDTH, _EDGE + len(groups) * _ROW_HEIGHT)
    return whole_in_reading_order(Picture(size, (), tuple(marks), _describe(groups, earned)))


def _cell_marks(badge: Badge, cell: Rect, *, is_earned: bool) -> Iterator[Mark]:
    """Yield a medal with its name, or its silhouette."""
    at = Rect(cell.x, cell.y, cell.width, MEDAL_AREA.height).center(*MEDAL_AREA[2:])
    if is_earned:
        yield from medal_marks(badge, at)
    else:
        yield Sprite("badge-silhouette", at, ColourRole.SURFACE_LINE)
    ink = ColourRole.SURFACE_TEXT if is_earned else ColourRole.SURFACE_TEXT_FAINT
    name = Rect(cell.x, at.bottom, cell.width, _NAME_HEIGHT)
    for line in wrap_words(_(badge.name), _NAME_LENGTH, _NAME_LINES):
        yield Label(line, name, ink, MIN_SHEET_TEXT_SIZE, bold=is_earned)
        name = name.shift(down=name.height)


def medal_marks(badge: Badge, at: Rect) -> Iterator[Mark]:
    """Yield the medal of a badge, scaled to an area."""
    for mark in badge.medal:
        yield mark._replace(at=mark.at.shift(at.x, at.y))


def _describe(rows: Sequence[BadgeGroup], earned: Collection[str]) -> str:
    """Name the badges, for people who can't see the picture."""
    lines = (
        _("{title}: {badges}.").format(
            title=group.title,
            badges=join_items([_(badge.name) for badge in group.badges if f"{group.key}/{badge.key}" in earned]),
        )
        for group in rows
        if any(f"{group.key}/{badge.key}" in earned for badge in group.badges)
    )
    return " ".join((_("Medals."), *lines))
