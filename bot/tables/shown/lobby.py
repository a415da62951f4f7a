"""Renders tables that have not started."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

import discord
from discord.utils import format_dt

from bot.platform.discord.content import Button, MessageContent
from bot.platform.discord.menus import SelectMenu, SelectOption
from bot.reading_order import whole_in_reading_order
from bot.rules.components import Nameplate, name_labels, token_marks
from bot.rules.game import Seat
from bot.rules.package import minutes_of
from bot.rules.picture import COVER_SIZE, MIN_TEXT_SIZE, Box, ColourRole, Mark, Picture, Rect, Sprite, seat_colour
from bot.tables.characters import name_seats
from bot.tables.clocks import may_have_clock
from bot.tables.handlers.ids import PEOPLE_ONLY, LobbyButton, LobbyId, OpponentsId, RemovePlayerId
from bot.tables.lobby import SEATS_KEPT_FOR, has_hints, may_have_pace, with_least_seats
from bot.tables.model import HostChoice, Occupant
from bot.tables.registry import AnyPackage, levels_of, played_level, usual_level
from bot.tables.series import tally_of
from bot.tables.shown.buttons import more_button
from bot.tables.shown.embeds import SEAT_COLOURS, heading_of
from bot.tables.shown.links import escape_name, nameplates_of, sanitize_name
from bot.tables.shown.parts import NO_PARTS, Place, TableParts
from bot.tables.shown.screen import series_field
from bot.tables.shown.words import (
    changed_options_line,
    clock_option,
    describe_level,
    name_with_level,
    pace_option,
)
from bot.tables.table import Table
from bot.words import format_minutes, gettext as _, join_items, ngettext, seat_emoji

_MARGIN, _GAP, _SEAT_HEIGHT, _NAME_SIZE = 20, 14, 68, 42
_MAX_COLUMNS: Final = 2

_PAIR: Final = 2


def render_lobby(table: Table, parts: TableParts = NO_PARTS) -> MessageContent:
    """Render a lobby: the game, the seats, the changed options and how to start."""
    seats = [_seat_line(table, seat, escape_name(name)) for seat, name in enumerate(name_seats(table.seats))]
    content = MessageContent(
        _make_embed(table, "\n".join(seats)).to_dict(), _button_rows(table, parts), _menus(table, parts)
    )
    if (cover := table.package.look.cover) is None:
        return content
    # The cover shows the seats as well, so they take one line of text beside it.
    beside = {"fields": _make_embed(table, " · ".join(seats)).to_dict()["fields"]}
    make_picture = partial(lobby_picture, table.package, cover, nameplates_of(table))
    return replace(content, make_picture=make_picture, picture_embed_json=beside)


def _make_embed(table: Table, seats: str) -> discord.Embed:
    title = _("Waiting for players") if _has_room(table) else _("Ready to start")
    if table.package.game.info.is_solo:
        title = _("Ready to deal")
    embed = discord.Embed(title=title, description=_(table.package.study.guide.summary), colour=SEAT_COLOURS[0])
    embed.set_author(name=heading_of(table))
    embed.add_field(name=_seats_title(table), value=seats, inline=False)
    if kept := sorted(table.header.kept):
        line = ngettext(
            "A seat is kept for {people} until {time}.", "Seats are kept for {people} until {time}.", len(kept)
        )
        people, until = join_items([f"<@{user_id}>" for user_id in kept]), table.header.created_at + SEATS_KEPT_FOR
        embed.add_field(
            name=_("Join again"), value=line.format(people=people, time=format_dt(until, "t")), inline=False
        )
    # Mention hints only if the opener has turned them off.
    hints = "" if table.header.allows_hints else _("Hints: off")
    if line := " · ".join(
        filter(None, (changed_options_line(table.options), hints, pace_option(table), clock_option(table)))
    ):
        embed.add_field(name=_("Options"), value=line, inline=False)
    if field := series_field(table):
        embed.add_field(name=field.title, value=field.text, inline=False)
    if line := "\n".join(filter(None, (_start_hint(table), _broken_note(table)))):
        embed.set_footer(text=line)
    return embed


def _seats_title(table: Table) -> str:
    info = table.package.game.info
    time = format_minutes(minutes_of(table.package, table.options, max(len(table.seats), info.least_seats)))
    if tally_of(table):
        time = _("{time} per game").format(time=time)
    if info.is_solo:
        return _("Player · {time}").format(time=time)
    return _("Players: {taken}/{most} · {time}").format(taken=len(table.seats), most=info.most_seats, time=time)


def _seat_line(table: Table, seat: int, name: str) -> str:
    occupant = table.seats[seat]
    if occupant.level is not None:
        name = name_with_level(name, played_level(table.package, occupant.level))
    elif occupant.user_id == table.header.opener_id and not table.is_for_one_person:
        name = _("**{name}** (host)").format(name=name)
    return f"{seat_emoji(seat)} {name}"


def _has_room(table: Table) -> bool:
    """Return whether anyone can join."""
    is_full = len(table.seats) >= table.package.game.info.most_seats
    return not (is_full or table.is_for_one_person or table.is_fixed)


def _start_hint(table: Table) -> str:
    """Return what the buttons do not say about the start."""
    opener = sanitize_name(
        next(occupant.name for occupant in table.seats if occupant.user_id == table.header.opener_id)
    )
    if table.kind.is_arranged:
        return _("A tournament game; {name} presses Start.").format(name=opener)
    if table.is_fixed:
        return _("Same players; {name} presses Start.").format(name=opener)
    if table.is_for_one_person and not table.package.game.info.is_solo:
        if table.header.location.guild_id is not None:
            text = _("Only {name} and computers play at this table, so the channel stays free for others.")
            return text.format(name=opener)
        if table.header.location.is_outside:
            return _("Only you see this table. Play the computer, or open a table in a server with Parlour.")
        return _("No one else can join in a direct message. Play the computer, or open a table in a server.")
    return ""


def _broken_note(table: Table) -> str:
    """Return a warning if computer players, or the aids for a solo player, are worse than usual."""
    if not table.package.mind.broken:
        return ""
    if table.package.game.info.is_solo:
        return _("Hints and reviews are rougher than usual: the data of the strongest computer player can't be read.")
    if any(who.is_computer for who in table.seats):
        return _("Computers only play Normal: the data of the other levels can't be read.")
    return ""


def _menus(table: Table, parts: TableParts) -> tuple[SelectMenu, ...]:
    """Return the menu of opponents, which adds a computer player with each choice or removes them all."""
    info, package = table.package.game.info, table.package
    if table.is_fixed or info.is_solo:
        return ()
    has_computer = any(who.is_computer for who in table.seats)
    options = [SelectOption(_("People only"), PEOPLE_ONLY)] if has_computer else []
    if len(table.seats) < info.most_seats:
        are_fixed = HostChoice.LEVELS in parts.find_fixed(table.header.location)
        options += [
            SelectOption(_name_of_next(table, level), level, describe_level(level))
            for level in ([usual_level(package)] if are_fixed else levels_of(package))
            if played_level(package, level) == level
        ]
    if not options:
        return ()
    # Those who take a seat at the start play, too.
    seats = with_least_seats(table).seats
    computers = [
        name_with_level(name, played_level(package, who.level))
        for name, who in zip(name_seats(seats), seats, strict=True)
        if who.level is not None
    ]
    placeholder = _("Opponents: people only")
    if computers:
        placeholder = _("Opponents: {names}").format(names=join_items(computers))
    return (SelectMenu(placeholder, str(OpponentsId(table.id, table.header.revision)), tuple(options)),)


def _name_of_next(table: Table, level: str) -> str:
    """Return the name that the next computer player of a level gets at a table, with the level."""
    return name_with_level(name_seats((*table.seats, Occupant(level=level)))[-1], level)


def _button_rows(table: Table, parts: TableParts) -> tuple[tuple[Button, ...], ...]:
    """Return the buttons to join and to start, and below them the one for everything else."""
    more, beside = more_button(table), parts.buttons(Place.LOBBY_BUTTON, table)
    if table.is_fixed or table.package.game.info.is_solo:
        label = _("Start") if table.is_fixed else _("Deal")
        return ((lobby_button(table, LobbyButton.START, label, discord.ButtonStyle.success), *beside, more),)
    start = lobby_button(table, LobbyButton.START, _start_label(table), discord.ButtonStyle.success)
    label = _("Join again") if table.header.kept else _("Join")
    join = lobby_button(table, LobbyButton.JOIN, label, discord.ButtonStyle.primary)
    return (*([join] if _has_room(table) else []), start, *beside), (more,)


def _start_label(table: Table) -> str:
    """Return the label of the start: the name of the only opponent if it is a computer player, else how many play."""
    seats = with_least_seats(table).seats
    if len(seats) == _PAIR and seats[-1].is_computer:
        return _("Start with {name}").format(name=sanitize_name(name_seats(seats)[-1]))
    # Translators: {players} is a number.
    return _("Start with {players}").format(players=len(seats))


def has_options(table: Table) -> bool:
    """Return whether the opener of a lobby has anything to choose."""
    offered = bool(type(table.options).model_fields) or has_hints(table.package)
    offered |= may_have_pace(table) or may_have_clock(table)
    return offered and not table.is_fixed


def lobby_button(
    table: Table, button: LobbyButton, label: str, style: discord.ButtonStyle = discord.ButtonStyle.secondary
) -> Button:
    """Return a button of a lobby."""
    return Button(label, str(LobbyId(table.id, table.header.revision, button)), style)


def lobby_picture(package: AnyPackage, cover: str, nameplates: Sequence[Nameplate]) -> Picture:
    """Lay out a cover with the seats.

    Args:
        package: The game.
        cover: Its cover.
        nameplates: Who has the taken seats.
    """
    info, (width, height) = package.game.info, COVER_SIZE
    columns = min(_MAX_COLUMNS, info.most_seats)
    rows = -(-info.most_seats // columns)
    seats = Rect(_MARGIN, height + _GAP, width - 2 * _MARGIN, rows * (_SEAT_HEIGHT + _GAP) - _GAP)
    areas = [at for row in seats.split_rows(rows, _GAP) for at in row.split_columns(columns, _GAP)]
    marks = (mark for seat, at in enumerate(areas[: info.most_seats]) for mark in _seat_marks(nameplates, seat, at))
    picture = Picture(
        size=(width, seats.bottom + _MARGIN),
        backdrop=(Sprite(cover, Rect(0, 0, *COVER_SIZE)),),
        marks=tuple(marks),
        description=_("The cover of {game}. Seats taken: {taken} of {most}.").format(
            game=_(info.title), taken=len(nameplates), most=info.most_seats
        ),
        surface=package.look.surface,
    )
    return whole_in_reading_order(picture)


def _seat_marks(nameplates: Sequence[Nameplate], seat: Seat, at: Rect) -> Iterator[Mark]:
    """Yield a seat with its token and name, or an empty one."""
    if seat >= len(nameplates):
        yield Box(at, None, ColourRole.SURFACE_LINE, 18, 2)
        return
    yield Box(at, ColourRole.SURFACE_SHADE, seat_colour(seat), 18, 4)
    token = Rect(at.x + 14, at.y + 10, _SEAT_HEIGHT - 20, _SEAT_HEIGHT - 20)
    yield from token_marks(nameplates, seat, token, MIN_TEXT_SIZE)
    name = Rect(token.right + 12, at.y + 6, at.right - token.right - 24, at.height - 12)
    yield from name_labels(nameplates, seat, name, size=_NAME_SIZE)


def render_removal(table: Table, remover_id: int) -> MessageContent:
    """Render the menu of players that the opener or a moderator can remove."""
    options = tuple(
        SelectOption(f"{seat_emoji(seat)} {sanitize_name(name)}", str(seat))
        for seat, (who, name) in enumerate(zip(table.seats, name_seats(table.seats), strict=True))
        if who.user_id != remover_id
    )
    menu = SelectMenu(_("Remove player"), str(RemovePlayerId(table.id, table.header.revision)), options)
    embed = discord.Embed(description=_("Who isn't playing? Their seat becomes free."), colour=SEAT_COLOURS[0])
    return MessageContent(embed.to_dict(), menus=(menu,))
